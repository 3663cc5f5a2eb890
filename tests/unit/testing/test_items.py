"""How cases end for pytest: what is unknown is never a pass."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest_plugins = ["pytester"]

Tried = Callable[..., pytest.RunResult]


def ended(result: pytest.RunResult) -> dict[str, str]:
    """Return how each case ended, from the lines of -rA."""
    found: dict[str, str] = {}
    for line in result.outlines:
        match = re.match(r"([A-Z]+) \S*suite\.yaml::(\w+)", line)
        if match:
            found[match[2]] = match[1]
    return found


def block(result: pytest.RunResult, case: str) -> str:
    """Return what was told of one case."""
    text = "\n".join(result.outlines)
    match = re.search(
        rf"_ (?:ERROR at setup of )?endings: {case} _+\n(.*?)\n(?:_+ |=+ )", text, re.S
    )
    assert match, text
    return match[1]


class TestEndings:
    def test_each_status_has_its_own(self, tried: Tried, endings: Path) -> None:
        result = tried(endings, "-rA", probare_suites=str(endings))
        assert ended(result) == {
            "good": "PASSED",
            "bad": "FAILED",
            "flaky": "FAILED",
            "crash": "ERROR",
            "unsure": "ERROR",
            "unchecked": "ERROR",
            "people_bad": "FAILED",
            "hill": "XFAIL",
            "hill_won": "XPASS",
            "hill_crash": "ERROR",
            "hill_held": "FAILED",
        }
        result.assert_outcomes(passed=1, failed=4, errors=4, skipped=2, xfailed=1, xpassed=1)
        assert result.ret == pytest.ExitCode.TESTS_FAILED
        text = result.stdout.str()
        assert not any(
            word in text for word in ("Traceback", "During handling", "raise ", "AssertionError")
        )

    def test_cases_for_people_say_so(self, tried: Tried, endings: Path) -> None:
        result = tried(endings, "-rs", "-k", "people", probare_suites=str(endings))
        result.stdout.fnmatch_lines_random(
            [
                "SKIPPED * for people: no required check judges it, a person does",
                "SKIPPED * people_unsure: needs review, not passed: *",
            ]
        )

    def test_a_failure_tells_check_reason_reply_and_how_to_run_it_again(
        self, tried: Tried, endings: Path
    ) -> None:
        result = tried(endings, "-k", "bad and not people", probare_suites=str(endings))
        lines = block(result, "bad").splitlines()
        assert lines[0].startswith("failed: expect contains: world: 'world' is not in 'hello'")
        assert lines[1:7] == [
            "  why: because",
            "  trial 0: failed",
            f"    fail: {lines[0].removeprefix('failed: ')}",
            "    replied:",
            "    | hello",
            "  run it again: probare run endings/suite.yaml --case bad --seed 0",
        ]
        match = re.fullmatch(r"  look into it: probare show (\S+) bad", lines[7])
        assert match
        assert (Path(match[1]) / "trials.jsonl").is_file()

    @pytest.mark.parametrize(
        ("case", "told"),
        [
            ("flaky", ["flaky (1 of 3 trials passed): expect contains: ok*"]),
            ("crash", [r"errored, not failed: target error: *ValueError: boom \x1b[[]31m"]),
            ("unsure", ["needs review, not passed: a person has to judge it: unknown: expect *"]),
            ("unchecked", ["ungraded, not passed: no required check judges it"]),
        ],
    )
    def test_the_first_line_says_what_it_is(
        self, tried: Tried, endings: Path, case: str, told: list[str]
    ) -> None:
        result = tried(f"{endings}/suite.yaml::{case}", probare_suites=str(endings))
        result.stdout.fnmatch_lines(told)

    def test_review_may_be_skipped_but_no_other_error_is(self, tried: Tried, endings: Path) -> None:
        chosen = "unsure or unchecked or crash"
        ini = {"probare_suites": str(endings), "probare_review": "skip"}
        result = tried(endings, "-rA", "-k", chosen, **ini)
        assert ended(result) == dict.fromkeys(["crash", "unchecked", "hill_crash"], "ERROR")
        result.assert_outcomes(errors=3, skipped=2, deselected=8)

    def test_a_hill_holds_where_xfail_is_off(self, tried: Tried, endings: Path) -> None:
        result = tried(endings, "-k", "hill", "--runxfail", probare_suites=str(endings))
        result.assert_outcomes(passed=1, failed=2, errors=1, deselected=9)

    def test_a_strict_project_lets_a_hill_be_won(self, tried: Tried, endings: Path) -> None:
        result = tried(endings, "-k", "hill_won", probare_suites=str(endings), xfail_strict="true")
        result.assert_outcomes(xpassed=1, deselected=12)

    def test_junit_tells_failures_from_errors(
        self, tried: Tried, endings: Path, tmp_path: Path
    ) -> None:
        file = tmp_path / "out.xml"
        chosen = "good or bad or crash"
        tried(endings, f"--junitxml={file}", "-k", chosen, probare_suites=str(endings))
        (suite,) = ElementTree.parse(file).getroot()
        assert (suite.get("failures"), suite.get("errors")) == ("2", "2")
        (good,) = (case for case in suite if case.get("name") == "good")
        properties = {each.get("name"): each.get("value") for each in good.iter("property")}
        assert properties["probare_status"] == "passed"


class TestChoosing:
    @pytest.mark.parametrize(
        ("arguments", "chosen"),
        [
            (["-k", "good"], ["good"]),
            (["-k", "greeting"], ["good"]),
            (["-k", "carried_over"], ["good"]),
            (["-k", "regression and not capability"], ["good"]),
            (["-m", "probare(tag='regression')"], ["good", "hill_held"]),
            (["-m", "probare(category='greeting')"], ["good"]),
            (["-m", "not probare"], []),
        ],
    )
    def test_by_name_tag_category_and_split(
        self, tried: Tried, endings: Path, arguments: list[str], chosen: list[str]
    ) -> None:
        result = tried(endings, *arguments, "--collect-only", "-q", probare_suites=str(endings))
        found = [line.partition("::")[2] for line in result.outlines if "::" in line]
        assert found == chosen

    def test_by_node_id(self, tried: Tried, endings: Path) -> None:
        tried(f"{endings}/suite.yaml::good", probare_suites=str(endings)).assert_outcomes(passed=1)

    def test_only_chosen_cases_run(self, tried: Tried, endings: Path) -> None:
        """A case is run by itself: the agent was asked nothing else."""
        (endings / "suite.yaml").write_text(
            'suite: alone\ntarget: {python: "agent:reply"}\ncases:\n'
            "  - {id: other, input: crash, expect: [{contains: x}]}\n"
            '  - {id: alone, input: count, expect: [{equals: "1"}]}\n'
        )
        result = tried(endings, "-k", "alone and not other", probare_suites=str(endings))
        result.assert_outcomes(passed=1, deselected=1)

    def test_the_first_failure_may_end_it(self, tried: Tried, endings: Path) -> None:
        result = tried(endings, "-x", probare_suites=str(endings))
        result.assert_outcomes(passed=1, failed=1)


class TestOptions:
    def test_another_target(self, tried: Tried, endings: Path) -> None:
        for arguments, ini in (
            (["--probare-target=loud"], {}),
            ([], {"probare_target": "loud"}),
            (["--probare-target=loud"], {"probare_target": "away"}),
        ):
            result = tried(
                endings, "-rA", "-k", "good or bad", *arguments, probare_suites=str(endings), **ini
            )
            told = block(result, "bad")
            assert "| HELLO" in told
            assert "--target loud" in told

    def test_a_target_that_no_suite_has_is_refused_at_once(
        self, tried: Tried, endings: Path
    ) -> None:
        result = tried(endings, "--probare-target=lout", probare_suites=str(endings))
        result.assert_outcomes(errors=1)
        result.stdout.fnmatch_lines(["*has no target 'lout' (did you mean 'loud'?)"])
        assert "Traceback" not in result.stdout.str()

    def test_a_variable_that_is_not_set_is_an_error_of_each_case(
        self, tried: Tried, endings: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("ENDINGS_URL", raising=False)
        result = tried(endings, "-k", "good", "--probare-target=away", probare_suites=str(endings))
        result.assert_outcomes(errors=1, deselected=12)
        result.stdout.fnmatch_lines(["errored, not failed: *ENDINGS_URL*"])

    def test_trials(self, tried: Tried, endings: Path) -> None:
        result = tried(endings, "-k", "bad", "--probare-trials=7", probare_suites=str(endings))
        result.stdout.fnmatch_lines(["failed (0 of 7 trials passed): *", "*and 2 trials more"])

    @pytest.mark.parametrize("trials", ["0", "-1", "many"])
    def test_trials_that_cannot_be(self, tried: Tried, endings: Path, trials: str) -> None:
        result = tried(endings, f"--probare-trials={trials}", probare_suites=str(endings))
        assert result.ret == pytest.ExitCode.USAGE_ERROR

    def test_all_runs_are_kept_where_it_is_asked(self, tried: Tried, endings: Path) -> None:
        runs = endings / "kept"
        tried(endings, f"--probare-runs={runs}", "-k", "good", probare_suites=str(endings))
        (run,) = runs.iterdir()
        assert (run / "report.html").is_file()

    def test_the_env_file_is_read_and_gone_again(self, tried: Tried, endings: Path) -> None:
        (endings / ".env").write_text("GREETING=from the file\n")
        (endings / "suite.yaml").write_text(
            'suite: env\ntarget: {python: "agent:reply"}\ncases:\n'
            "  - {id: a, input: variable, expect: [{equals: from the file}]}\n"
        )
        (endings / "test_env.py").write_text(
            "import os\n\ndef test_it_is_gone():\n    assert 'GREETING' not in os.environ\n"
        )
        tried(endings, probare_suites=str(endings)).assert_outcomes(passed=2)

    def test_a_secret_is_masked(
        self, tried: Tried, endings: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SOME_TOKEN", "k9Qw7Lm2Zx8Rt4Vb6Nc1")
        (endings / "suite.yaml").write_text(
            'suite: secret\ntarget: {python: "agent:reply"}\ncases:\n'
            "  - {id: a, input: k9Qw7Lm2Zx8Rt4Vb6Nc1, expect: [{contains: zzz}]}\n"
        )
        result = tried(endings, probare_suites=str(endings))
        result.assert_outcomes(failed=1)
        assert "k9Qw7Lm2Zx8Rt4Vb6Nc1" not in result.stdout.str()
        assert "SOME_TOKEN" in result.stdout.str()

    def test_a_cost_limit_holds_for_all_cases_together(self, tried: Tried, endings: Path) -> None:
        (endings / "agent.py").write_text(
            "def reply(input, recorder):\n    recorder.usage(cost_usd=0.4)\n    return input\n"
        )
        cases = "".join(
            f"  - {{id: c{n}, input: x, expect: [{{contains: x}}]}}\n" for n in range(4)
        )
        (endings / "suite.yaml").write_text(
            'suite: dear\ntarget: {python: "agent:reply"}\nlimits: {cost: 0.8}\n'
            f"cases:\n{cases}"
        )
        result = tried(endings, probare_suites=str(endings))
        result.assert_outcomes(passed=2, errors=2)
        result.stdout.fnmatch_lines(["*it did not run: the suite's cost limit of $0.8 is spent"])


class TestFaults:
    def test_a_suite_with_faults_lists_them_all_and_shows_no_traceback(
        self, tried: Tried, endings: Path
    ) -> None:
        (endings / "suite.yaml").write_text(
            'suite: broken\ntarget: {python: "agent:reply"}\ncases:\n'
            "  - {id: a, input: x, expect: [{contians: x}]}\n"
            "  - {id: a, input: x, expect: [{contains: x}]}\n"
        )
        result = tried(endings, probare_suites=str(endings))
        result.assert_outcomes(errors=1)
        result.stdout.fnmatch_lines(
            [
                "*suite.yaml:4:*did you mean 'contains'?*",
                "*suite.yaml:5:*",
                "2 faults in the suite*",
            ]
        )
        assert "Traceback" not in result.stdout.str()
        assert "items.py" not in result.stdout.str()

    def test_a_warning_of_the_suite_is_one_of_pytest(self, tried: Tried, endings: Path) -> None:
        (endings / "suite.yaml").write_text(
            'suite: bare\ntarget: {python: "agent:reply"}\ncases:\n  - {id: a, input: x}\n'
        )
        strict = tried(endings, probare_suites=str(endings))
        strict.assert_outcomes(errors=1)
        strict.stdout.fnmatch_lines(["1 case has no checks and will be ungraded: a"])
        assert "Traceback" not in strict.stdout.str()
        lenient = tried(endings, "-W", "default", probare_suites=str(endings))
        lenient.assert_outcomes(errors=1, warnings=1)
        lenient.stdout.fnmatch_lines(["*ProbareWarning: 1 case has no checks*"])

    def test_an_agent_that_is_not_there_is_an_error_of_each_case(
        self, tried: Tried, endings: Path
    ) -> None:
        (endings / "agent.py").write_text("")
        result = tried(endings, "-k", "good or bad", probare_suites=str(endings))
        result.assert_outcomes(errors=3, deselected=10)
        result.stdout.fnmatch_lines(["errored, not failed: *reply*"])
        assert "Traceback" not in result.stdout.str()
