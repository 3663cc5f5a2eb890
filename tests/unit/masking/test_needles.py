"""The finders say exactly whether one of the needles stands in a line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from probare.masking.needles import finders

_NEEDLE = st.binary(min_size=1, max_size=8) | st.text("aAbB\\.[]|", min_size=1, max_size=5).map(
    str.encode
)


@given(
    st.lists(_NEEDLE, max_size=8), st.binary(max_size=40) | st.text("aAbB\\.[]|").map(str.encode)
)
def test_found_where_one_stands_in_the_line(needles: list[bytes], line: bytes) -> None:
    found = any(pattern.search(line) for pattern in finders(needles))
    assert found == any(needle in line for needle in needles)


@given(st.lists(_NEEDLE, min_size=1, max_size=8), st.binary(max_size=20), st.binary(max_size=20))
def test_every_needle_is_found(needles: list[bytes], before: bytes, after: bytes) -> None:
    patterns = finders(needles)
    for needle in needles:
        assert any(pattern.search(before + needle + after) for pattern in patterns)


def test_needles_share_a_pattern_through_a_rare_byte() -> None:
    assert len(finders([b"token-Xabc", b"Xyz", b"fooX"])) == 1
    assert finders([]) == ()
