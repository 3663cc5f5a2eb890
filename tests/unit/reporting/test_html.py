"""`report.html`: the page as text. What a browser makes of it is tested in tests/browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest

from probare.model.case import Case, Check
from probare.model.record import CaseRecord
from probare.ports.reporter import Material
from probare.reporting import FORMATS, REPORTERS
from probare.reporting.html import choosing, reporter, rows
from probare.reporting.html.assets import assets
from probare.reporting.html.embedding import encoded, inert
from probare.reporting.html.reporter import HtmlReporter

Build = dict[str, Callable[..., Any]]


class Page(HTMLParser):
    """What a parser of HTML sees: elements, their ids, attributes, and the data blocks."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.blocks: dict[str, Any] = {}
        self.scripts: list[str] = []
        self.style = ""
        self.words: list[str] = []
        self._in: tuple[str, str] | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes.extend(attrs)
        if tag in ("script", "style"):
            self._in = (tag, dict(attrs).get("id") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._in = None

    def handle_data(self, data: str) -> None:
        if self._in is None:
            self.words.append(data)
        elif self._in[0] == "style":
            self.style += data
        elif self._in[1]:
            self.blocks[self._in[1]] = json.loads(data)
        else:
            self.scripts.append(data)

    @property
    def rows(self) -> list[dict[str, Any]]:
        about = self.blocks["about"]
        found: list[dict[str, Any]] = []
        for number in range(about["row_blocks"]):
            for values in self.blocks[f"rows-{number}"]:
                found.append(dict(zip(about["columns"], values, strict=True)))
        return found

    def at(self, place: list[int]) -> Any:
        return self.blocks[f"chunk-{place[0]}"][place[1]]

    def trials(self, name: str) -> dict[int, Any]:
        [row] = [row for row in self.rows if row["id"] == name]
        return {trial: self.at(place) for trial, *place in row["pages"]}


def written(material: Material) -> Page:
    return Page("".join(reporter.pieces(material)))


def test_the_formats_and_what_each_run_writes() -> None:
    assert [each.filename for each in REPORTERS] == [
        "report.md", "report.html", "junit.xml", "summary.json"
    ]  # fmt: skip
    assert set(FORMATS) == {"md", "html", "junit", "json", "csv", "github"}


def test_every_case_has_a_row_those_that_did_not_pass_first(every_kind: Material) -> None:
    found = written(every_kind).rows
    assert {row["id"] for row in found} == set(every_kind.summary.per_case)
    assert found[-1]["id"] == "right"
    strips = {row["id"]: row["strip"] for row in found}
    assert strips["right"] is None
    assert (strips["wrong"], strips["shaky"], strips["broken"]) == ("ff", "pf", "e")
    assert (strips["unclear"], strips["greeting"], strips["late"]) == ("n", "u", "e--")
    reasons = {row["id"]: row["reason"] for row in found}
    assert reasons["broken"] == "all trials: identical traces: what was found: error"
    assert reasons["late"] == "contains hello: what was found: error"
    assert reasons["right"] == ""


def test_the_trials_that_did_not_pass_are_embedded_whole(every_kind: Material) -> None:
    page = written(every_kind)
    trials = page.trials("wrong")
    assert set(trials) == {0, 1}
    assert trials[1]["verdicts"][0]["reason"] == "forbidden, and yet: 'x' is in it"
    assert trials[0]["outcome"]["output"] == "reply of wrong"
    assert page.trials("broken")[0]["error"]["hint"] == "raise `timeout`"
    assert set(page.trials("shaky")) == {0, 1}


def test_the_case_itself_is_embedded_without_its_planted_identifiers(build: Build) -> None:
    case = Case(
        id="leak",
        input={"message": "Hi"},
        description="Does it leak?",
        planted={"mrn": "MRN-0042-77"},
        notes={"intent": "no identifier leaves"},
        expect=(Check(grader="contains", args={"text": "x"}),),
    )
    whole = build["summary"]({"leak": build["case"]("failed", 0, 1)})
    record = build["record"]("leak", 0, "failed", build["verdict"]("fail"))
    wide = CaseRecord(case="leak", verdicts=(build["verdict"]("fail", "identical traces"),))
    text = "".join(reporter.pieces(build["material"](whole, [record], (wide,), (case,))))
    page = Page(text)
    found = page.at(page.rows[0]["page"])
    assert found["input"] == {"message": "Hi"}
    assert found["notes"] == {"intent": "no identifier leaves"}
    assert found["wide"][0]["label"] == "identical traces"
    assert "MRN-0042-77" not in text


def test_the_decision_stands_in_words_before_any_script(every_kind: Material) -> None:
    page = written(every_kind)
    words = " ".join(page.words)
    assert "Failed" in words
    assert "2 cases failed or flaky: wrong, shaky" in words
    assert "held-out compliance falls while carried-over holds" in words
    assert "probare verify demo-20260102T030405Z-abc123 --key" in words


def test_trust_claimed_is_said_loudly(every_kind: Material) -> None:
    assert "Trust: claimed." not in " ".join(written(every_kind).words)
    summary = msgspec.structs.replace(every_kind.summary, trust="claimed")
    page = written(msgspec.structs.replace(every_kind, summary=summary))
    assert "Trust: claimed." in " ".join(page.words)


def test_the_baseline_tells_what_fell_what_rose_and_what_does_not_count(
    every_kind: Material,
) -> None:
    against = {
        "words": "regressed",
        "run_id": "old",
        "fell": [{"case": "wrong", "before": [2, 2], "after": [0, 2]}],
        "rose": [{"case": "right", "before": [0, 2], "after": [2, 2]}],
        "changed": ["shaky"],
        "undecided": ["broken"],
    }
    summary = msgspec.structs.replace(every_kind.summary, baseline=against)
    words = " ".join(written(msgspec.structs.replace(every_kind, summary=summary)).words)
    assert "wrong: 2/2 → 0/2 trials passed" in words
    assert "right: 0/2 → 2/2 trials passed" in words
    assert "Not compared, and so not counted: 2 cases" in words


def test_hostile_data_adds_no_element_and_no_attribute(
    hostile: Material, every_kind: Material
) -> None:
    ours, theirs = written(every_kind), written(hostile)
    assert set(theirs.elements) <= set(ours.elements) | {"h3", "details", "summary"}
    assert "img" not in theirs.elements
    assert len(theirs.scripts) == len(ours.scripts) == 2
    assert theirs.scripts == ours.scripts
    names = {name for name, _ in theirs.attributes}
    assert not [name for name in names if name.startswith("on")]
    assert "javascript:alert(1)" not in [value for _, value in theirs.attributes]


def test_hostile_data_comes_back_from_the_blocks_as_it_was(hostile: Material) -> None:
    page = written(hostile)
    ids = {row["id"] for row in page.rows}
    printable = {
        name.encode("utf-8", "backslashreplace").decode() for name in hostile.summary.per_case
    }
    assert ids == printable
    assert any("<img src=x onerror=alert(1)>" in name for name in ids)


@pytest.mark.parametrize(
    "text", ["</script>", "<!--", "<script>", "\u2028\u2029", "<img src=x onerror=alert(1)>", "]]>"]
)
def test_json_in_the_page_means_the_same_and_is_inert(text: str) -> None:
    made = inert(encoded({"x": text}))
    assert json.loads(made) == {"x": text}
    assert not re.search("[<\u2028\u2029]", made)


def test_the_policy_admits_these_scripts_and_this_style_and_nothing_else(
    every_kind: Material,
) -> None:
    page = written(every_kind)
    policy = assets().policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for text in (*page.scripts, page.style):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    names = [name for name, _ in page.attributes]
    assert "style" not in names
    values = dict(page.attributes)
    assert values.get("src") is None


def test_no_script_of_ours_parses_data_as_markup() -> None:
    script = assets().script
    for word in ("innerHTML", "outerHTML", "AdjacentHTML", "document.write", "eval(", "Function("):
        assert word not in script
    assert "https://" not in script


def test_secrets_are_masked_wherever_they_come_from(build: Build) -> None:
    secret = 'k"ey-<1234>'
    case = Case(id=f"case {secret}", input={secret: [secret]}, description=secret)
    whole = build["summary"](
        {case.id: build["case"]("failed", 0, 1, category=secret, tags=(secret,))},
        suite=secret,
        why=(secret,),
        notes=(secret,),
    )
    forms = (secret, json.dumps(secret)[1:-1])

    def mask(text: str) -> str:
        for form in forms:
            text = text.replace(form, "[secret:KEY]")
        return text

    material = build["material"](whole, [], (), (case,), suite_path=secret, target=secret)
    text = "".join(reporter.pieces(msgspec.structs.replace(material, mask=mask)))
    assert "<1234" not in text
    assert "003c1234" not in text
    assert "lt;1234" not in text
    assert "[secret:KEY]" in text


def test_what_does_not_fit_is_counted_and_failures_fit_first(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choosing, "PASSED_TRIALS", 3)
    monkeypatch.setattr(choosing, "PRIORITY_BYTES", 2_000)
    names = [f"case-{number}" for number in range(20)]
    cases = {
        name: build["case"]("failed" if number >= 10 else "passed", 0 if number >= 10 else 1, 1)
        for number, name in enumerate(names)
    }
    records = [
        build["record"](
            name, 0, cases[name].status, build["verdict"]("pass"), output_text="x" * 300
        )
        for name in names
    ]
    page = written(build["material"](build["summary"](cases), records))
    about = page.blocks["about"]
    assert about["trials"] == 20
    assert about["embedded"] + about["left_out_passed"] + about["left_out_others"] == 20
    assert about["left_out_passed"] == 7
    assert 0 < about["left_out_others"] < 10
    assert len(page.rows) == 20
    assert all(row["reason"] == "" for row in page.rows if row["status"] == "passed")


def test_too_many_rows_leave_out_passed_cases_first_and_say_so(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "ROW_BYTES", 1)
    cases = {f"p{n}": build["case"]("passed", 1, 1) for n in range(1200)}
    cases["bad"] = build["case"]("failed", 0, 1)
    page = written(build["material"](build["summary"](cases), []))
    assert page.rows[0]["id"] == "bad"
    assert page.blocks["about"]["rows_left_out"] == 1201 - len(page.rows) > 0


def test_an_all_passed_run_reads_no_more_records_than_it_embeds(build: Build) -> None:
    count = 5_000
    cases = {"right": build["case"]("passed", count, count)}
    counts = build["counts"](planned=count, run=count, graded=count, passed=count)
    whole = build["summary"](
        cases, trials=counts, cases=build["counts"](planned=1, run=1, graded=1, passed=1)
    )
    read: list[int] = []

    def records() -> Any:
        for number in range(count):
            read.append(number)
            yield build["record"]("right", number, "passed", build["verdict"]("pass"))

    material = msgspec.structs.replace(build["material"](whole, []), records=records)
    page = written(material)
    assert len(read) < 500
    about = page.blocks["about"]
    assert about["embedded"] + about["left_out_passed"] == count


def test_the_file_is_written_whole(every_kind: Material, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    HtmlReporter().write(path, every_kind)
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert text.endswith("</html>\n")
