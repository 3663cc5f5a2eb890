from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from probare.errors import InputError
from probare.model.event import ErrorEvent, ToolCall, ToolResult, Usage


def sample(number: int | str = 1, **keys: Any) -> dict[str, Any]:
    return {
        "id": number,
        "epoch": 1,
        "input": "2 + 2?",
        "target": "4",
        "messages": [
            {"role": "user", "content": "2 + 2?"},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [{"id": "c1", "function": "add", "arguments": {"x": 2, "y": 2}}],
            },
            {"role": "tool", "tool_call_id": "c1", "function": "add", "content": "4"},
            {"role": "assistant", "content": "It is 4."},
        ],
        "output": {"choices": [{"message": {"role": "assistant", "content": "It is 4."}}]},
        "scores": {"match": {"value": "C", "explanation": "as the target"}},
        **keys,
    }


def log(*samples: Any) -> dict[str, Any]:
    return {"version": 2, "status": "success", "eval": {"task": "t"}, "samples": list(samples)}


def zipped(path: Path, *samples: Any) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps({"eval": {"task": "t"}}))
        for number, value in enumerate(samples):
            text = value if isinstance(value, str) else json.dumps(value)
            archive.writestr(f"samples/{number}_epoch_1.json", text)
    return path


def test_a_plain_log(imported: Any) -> None:
    found = imported("inspect", log(sample(), sample(epoch=2)))
    assert (found.written.cases, found.written.trials) == (1, 2)
    case = found.cases["sample_1"]
    assert case["input"] == {"message": "2 + 2?"}
    assert case["reference"] == "4"
    assert case["expect"] == [
        {"equals": 1.0, "in": "$recorded.scores.match", "label": "recorded match"}
    ]
    transcript = found.transcripts[0]
    assert transcript.outcome.output == "It is 4."
    assert transcript.outcome.recorded["scores"] == {"match": 1.0}
    assert transcript.outcome.recorded["details"]["match"]["explanation"] == "as the target"
    call, result = transcript.events[1], transcript.events[2]
    assert isinstance(call, ToolCall)
    assert (call.name, call.arguments) == ("add", {"x": 2, "y": 2})
    assert isinstance(result, ToolResult)
    assert (result.name, result.result) == ("add", "4")


def test_a_zipped_log_with_attachments(imported: Any, tmp_path: Path) -> None:
    value = sample(
        input="attachment://aa",
        output={"choices": [{"message": {"content": "attachment://bb"}}]},
        messages=[{"role": "user", "content": [{"type": "text", "text": "attachment://aa"}]}],
        target="attachment://missing",
        attachments={"aa": "a long question", "bb": "a long answer"},
    )
    found = imported("inspect", zipped(tmp_path / "log.eval", value, sample("two")))
    assert set(found.cases) == {"sample_1", "sample_two"}
    assert found.cases["sample_1"]["input"] == {"message": "a long question"}
    assert found.cases["sample_1"]["reference"] == "attachment://missing"
    assert found.transcripts[0].outcome.output == "a long answer"
    assert found.transcripts[0].events[0].content == "a long question"  # pyright: ignore


@pytest.mark.parametrize(
    ("value", "score"),
    [("C", 1.0), ("P", 0.5), ("I", 0.0), ("N", 0.0), (0.25, 0.25), (True, 1.0), ("odd", "odd")],
)
def test_letters_are_numbers_as_inspect_counts_them(value: Any, score: Any, imported: Any) -> None:
    found = imported("inspect", log(sample(scores={"a-b": {"value": value}})))
    assert found.transcripts[0].outcome.recorded["scores"] == {"a_b": score}


def test_a_score_of_several_values_is_several(imported: Any) -> None:
    found = imported("inspect", log(sample(scores={"g": {"value": {"x": "C", "y": 0.5}}})))
    assert found.transcripts[0].outcome.recorded["scores"] == {"g_x": 1.0, "g_y": 0.5}
    assert len(found.cases["sample_1"]["expect"]) == 2


