"""Paths inside a bundle: which are safe on any system, and how an odd one is shown."""

from __future__ import annotations

import unicodedata

MAX_DEPTH = 8
MAX_COMPONENT = 255
MAX_PATH = 1024

_FORBIDDEN = set('\\":*?<>|')


def path_problem(path: str) -> str:
    """Return what is wrong with a relative path, in words; empty where it is safe.

    Safe is what names one file inside the bundle and the same one on every system.
    """
    if not path or len(path) > MAX_PATH:
        return "it is empty or too long"
    if path.startswith("/"):
        return "it is absolute"
    parts = path.split("/")
    if len(parts) > MAX_DEPTH:
        return f"it is more than {MAX_DEPTH} folders deep"
    for part in parts:
        if part in ("", ".", ".."):
            return f"it has the part '{part}', which leads elsewhere"
        problem = _component_problem(part)
        if problem:
            return problem
    return ""


def _component_problem(part: str) -> str:
    if any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") for c in part):
        return "it has invisible, control or undecodable characters"
    if _FORBIDDEN & set(part):
        return 'it has one of \\ " : * ? < > |'
    if unicodedata.normalize("NFC", part) != part:
        return "it is not in Unicode's composed form (NFC)"
    if part != part.strip() or part.endswith("."):
        return "it begins or ends with a space, or ends with a full stop"
    if len(part.encode()) > MAX_COMPONENT:
        return "it is too long"
    return ""


def shown(path: str) -> str:
    """Return a path fit for a terminal: what is not printable is escaped, and length is cut."""
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in path)
    return text if len(text) <= 200 else f"{text[:200]}…"


def colliding(paths: list[str]) -> list[tuple[str, str]]:
    """Return pairs of paths that are one file where letter case does not count."""
    seen: dict[str, str] = {}
    pairs: list[tuple[str, str]] = []
    for path in sorted(paths):
        first = seen.setdefault(path.casefold(), path)
        if first != path:
            pairs.append((first, path))
    return pairs
