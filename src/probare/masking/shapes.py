"""Shapes of well-known keys, found even where nobody said that they are secret."""

from __future__ import annotations

import re

SHAPES = re.compile(
    rb"(?P<private>-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z))"
    rb"|(?P<anthropic>\bsk-ant-[A-Za-z0-9_-]{8,})"
    rb"|(?P<openai>\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{6,})"
    rb"|(?P<google>\bAIza[A-Za-z0-9_-]{8,})"
    rb"|(?P<aws>\b(?:AKIA|ASIA)[A-Z0-9]{12,})"
    rb"|(?P<github>\b(?:gh[pousr]_[A-Za-z0-9]{8,}|github_pat_[A-Za-z0-9_]{8,}))"
    rb"|(?P<nvidia>\bnvapi-[A-Za-z0-9_-]{8,})"
    rb"|(?P<slack>\bxox[abprs]-[A-Za-z0-9-]{8,})",
    re.DOTALL,
)
_ANY_CASE = re.compile(
    rb"(?P<bearer>(?<=bearer )[A-Za-z0-9._~+/=-]{8,})"
    rb"|(?P<header>(?<=api-key: )[^\s\"'\\,;]{3,}|(?<=api-key:)[^\s\"'\\,;]{3,})",
    re.IGNORECASE,
)


def mask_shapes(line: bytes) -> bytes:
    """Return the bytes with known key shapes replaced by `[secret:<kind>]`."""
    if (
        b"sk-" in line
        or b"AIza" in line
        or b"AKIA" in line
        or b"ASIA" in line
        or b"ghp_" in line
        or b"gho_" in line
        or b"ghu_" in line
        or b"ghs_" in line
        or b"ghr_" in line
        or b"github_pat_" in line
        or b"nvapi-" in line
        or b"xox" in line
        or b"PRIVATE KEY-----" in line
    ):
        line = SHAPES.sub(_token, line)
    if (
        b"earer " in line
        or b"EARER " in line
        or b"-key:" in line
        or b"-Key:" in line
        or b"-KEY:" in line
    ):
        line = _ANY_CASE.sub(_token, line)
    return line


def _token(match: re.Match[bytes]) -> bytes:
    kind = (match.lastgroup or "key").encode()
    return b"[secret:" + kind + b"]"
