"""Secrets out of every sink: records, reports, logs, the terminal."""

from probare.masking.environ import secrets_from_environ
from probare.masking.masker import SHORTEST, Masker

__all__ = ["SHORTEST", "Masker", "secrets_from_environ"]
