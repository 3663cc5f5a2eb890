"""What the agent leaves behind, and what its manifest says of it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from probare.grading import usercode
from probare.grading.traces import trace_hash

FOLDER = Path(__file__).parent
ArtifactWriter = usercode.load("governed.artifacts:ArtifactWriter", FOLDER)
ASKED: dict[str, Any] = {
    "query": "What follows the first treatment of asthma?",
    "plan": [{"tool": "order_labs", "arguments": {"panel": "lipid", "urgency": "routine"}}],
    "summary": "visit-summary.md",
}


def manifest_of(folder: Path) -> Any:
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def test_the_manifest_says_what_lies_on_disk(tmp_path: Path) -> None:
    writer = ArtifactWriter(tmp_path)
    writer.write("b.md", "é\n")
    writer.write("notes/a.json", "{}")
    writer.finish("f" * 64, "somebody")
    manifest = manifest_of(tmp_path)
    assert manifest["provenance"] == {"agent": "somebody", "trace_hash": "f" * 64}
    assert [entry["path"] for entry in manifest["artifacts"]] == ["b.md", "notes/a.json"]
    for entry in manifest["artifacts"]:
        data = (tmp_path / entry["path"]).read_bytes()
        assert entry["size"] == len(data)
        assert entry["sha256"] == hashlib.sha256(data).hexdigest()
    assert manifest["artifacts"][0]["media_type"] == "text/markdown"


@pytest.mark.parametrize("path", ["", "/etc/x", "../x", "a/../../x", "manifest.json"])
def test_no_path_leads_out_of_the_folder_or_onto_the_manifest(tmp_path: Path, path: str) -> None:
    with pytest.raises(ValueError, match="no path for an artifact"):
        ArtifactWriter(tmp_path / "inside").write(path, "x")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_written_once(tmp_path: Path) -> None:
    writer = ArtifactWriter(tmp_path)
    writer.write("a.md", "first")
    with pytest.raises(ValueError, match="already"):
        writer.write("a.md", "second")
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == "first"


def test_the_manifest_names_the_trace_that_the_harness_recorded(
    carried_out: Any, tmp_path: Path
) -> None:
    ran = carried_out(**ASKED)
    artifacts = tmp_path / "artifacts"
    assert manifest_of(artifacts)["provenance"]["trace_hash"] == trace_hash(ran.events)
    assert sorted(path.name for path in artifacts.iterdir()) == [
        "manifest.json",
        "visit-summary.md",
    ]


def test_the_summary_says_what_was_done_and_names_no_patient(
    carried_out: Any, tmp_path: Path
) -> None:
    asked = {**ASKED, "query": "Mr. Avery Quill has asthma", "patient": {"name": "Avery Quill"}}
    carried_out(**asked)
    text = (tmp_path / "artifacts" / "visit-summary.md").read_text(encoding="utf-8")
    assert "- order_labs: done" in text
    assert "- asthma#" in text
    assert "Quill" not in text


def test_without_a_summary_nothing_is_left(carried_out: Any, tmp_path: Path) -> None:
    carried_out(plan=ASKED["plan"])
    assert not (tmp_path / "artifacts").exists()


def test_the_same_request_leaves_the_same_trace(carried_out: Any) -> None:
    asked = {key: value for key, value in ASKED.items() if key != "summary"}
    flaky = {"order_labs": {"failures": 1, "error": "busy"}}
    hashes = {trace_hash(carried_out(**asked, flaky=flaky).events) for _ in range(3)}
    assert len(hashes) == 1
    dated = {trace_hash(carried_out(defect="clock_in_trace", **asked).events) for _ in range(2)}
    assert len(dated) == 2
