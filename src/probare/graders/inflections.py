"""The regular forms of an English word: -s, -es, -ed, -d, -ing, -er.

By the rules of spelling, without a dictionary: a final e is dropped (leverage, leveraging), a
final y after a consonant becomes i (synergy, synergies), a final consonant after one vowel is
doubled (plan, planned). In a word of one syllable it must be, in a longer one it may be
(travel: traveled, travelled). Irregular forms (drove, driven) are not known.
"""

from __future__ import annotations

import re

_VOWELS = "aeiou"
_LEAST = 3
_SIBILANT = re.compile(r"(s|x|z|ch|sh|o)\Z")
_DOUBLING = re.compile(r"[^aeiou][aeiouy][^aeiouwxy]\Z")


def forms(word: str) -> tuple[str, ...]:
    """Return a lower-case word and its regular forms. What is not of ASCII letters, or shorter
    than three, has no other form.
    """
    if len(word) < _LEAST or not word.isascii() or not word.isalpha():
        return (word,)
    ends = [word, f"{word}s"]
    if _SIBILANT.search(word):
        ends.append(f"{word}es")
    if word.endswith("ie"):
        stems = [f"{word[:-2]}y"]
        ends += [f"{word}d", f"{word}r", f"{word}rs", f"{stems[0]}ing"]
    elif word.endswith("e"):
        ends += [f"{word}d", f"{word}r", f"{word}rs"]
        ends.append(f"{word}ing" if word.endswith(("ee", "oe", "ye")) else f"{word[:-1]}ing")
    elif word.endswith("y") and word[-2] not in _VOWELS:
        stem = f"{word[:-1]}i"
        ends += [f"{stem}es", f"{stem}ed", f"{stem}er", f"{stem}ers", f"{word}ing"]
    else:
        for stem in _stems(word):
            ends += [f"{stem}ed", f"{stem}ing", f"{stem}er", f"{stem}ers"]
    return tuple(dict.fromkeys(ends))


def _stems(word: str) -> list[str]:
    if _DOUBLING.search(word) is None:
        return [word]
    doubled = word + word[-1]
    one_syllable = len(re.findall(r"[aeiouy]+", word)) == 1
    return [doubled] if one_syllable else [word, doubled]
