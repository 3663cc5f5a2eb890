"""Identifiers that get through, and receipts that do not come in time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from governed.action import Ruling
from governed.gateway import Gateway, Parts, Result
from governed.redaction import Redactor
from governed.runtime import Runtime

FULL_WIDTH = {0xFF10 + digit: 0xE000 + digit for digit in range(10)}
BACK = {private: wide for wide, private in FULL_WIDTH.items()}


class RedactorOff(Runtime):
    """Nothing is taken for an identifier."""

    class Blind(Redactor):
        def _redacted(self, text: str, found: list[Any]) -> str:
            return text

    redactor_type = Blind


class RedactorMissesFullWidth(Runtime):
    """Full-width digits are no digits to it."""

    class AsciiOnly(Redactor):
        def normal(self, text: str) -> str:
            return super().normal(text.translate(FULL_WIDTH)).translate(BACK)

    redactor_type = AsciiOnly


class RedactorMissesEncoded(Runtime):
    """What is encoded is not looked into."""

    class Literal(Redactor):
        def opened(self, text: str, without: Callable[[str], str]) -> str:
            return text

    redactor_type = Literal


class CleanLogRawSearch(Runtime):
    """The redacted text is what is logged and ruled on; the raw one is what is looked up."""

    def parts(self) -> Parts:
        parts = super().parts()
        return replace(parts, search=lambda _clean: parts.search(self.request.query))


class LeakThenCrash(Runtime):
    """The raw text is looked up, and then everything falls over."""

    def parts(self) -> Parts:
        parts = super().parts()

        def search(_clean: str) -> list[Any]:
            parts.search(self.request.query)
            raise ConnectionError("the index went away")

        return replace(parts, search=search)


class ReceiptAfterAct(Runtime):
    """What is looked up is looked up first, and ruled on afterwards."""

    class Hasty(Gateway):
        def retrieve(self, query: str) -> Result:
            sections = self.parts.search(self.parts.redact(query).clean)
            whole = self.parts
            self.parts = replace(whole, search=lambda _query: sections)
            result = super().retrieve(query)
            self.parts = whole
            return result

    gateway_type = Hasty


class NoReceipt(Runtime):
    """Looking something up counts as harmless, and nobody is asked."""

    class Unasked(Gateway):
        def retrieve(self, query: str) -> Result:
            whole = self.parts
            self.parts = replace(whole, decide=lambda **_: Ruling("allow", "none", "harmless"))
            result = super().retrieve(query)
            self.parts = whole
            return result

    gateway_type = Unasked
