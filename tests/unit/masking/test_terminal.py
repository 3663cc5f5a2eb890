"""What anybody prints in this process is masked, JSON as JSON, and only for as long as it lasts."""

from __future__ import annotations

import io
import json
import logging
import sys
import traceback

import pytest

from probare.masking import terminal
from probare.masking.terminal import MaskedStream, keep_off, masked_terminal

SECRET = "canary-of-the-terminal-42"


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "_known", terminal._Known())  # pyright: ignore[reportPrivateUsage]


def printed(*texts: str, prose: bool = True) -> str:
    behind = io.StringIO()
    stream = MaskedStream(behind, prose=prose)
    stream.writelines(texts)
    return behind.getvalue()


def test_secrets_and_planted_identifiers_are_kept_off() -> None:
    keep_off({"K": SECRET}, [("name", "Jane Doe"), ("pin", "4471"), ("code", "QX7J")])
    assert printed(f"a {SECRET}\n").startswith("a [secret:K#")
    assert printed("JANE DOE, QX7J\n") == "[planted:name], [planted:code]\n"
    assert printed("4471 of 4471 trials\n") == "4471 of 4471 trials\n"
    assert printed("Jane Doe\n", prose=False) == "Jane Doe\n"
    assert printed("\n", " ") == "\n "


def test_what_is_learnt_later_is_kept_off_too() -> None:
    keep_off({"K": SECRET})
    keep_off({"OTHER": "another-secret-value"}, [("name", "Jane Doe")])
    shown = printed(f"{SECRET} another-secret-value Jane Doe")
    assert shown.count("[secret:") == 2
    assert shown.endswith(" [planted:name]")


def test_json_stays_json() -> None:
    keep_off({"PIN": "123456"})
    line = json.dumps({"interval": [0.123456, 0.5], "pin": 123456, "text": "123456"})
    shown = json.loads(printed(line + "\n", prose=False))
    assert shown["interval"] == [0.123456, 0.5]
    assert shown["pin"].startswith("[secret:PIN#")


def test_all_that_writes_to_the_standard_streams_is_masked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SOME_API_KEY", SECRET)
    before = (sys.stdout, sys.stderr)
    with masked_terminal():
        print("out", SECRET)
        print("err", SECRET, file=sys.stderr)
        handler = logging.StreamHandler()
        handler.emit(logging.makeLogRecord({"msg": f"logged {SECRET}"}))
        try:
            raise ValueError(f"raised {SECRET}")
        except ValueError:
            traceback.print_exc()
        assert sys.stderr.isatty() is before[1].isatty()
    assert (sys.stdout, sys.stderr) == before
    out, err = capsys.readouterr()
    assert SECRET not in out + err
    assert out.startswith("out [secret:SOME_API_KEY#")
    for words in ("err [", "logged [", "ValueError: raised ["):
        assert f"{words}secret:SOME_API_KEY#" in err, words


def test_a_stream_put_over_ours_since_stays() -> None:
    before = sys.stdout
    mine = io.StringIO()
    try:
        with masked_terminal():
            sys.stdout = mine
        assert sys.stdout is mine
    finally:
        sys.stdout = before
