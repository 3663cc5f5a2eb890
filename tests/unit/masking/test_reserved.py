"""The words of the record format are those of the model."""

from __future__ import annotations

import importlib
import pkgutil
import typing
from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from probare import model
from probare.masking import SHORTEST
from probare.masking.reserved import NUMBERS, STAMPS, WORDS
from probare.pipeline.options import RunOptions, Selection


def _structs() -> set[type[msgspec.Struct]]:
    found: set[type[msgspec.Struct]] = {RunOptions, Selection}
    for module in pkgutil.iter_modules(model.__path__):
        for value in vars(importlib.import_module(f"probare.model.{module.name}")).values():
            if isinstance(value, type) and issubclass(value, msgspec.Struct):
                found.add(value)
    return found


def _inside(kind: Any) -> Iterator[Any]:
    yield kind
    for part in typing.get_args(kind):
        yield from _inside(part)


def test_every_field_kind_and_status_is_reserved() -> None:
    words: set[str] = set()
    for struct in _structs():
        tag = struct.__struct_config__.tag
        if isinstance(tag, str) and struct.__name__ != "EventBase":
            words.add(tag)
        for field in msgspec.structs.fields(struct):
            words.add(field.encode_name)
            literals = (k for k in _inside(field.type) if typing.get_origin(k) is Literal)
            words.update(str(word) for kind in literals for word in typing.get_args(kind))
    missing = {word for word in words if len(word) >= SHORTEST and " " not in word} - WORDS
    assert missing == set(), "add them to probare/masking/reserved.py"


def test_numbers_and_stamps_are_fields_of_the_model() -> None:
    names = {field.encode_name for struct in _structs() for field in msgspec.structs.fields(struct)}
    assert names >= NUMBERS
    assert names >= STAMPS
