"""Secrets out of every sink: records, reports, logs, the terminal."""

from probare.masking.environ import secrets_from_environ, secrets_from_headers
from probare.masking.masker import SHORTEST, Masker
from probare.masking.masks import Masks
from probare.masking.planted import PlantedMask

__all__ = [
    "SHORTEST",
    "Masker",
    "Masks",
    "PlantedMask",
    "secrets_from_environ",
    "secrets_from_headers",
]
