"""Alembic's folder of migrations; `env` is run by Alembic alone."""
