from __future__ import annotations

import pytest

from probare.errors import LoadError, Place
from probare.loading.faultlist import Faults


def test_faults_are_raised_together_file_by_file_in_the_order_of_lines() -> None:
    faults = Faults()
    faults.raise_if_any()
    for place in (Place("b", 3), Place("a", 9, 2), Place("b", 1), Place("a", 9, 1), Place("b", 3)):
        faults.add(place, "wrong")
    with pytest.raises(LoadError) as caught:
        faults.raise_if_any()
    assert [str(fault) for fault in caught.value.faults] == [
        "b:1: wrong",
        "b:3: wrong",
        "a:9:1: wrong",
        "a:9:2: wrong",
    ]
    assert str(caught.value).endswith("4 faults in the suite; nothing ran")
    assert len(faults) == 5


def test_each_is_one_printable_line() -> None:
    faults = Faults()
    faults.add(Place("a\n", 1, path="x.\ud800"), "\x1b[2J é 日本", "two\nlines")
    faults.warn("\ud800", Place("a"))
    assert [str(fault) for fault in faults] == ["a\\n:1: x.\\ud800: \\x1b[2J é 日本 (two\\nlines)"]
    assert faults.warnings == ("a: \\ud800",)


def test_warnings_are_kept_once_with_their_place() -> None:
    faults = Faults()
    for _ in range(2):
        faults.warn("odd", Place("a", 1))
        faults.warn("odder")
    assert faults.warnings == ("a:1: odd", "odder")
    faults.raise_if_any()
