"""Whether the report can be offered, and what is missing in the product's own sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from language import Language

SENTENCES: dict[str, dict[Language, str]] = {
    "analysis": {
        "en": "The analysis has not been completed yet.",
        "id": "Analisis belum selesai dijalankan.",
    },
    "delta": {
        "en": "The comparison with the previous period (delta) is still missing.",
        "id": "Perbandingan dengan periode sebelumnya (delta) belum tersedia.",
    },
}


class UnknownCode(ValueError):
    """A readiness report names something that the product has no sentence for."""


@dataclass(frozen=True, slots=True)
class Readiness:
    """The product's readiness report. `missing` holds codes, in the order they must be done."""

    ready: bool
    missing: tuple[str, ...] = ()

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Readiness:
        """Read the product's report. Raises UnknownCode on a code without a sentence.

        A report that claims to be ready while something is missing is not ready.
        """
        missing = tuple(data.get("missing") or ())
        unknown = [code for code in missing if code not in SENTENCES]
        if unknown:
            known = ", ".join(SENTENCES)
            raise UnknownCode(f"no sentence for missing code {unknown[0]!r} (known: {known})")
        return cls(ready=data.get("ready") is True and not missing, missing=missing)

    def sentences(self, language: Language) -> list[str]:
        """Return what is missing as the product shows it to the user."""
        return [SENTENCES[code][language] for code in self.missing]
