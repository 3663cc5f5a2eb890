"""Places smaller than a state: streets, post boxes, towns, counties, postal codes, coordinates."""

from __future__ import annotations

from probare.graders.phi_recognisers.ordinary import EPONYMS, PLAIN, REGIONS
from probare.graders.phi_recognisers.recognising import Rule, compiled

_STATE = (
    "A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]"
    "|T[NX]|UT|V[AIT]|W[AIVY]"
)
# these are also words, degrees or laboratory values, and need a postal code beside them
_AMBIGUOUS = "AL|AR|CA|CO|CT|DE|HI|IA|ID|IN|LA|MA|MD|ME|MS|MT|NE|OK|OR|PA|PR|RI|SC|VA|VI"
_STATE_NAME = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia"
    "|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts"
    "|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New (?:Hampshire|Jersey"
    "|Mexico|York)|(?:North|South) (?:Carolina|Dakota)|Ohio|Oklahoma|Oregon|Pennsylvania"
    "|Rhode Island|Tennessee|Texas|Utah|Vermont|(?:West )?Virginia|Washington|Wisconsin|Wyoming"
)
_WORD = r"(?:\p{Lu}\p{Ll}[\p{L}'’]*(?:-\p{Lu}\p{Ll}+)*|St\.|Ft\.|Mt\.)"
_TOWN = rf"{_WORD}(?: (?:{_WORD}|de|del|la|of)){{0,2}}"
_STREET_KIND = (
    r"(?i:street|str?|avenue|ave?|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|place|pl|way"
    r"|terrace|ter|circle|cir|highway|hwy|parkway|pkwy|trail|trl|square|sq|loop|alley|turnpike)"
)
_UNIT = r"(?:,? (?i:apt|apartment|unit|suite|ste|floor|fl|room|rm|#)\.? ?#?[A-Za-z0-9-]{1,6}\b)?"
_ORDINAL = r"\d{1,3}(?:st|nd|rd|th)"
_MOVE = (
    r"(?i:moved|moving|relocated|relocating|travel(?:l?ed|l?ing|s)?|commut(?:es|ed|ing)|drives"
    r"|drove"
    r"|flew|returned|liv(?:es?|ed|ing)|resid(?:es?|ed|ing)|grew up|raised|born|based|settled|home"
    r"|stay(?:s|ed|ing)|worked|working|residence|hails?|visited|visiting|native|resident)"
)


def town(value: str) -> int:
    """Return how much of a value is a town: states and countries are none (Safe Harbor allows
    them), nor are wards, clinics and days.
    """
    length = 0
    matches = list(compiled(r"[\p{L}'’.]+(?:-\p{L}+)*").finditer(value))
    for match in matches:
        folded = match[0].casefold().rstrip(".")
        if folded in PLAIN - _TOWN_WORDS or folded in EPONYMS:
            break
        if not match[0].islower() or len(matches) == 1:
            length = match.end()
    words = value[:length].casefold().split()
    return 0 if not words or all(word in REGIONS | _TOWN_WORDS for word in words) else length


_TOWN_WORDS = frozenset(
    [
        "north",
        "south",
        "east",
        "west",
        "new",
        "old",
        "long",
        "upper",
        "low",
        "high",
        "point",
        "spring",
        "summer",
        "fall",
        "winter",
        "bay",
    ]
)


def _named(value: str) -> int:
    """Return the length of a county's name where it has one (not 'the County')."""
    head = value.rpartition(" ")[0].casefold().split()
    return 0 if not head or head[0] in PLAIN - _TOWN_WORDS else len(value)


def _street(value: str) -> int:
    words = compiled(r"\p{L}+").findall(value.casefold())
    return 0 if words and words[0] in _NO_STREETS else len(value)


_NO_STREETS = frozenset(
    [
        "mg",
        "ml",
        "mcg",
        "units",
        "tablets",
        "capsules",
        "day",
        "days",
        "hours",
        "minutes",
        "times",
        "each",
    ]
)

RULES = (
    Rule(
        "GEO",
        rf"(?<![\d.,])\b(?<value>\d{{1,6}}(?:-\d{{1,4}})?[A-Z]? (?:(?i:[nsew]|[ns][ew]|north|south"
        rf"|east|west)\.? )?"
        rf"(?:{_ORDINAL}|{_WORD})(?: {_WORD}){{0,3}} {_STREET_KIND}\b\.?{_UNIT})",
        _street,
        0.9,
    ),
    Rule("GEO", r"(?i)\bp\.? ?o\.? ?box \#?\d{1,7}\b", None, 0.9),
    Rule("GEO", r"(?i)\b(?:rural route|rr) ?\#?\d{1,4},? box \#?\d{1,6}\b", None, 0.8),
    Rule(
        "GEO",
        rf"\b(?:{_STATE}|{_STATE_NAME})\.?,? (?<value>\d{{5}}(?:-\d{{4}})?)\b(?![-/.]?\d)",
        None,
        0.9,
    ),
    Rule(
        "GEO",
        r"(?i)\b(?:zip|postal|post) ?(?:code)?(?: is|:|=)? ?(?<value>\d{5}(?:-\d{4})?)\b",
        None,
        0.9,
    ),
    Rule("GEO", r"(?<![\w.-])\d{5}-\d{4}(?![\w-])", None, 0.5),
    Rule("GEO", rf"\b(?<value>{_TOWN}),? (?:{_STATE})\.?,? \d{{5}}\b", town, 0.9),
    Rule("GEO", rf"\b(?<value>{_TOWN}), (?!(?:{_AMBIGUOUS})\b)(?:{_STATE})\b", town),
    Rule("GEO", rf"\b(?i:in|from|near|to|of|at|city:?) (?<value>{_TOWN}), (?:{_STATE})\b", town),
    Rule("GEO", rf"\b(?<value>{_TOWN}), (?:{_STATE_NAME})\b", town),
    Rule("GEO", rf"\b{_TOWN} (?:County|Parish|Township|Borough|Municipality)\b", _named, 0.9),
    Rule(
        "GEO",
        rf"\b(?i:city|town|village|suburb|county|neighbou?rhood|hamlet|municipality) of "
        rf"(?<value>{_TOWN})",
        town,
    ),
    Rule(
        "GEO",
        rf"\b(?i:city|town|county|birth ?place|home ?town|neighbou?rhood) ?[:=] ?(?<value>{_TOWN})",
        town,
    ),
    Rule(
        "GEO",
        rf"\b{_MOVE}\b[^.;!?\n]{{0,60}}?\b(?:from|to|in|near|at|of|outside|around|through"
        rf"|between) (?<value>{_TOWN})",
        town,
        0.7,
    ),
    Rule("GEO", rf"\b{_MOVE}\b[^.;!?\n]{{0,40}}\bfrom {_TOWN} to (?<value>{_TOWN})", town, 0.7),
    Rule(
        "GEO",
        r"(?<![\d.])-?\d{1,2}\.\d{3,8}°? ?[NS]?, ?-?\d{1,3}\.\d{3,8}°?(?: ?[EW])?(?![\d.])",
        None,
        0.7,
    ),
    Rule("GEO", r"\b[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}\b", None, 0.6),
    Rule("GEO", r"\b[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d\b(?![\w-])", None, 0.6),
    Rule(
        "GEO",
        r"(?i)\b(?:address|street|residence)(?: line)?(?: \d)? ?[:=] ?"
        r"(?<value>\d{1,6}[^\n,;]{3,40})",
        None,
        0.7,
    ),
)
