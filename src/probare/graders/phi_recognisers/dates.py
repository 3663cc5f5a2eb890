"""Dates finer than a year, and ages over 89 (45 CFR 164.514(b)(2)(i)(C))."""

from __future__ import annotations

from probare.graders.phi_recognisers.recognising import Rule, compiled, holding

_MONTH = (
    r"(?i:january|february|april|june|july|august|september|october|november|december)"
    r"|(?:March|MARCH|May|MAY)"
)
_SHORT = (
    r"(?:J[Aa][Nn]|F[Ee][Bb]|M[Aa][Rr]|A[Pp][Rr]|J[Uu][NnLl]|A[Uu][Gg]|S[Ee][Pp][Tt]?"
    r"|O[Cc][Tt]|N[Oo][Vv]|D[Ee][Cc])"
)
_NAMED = rf"(?:(?:{_MONTH})\b|{_SHORT}\b\.?)"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_ORDINAL = r"(?i:st|nd|rd|th)"
_YEAR = r"(?:19|20)\d{2}"
_WEEKDAY = (
    r"(?i:(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tues?|wed|thu(?:rs)?|fri|sat|sun)\.?"
)
_TIME = (
    r"(?:[T ,]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[AaPp]\.?[Mm]\.?)?(?:Z|[+-]\d{2}:?\d{2})?)?"
)
_NO_UNIT = (
    r"(?! ?(?i:mg|mcg|g|kg|ml|mmol|units?|weeks?|days?|months?|years?|hours?|minutes?|times?|times"
    r"|tablets?|percent|patients|people|%|points?|of \d+))"
)
_CUE = (
    r"(?i:on|dated?|dob|born|since|by|until|till|through|admitted|discharged|seen|visit|effective"
    r"|expires?|appointment|scheduled for|as of|from|due|lmp|dos|surgery|died|deceased)"
)
_BIRTH = (
    r"(?i:d\.?o\.?b\.?|date of birth|birth ?dates?|birthday|born(?: on)?|date of death"
    r"|d\.?o\.?d\.?|dos|date of service)"
)
_NUMBER_WORD = r"(?i:ninety|one hundred|a hundred)"
_ONES = r"(?i:[- ](?:and )?(?:one|two|three|four|five|six|seven|eight|nine|ten))?"
_CATEGORY = r"(?!\W{0,2}(?i:or|and) (?i:older|over|above|up|more))(?!\+)"


def _is_date(value: str) -> bool:
    """Whether three numbers can be a day, a month and a year in some order."""
    numbers = [int(part) for part in compiled(r"\d+").findall(value)[:3]]
    if numbers[0] > 31:
        return 1 <= numbers[1] <= 12 and 1 <= numbers[2] <= 31
    first, second = numbers[0], numbers[1]
    return 1 <= min(first, second) <= 12 and 1 <= max(first, second) <= 31


def _is_old(value: str) -> bool:
    return 89 < int(value) <= 130


_date = holding(_is_date)
_old = holding(_is_old)
_B = r"(?<![\w./-])"
_E = r"(?![\w/]|[.-]\d)"

