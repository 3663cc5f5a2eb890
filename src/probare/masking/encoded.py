"""Keys of a known shape inside base64: a header's `user:key`, an encoded file, a private key."""

from __future__ import annotations

import re
from collections.abc import Iterator

from probare.masking.layers import layers
from probare.masking.needles import finders
from probare.masking.pieces import Found, mask_spans
from probare.masking.shapes import SHAPES, marks_of
from probare.masking.variants import inside_base64

_LEADS = (
    *("sk-ant-", "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-", "AIzaSy", "AKIA", "ASIA"),
    *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xoxb-", "xoxp-"),
    *("Bearer ", "bearer ", "BEGIN PRIVATE", "BEGIN RSA", "BEGIN EC", "BEGIN OPENSSH"),
)
_LEAST = 8
_SHAPES = tuple(shape for shape in SHAPES if shape.name not in ("header", "cookie"))
_FORMS = {form for lead in _LEADS for form in inside_base64(lead.encode())}
_finders = tuple(pattern.search for pattern in finders(form.encode() for form in _FORMS))
_CAPITALS = 4
_NOT_WORDS = bytes(
    byte for byte in range(256) if not (65 <= byte <= 90 or byte in b" \"'.,:;(){}[]<>\\\n")
)
_run_of_capitals = re.compile(rb"[A-Z]{%d}" % _CAPITALS).search


def may_be_encoded(line: bytes, marks: bytes) -> bool:
    """Return whether the beginning of a key may stand in base64 in these bytes; `marks` are
    their capitals (`probare.masking.shapes.marks_of`).

    What is encoded has several capitals in one word, as hardly a word of a record has.
    """
    if len(marks) < _CAPITALS or not _run_of_capitals(line.translate(None, _NOT_WORDS)):
        return False
    return any(found(line) for found in _finders)


def mask_encoded(text: str) -> str:
    """Return the text with encoded keys of known shapes replaced."""
    line = text.encode("utf-8", "surrogatepass")
    if not may_be_encoded(line, marks_of(line)):
        return text
    return mask_spans(text, encoded_spans(text))


def encoded_spans(text: str) -> Iterator[Found]:
    """Yield where keys of a known shape stand in base64."""
    for layer in layers(text, _LEAST):
        if layer.noisy:
            for shape in _SHAPES:
                if any(literal in layer.text for literal in shape.literals):
                    for start, end, token in shape.found(layer.text):
                        yield Found(*layer.back(start, end), token)
