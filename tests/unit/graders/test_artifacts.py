import base64
import json
from pathlib import Path
from typing import Any

import pytest

from probare.encoding import digest
from probare.graders import artifact_files, manifests
from probare.graders.artifacts import (
    ArtifactHashesMatch,
    ArtifactHashMismatch,
    ArtifactProvenance,
    ManifestMissing,
    ManifestValid,
)
from probare.graders.privacy import PlantedLeak
from probare.grading.traces import trace_hash
from probare.model.event import Artifact, Attempt, Event, Message, Note, ToolCall, Usage
from probare.running import inventory

REPORT = b"# Report\n"
TRACE: tuple[Event, ...] = (ToolCall(name="write", arguments={"a": 1}), Note(text="written"))
GOOD: dict[str, Any] = {
    "artifacts": [{"path": "report.md", "sha256": digest.of_bytes(REPORT), "size": len(REPORT)}],
    "provenance": {"trace_hash": trace_hash(TRACE)},
}


def _manifest(**changes: Any) -> str:
    return json.dumps({**GOOD, **changes})


def _entry(**changes: Any) -> dict[str, Any]:
    return {**GOOD["artifacts"][0], **changes}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A trial's folder with a report and its manifest in `out`."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "report.md").write_bytes(REPORT)
    (tmp_path / "out" / "manifest.json").write_text(_manifest())
    return tmp_path


@pytest.fixture
def five(weigh: Any, home: Path) -> Any:
    """Return the results of valid, match, provenance, and the prohibitions of a missing manifest
    and of a mismatch: of the bytes on disk, and of what the harness kept of them, which agree.
    """

    def asked(*events: Any, folder: Path | None = home, **options: Any) -> tuple[str, ...]:
        taken = () if folder is None else inventory.events(folder, {}, first=len(events))
        together = (*(events or TRACE), *taken)

        def all_of(workspace: Path | None) -> tuple[str, ...]:
            options["workspace"] = workspace
            expected = (ManifestValid, ArtifactHashesMatch, ArtifactProvenance)
            return (
                *(weigh(kind, *together, **options).result for kind in expected),
                weigh(ManifestMissing, *together, in_list="forbid", **options).result,
                weigh(ArtifactHashMismatch, *together, in_list="forbid", **options).result,
            )

        on_disk, kept = all_of(folder), all_of(None)
        assert on_disk == kept
        return on_disk

    return asked


def _rewrite(home: Path, text: str) -> None:
    (home / "out" / "manifest.json").write_text(text)


def test_a_manifest_in_order(five: Any) -> None:
    assert five() == ("pass",) * 5


def test_a_manifest_by_its_path(five: Any, home: Path) -> None:
    (home / "out" / "manifest.json").rename(home / "out" / "index.json")
    assert five(manifest="out/index.json") == ("pass",) * 5
    assert five() == ("fail", "error", "error", "fail", "error")
    assert five(manifest="out/other.json") == ("fail", "error", "error", "fail", "error")


def test_wrong_bytes(five: Any, home: Path) -> None:
    (home / "out" / "report.md").write_bytes(b"# Repork\n")
    assert five() == ("pass", "fail", "pass", "pass", "fail")


def test_a_wrong_digest_or_size(five: Any, home: Path) -> None:
    _rewrite(home, _manifest(artifacts=[_entry(sha256="0" * 64)]))
    assert five() == ("pass", "fail", "pass", "pass", "fail")
    _rewrite(home, _manifest(artifacts=[_entry(size=3)]))
    assert five() == ("fail", "pass", "pass", "pass", "pass")


def test_a_listed_file_that_is_not_there(five: Any, home: Path) -> None:
    (home / "out" / "report.md").unlink()
    assert five() == ("fail", "fail", "pass", "pass", "fail")


def test_a_file_that_is_not_listed(five: Any, home: Path) -> None:
    (home / "out" / "extra.txt").write_text("x")
    assert five() == ("fail", "pass", "pass", "pass", "pass")
    (home / "out" / "extra.txt").rename(home / "beside.txt")
    assert five() == ("pass",) * 5


def test_files_that_came_with_the_folder_and_were_not_touched_need_no_listing(
    weigh: Any, home: Path
) -> None:
    (home / "out" / "given.txt").write_text("given")
    before = {"out/given.txt": inventory.snapshot(home)["out/given.txt"]}
    taken = inventory.events(home, before, first=2)
    assert weigh(ManifestValid, *TRACE, *taken, workspace=home).result == "pass"
    unwatched: Any = {"observes": ("tools",), "artifacts": ("out/manifest.json",)}
    assert weigh(ManifestValid, *TRACE, *taken, workspace=home, **unwatched).result == "fail"


