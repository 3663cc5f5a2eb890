"""Run by Alembic: migrate over the connection that `probare.review.upgrading` hands over."""

from __future__ import annotations

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
