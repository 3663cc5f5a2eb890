import importlib
from typing import Any

import pytest

from probare.graders.language_codes import DETECTED, ISO_639_1, PART_OF, accepted, canonical


def test_the_labels_are_those_of_the_detector() -> None:
    langid: Any = importlib.import_module("py3langid.langid")
    identifier = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE)
    assert set(identifier.labels) - {"zxx"} == DETECTED


def test_iso_639_1_is_whole() -> None:
    assert len(ISO_639_1) == 183
    assert all(len(code) == 2 for code in ISO_639_1)


@pytest.mark.parametrize(
    ("code", "result"),
    [
        ("en", "en"),
        ("EN-us", "en"),
        ("pt_BR", "pt"),
        ("zh-Hans", "zh"),
        ("yue", "zh"),
        ("iw", "he"),
        ("nb", "nb"),
    ],
)
def test_canonical(code: str, result: str) -> None:
    assert canonical(code) == result


@pytest.mark.parametrize("code", ["", "english", "xx", "e", "12"])
def test_unknown_codes_are_refused(code: str) -> None:
    with pytest.raises(ValueError, match="no language code"):
        canonical(code)


def test_equivalents_answer_for_each_other() -> None:
    assert accepted(["id"], [("id", "ms")]) == ("id", "ms")
    assert accepted(["en"], [("id", "ms")]) == ("en",)
    assert accepted(["no"], []) == ("no", "nn")
    assert set(accepted(["nb"], [])) == {"nb", "no"}


def test_members_belong_to_known_languages() -> None:
    assert set(PART_OF.values()) <= ISO_639_1
