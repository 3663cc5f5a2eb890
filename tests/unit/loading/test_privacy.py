"""What `privacy: {mask: true}` cannot mask is a fault of the suite."""

from __future__ import annotations

from pathlib import Path

import pytest

from probare.errors import LoadError
from probare.loading import Loaded, load
from probare.model.suite import Privacy
from probare.pipeline.catalogue import BuiltCatalogue

SUITE = """
suite: s
privacy: {{mask: {mask}}}
target: {{replay: t.jsonl}}
cases:
  - id: a
    tags: [kept]
    category: ordinary
    planted: {{name: Jane Doe, ssn: 521-44-9083}}
    input: {{who: Jane Doe}}
    expect: [{{contains: x}}]
"""


def loaded(folder: Path, text: str) -> Loaded:
    (folder / "suite.yaml").write_text(text)
    (folder / "t.jsonl").write_text("")
    return load(folder, BuiltCatalogue(), {})


def test_it_is_off_unless_asked_for(tmp_path: Path) -> None:
    without = SUITE.replace("privacy: {{mask: {mask}}}\n", "").format()
    assert loaded(tmp_path, without).suite.privacy == Privacy(mask=False)
    assert loaded(tmp_path, SUITE.format(mask="true")).suite.privacy == Privacy(mask=True)


def test_the_digest_holds_nothing_to_guess_an_identifier_from(tmp_path: Path) -> None:
    other = SUITE.replace("521-44-9083", "521-44-9084")
    masked = [loaded(tmp_path, text.format(mask="true")).digest for text in (SUITE, other)]
    plain = [loaded(tmp_path, text.format(mask="false")).digest for text in (SUITE, other)]
    assert masked[0] == masked[1]
    assert len({*plain, *masked}) == 3


@pytest.mark.parametrize(
    ("written", "instead", "words"),
    [
        ("id: a", "id: jane-doe", "'name' stands in the case's id"),
        ("[kept]", "[kept, ofJaneDoe]", "'name' stands in the case's tags"),
        ("ordinary", "case 521449083", "'ssn' stands in the case's category"),
        ("ssn: 521", "JANE.DOE: 521", "'name' stands in the case's planted"),
        ("521-44-9083", "policy", "'policy' is a word of the record format"),
    ],
)
def test_identifiers_in_names_are_refused(
    tmp_path: Path, written: str, instead: str, words: str
) -> None:
    text = SUITE.replace(written, instead)
    with pytest.raises(LoadError, match=words):
        loaded(tmp_path, text.format(mask="true"))
    loaded(tmp_path, text.format(mask="false"))


@pytest.mark.parametrize("mask", ["true", "false"])
def test_the_mark_of_a_masked_identifier_is_none(tmp_path: Path, mask: str) -> None:
    text = SUITE.replace("521-44-9083", "'[planted:ssn]'").format(mask=mask)
    with pytest.raises(LoadError, match="mark of a masked identifier"):
        loaded(tmp_path, text)