@pytest.mark.parametrize(
    "bad",
    [
        sample(2, scores=None, error={"message": "boom", "traceback": "at line 1"}),
        sample(2, scores={"match": {"value": None}}),
        sample(2, scores={"match": {"value": float("nan")}}),
        sample(2, scores={}),
    ],
)
@pytest.mark.parametrize("kind", ["json", "eval"])
def test_a_missing_score_is_none_so_that_its_check_errs(
    bad: dict[str, Any], kind: str, imported: Any, tmp_path: Path
) -> None:
    content = log(sample(), bad) if kind == "json" else zipped(tmp_path / "l.eval", sample(), bad)
    found = imported("inspect", content)
    assert [check["label"] for check in found.cases["sample_2"]["expect"]] == ["recorded match"]
    assert found.transcripts[1].outcome.recorded["scores"] == {}


def test_an_error_of_a_sample_is_an_event(imported: Any) -> None:
    bad = sample(scores=None, error={"message": "boom", "traceback": ["odd"]})
    event = imported("inspect", log(bad)).transcripts[0].events[-1]
    assert isinstance(event, ErrorEvent)
    assert event.message == "boom"


def test_a_log_without_scores_says_so(imported: Any) -> None:
    found = imported("inspect", log(sample(scores=None)))
    assert "expect" not in found.cases["sample_1"]
    assert "1 of 1 cases have no recorded score" in found.written.notes[0]


@pytest.mark.parametrize(
    ("usage", "sent", "total"),
    [
        (
            {
                "input_tokens": 86,
                "output_tokens": 4,
                "input_tokens_cache_read": 17_817,
                "total_tokens": 17_907,
            },
            17_903,
            17_907,
        ),
        (
            {
                "input_tokens": 10,
                "output_tokens": 20,
                "input_tokens_cache_read": 5,
                "total_tokens": 30,
            },
            10,
            30,
        ),
        ({"input_tokens": "?", "output_tokens": 3}, None, None),
    ],
)
def test_cached_tokens_are_inside_the_input(
    usage: dict[str, Any], sent: int | None, total: int | None, imported: Any
) -> None:
    """Field reports B98 and B99: each provider says it in its own way; here it is one."""
    found = imported("inspect", log(sample(model_usage={"m": usage})))
    event = found.transcripts[0].events[-1]
    assert isinstance(event, Usage)
    assert event.input_tokens == sent
    if total is not None:
        assert (event.input_tokens or 0) + (event.output_tokens or 0) == total


def test_a_conversation_as_input(imported: Any) -> None:
    messages = [{"role": "user", "content": "hi"}]
    found = imported("inspect", log(sample(input=messages)))
    assert found.cases["sample_1"]["input"] == {"messages": messages}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"samples": []}, "is not an Inspect log: it has no 'eval'"),
        ([1], "is not an Inspect log"),
        (log(), "holds no samples"),
        (log("odd"), "sample 0 is no Inspect sample: it has no 'id'"),
        (log(sample(epoch="first")), "sample 0: epoch"),
        (log(sample(), sample()), "case 'sample_1' has trial 0 twice"),
        ("{", "is not JSON"),
        (b"PK\x03\x04 not really", "is not JSON"),
    ],
)
def test_other_files_are_refused(content: Any, message: str, imported: Any) -> None:
    with pytest.raises(InputError, match=message):
        imported("inspect", content)


def test_bad_archives_are_refused(imported: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no samples"):
        imported("inspect", zipped(tmp_path / "a.eval"))
    with pytest.raises(InputError, match=r"b.eval cannot be read"):
        imported("inspect", zipped(tmp_path / "b.eval", "{"))
    with pytest.raises(InputError, match=r"samples/0_epoch_1.json is no Inspect sample"):
        imported("inspect", zipped(tmp_path / "c.eval", [1, 2]))
    broken = zipped(tmp_path / "d.eval", sample())
    data = bytearray(broken.read_bytes())
    at = data.index(b"2 + 2?")
    data[at : at + 3] = b"3 -"
    broken.write_bytes(data)
    with pytest.raises(InputError, match="cannot be read"):
        imported("inspect", broken)
