"""The report's own style and scripts, and the policy that lets these run and nothing else."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path

import msgspec

_HERE = Path(__file__).parent
_STYLES = ("base.css", "summary.css", "explorer.css", "detail.css", "print.css")
_SCRIPTS = (
    "dom.js",
    "data.js",
    "theme.js",
    "charts.js",
    "strip.js",
    "filters.js",
    "list.js",
    "highlight.js",
    "values.js",
    "timeline.js",
    "verdicts.js",
    "detail.js",
    "keys.js",
    "printing.js",
    "main.js",
)


class Assets(msgspec.Struct, frozen=True):
    """What stands in each report: its style sheet, the chart library, its script, its policy."""

    style: str
    library: str
    script: str
    policy: str


@cache
def assets() -> Assets:
    """Read the packaged files, once a process.

    The Content Security Policy admits these very texts by their digests (CSP Level 3,
    `hash-source`): no other script or style, no request, no form, no other base.
    """
    style = "\n".join(_text("assets", name) for name in _STYLES)
    library = _text("vendor", "d3.min.js")
    body = "\n".join(_text("assets", name) for name in _SCRIPTS)
    script = f'(() => {{\n"use strict";\n{body}\n}})();\n'
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {_source(library)} {_source(script)}",
            f"style-src {_source(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    return Assets(style, library, script, policy)


def _text(*parts: str) -> str:
    return _HERE.joinpath(*parts).read_text(encoding="utf-8")


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
