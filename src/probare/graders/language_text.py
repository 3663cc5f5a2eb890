r"""A reply's own words: quotes, code, links taken out before its language is judged.

A reply in Indonesian that quotes an English rule is Indonesian. Taken out: fenced and inline
code, links, mail addresses, HTML tags, quoted lines of Markdown (`> …`), and what stands in
quotation marks of any style ("…", “…”, „…“, «…», ‹…›, ‘…’, '…', 「…」, 『…』, 《…》). Marks
that do not pair within a paragraph quote nothing, and an apostrophe is no quotation mark. Where
one pair of marks encloses the whole reply, the marks go and the words stay.
"""

from __future__ import annotations

import re
import unicodedata

LATIN_LETTERS = 20
OTHER_LETTERS = 4

_MARK_PAIRS = '“” „“ „” «» »« ‹› ›‹ 「」 『』 《》 〈〉 〝〟 ＂＂ ""'
_INSIDE = r"(?:(?!\n[ \t\r]*\n)[^{marks}])*"


def _quoted(pair: str) -> str:
    opening, closing = map(re.escape, pair)
    return opening + _INSIDE.format(marks=opening + closing) + closing


_CODE = re.compile(
    r"(?P<fence>```+|~~~+).*?(?:(?P=fence)|\Z)|(?P<tick>`+)[^\n]*?(?P=tick)", re.DOTALL
)
_LINK = re.compile(
    r"\b(?:https?|ftp|file|mailto):[^\s<>\"'）」]+|\bwww\.[^\s<>\"']+"
    r"|\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"
    r"|\b[\w-]{1,63}(?:\.[\w-]{1,63}){0,5}\.(?:com|org|net|io|dev|edu|gov|html?|pdf|py|json)\b(?:/[^\s<>\"']*)?"
)
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>")
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_QUOTES = re.compile(
    "|".join(map(_quoted, _MARK_PAIRS.split()))
    # Single marks double as apostrophes: they quote only from a word's edge to a word's edge.
    + r"|(?<!\w)‘[^‘\n]{0,500}?’(?!\w)|(?<!\w)‚[^‚\n]{0,500}?‘(?!\w)"
    + r"|(?<![\w'])'(?=\w)[^'\n]{0,300}(?:'\w[^'\n]{0,300}){0,5}'(?![\w'])"
)
_MARKS = re.compile(r"[“”„«»‹›「」『』《》〈〉〝〟＂\"]")


def own_words(text: str) -> str:
    """Return `text` without what it only quotes; one space stands for each thing taken out."""
    for pattern in (_CODE, _LINK, _TAG, _QUOTED_LINE):
        text = pattern.sub(" ", text)
    whole = _QUOTES.fullmatch(text.strip())
    if whole is not None:
        return _MARKS.sub(" ", text)
    return _QUOTES.sub(" ", text)


def enough(text: str) -> bool:
    """Whether there are twenty Latin letters, four of other scripts, or a matching mix."""
    latin, other = letters(text)
    return latin / LATIN_LETTERS + other / OTHER_LETTERS >= 1


def letters(text: str) -> tuple[int, int]:
    """Count the Latin letters of a text, and those of other scripts."""
    latin = other = 0
    for char in text:
        if char.isascii():
            latin += char.isalpha()
        elif char.isalpha():
            if _is_latin(char):
                latin += 1
            else:
                other += 1
    return latin, other


def _is_latin(char: str) -> bool:
    if char < "\u0250":
        return True
    return unicodedata.name(char, "").startswith(("LATIN", "FULLWIDTH LATIN"))
