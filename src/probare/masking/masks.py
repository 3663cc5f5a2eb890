"""The masks of one run: secrets everywhere, and in a case's records what was planted in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from probare.masking.masker import Masker
from probare.masking.planted import PlantedMask


class Masks:
    """Masks with the secrets of `masker`, and with the identifiers of `planted`: by case, the
    values by their names. A case that is not in it costs nothing more.
    """

    def __init__(
        self, masker: Masker, planted: Mapping[str, Mapping[str, str]] | None = None
    ) -> None:
        self.masker = masker
        self._planted = planted or {}

    def of_case(self, case: str) -> Callable[[bytes], bytes]:
        """Return what masks the bytes of a case's records."""
        identifiers = self._planted.get(case)
        if not identifiers:
            return self.masker.mask_bytes
        planted = PlantedMask(identifiers.items())
        return lambda line: planted.mask_bytes(self.masker.mask_bytes(line))

    def of_run(self) -> Callable[[str], str]:
        """Return what masks a text that belongs to no case: all that was planted in any."""
        pairs = {pair for identifiers in self._planted.values() for pair in identifiers.items()}
        planted = PlantedMask(sorted(pairs))
        return lambda text: planted.mask_text(self.masker.mask_text(text))
