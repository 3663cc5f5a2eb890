"""Proving suites: every run for real, in one process, into a folder of the proof's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from probare.errors import InputError, SelectionError
from probare.loading import Loaded, load
from probare.model.proof import ProofResult
from probare.pipeline.catalogue import BuiltCatalogue
from probare.pipeline.proving import Proved, ProveOptions, prove_loaded
from probare.reporting.progress import Silent
from probare.reporting.proofmarkdown import proof_markdown
from probare.running.loops import run_to_end
from probare.stores.reader import RunReader

AGENT = """
import itertools

COUNT = itertools.count()

class Greeter:
    def __init__(self, config):
        self.config = config

    def run(self, input, recorder, trial):
        fault = self.config.get("fault")
        delete = recorder.tool(lambda what: None, name="delete")
        if fault == "deletes, then crashes":
            delete("all")
        if fault in ("crashes", "deletes, then crashes"):
            raise ValueError("down")
        if fault == "rude":
            return f"go away {input}"
        if fault == "sometimes rude" and trial:
            return f"go away {input}"
        if input == "twice":
            delete(f"{next(COUNT)}" if fault == "different each time" else "it")
        if fault == "forgets":
            return "hello"
        return f"hello {input}"

def oracle(input, recorder):
    delete = recorder.tool(lambda what: None, name="delete")
    if input == "twice":
        delete("it")
    return f"hello {input}"

def null(recorder):
    recorder.tool(lambda what: None, name="delete")
    return ""

def lazy(input):
    return "hello Ada"
"""

SUITE = """
suite: greeter
target: {python: "agent:Greeter", config: {polite: {always: true}}}
targets:
  right: {python: "agent:oracle"}
  nothing: {python: "agent:null"}
  lazy: {python: "agent:lazy"}
  lost: {python: "nowhere:agent"}
prove:
  oracle: right
  "null": nothing
  defects:
    - {name: rude, config: {fault: rude}, must_fail: [a, b]}
    - {name: forgets, config: {fault: forgets}, must_fail: [b]}
cases:
  - {id: a, input: Ada, expect: [{contains: hello}]}
  - {id: b, input: Bob, expect: [{contains: hello}, {contains: $input}]}
  - {id: c, input: Cyd, forbid: [{tool_called: delete}]}
