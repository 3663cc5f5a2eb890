"""What a job posting asks for: role, seniority, must-haves, responsibilities."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tailor.posting import Analysis, Posting, Seniority
from tailor.terms import terms_in

# The first that fits a heading names its section: "preferred qualifications" are no musts.
_SECTIONS: dict[str, re.Pattern[str]] = {
    "nice": re.compile(r"nice to have|bonus|preferred|\bplus\b|ideally", re.IGNORECASE),
    "must": re.compile(
        r"requirements|required|qualifications|must.haves?|what you(?:'ll)? (?:bring|need)"
        r"|who you are|you have|your profile|we(?:'re| are) looking for|skills",
        re.IGNORECASE,
    ),
    "do": re.compile(
        r"responsibilit|what you(?:'ll| will)? do|your (?:role|tasks|job|mission)"
        r"|the role|duties|day to day",
        re.IGNORECASE,
    ),
    "offer": re.compile(r"benefits|we offer|perks|why (?:us|join)|^about\b", re.IGNORECASE),
}
_SENIORITY: tuple[tuple[Seniority, re.Pattern[str]], ...] = tuple(
    (level, re.compile(rf"\b(?:{words})\b\.?\s*", re.IGNORECASE))
    for level, words in (
        ("intern", "intern(?:ship)?|working student"),
        ("principal", "principal|distinguished"),
        ("staff", "staff"),
        ("lead", "lead|head of"),
        ("senior", "senior|sr"),
        ("junior", "junior|jr|graduate|entry.level"),
        ("mid", "mid.level|mid|intermediate"),
    )
)
_YEARS = re.compile(r"\b(\d{1,2})\s*(?:\+|(?:-|–|to)\s*\d{1,2})?\s*years?\b", re.IGNORECASE)
_ASKED_FOR = re.compile(
    r"\b(?:looking for|hiring|seeking|searching for)\s+(?:an?\s+|our next\s+)?"
    r"((?:[SJ]r\.)?[^.,;:!?\n]+)",
    re.IGNORECASE,
)
_TITLE_ENDS = re.compile(
    r"\s*(?:\([^)]*\)|\[[^]]*\]|\s[–—|-]\s.*|,.*|\s(?:at|in|to join|who|with|for)\s.*)",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^\s*[-*•·]\s+")
_LONGEST_HEADING = 8


def analyse(posting: Posting) -> Analysis:
    """Return what the posting asks for; what it does not say is empty or `unspecified`."""
    sections = _sections(posting.text)
    title = posting.title or _title_in(posting.text)
    musts = tuple(sections["must"])
    nice = tuple(sections["nice"])
    responsibilities = tuple(sections["do"])
    offered = set(sections["offer"])
    wanted = "\n".join(line for line in posting.text.splitlines() if _bare(line) not in offered)
    return Analysis(
        role=_role(title),
        seniority=_seniority(title, musts),
        must_haves=musts,
        nice_to_haves=nice,
        responsibilities=responsibilities,
        keywords=tuple(
            dict.fromkeys(
                term
                for text in ("\n".join(musts), "\n".join(responsibilities), title, wanted)
                for term in terms_in(text)
            )
        ),
    )


def _sections(text: str) -> dict[str, list[str]]:
    """Return the lines under each kind of heading: list items where there are any."""
    found: dict[str, list[str]] = {name: [] for name in _SECTIONS}
    items: dict[str, list[str]] = {name: [] for name in _SECTIONS}
    current: str | None = None
    for line in text.splitlines():
        if not line.strip():
            continue
        is_item = _ITEM.match(line) is not None
        heading = None if is_item else _heading(line)
        if heading is not None:
            current = heading
        elif current is not None:
            found[current].append(_bare(line))
            if is_item:
                items[current].append(_bare(line))
    return {name: items[name] or found[name] for name in found}


def _heading(line: str) -> str | None:
    text = line.strip().strip("#*: ")
    if len(text.split()) > _LONGEST_HEADING or text.endswith((".", "!", ";")):
        return None
    text = text.replace("’", "'")
    return next((name for name, words in _SECTIONS.items() if words.search(text)), None)


def _bare(line: str) -> str:
    return _ITEM.sub("", line).strip()


def _title_in(text: str) -> str:
    asked = _ASKED_FOR.search(text)
    if asked is not None:
        return asked[1].strip()
    return next((line.strip("# ") for line in text.splitlines() if line.strip()), "")


def _role(title: str) -> str:
    """Return a title without its level, gender marks, place and what else follows."""
    role = _TITLE_ENDS.split(f"{title.strip()} ", maxsplit=1)[0]
    for _, words in _SENIORITY:
        role = words.sub("", role)
    return role.strip(" -–—|/,")


def _seniority(title: str, musts: Iterable[str]) -> Seniority:
    """Return the level that the title names, else the one that the years asked for speak of."""
    for level, words in _SENIORITY:
        if words.search(title):
            return level
    years = [int(match[1]) for must in musts for match in _YEARS.finditer(must)]
    if not years:
        return "unspecified"
    most = max(years)
    if most >= 5:
        return "senior"
    return "mid" if most >= 2 else "junior"