@pytest.mark.parametrize(
    "path",
    ["../beside.txt", "/etc/hostname", "a/../report.md", "./report.md", "", "a\\b", "C:/x", "a//b"],
)
def test_no_path_outside_the_folder_and_none_in_odd_letters(
    five: Any, home: Path, path: str
) -> None:
    (home / "beside.txt").write_bytes(REPORT)
    _rewrite(home, _manifest(artifacts=[_entry(), _entry(path=path)]))
    assert five()[0] == "fail"


def test_a_link_is_no_artifact(five: Any, home: Path) -> None:
    (home / "report.md").write_bytes(REPORT)
    (home / "out" / "report.md").unlink()
    (home / "out" / "report.md").symlink_to(home / "report.md")
    assert five() == ("fail", "fail", "pass", "pass", "fail")


def test_no_file_behind_a_linked_folder(five: Any, home: Path) -> None:
    (home / "real").mkdir()
    (home / "real" / "a.md").write_bytes(REPORT)
    (home / "out" / "linked").symlink_to(home / "real")
    _rewrite(home, _manifest(artifacts=[_entry(), _entry(path="linked/a.md")]))
    assert five() == ("fail", "fail", "pass", "pass", "fail")


def test_a_manifest_that_is_a_link(five: Any, home: Path) -> None:
    (home / "out" / "manifest.json").rename(home / "out" / "real.json")
    (home / "out" / "manifest.json").symlink_to("real.json")
    assert five() == ("fail", "fail", "fail", "pass", "error")


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "null",
        "{}",
        '{"artifacts": [], "artifacts": []}',
        '{"artifacts": [], "files": []}',
        '{"artifacts": "report.md"}',
        "[" * 100_000,
        '{"artifacts": [], "x": NaN}',
    ],
)
def test_what_is_no_manifest(five: Any, home: Path, text: str) -> None:
    _rewrite(home, text)
    assert five() == ("fail", "fail", "fail", "pass", "error")


@pytest.mark.parametrize(
    "entries",
    [
        [_entry(), _entry()],
        [_entry(), _entry(path="REPORT.md")],
        [_entry(), {"sha256": "0" * 64}],
        [_entry(), "report.md"],
        [_entry(size=-1)],
        [_entry(size=True)],
        [_entry(size="9")],
    ],
)
def test_entries_that_are_wrong(five: Any, home: Path, entries: Any) -> None:
    _rewrite(home, _manifest(artifacts=entries))
    assert five()[0] == "fail"


@pytest.mark.parametrize("sha256", [None, 5, "", "abc", "0" * 63])
def test_an_entry_without_a_digest_is_not_observable(five: Any, home: Path, sha256: Any) -> None:
    _rewrite(home, _manifest(artifacts=[_entry(sha256=sha256)]))
    assert five() == ("fail", "error", "pass", "pass", "error")


def test_a_manifest_that_lists_nothing(five: Any, home: Path) -> None:
    (home / "out" / "report.md").unlink()
    _rewrite(home, _manifest(artifacts=[]))
    assert five() == ("fail", "fail", "pass", "pass", "error")


@pytest.mark.parametrize(
    "artifacts",
    [
        {"report.md": digest.of_bytes(REPORT)},
        {"report.md": {"sha256": f"sha256:{digest.of_bytes(REPORT).upper()}", "size": 9}},
    ],
)
def test_a_mapping_of_files(five: Any, home: Path, artifacts: Any) -> None:
    _rewrite(home, json.dumps({"files": artifacts, "provenance": GOOD["provenance"]}))
    assert five() == ("pass",) * 5


