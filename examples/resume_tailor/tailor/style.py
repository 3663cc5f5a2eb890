"""Words that a résumé of this house does without, and plainer ones for some of them."""

from __future__ import annotations

import re

# A verb that has a plainer one: base form, -s, -ed, -ing.
_PLAINER = (
    (("leverage", "leverages", "leveraged", "leveraging"), ("use", "uses", "used", "using")),
    (("utilize", "utilizes", "utilized", "utilizing"), ("use", "uses", "used", "using")),
    (
        ("spearhead", "spearheads", "spearheaded", "spearheading"),
        ("lead", "leads", "led", "leading"),
    ),
)
_PLAIN_WORD = {
    fancy: plain for forms, plainer in _PLAINER for fancy, plain in zip(forms, plainer, strict=True)
}
BANNED = (
    *_PLAIN_WORD,
    "synergy",
    "synergies",
    "passionate",
    "rockstar",
    "ninja",
    "guru",
    "world-class",
    "cutting-edge",
    "results-driven",
    "go-getter",
)
_BANNED = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, BANNED))})(?![\w-])", re.IGNORECASE)


def banned_in(text: str) -> tuple[str, ...]:
    """Return the banned words of a text as they stand there."""
    return tuple(_BANNED.findall(text))


def plain(text: str) -> str:
    """Return a text with the plainer word wherever there is one."""
    return _BANNED.sub(_plainer, text)


def _plainer(match: re.Match[str]) -> str:
    word = _PLAIN_WORD.get(match[0].lower(), match[0])
    return word.capitalize() if match[0][0].isupper() else word
