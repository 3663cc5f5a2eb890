from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from probare.encoding import digest

EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"  # FIPS 180-4
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_known_digests(tmp_path: Path) -> None:
    assert digest.of_bytes(b"") == EMPTY
    assert digest.of_bytes(b"abc") == ABC
    (tmp_path / "abc").write_bytes(b"abc")
    assert digest.of_file(tmp_path / "abc") == ABC


def test_a_values_digest_is_over_its_sorted_form() -> None:
    assert digest.of_value({"b": 1, "a": [2]}) == hashlib.sha256(b'{"a":[2],"b":1}').hexdigest()
    assert digest.of_value({"a": [2], "b": 1}) == digest.of_value({"b": 1, "a": [2]})


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, "1"), (1, True), (0, False), (None, "null"), ([1, 2], [2, 1]), ("", None), ({}, [])],
)
def test_different_values_have_different_digests(one: object, other: object) -> None:
    assert digest.of_value(one) != digest.of_value(other)
