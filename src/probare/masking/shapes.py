"""Shapes of well-known keys, found even where nobody said that they are secret.

Finding that a line is clean must cost next to nothing, so the search goes in steps: a few patterns
that each begin with one rare byte, which the regex engine skips to, those that begin with a
capital only where such a one is among the line's; then the shapes whose literal stands in the
line; and only then is the text itself masked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from probare.masking.pieces import Found
from probare.masking.tokens import secret_token

# a key does not begin inside a word; the n of an escape (\\n) and %20 are not words
_EDGE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=%[0-9A-Fa-f]{2}))"
_SPACE = r"(?: |%20|\+)"
_QUOTE = r"""\\*["']?"""
_VALUE = r"""(?!\[secret:)([^\s"'\\,;]{3,})"""


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of key: `pattern` finds it in text; its group, where there is one, is the secret."""

    name: str
    literals: tuple[str, ...]
    pattern: str
    edge: str = _EDGE
    text: re.Pattern[str] = field(init=False)
    line: re.Pattern[bytes] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", re.compile(self.edge + self.pattern, re.DOTALL))
        object.__setattr__(self, "line", re.compile(self.pattern.encode(), re.DOTALL))

    def masked(self, text: str) -> str:
        """Return the text with each key of this shape replaced."""
        return self.text.sub(self._token, text)

    def found(self, text: str) -> Iterator[Found]:
        """Yield where keys of this shape stand."""
        for match in self.text.finditer(text):
            group = 0 if match.lastindex is None else 1
            yield Found(*match.span(group), secret_token(self.name, match[group]))

    def _token(self, match: re.Match[str]) -> str:
        if match.lastindex is None:
            return secret_token(self.name, match[0])
        start, end = (at - match.start() for at in match.span(1))
        return match[0][:start] + secret_token(self.name, match[1]) + match[0][end:]


SHAPES = (
    Shape(
        "private-key",
        ("KEY-----",),
        rf"-----BEGIN{_SPACE}(?:[A-Z]+{_SPACE})*PRIVATE{_SPACE}KEY-----"
        rf".*?(?:-----END{_SPACE}(?:[A-Z]+{_SPACE})*PRIVATE{_SPACE}KEY-----|\Z)",
        edge="",
    ),
    Shape("anthropic-key", ("sk-ant-",), r"sk-ant-[A-Za-z0-9_-]{4,}"),
    Shape("openai-key", ("sk-",), r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{4,}"),
    Shape("sk-key", ("sk-",), r"sk-(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{16,}"),
    Shape("google-key", ("AIza",), r"AIza[A-Za-z0-9_-]{6,}"),
    Shape("aws-key", ("AKIA", "ASIA"), r"A(?:KIA|SIA)[A-Z0-9]{12,}"),
    Shape(
        "github-token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
        r"gh[pousr]_[A-Za-z0-9]{8,}",
    ),
    Shape("github-token", ("github_pat_",), r"github_pat_[A-Za-z0-9_]{8,}"),
    Shape("gitlab-token", ("glpat-",), r"glpat-[A-Za-z0-9_-]{8,}"),
    Shape("nvidia-key", ("nvapi-",), r"nvapi-[A-Za-z0-9_-]{8,}"),
    Shape("huggingface-token", ("hf_",), r"hf_[A-Za-z0-9]{20,}"),
    Shape("slack-token", ("xox",), r"xox[abeprs]-[A-Za-z0-9-]{8,}"),
    Shape("jwt", ("eyJ",), r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]{8,}"),
    Shape(
        "bearer",
        ("earer", "EARER"),
        rf"(?i:bearer){_SPACE}+((?=[A-Za-z._~+/=-]*[0-9]|[A-Za-z._~+/=-]{{24}})[A-Za-z0-9._~+/=-]{{6,}})",
    ),
    Shape(
        "authorization",
        ("uthorization", "UTHORIZATION"),
        rf"(?i:authorization){_QUOTE}\s*[:=]\s*{_QUOTE}"
        rf"(?i:bearer|basic) +{_VALUE}",
    ),
    Shape(
        "api-key",
        ("api-key", "Api-Key", "API-Key", "API-KEY"),
        rf"(?i:api-key){_QUOTE}\s*[:=]\s*{_QUOTE}{_VALUE}",
        edge="",
    ),
    Shape(
        "header",
        ("oken", "OKEN", "ecret", "ECRET", "-key", "-Key", "-KEY", "-auth", "-Auth"),
        r"(?i:x(?:-[a-z0-9]+)*-(?:token|secret|key|auth)|private-token)"
        rf"{_QUOTE}\s*[:=]\s*{_QUOTE}{_VALUE}",
    ),
    Shape(
        "cookie",
        ("ookie", "OOKIE"),
        rf"(?i:(?:set-)?cookie){_QUOTE}\s*:\s*{_QUOTE}(?!\[secret:)([^\s\"'\\=;]+=[^\r\n\"'\\]{{3,}})",
    ),
    Shape("url-password", ("://",), r"://[^\s/:@\"'\\]*:(?!\[secret:)([^\s/@\"'\\]{3,})@", edge=""),
    Shape(
        "aws-secret",
        ("ecret", "ECRET"),
        rf"(?i:secret_?access_?key){_QUOTE}\s*[:=]\s*{_QUOTE}([A-Za-z0-9/+]{{40}})(?![A-Za-z0-9/+])",
        edge="",
    ),
)
NAMES = frozenset(shape.name for shape in SHAPES)
_PREFILTER = tuple((literal, shape) for shape in SHAPES for literal in shape.literals)
_PREFILTER_BYTES = tuple((literal.encode(), shape.line) for literal, shape in _PREFILTER)
_NOT_MARKS = bytes(byte for byte in range(256) if not (65 <= byte <= 90 or byte in b"@%"))
_MARKED = re.compile(rb"[ABCJKOX@]")
_QUICK_MARKED = tuple(
    re.compile(pattern)
    for pattern in (
        rb"A(?:Iza|KIA|SIA)",
        rb"J(?<=eyJ)",
        rb"B(?:earer|EARER|asic|ASIC)[ %+]",
        rb"@",
        rb"C(?i:ookie)",
        rb"K(?i:ey)",
        rb"-(?:TOKEN|Token|SECRET|Secret|AUTH|Auth)",
    )
)
_DASHED = (
    rb"-(?:(?<=[-kiIabeprst]-)(?:(?<=sk-)|(?<=[pP][iI]-)|(?<=glpat-)|(?<=xox.-)|(?<=-----))"
    rb"|token|secret|key|auth)"
)
_QUICK = tuple(
    re.compile(pattern)
    for pattern in (
        _DASHED,
        rb"b(?:earer|asic)[ %+]",
        rb"g(?:h[pousr]_|ithub_pat_)",
        rb"hf_",
        rb"k(?:(?<=ook)ie|(?<=ss_k)ey|(?<=ssk)ey)",
    )
)
_marked = _MARKED.search
_SEARCHES = tuple(pattern.search for pattern in _QUICK)
_ALL_SEARCHES = (*_SEARCHES, *(pattern.search for pattern in _QUICK_MARKED))
_KEY_FIELD = re.compile(
    r"(?i:(?:[a-z0-9]+-)*api-key|x(?:-[a-z0-9]+)*-(?:token|secret|key|auth)|private-token"
    r"|(?:set-)?cookie)"
)
_SCHEME_FIELD = re.compile(r"(?i:(?:proxy-)?authorization)")
_SCHEME = re.compile(r"(?i:(?:bearer|basic) +)(?!\[secret:)(.{3,})", re.DOTALL)


def marks_of(line: bytes) -> bytes:
    """Return the capitals, @ and % of a line: few in a record, and quick to have."""
    return line.translate(None, _NOT_MARKS)


def suspected(line: bytes, marks: bytes) -> bool:
    """Return whether a line may hold a key; `marks` are those of the line."""
    for found in _SEARCHES if _marked(marks) is None else _ALL_SEARCHES:
        if found(line):
            return any(word in line and shape.search(line) for word, shape in _PREFILTER_BYTES)
    return False


def mask_shapes(text: str) -> str:
    """Return the text with known key shapes replaced by `[secret:<shape>]`."""
    for literal, shape in _PREFILTER:
        if literal in text:
            text = shape.masked(text)
    return text


def shape_spans(text: str) -> Iterator[Found]:
    """Yield where known key shapes stand in a text."""
    for literal, shape in _PREFILTER:
        if literal in text:
            yield from shape.found(text)


def mask_field(name: str, value: str) -> str:
    """Return the value of a JSON object's field without the key that its name promises."""
    if _KEY_FIELD.fullmatch(name) and value and not value.startswith("[secret:"):
        return secret_token(name.lower(), value)
    if _SCHEME_FIELD.fullmatch(name) and (found := _SCHEME.fullmatch(value)):
        return value[: found.start(1)] + secret_token("authorization", found[1])
    return value
