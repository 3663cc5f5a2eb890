"""Examples that people labelled: on which a judge is checked."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET


class Example(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One output, and what people said of it.

    `label` is what the check should say of it, as a record has it (after polarity, so that pass is
    good); null where people were unsure. `scores` are people's levels by dimension, null where
    they were unsure, for checks by a rubric. `source` says where it comes from.
    """

    id: str
    output: Any
    label: Literal["pass", "fail"] | None = None
    scores: dict[str, int | None] = {}
    input: Any = None
    reference: Any = UNSET
    source: str = ""