"""
DEFECTS = SUITE.partition("  defects:\n")[2].partition("cases:")[0]

Prove = Callable[..., ProofResult]


@pytest.fixture
def proved(write_suite: Any, tmp_path: Path) -> Callable[..., Proved]:
    """Prove a suite whose defects are the given lines; other words are options."""

    def call(
        lines: str = DEFECTS, told: Any = None, change: tuple[str, str] = ("", ""), **asked: Any
    ) -> Proved:
        text = SUITE.replace(DEFECTS, lines).replace(*change, 1)
        loaded = load(write_suite(text, AGENT), BuiltCatalogue(), {})
        return prove(loaded, tmp_path, told=told, **asked)

    return call


def prove(loaded: Loaded, tmp_path: Path, told: Any = None, **asked: Any) -> Proved:
    options = ProveOptions(runs=str(tmp_path / "runs"), **asked)
    return run_to_end(
        lambda: prove_loaded(
            loaded, options, BuiltCatalogue(), {}, Silent(), told or (lambda _: None)
        )
    )


@pytest.fixture
def result(proved: Callable[..., Proved]) -> Prove:
    """Prove, and return what was found."""

    def call(*arguments: Any, **asked: Any) -> ProofResult:
        found = proved(*arguments, **asked).result
        assert found is not None
        return found

    return call


def defect(fault: str, *must_fail: str) -> str:
    listed = ", ".join(must_fail)
    return f"    - {{name: {fault!r}, config: {{fault: {fault!r}}}, must_fail: [{listed}]}}\n"


def test_a_suite_that_catches_all(result: Prove) -> None:
    found = result()
    assert (found.decision, found.exit_code) == ("passed", 0)
    assert [each.result for each in found.defects] == ["caught", "caught"]
    assert found.matrix == {
        "rude": {"a": "failed", "b": "failed", "c": "passed"},
        "forgets": {"a": "passed", "b": "failed", "c": "passed"},
    }
    assert (found.oracle.passed, found.null.passed, found.healthy.passed) == (3, 1, 3)
    assert found.null.aside == {"c": "demands nothing"}
    assert (found.runs, found.trials, found.cases) == (5, 15, ("a", "b", "c"))
    assert found.unmoved.cases == ("c",)
    assert found.unmoved.graders == ("tool_called",)


def test_every_run_is_an_ordinary_run_in_the_proofs_folder(proved: Callable[..., Proved]) -> None:
    done = proved()
    names = sorted(path.name for path in done.folder.iterdir())
    assert done.folder.name.startswith("prove-greeter-")
    assert [name.rsplit("-", 2)[0] for name in names] == [
        "defect-forgets", "defect-rude", "healthy", "null", "oracle", "prove.json", "prove.md",
    ]  # fmt: skip
    assert done.result is not None
    run = RunReader(done.folder / str(done.result.defects[0].run))
    assert run.plan.target == "defect:rude"
    assert run.plan.run_id == done.result.defects[0].run
    assert run.summary.decision == "failed"
    stored = (done.folder / "prove.json").read_bytes()
    assert msgspec.json.decode(stored, type=ProofResult) == done.result
    assert (done.folder / "prove.md").read_text().startswith("# Proof of greeter: PASSED")


def test_a_config_is_laid_over_the_targets_own(proved: Callable[..., Proved]) -> None:
    done = proved()
    (folder,) = done.folder.glob("defect-rude-*")
    targets = RunReader(folder).suite().targets
    assert targets["defect:rude"].config == {"polite": {"always": True}, "fault": "rude"}


def test_no_baseline_is_used_made_or_changed(proved: Callable[..., Proved], tmp_path: Path) -> None:
    (tmp_path / "suite").mkdir()
    baseline = tmp_path / "suite" / "baseline.json"
    baseline.write_text("this is no baseline")
    done = proved()
    assert baseline.read_text() == "this is no baseline"
    assert done.result is not None
    assert done.result.exit_code == 0
    for folder in done.folder.glob("*-*/"):
        summary = RunReader(folder).summary
        assert summary.baseline is None
        assert "held against no baseline, as was asked" in summary.notes


def test_an_agent_that_is_not_broken_survives(result: Prove) -> None:
    found = result(DEFECTS + defect("none at all", "a"))
    assert found.exit_code == 1
    assert found.defects[2].missed == {"a": "passed"}


def test_a_target_that_is_the_suites_own_survives(result: Prove) -> None:
    found = result("    - {name: same, target: default, must_fail: [a]}\n")
    assert (found.defects[0].result, found.exit_code) == ("survived", 1)


def test_a_case_that_the_agent_fails_anyway_catches_nothing(result: Prove) -> None:
    found = result(
        "    - {name: alike, target: lazy, must_fail: [b]}\n",
        change=('target: {python: "agent:Greeter", config: {polite: {always: true}}}',
                "target: lazy"),
    )  # fmt: skip
    assert found.matrix["alike"]["b"] == "alike"
    assert (found.defects[0].result, found.exit_code) == ("survived", 1)


def test_a_crash_catches_nothing(result: Prove) -> None:
    found = result(DEFECTS + defect("crashes", "a"))
    assert (found.decision, found.exit_code) == ("incomplete", 3)
    assert found.defects[2].result == "unproven"
    assert found.defects[2].open["a"].startswith("errored: TargetError: ValueError: down")
    assert (found.caught.numerator, found.caught.denominator, found.caught.best) == (2, 3, 1.0)


def test_an_act_before_a_crash_is_caught(result: Prove) -> None:
    found = result(defect("deletes, then crashes", "c"))
    assert (found.defects[0].result, found.exit_code) == ("caught", 0)
    assert found.matrix["deletes, then crashes"] == {"a": "errored", "b": "errored", "c": "failed"}


def test_a_fault_in_some_trials_is_caught(result: Prove) -> None:
    found = result(
        defect("sometimes rude", "a"), change=("suite: greeter", "suite: greeter\ntrials: 2")
    )
    assert (found.exit_code, found.matrix["sometimes rude"]["a"]) == (0, "flaky")
    assert found.trials == 2 * 3 * 4


def test_a_check_over_all_trials_of_a_case_catches(result: Prove) -> None:
    case = "  - {id: d, input: twice, expect: [identical_traces, {contains: hello}]}\n"
    found = result(
        defect("different each time", "d"),
        change=("  - {id: a,", f"{case}  - {{id: a,"),
    )
    assert (found.exit_code, found.defects[0].failed) == (0, ("d",))
    (check,) = found.defects[0].failed_checks["d"]
    assert check.grader == "identical_traces"


def test_an_agent_that_cannot_be_opened_is_unproven_and_the_others_go_on(result: Prove) -> None:
    lines: list[str] = []
    found = result("    - {name: gone, target: lost, must_fail: [a]}\n" + DEFECTS, lines.append)
    assert [each.result for each in found.defects] == ["unproven", "caught", "caught"]
    assert (found.exit_code, found.defects[0].run, found.runs) == (3, None, 5)
    assert "there is no module 'nowhere'" in found.defects[0].open["a"]
    assert lines[0] == "1 of 6: oracle (right): passes 3 of 3 cases"
    assert lines[3].startswith("4 of 6: defect gone: could not be run: ")


@pytest.mark.parametrize(("end", "role"), [("oracle", "oracle"), ("null", "null")])
def test_an_end_that_cannot_be_opened_is_bad_input(
    proved: Callable[..., Proved], tmp_path: Path, end: str, role: str
) -> None:
    before = {"oracle": "oracle: right", "null": '"null": nothing'}[end]
    with pytest.raises(InputError, match=rf"the {role} \(lost\) cannot be run: there is no module"):
        proved(change=(before, before.rpartition(" ")[0] + " lost"))
    left = list((tmp_path / "runs").iterdir())
    assert len(left) == (0 if end == "oracle" else 1)


def test_without_an_agent_of_its_own_the_oracle_stands_for_the_healthy_one(result: Prove) -> None:
    found = result(
        "    - {name: lazy, target: lazy, must_fail: [b]}\n",
        change=('target: {python: "agent:Greeter", config: {polite: {always: true}}}\n', ""),
    )
    assert (found.exit_code, found.runs) == (0, 3)
    assert found.healthy.run == found.oracle.run
    assert "the oracle stands for the healthy agent" in found.notes


def test_where_the_healthy_agent_cannot_be_opened_the_oracle_stands_for_it(result: Prove) -> None:
    found = result(
        "    - {name: lazy, target: lazy, must_fail: [b]}\n",
        change=('{python: "agent:Greeter", config', '{python: "nowhere:Greeter", config'),
    )
    assert found.exit_code == 0
    assert found.notes[0].startswith("the healthy agent could not be run (there is no module")


def test_a_target_whose_variables_are_not_set_is_refused_before_anything_runs(
    proved: Callable[..., Proved], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"'defect:keyed' needs variables .* NO_SUCH_KEY"):
        proved(DEFECTS + "    - {name: keyed, config: {key: '${NO_SUCH_KEY}'}, must_fail: [a]}\n")
    assert not (tmp_path / "runs").exists()


def test_chosen_defects(result: Prove, proved: Callable[..., Proved]) -> None:
    found = result(defects=("forg*",))
    assert [each.name for each in found.defects] == ["forgets"]
    assert (found.part, found.caught.denominator) == (("1 of 2 defects",), 1)
    with pytest.raises(SelectionError, match=r"--defect rudd matches no defect") as caught:
        proved(defects=("rudd",))
    assert caught.value.hint == "did you mean 'rude'?"


def test_a_proof_of_chosen_cases_says_that_it_is_a_part(result: Prove) -> None:
    found = result(cases=("a",))
    assert [each.name for each in found.defects] == ["rude"]
    assert found.defects[0].must_fail == ("a",)
    assert (found.cases, found.trials) == (("a",), 4)
    assert found.part == ("1 of 2 defects", "1 of 3 cases")


def test_a_fast_proof_runs_of_each_defect_what_must_fail(result: Prove) -> None:
    found = result(fast=True)
    assert found.exit_code == 0
    assert found.matrix == {"rude": {"a": "failed", "b": "failed"}, "forgets": {"b": "failed"}}
    assert (found.oracle.cases, found.null.cases, found.healthy.cases) == (3, 3, 2)
    assert found.trials == 3 + 3 + 2 + 2 + 1
    assert "--fast" in found.part[0]


def test_patterns_in_ids_are_no_patterns_in_a_fast_proof(result: Prove) -> None:
    found = result(
        "    - {name: rude, config: {fault: rude}, must_fail: ['a*']}\n",
        change=("{id: a,", "{id: 'a*',"),
        fast=True,
    )
    assert found.matrix == {"rude": {"a*": "failed"}}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"cases": ("z",)}, "--case z matches no case"),
        ({"cases": ("c",)}, "no defect must fail in the chosen cases"),
    ],
)
def test_a_selection_that_matches_nothing(
    proved: Callable[..., Proved], tmp_path: Path, asked: Any, message: str
) -> None:
    with pytest.raises(SelectionError, match=message):
        proved(**asked)
    assert not (tmp_path / "runs").exists()


def test_without_defects_only_the_two_ends_are_proved(result: Prove) -> None:
    found = result("", change=("  defects:\n", ""))
    assert (found.exit_code, found.defects, found.caught.value) == (0, (), None)
    assert found.why[0].startswith("no defect is named, so none was looked for; the oracle passes")
    text = "".join(proof_markdown(found))
    assert "Defects caught: – (no defect is named)." in text


def test_a_suite_that_says_nothing_of_proving(write_suite: Any, tmp_path: Path) -> None:
    loaded = load(write_suite(), BuiltCatalogue(), {})
    with pytest.raises(InputError, match="has no `prove` block") as caught:
        prove(loaded, tmp_path)
    assert "must_fail: [" in caught.value.hint


def test_secrets_are_masked(tmp_path: Path, write_suite: Any) -> None:
    secret = "hunter2-hunter2-hunter2"
    defects = "    - {name: k, config: {fault: '${THE_KEY}'}, must_fail: [a]}\n"
    agent = AGENT.replace('fault == "rude"', 'fault == "hunter2-hunter2-hunter2"')
    agent = agent.replace("go away {input}", "go away {fault}")
    text = SUITE.replace(DEFECTS, defects).replace(
        "contains: hello}", f"contains: hello, label: say {secret}}}"
    )
    folder = write_suite(text, agent)
    loaded = load(folder, BuiltCatalogue(), {"THE_KEY": secret})
    done = prove(loaded, tmp_path)
    assert done.result is not None
    assert done.result.exit_code == 0
    assert secret not in repr(done.result)
    for path in done.folder.rglob("*"):
        assert not path.is_file() or secret.encode() not in path.read_bytes(), path