RULES = (
    Rule(
        "DATE",
        rf"{_B}(?:1[89]|20)\d{{2}}(?<s>[-/.])\d{{1,2}}(?P=s)\d{{1,2}}{_TIME}{_E}",
        _date,
        0.9,
    ),
    Rule("DATE", rf"{_B}\d{{1,2}}(?<s>[-/.])\d{{1,2}}(?P=s){_YEAR}{_TIME}{_E}", _date, 0.9),
    Rule("DATE", rf"{_B}\d{{1,2}}(?<s>[-/])\d{{1,2}}(?P=s)\d{{2}}{_E}", _date, 0.8),
    Rule("DATE", rf"{_B}\d{{2}}\.\d{{2}}\.\d{{2}}{_E}", _date, 0.6),
    Rule("DATE", rf"{_B}(?:0?[1-9]|1[0-2])/{_YEAR}{_E}", None, 0.7),
    Rule(
        "DATE",
        (
            rf"\b{_CUE}:? (?<value>(?:0?[1-9]|1[0-2])/{_DAY}){_E}(?! ?(?i:pain|scale|strength|power"
            rf"|murmur))"
        ),
        None,
        0.6,
    ),
    Rule(
        "DATE",
        rf"\b{_BIRTH}(?: is|:|=|-)? ?(?<value>\d{{6}}|\d{{8}}|\d{{1,2}} \d{{1,2}} \d{{2,4}})\b",
        None,
        0.9,
    ),
    Rule(
        "DATE",
        (
            rf"\b(?<value>(?:{_WEEKDAY},? (?:the )?)?{_NAMED} ?(?:the )?{_DAY}{_ORDINAL}?\b"
            rf"(?:,? ?{_YEAR}|,? ?'\d{{2}})?{_TIME}){_NO_UNIT}(?![\w/]|[.:]\d)"
        ),
        None,
        0.9,
    ),
    Rule(
        "DATE",
        (
            rf"(?<![\w./-])(?<value>(?:{_WEEKDAY},? (?:the )?)?{_DAY}{_ORDINAL}?"
            rf"(?: of)?[ -]?{_NAMED}"
            rf"(?:[,-]? ?{_YEAR}|,? ?'\d{{2}}|[ -]\d{{2}}(?!\d| ?[a-z%]))?)(?![\w/]|\.\d)"
        ),
        None,
        0.9,
    ),
    Rule("DATE", rf"\b{_WEEKDAY},? the {_DAY}{_ORDINAL}\b", None, 0.8),
    Rule(
        "DATE",
        rf"\b(?:{_CUE} )?the (?<value>{_DAY}{_ORDINAL} of (?i:this|last|next|the) month)\b",
        None,
        0.7,
    ),
    Rule("DATE", rf"\b{_NAMED}(?: of|,)? ?-?{_YEAR}\b", None, 0.8),
    Rule("DATE", rf"{_B}\d{{1,2}}{_SHORT}(?:{_YEAR}|\d{{2}})\b", None, 0.9),
    Rule(
        "DATE",
        rf"{_B}(?<value>(?:19|20)\d{{2}}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])T\d{{4,6}}Z?)\b",
        None,
        0.8,
    ),
    Rule(
        "DATE",
        (
            r"\b(?i:date|dated|dos|admitted|discharged|seen)(?: is|:|=| on)? ?(?<value>(?:19"
            r"|20)\d{2}"
            r"(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))\b"
        ),
        None,
        0.7,
    ),
    Rule(
        "AGE",
        (
            rf"(?<![\d.])\b(?<value>\d{{2,3}})(?:[ -]?(?i:years?|yrs?|y)[ -]?(?i:olds?|of age)\b"
            rf"|[ -]?"
            rf"(?i:y\.?/?o\.?|yo[fm]?|yr)\b){_CATEGORY}"
        ),
        _old,
        0.9,
    ),
    Rule(
        "AGE",
        (
            rf"\b(?i:age[ds]?|turn(?:ed|s|ing)|age is|reached)(?: of)?:? (?<value>\d{{2,3}})"
            rf"\b{_CATEGORY}(?! ?(?i:%|mg|days|weeks|months))"
        ),
        _old,
        0.9,
    ),
    Rule(
        "AGE",
        (
            r"\b(?:[Hh]e|[Ss]he|[Tt]hey|[Pp]atient|[Pp]t)(?: is|'s|’s| was)(?: now| already)? "
            r"(?<value>\d{2,3})(?=[.,;!?]|$| (?:and|but|years?\b))"
        ),
        _old,
        0.7,
    ),
    Rule("AGE", r"(?<![\w.])(?<value>\d{2,3}) ?[MF]\b(?![\w/-])", _old, 0.7),
    Rule("AGE", r"\b(?<value>\d{2,3})(?:st|nd|rd|th) birthday\b", _old, 0.9),
    Rule(
        "AGE",
        rf"\b{_NUMBER_WORD}{_ONES}[- ](?i:years?)[- ](?i:olds?|of age)\b{_CATEGORY}",
        None,
        0.9,
    ),
    Rule(
        "AGE",
        rf"\b(?i:age[ds]?|turn(?:ed|s|ing)) (?<value>{_NUMBER_WORD}{_ONES})\b{_CATEGORY}",
        None,
        0.9,
    ),
    Rule(
        "AGE",
        (
            r"\b(?i:(?:his|her|their) (?:mid-?|late |early )?(?:nineties|90s)|centenarian"
            r"|nonagenarian)\b"
        ),
        None,
        0.8,
    ),
)