def test_huge_files(five: Any, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    large = b"x" * 2000
    (home / "out" / "report.md").write_bytes(large)
    _rewrite(home, _manifest(artifacts=[_entry(sha256=digest.of_bytes(large), size=2000)]))
    assert five() == ("pass",) * 5
    monkeypatch.setattr(artifact_files, "LARGEST", 1000)
    assert five() == ("fail", "fail", "pass", "pass", "fail")


def test_a_huge_manifest(five: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probare.graders.artifacts.LARGEST", 20)
    assert five() == ("fail", "fail", "fail", "pass", "error")


@pytest.mark.parametrize("provenance", [{}, None, {"trace_hash": ""}, {"trace_hash": 5}, "x"])
def test_provenance_that_names_nothing(five: Any, home: Path, provenance: Any) -> None:
    _rewrite(home, _manifest(provenance=provenance))
    assert five() == ("pass", "pass", "fail", "pass", "pass")


def test_foreign_provenance(five: Any, home: Path) -> None:
    _rewrite(home, _manifest(provenance={"trace_hash": trace_hash(TRACE[:1])}))
    assert five()[2] == "pass"
    _rewrite(home, _manifest(provenance={"trace_hash": trace_hash(())}))
    assert five()[2] == "fail"
    assert five(ToolCall(name="write", arguments={"a": 2}), TRACE[1])[2] == "fail"


def test_what_comes_after_the_last_act_need_not_be_in_the_trace(five: Any) -> None:
    late = (Note(text="stdout"), Usage(cost_usd=0.1), Message(role="assistant", content="done"))
    assert five(*TRACE, *late)[2] == "pass"
    assert five(*TRACE, ToolCall(name="send"), *late)[2] == "fail"


def test_the_trace_is_that_of_the_last_attempt(five: Any) -> None:
    def ended(number: int, *, ok: bool) -> Attempt:
        return Attempt(operation="trial", number=number, ok=ok)

    first = (ToolCall(name="write"), ended(1, ok=False))
    assert five(*first, *TRACE, ended(2, ok=True))[2] == "pass"
    assert five(*TRACE, ended(1, ok=False), *first, ended(2, ok=True))[2] == "fail"


def test_masked_events_have_another_hash(five: Any) -> None:
    masked = ToolCall(name="write", arguments={"a": "[secret:TOKEN]"})
    assert five(masked, TRACE[1])[2] == "unknown"


def test_an_inventory_that_is_not_whole_is_no_evidence(weigh: Any, home: Path) -> None:
    rest = Note(text="more than 1,000 files", data={"kind": "artifact"})
    taken = (*inventory.events(home, {}, first=0), rest)
    assert weigh(ManifestValid, *taken).result == "error"
    assert weigh(PlantedLeak, *taken, in_list="forbid", planted={"a": "absent"}).result == "error"


def test_two_manifests_are_an_error(five: Any, home: Path) -> None:
    (home / "manifest.json").write_text("{}")
    assert five() == ("error",) * 5
    assert five(manifest="out/manifest.json") == ("pass",) * 5


def test_nothing_written(five: Any) -> None:
    assert five(folder=None) == ("fail", "error", "error", "fail", "error")
    assert five(folder=None, observes=()) == ("unknown",) * 5


def test_a_trial_that_broke_off_may_have_had_a_manifest_to_come(weigh: Any, home: Path) -> None:
    options: Any = {"in_list": "forbid", "stop": "timeout"}
    assert weigh(ManifestMissing, **options).result == "error"
    (home / "out" / "report.md").write_bytes(b"other")
    taken = inventory.events(home, {}, first=0)
    assert weigh(ArtifactHashMismatch, *taken, workspace=home, **options).result == "fail"


def test_bytes_that_are_gone_are_an_error(weigh: Any, home: Path) -> None:
    whole = {e.path: e for e in inventory.events(home, {}, first=0) if isinstance(e, Artifact)}
    report = Artifact(path="out/report.md", size=9)
    events = (*TRACE, whole["out/manifest.json"], report)
    assert weigh(ArtifactHashesMatch, *events).result == "error"
    assert weigh(ArtifactHashMismatch, *events, in_list="forbid").result == "error"
    known = Artifact(path="out/report.md", size=9, sha256=digest.of_bytes(REPORT))
    assert weigh(ArtifactHashesMatch, *TRACE, whole["out/manifest.json"], known).result == "pass"


def test_claimed_files_count_by_their_content_alone(weigh: Any) -> None:
    manifest = Artifact(path="manifest.json", attributes={"text": _manifest()})
    told = Artifact(path="report.md", sha256=digest.of_bytes(REPORT), size=9)
    coded = base64.b64encode(REPORT).decode()
    sent = Artifact(path="report.md", attributes={"base64": coded})
    other = Artifact(path="report.md", sha256=told.sha256, attributes={"text": "# Repork\n"})
    broken = Artifact(path="report.md", sha256=told.sha256, attributes={"base64": "%"})
    masked = Artifact(path="report.md", attributes={"text": "[planted:name]"})

    def asked(report: Artifact, **options: Any) -> str:
        events = (*TRACE, manifest, report)
        return weigh(ArtifactHashesMatch, *events, source="claimed", **options).result

    assert asked(sent) == "unknown"
    results = [asked(one, trust="claimed") for one in (sent, other, told, broken, masked)]
    assert results == ["pass", "fail", "error", "error", "error"]


def test_a_manifest_is_located_beside_its_files() -> None:
    manifest = manifests.parse("a/b/manifest.json", _manifest().encode())
    assert manifest.folder == "a/b"
    assert manifest.located(manifest.entries[0]) == "a/b/report.md"
