"""Text made comparable: Unicode form, spaces, invisible characters.

Three steps, applied to both sides of every text comparison:

1. *Invisible characters* are dropped: format characters and all of Unicode's
   Default_Ignorable_Code_Point (zero-width space, joiners, soft hyphen, byte order mark,
   direction marks, variation selectors, tags, fillers), control characters other than white
   space, and the carriage return before a line feed. Two of them carry meaning and stay: a
   zero-width joiner between two emoji, and the tags of a regional flag. The zero-width
   non-joiner of Persian goes: with and without it a word counts as the same.
2. *Spaces*: each Unicode space separator (no-break, narrow, em, ideographic, ...) is U+0020, and
   each Unicode line or paragraph separator a line feed. Tabs and line feeds are layout and stay;
   runs of spaces are not shortened.
3. *NFC*, which joins what display joins (e + accent) and no more. NFKC would also turn x² into
   x2, so the ligature ﬁ is not fi, and full-width letters stay what they are.

Digits and case are never folded here. `fold` adds full case folding where a check ignores case.
ASCII text without control characters comes back as it is, which keeps a check cheap.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from probare.model.verdict import Span

_EMOJI = "[\u2190-\u2bff\U0001f000-\U0001faff]"
_FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
_CONTROLS = bytes([*range(0x09), *range(0x0E, 0x20), 0x7F])
_INVISIBLE = (
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_LINE_ENDS = "\x85\u2028\u2029"
_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_DROPPED = re.compile(
    f"({_FLAG})|(?<!{_EMOJI})(?<!{_EMOJI}\ufe0f)\u200d|\u200d(?!{_EMOJI})|\r(?=\n)|[{_INVISIBLE}]"
)
_SPACE = re.compile(f"[{_SPACES}]")
_LINE_END = re.compile(f"[{_LINE_ENDS}]")
_SUSPECT = re.compile(f"[\r\u200d{_INVISIBLE}{_SPACES}{_LINE_ENDS}]")


def normalise(text: str) -> str:
    """Return `text` in the form that comparisons use. Idempotent."""
    if text.isascii():
        if text.isprintable() or not _has_controls(text):
            return text
    elif _SUSPECT.search(text) is None:
        return unicodedata.normalize("NFC", text)
    return unicodedata.normalize("NFC", _spaced(_visible(text)))


def fold(text: str) -> str:
    """Return `text` normalised and case-folded (ß is ss); Unicode's canonical caseless form."""
    text = normalise(text)
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", text.casefold())


def prepare(text: str, *, ignore_case: bool) -> str:
    """Return `fold(text)` or `normalise(text)`."""
    return fold(text) if ignore_case else normalise(text)


def changes(*texts: str) -> str:
    r"""Say which steps change anything in any of the texts; empty where none does.

    >>> changes("cafe\u0301")
    'normalised: NFC'
    """
    said: list[str] = []
    if any(normalise(text) != text for text in texts):
        visible = [_visible(text) for text in texts]
        spaced = [_spaced(text) for text in visible]
        if any(a != b for a, b in zip(texts, visible, strict=True)):
            said.append("invisible characters dropped")
        if any(a != b for a, b in zip(visible, spaced, strict=True)):
            said.append("Unicode spaces as spaces")
        if any(not unicodedata.is_normalized("NFC", text) for text in spaced):
            said.append("NFC")
    return f"normalised: {', '.join(said)}" if said else ""


def original_spans(
    text: str, found: Iterable[tuple[int, int]], *, ignore_case: bool = False
) -> tuple[Span, ...]:
    """Map stretches of the prepared text back to stretches of `text` itself.

    A stretch that covers part of what became one character (half of an ß folded to ss) grows to
    the whole of it.
    """
    pairs = list(found)
    if not pairs or _unmoved(text, ignore_case=ignore_case):
        return tuple(Span(start, end) for start, end in pairs)
    starts, ends = _offsets(text, ignore_case=ignore_case)
    return tuple(
        Span(starts[start], ends[end - 1] if end > start else starts[start]) for start, end in pairs
    )


def _unmoved(text: str, *, ignore_case: bool) -> bool:
    """Whether preparing leaves every character in its place. Case folding only ever adds."""
    if normalise(text) != text:
        return False
    if not ignore_case or text.isascii():
        return True
    folded = text.casefold()
    return len(folded) == len(text) and fold(text) == folded


def _has_controls(text: str) -> bool:
    """Whether ASCII text has something to drop. A byte translation beats any pattern here."""
    return len(text.encode().translate(None, _CONTROLS)) != len(text) or "\r\n" in text


def _visible(text: str) -> str:
    return _DROPPED.sub(r"\1", text)


def _spaced(text: str) -> str:
    return _LINE_END.sub("\n", _SPACE.sub(" ", text))


def _offsets(text: str, *, ignore_case: bool) -> tuple[list[int], list[int]]:
    """Return, for each character of the prepared text, where its origin starts and ends.

    One more start is added, so that an empty stretch at the end has a place. Works cluster by
    cluster: no NFC composition and no case folding reaches across a cluster's edge.
    """
    starts: list[int] = []
    ends: list[int] = []
    cluster: list[int] = []

    def close() -> None:
        source = _spaced("".join(text[at] for at in cluster))
        result = _finish(source, ignore_case=ignore_case)
        if len(result) == len(source) and unicodedata.is_normalized("NFC", source):
            starts.extend(cluster)
            ends.extend(at + 1 for at in cluster)
        else:
            starts.extend([cluster[0]] * len(result))
            ends.extend([cluster[-1] + 1] * len(result))
        cluster.clear()

    for at in _visible_positions(text):
        if cluster and not _continues(text[at]):
            close()
        cluster.append(at)
    if cluster:
        close()
    starts.append(len(text))
    return starts, ends


def _finish(text: str, *, ignore_case: bool) -> str:
    """Do the last steps of `prepare` on text whose invisible characters are gone."""
    text = unicodedata.normalize("NFC", text)
    return unicodedata.normalize("NFC", text.casefold()) if ignore_case else text


def _visible_positions(text: str) -> list[int]:
    positions: list[int] = []
    at = 0
    for match in _DROPPED.finditer(text):
        positions.extend(range(at, match.start()))
        if match[1]:
            positions.extend(range(match.start(), match.end()))
        at = match.end()
    positions.extend(range(at, len(text)))
    return positions


def _continues(char: str) -> bool:
    """Whether NFC may join `char` to what stands before it: marks, Hangul vowels and finals."""
    if char < "\u0300":
        return False
    if unicodedata.category(char)[0] == "M":
        return True
    return "\u1160" <= char <= "\u11ff" or "\U00016d63" <= char <= "\U00016d6a"
