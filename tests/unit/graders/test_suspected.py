"""suspected_phi: asks people, never fails, names types and places and no value."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest

from probare import Case, Outcome, Recorder, Suite, run
from probare.errors import GraderError, InputError, LoadError, MissingExtra
from probare.graders.phi_recognisers import presidio
from probare.graders.suspected import SuspectedPhi
from probare.model.case import Case as ModelCase
from probare.model.event import Artifact, Event, Message, Retrieval, Source, ToolCall
from probare.model.outcome import Stop, Transcript
from probare.model.suite import Trust
from probare.model.verdict import Span, Verdict
from probare.ports.grader import GradingSettings, TrialView

NAMED = "Spoke with the patient's daughter, Priya Raghunathan, on 2025-03-19."
CLEAN = "Continue warfarin with INR goal 2.0-3.0."
CHANNELS = ("tools", "retrievals", "artifacts", "messages")


def text(seen: Any, **args: Any) -> Verdict:
    trial = TrialView(
        case=ModelCase(id="c"), transcript=Transcript(case="c"), settings=GradingSettings()
    )
    return msgspec.convert(args, SuspectedPhi).grade(seen, trial)


def places(
    where: list[str],
    *events: Event,
    output: Any = "fine",
    stop: Stop = "completed",
    trust: Trust = "observed",
    observes: tuple[str, ...] = CHANNELS,
    workspace: Path | None = None,
    **args: Any,
) -> Verdict:
    transcript: Transcript = msgspec.convert(
        {
            "case": "c",
            "observes": observes,
            "outcome": {} if output is None else {"output": output},
        },
        Transcript,
    )
    transcript = msgspec.structs.replace(transcript, events=events)
    trial = TrialView(
        case=ModelCase(id="c"),
        transcript=transcript,
        stop=stop,
        trust=trust,
        workspace=workspace,
        settings=GradingSettings(),
    )
    grader = msgspec.convert({"where": where, **args}, SuspectedPhi)
    return grader.grade(trial.transcript.events, trial)


def call(arguments: Any, source: Source = "observed") -> ToolCall:
    return ToolCall(seq=3, name="search", arguments=arguments, source=source)


class TestText:
    def test_suspicion_is_unknown_with_types_and_places_and_no_value(self) -> None:
        verdict = text(NAMED)
        assert verdict == Verdict(
            "unknown",
            None,
            "needs review: suspected NAME at 35-52, DATE at 57-67",
            (Span(35, 52), Span(57, 67)),
        )

    def test_the_statement_does_not_hold_of_a_clean_text(self) -> None:
        verdict = text(CLEAN)
        assert (verdict.result, verdict.score) == ("fail", 0.0)
        assert verdict.reason == "nothing that looks like PHI in the text"

    @pytest.mark.parametrize("seen", ["", " ", "0", {}, []])
    def test_nothing_written_holds_nothing(self, seen: Any) -> None:
        assert text(seen).result == "fail"

    def test_what_is_missing_is_an_error(self) -> None:
        with pytest.raises(GraderError, match="no text"):
            text(None)

    def test_only_the_wanted_types(self) -> None:
        assert "NAME" not in text(NAMED, types=["date"]).reason
        assert text(NAMED, types=["IP", "FAX"]).result == "fail"
        assert text("Please fax records to (312) 555-0177.", types=["FAX"]).result == "unknown"

    def test_what_is_allowed(self) -> None:
        crisis = "Call 1-800-273-8255 when in need."
        assert text(crisis).result == "unknown"
        assert text(crisis, allow=["call 1-800-273-8255"]).result == "fail"
        both = text(f"{crisis} Or call (415) 555-0132.", allow=["1-800-273-8255"])
        assert both.reason == "needs review: suspected PHONE at 42-56"

    @pytest.mark.parametrize(
        "written",
        [
            "Her MRN is ００４８２９１３.",
            "Her MRN is 0048\u200b2913.",
            "Her MRN\u00a0is\u00a000482913.",
            "Born 2025‑03‑19 at home.",
            "Born 2025–03–19 at home.",
        ],
    )
    def test_other_ways_to_write_the_same(self, written: str) -> None:
        assert text(written).result == "unknown"

    def test_spans_stand_in_the_text_as_given(self) -> None:
        written = "Caf\u0065\u0301 \U0001f642: \u200bMRN ００４８２９１３ ok"
        (span,) = text(written).spans
        assert written[span.start : span.end] == "００４８２９１３"

    def test_json_is_read_with_its_keys(self) -> None:
        record = {"patient": {"firstName": "Leilani", "id": 559120}, "ward": "4B", "ok": True}
        reason = text(record).reason
        assert ".patient.firstName: NAME at 0-7" in reason
        assert ".patient.id: MRN at 0-6" in reason
        assert "ward" not in reason
        assert text('```json\n{"visits": [{"dob": "03/14/1960"}]}\n```').reason == (
            "needs review: suspected .visits[0].dob: DATE at 0-10"
        )

    def test_keys_are_no_safer_than_values(self) -> None:
        verdict = text({"Mr. Delacroix": {"stable": True}, "x": 1})
        assert verdict.result == "unknown"
        assert "Delacroix" not in verdict.reason
        assert ".[key 0]" in verdict.reason

    def test_many_are_counted(self) -> None:
        verdict = text(" ".join(f"Call (415) 555-01{n:02d}." for n in range(30)))
        assert verdict.reason.endswith("and 20 more")
        assert len(verdict.spans) == 20

    def test_a_long_text_is_looked_through_to_its_end(self) -> None:
        verdict = text(f"{CLEAN} " * 2000 + NAMED)
        assert len(verdict.spans) == 2
        offset = len(CLEAN) * 2000 + 2000
        assert verdict.spans[0] == Span(offset + 35, offset + 52)

    def test_codes_and_versions_stand_for_nobody(self) -> None:
        for clean in ("CPT 99213", "PMID: 31452104", "version 10.4.12.1", "NDC 50580-488-10"):
            assert text(clean).result == "fail", clean

    def test_threads_share_one_engine(self) -> None:
        results: list[str] = []
        threads = [
            threading.Thread(target=lambda: results.extend(text(t).result for t in [NAMED, CLEAN]))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(results) == ["fail"] * 4 + ["unknown"] * 4


class TestPlaces:
    def test_tool_arguments(self) -> None:
        verdict = places(["tools"], call({"query": "MRN 00482913", "top": 3}))
        assert verdict.reason == (
            "needs review: suspected event 3, arguments of search.query: MRN at 4-12"
        )
        assert places(["tools"], call({"query": CLEAN})).result == "fail"

    def test_what_came_back_is_not_what_was_passed_on(self) -> None:
        found = Retrieval(query="dose", documents=[NAMED], source="observed")
        assert places(["retrievals"], found).result == "fail"
        assert places(["retrievals"], Retrieval(query=NAMED, source="observed")).result == "unknown"

    @pytest.mark.parametrize(
        ("role", "result"),
        [("assistant", "unknown"), ("Planner", "unknown"), ("user", "fail"), ("tool", "fail")],
    )
    def test_messages_that_the_agent_wrote(self, role: str, result: str) -> None:
        content = [{"type": "text", "text": NAMED}]
        message = Message(role=role, content=content, source="observed")
        assert places(["messages"], message).result == result

    def test_the_output_among_others(self) -> None:
        assert places(["output", "tools"], call({}), output=NAMED).reason.startswith(
            "needs review: suspected the output: NAME"
        )
        assert places(["tools"], call({}), output=NAMED).result == "fail"

    def test_claimed_events_show_nothing_clean(self) -> None:
        claimed = call({"query": CLEAN}, source="claimed")
        assert "claims" in places(["tools"], claimed).reason
        assert places(["tools"], claimed).result == "unknown"
        assert places(["tools"], claimed, trust="claimed").result == "fail"
        assert "suspected" in places(["tools"], call(NAMED, source="claimed")).reason

    def test_absent_events_that_could_not_be_seen(self) -> None:
        assert places(["tools"]).result == "fail"
        assert places(["tools"], observes=()).result == "unknown"
        assert "not observable" in places(["output", "retrievals"], observes=()).reason

    def test_no_output(self) -> None:
        with pytest.raises(GraderError, match="no output"):
            places(["output"], output=None)
        assert places(["tools"], call({}), output=None).result == "fail"
        assert places(["output", "tools"], call(NAMED), output=None, stop="timeout").result == (
            "unknown"
        )

    def test_in_and_where_together(self) -> None:
        trial = TrialView(
            case=ModelCase(id="c"), transcript=Transcript(case="c"), settings=GradingSettings()
        )
        with pytest.raises(GraderError, match="keep one"):
            SuspectedPhi(where=("tools",)).grade("text", trial)


class TestArtifacts:
    def grade(self, folder: Path, path: str) -> Verdict:
        event = Artifact(path=path, source="observed")
        return places(["artifacts"], event, workspace=folder)

    def test_its_text(self, tmp_path: Path) -> None:
        (tmp_path / "note.md").write_text(NAMED)
        assert self.grade(tmp_path, "note.md").reason == (
            "needs review: suspected artifact 0: NAME at 35-52, DATE at 57-67"
        )
        (tmp_path / "note.md").write_text(CLEAN)
        assert self.grade(tmp_path, "note.md").result == "fail"
        (tmp_path / "note.md").write_text("")
        assert self.grade(tmp_path, "note.md").result == "fail"

    def test_its_name(self, tmp_path: Path) -> None:
        (tmp_path / "patient_Maria_Lopez.txt").write_text(CLEAN)
        reason = self.grade(tmp_path, "patient_Maria_Lopez.txt").reason
        assert "the name of artifact 0: NAME" in reason
        assert "Lopez" not in reason

    def test_what_is_no_text_needs_a_persons_eye(self, tmp_path: Path) -> None:
        (tmp_path / "scan.bin").write_bytes(b"\xff\xfe\x00\x81")
        verdict = self.grade(tmp_path, "scan.bin")
        assert verdict.result == "unknown"
        assert "cannot be looked through" in verdict.reason

    @pytest.mark.parametrize("path", ["../secret.txt", "/etc/hostname", "link.txt"])
    def test_nothing_outside_is_read(self, tmp_path: Path, path: str) -> None:
        inner = tmp_path / "work"
        inner.mkdir()
        (tmp_path / "secret.txt").write_text(NAMED)
        (inner / "link.txt").symlink_to(tmp_path / "secret.txt")
        with pytest.raises(GraderError, match=r"artifact 0(:| is a link)"):
            self.grade(inner, path)

    def test_what_is_gone_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(GraderError, match="not observable: artifact 0: its bytes"):
            self.grade(tmp_path, "Mr._Delacroix-Byrne")
        with pytest.raises(GraderError, match="not kept"):
            places(["artifacts"], Artifact(path="a.txt", source="observed"))

    def test_what_was_kept_of_it(self) -> None:
        kept = Artifact(path="a.txt", source="observed", attributes={"text": NAMED})
        assert places(["artifacts"], kept).result == "unknown"

    def test_a_huge_one_is_an_error(self, tmp_path: Path) -> None:
        with (tmp_path / "huge.txt").open("wb") as file:
            file.truncate(5_000_001)
        with pytest.raises(GraderError, match="larger than 5,000,000 bytes"):
            self.grade(tmp_path, "huge.txt")

    def test_a_suspicion_counts_more_than_a_file_that_cannot_be_read(self, tmp_path: Path) -> None:
        (tmp_path / "note.md").write_text(NAMED)
        events = [Artifact(path=p, source="observed") for p in ("gone.txt", "note.md")]
        assert places(["artifacts"], *events, workspace=tmp_path).result == "unknown"

    def test_files_that_nobody_recorded(self, tmp_path: Path) -> None:
        (tmp_path / "left.txt").write_text(NAMED)
        assert places(["artifacts"], workspace=tmp_path, observes=()).result == "unknown"
        assert "not observable" in places(["artifacts"], observes=()).reason


class TestLoading:
    def faults(self, tmp_path: Path, **case: Any) -> str:
        suite = Suite("s", target=lambda: CLEAN, cases=[Case(id="a", **case)])
        with pytest.raises(LoadError) as caught:
            run(suite, runs=tmp_path)
        return str(caught.value)

    @pytest.mark.parametrize(
        ("args", "said"),
        [
            ({"types": ["NAMES"]}, "unknown type 'NAMES': did you mean 'NAME'?"),
            ({"types": ["licence"]}, "did you mean 'LICENSE'?"),
            ({"types": ["zzz"]}, "one of NAME, GEO, DATE"),
            ({"types": []}, "`types` is empty"),
            ({"where": []}, "`where` is empty"),
            ({"where": ["tool"]}, "tool"),
            ({"allow": [" "]}, "nothing is written"),
            ({"model": "../models/en"}, "no name of an installed package"),
            ({"kinds": ["NAME"]}, "unknown argument 'kinds'"),
        ],
    )
    def test_arguments(self, tmp_path: Path, args: dict[str, Any], said: str) -> None:
        assert said in self.faults(tmp_path, forbid=[{"suspected_phi": args}])

    def test_it_belongs_under_forbid(self, tmp_path: Path) -> None:
        assert "write it under forbid" in self.faults(tmp_path, expect=["suspected_phi"])
        nested = [{"not": {"not": {"suspected_phi": ["NAME"]}}}]
        assert "it could never pass" in self.faults(tmp_path, expect=nested)
        doubled = [{"not": "suspected_phi"}]
        assert "write it under forbid" in self.faults(tmp_path, forbid=doubled)


class TestRuns:
    def outcome(self, tmp_path: Path, target: Any, *forbid: Any, **case: Any) -> tuple[str, int]:
        suite = Suite("s", target=target, cases=[Case(id="a", forbid=list(forbid), **case)])
        result = run(suite, runs=tmp_path)
        (record,) = result.records()
        return record.status, result.exit_code

    def test_it_sends_the_trial_to_people(self, tmp_path: Path) -> None:
        assert self.outcome(tmp_path, lambda: NAMED, "suspected_phi")[0] == "needs_review"
        assert self.outcome(tmp_path, lambda: CLEAN, "suspected_phi") == ("passed", 0)
        under_not = Suite(
            "s", target=lambda: CLEAN, cases=[Case(id="a", expect=[{"not": "suspected_phi"}])]
        )
        assert run(under_not, runs=tmp_path).passed

    def test_what_a_wrapped_tool_was_really_given(self, tmp_path: Path) -> None:
        def search(query: str) -> str:
            return query

        def agent(recorder: Recorder) -> Outcome:
            recorder.tool(search)("labs of Mr. Delacroix-Byrne")
            return Outcome(output="redacted")

        check = {"suspected_phi": {"where": ["tools", "output"]}}
        assert self.outcome(tmp_path, agent, check)[0] == "needs_review"
        assert self.outcome(tmp_path, agent, "suspected_phi")[0] == "passed"

    def test_a_suspicion_before_a_crash_is_said(self, tmp_path: Path) -> None:
        def agent(recorder: Recorder) -> str:
            recorder.tool(len, name="count")("MRN 00482913")
            raise ValueError("down")

        suite = Suite(
            "s",
            target=agent,
            cases=[Case(id="a", forbid=[{"suspected_phi": {"where": ["tools"]}}])],
        )
        (record,) = run(suite, runs=tmp_path).records()
        assert record.status == "errored"
        (verdict,) = record.verdicts
        assert verdict.result == "error"
        assert "suspected" in verdict.reason


class TestMissing:
    @pytest.fixture
    def without(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "presidio_analyzer", None)

    @pytest.mark.usefixtures("without")
    def test_the_run_is_refused_before_it_starts(self, tmp_path: Path) -> None:
        asked: list[int] = []
        suite = Suite(
            "s",
            target=lambda: asked.append(1) or CLEAN,
            cases=[Case(id="a", forbid=[{"any_of": ["suspected_phi"]}])],
        )
        with pytest.raises(MissingExtra) as caught:
            run(suite, runs=tmp_path)
        assert str(caught.value) == (
            "case 'a', suspected_phi: this needs the package presidio-analyzer, which is not "
            "installed (pip install 'probare[privacy]')"
        )
        assert asked == []
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.usefixtures("without")
    def test_a_check_that_is_asked_all_the_same_is_an_error(self) -> None:
        presidio.forget()
        with pytest.raises(MissingExtra, match="presidio-analyzer"):
            text(NAMED)

    def test_a_model_that_is_not_installed(self, tmp_path: Path) -> None:
        check = {"suspected_phi": {"model": "en_core_web_absent"}}
        suite = Suite("s", target=lambda: CLEAN, cases=[Case(id="a", forbid=[check])])
        with pytest.raises(InputError, match="'en_core_web_absent' is not installed"):
            run(suite, runs=tmp_path)


def test_a_model_adds_names_and_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with a spaCy pipeline of its own, made on the spot."""
    import spacy

    nlp = spacy.blank("en")
    ruler: Any = nlp.add_pipe("entity_ruler")
    ruler.add_patterns(
        [
            {"label": label, "pattern": word}
            for label, words in {
                "PERSON": ["Okafor", "Hodgkin"],
                "GPE": ["Talkeetna", "Kenya"],
            }.items()
            for word in words
        ]
    )
    package = tmp_path / "en_own_model"
    package.mkdir()
    nlp.to_disk(package / "data")
    (package / "__init__.py").write_text(
        "from pathlib import Path\n"
        "from spacy.util import load_model_from_path\n"
        "def load(**overrides):\n"
        "    return load_model_from_path(Path(__file__).parent / 'data', **overrides)\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    written = "Okafor, back from Talkeetna, Kenya, has Hodgkin disease."
    assert text(written).result == "fail"
    assert text(written, model="en_own_model").reason == (
        "needs review: suspected NAME at 0-6, GEO at 18-27"
    )
