"""What `--export` says, and that it decides nothing."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import probare
from probare.cli.exporting import EXPORT, asked_for, exported
from probare.errors import InputError
from probare.pipeline import exporting as module
from probare.testing.servers import Reply, serving

pytest.importorskip("opentelemetry.proto.collector.logs.v1.logs_service_pb2")


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@EXPORT
def command(run: Path, export: str | None) -> None:
    where = asked_for(export)
    exported(run, where)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    def agent(question: str) -> str:
        return question

    case = probare.Case(id="c", input="hi", expect=[{"equals": "hi"}])
    suite = probare.Suite("s", target=agent, cases=[case])
    return probare.run(suite, runs=tmp_path / "runs").folder


def test_what_was_sent_is_said(folder: Path) -> None:
    with serving(Reply.of({})) as server:
        result = CliRunner().invoke(command, [str(folder), "--export", f"otlp={server.url}"])
    assert result.exit_code == 0
    assert result.stderr == f"exported 1 verdict to {server.url.rstrip('/')}\n"
    assert result.stdout == ""


def test_a_failure_is_a_loud_warning_and_no_failure(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_WAIT_SECONDS", 0.0)
    with serving(Reply.text("no", status=500)) as server:
        result = CliRunner().invoke(command, [str(folder), "--export", f"otlp={server.url}"])
    assert result.exit_code == 0
    assert result.stderr.startswith("WARNING: the export failed after 0 verdicts: ")
    assert "answered 500" in result.stderr
    assert "the decision stands" in result.stderr


def test_without_the_option_nothing_is_sent(folder: Path) -> None:
    result = CliRunner().invoke(command, [str(folder)])
    assert (result.exit_code, result.output) == (0, "")


def test_a_wrong_way_is_known_before_anything_runs() -> None:
    with pytest.raises(InputError, match="otpl"):
        asked_for("otpl")
