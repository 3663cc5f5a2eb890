"""Patterns of identifiers: what they look like, wherever they stand.

The kinds follow the list of HIPAA's Safe Harbor method (45 CFR 164.514(b)(2)). Where a pattern
has a group, the group is the identifier and the rest its label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR = r"(?:19|20)\d{2}"
_NUMBER = r"(?:\s*(?:numbers?|no\.?|id|code|hash|template|:|#|is|with|on file))*[\s#:]*"
_CODE = r"((?=[A-Z0-9()-]*\d)[A-Z0-9(][A-Z0-9()-]{3,})"
_AREA = r"(?:\(\d{3}\)\s?|\d{3}[-. ])"
_EXTENSION = r"(?:\s*(?:ext\.?|x)\s*\d+)?"
_STREET = "street|st|avenue|ave|road|rd|lane|ln|drive|court|boulevard|blvd|way"
_CUE = "[Pp]atient|[Mm]rs?|[Mm]s|[Dd]r|[Dd]aughter|[Ss]on|[Ww]ife|[Hh]usband|[Nn]amed?"
_WORD = r"[A-Z][\w'’]+(?:-[A-Z][\w'’]+)*"


class Found(NamedTuple):
    """An identifier: what kind, and from where to where."""

    kind: str
    start: int
    end: int


def _labelled(labels: str) -> str:
    return rf"\b(?:{labels})\b{_NUMBER}{_CODE}"


_ANY_CASE = {
    "EMAIL": (r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",),
    "URL": (r"\b(?:https?://|www\.)[^\s<>\"']*[^\s<>\"'.,;:!?)]",),
    "IP": (r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]*\d)",),
    "DATE": (
        rf"\b{_YEAR}[-/.]\d{{1,2}}[-/.]\d{{1,2}}\b",
        rf"\b\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:{_YEAR}|\d{{2}})\b",
        rf"\b{_MONTH}\s+{_DAY}(?:,?\s+{_YEAR})?\b",
        rf"\b(?:[a-z]+day\s+)?(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?\b",
    ),
    "SSN": (
        r"(?<![\d-])\d{3}[-. ]\d{2}[-. ]\d{4}(?![\d-])",
        r"\b(?:ssn|social security number)\b[\s:#]*(\d{9})\b",
    ),
    "PHONE": (
        rf"(?<![\w-])(?:\+?\d{{1,2}}[-. ]?)?{_AREA}\d{{3}}[-. ]\d{{4}}{_EXTENSION}(?!\w)",
        r"\b(?:phone|tel|cell|mobile|fax)\b[\s:#]*(\+?\d{7,15})\b",
    ),
    "AGE": (
        r"\b((?:9\d|1[0-4]\d)[-\s]years?(?:[-\s]old)?)\b",
        r"\b(?:aged?|age:)\s*(9\d|1[0-4]\d)\b",
    ),
    "MRN": (
        _labelled("mrn|medical record|record|chart|patient id"),
        r"\b(?:PT|MRN)-?\d{4,}\b",
    ),
    "HEALTH_PLAN": (_labelled("member|subscriber|beneficiary|policy|mbi"),),
    "ACCOUNT": (_labelled("account(?: number)?(?: har)?|har|invoice"),),
    "LICENSE": (_labelled("licen[cs]e|dea|certificate"),),
    "VEHICLE": (_labelled("plate|vin|registration"),),
    "DEVICE": (_labelled("serial|udi|device|implant"), r"\b(?:[0-9A-F]{2}:){5}[0-9A-F]{2}\b"),
    "BIOMETRIC": (_labelled("fingerprint|retinal scan|voiceprint"),),
    "OTHER": (_labelled("employee|participant|study"),),
    "ADDRESS": (
        r"\bP\.?\s?O\.?\s+Box\s+\d+\b",
        rf"\b\d{{1,5}}\s+(?:[A-Z][\w.]*\s+){{1,3}}(?:{_STREET})\b\.?",
    ),
}
_BY_CASE = {
    "NAME": (
        rf"\b(?:{_CUE})[.,:]?\s+({_WORD}(?:\s+(?:[A-Z]\.|{_WORD}))*)",
        r"\b([A-Z]{3,},\s+[A-Z]{2,}(?:\s+[A-Z]\.)?)",
    ),
    "ADDRESS": (
        rf"\b({_WORD}\s+[A-Z]{{2}}\s+\d{{5}}(?:-\d{{4}})?)\b",
        rf"\b({_WORD}\s+County)\b",
    ),
}
_NOT_NAMES = re.compile(r"(?:ID|MRN|DOB|SSN|Portal)\b")

_PATTERNS = [
    *(
        (kind, re.compile(pattern, re.IGNORECASE))
        for kind, patterns in _ANY_CASE.items()
        for pattern in patterns
    ),
    *((kind, re.compile(p)) for kind, patterns in _BY_CASE.items() for p in patterns),
]


def found_by_pattern(text: str) -> Iterator[Found]:
    """Yield what looks like an identifier; two patterns may find the same."""
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            group = 1 if pattern.groups else 0
            if kind == "NAME" and _NOT_NAMES.match(match[group]):
                continue
            yield Found(kind, *match.span(group))
