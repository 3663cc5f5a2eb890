"""Letters and digits as a reader sees them: without width, style, case, marks or separators."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

BARRIER = "\0"

_LOOK_ALIKE = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445"
    "\u0455\u0456\u0458\u051b\u051d\u04bb\u04cf"
    "\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7"
    "\u0131\u0142\u00f8\u0111\u0261",
    "abekmhopctyxsijqwhlabezhikmnoptyxilodg",
)
_OTHER_ASCII = re.compile(r"[^0-9a-z]")
_NOISE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def fold(text: str) -> str:
    """Return a text folded, with a space for each character that is no letter or digit.

    Each character by itself: decomposed (NFKD, and so full-width, circled and styled ones become
    plain), without its marks, case-folded; digits of any script are 0 to 9, Cyrillic and Greek
    letters that look Latin are Latin, invisible characters are nothing.

    >>> fold("Ｊosé Ⅳ٣")
    'jose iv3'
    """
    if text.isascii():
        return _OTHER_ASCII.sub(" ", text.lower())
    return "".join(map(_fold_one, text))


def fold_noise(text: str) -> str:
    """Return a text folded, with a barrier for each character that no text has."""
    pieces = _NOISE.split(text)
    return BARRIER.join(map(fold, pieces)) if len(pieces) > 1 else fold(text)


def places(text: str, *, noisy: bool) -> list[int]:
    """Return for each character of the folded text the place of the one it was folded from."""
    if text.isascii():
        return list(range(len(text)))
    one = fold_noise if noisy else fold
    return [at for at, char in enumerate(text) for _ in one(char)]


@lru_cache(maxsize=8192)
def _fold_one(char: str) -> str:
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    return "".join(map(_plain, decomposed))


def _plain(char: str) -> str:
    if char.isascii():
        return char if char.isalnum() else " "
    if unicodedata.category(char) in ("Mn", "Me", "Cf") or char in "\u115f\u1160\u3164\u034f":
        return ""
    digit = unicodedata.digit(char, None)
    if digit is not None:
        return str(digit)
    return char.translate(_LOOK_ALIKE) if char.isalnum() else " "
