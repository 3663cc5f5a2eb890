import pytest
from msgspec import UNSET

from probare.errors import InputError
from probare.targets import paths

REPLY = {"choices": [{"message": {"content": "hi", "none": None}}], "x-y": 0}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("choices[0].message.content", "hi"),
        ("$.choices[0].message.content", "hi"),
        ("$choices[-1].message.none", None),
        ("x-y", 0),
        ("$", REPLY),
        ("choices[1]", UNSET),
        ("choices.message", UNSET),
        ("absent", UNSET),
    ],
)
def test_find(path: str, value: object) -> None:
    assert paths.find(REPLY, paths.parse(path, "output")) == value


def test_a_list_is_entered_at_once() -> None:
    assert paths.find([["a"]], paths.parse("[0][0]", "output")) == "a"


def test_missing_says_where_the_path_leaves_the_reply() -> None:
    said = paths.missing(REPLY, paths.parse("choices[0].message.contents", "output"))
    assert "$reply.choices[0].message has no key 'contents'" in said
    assert "content" in said
    assert paths.missing(REPLY, paths.parse("x-y", "output")) == ""


@pytest.mark.parametrize("path", ["a..b", "a[x]", "a b", "a.", "$$"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(InputError, match="`piece: "):
        paths.parse(path, "piece")
