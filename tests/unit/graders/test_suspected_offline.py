"""Presidio is imported when it is first needed, without a warning, and reaches no network."""

from __future__ import annotations

import subprocess
import sys

import pytest

from probare.errors import GraderError
from probare.graders.phi_recognisers import presidio, recognising
from probare.graders.phi_recognisers.recognising import Rule, scan


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True
    )


def test_the_graders_import_neither_presidio_nor_spacy() -> None:
    done = python(
        "import sys; import probare.graders; "
        "sys.exit(' '.join(n for n in ('presidio_analyzer', 'spacy', 'regex', 'phonenumbers') "
        "if n in sys.modules) or 0)"
    )
    assert done.returncode == 0, done.stderr


def test_no_socket_is_opened_and_nothing_is_said() -> None:
    done = python(
        "import sys\n"
        "reached = []\n"
        "sys.addaudithook(lambda event, args: reached.append(event)\n"
        "    if event in ('socket.connect', 'socket.getaddrinfo', 'subprocess.Popen') else None)\n"
        "from probare.graders.phi_recognisers.presidio import analyse\n"
        "found = analyse('Mail a.b@mail.example.org, www.example.net, call (415) 555-0132.')\n"
        "assert [one.type for one in found] == ['EMAIL', 'URL', 'PHONE'], found\n"
        "assert not reached, reached\n"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_pattern_that_takes_too_long_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognising, "_SECONDS", 0.05)
    rule = Rule("NAME", r"(?:a|aa|aaa)+[^a;]")
    with pytest.raises(GraderError, match=r"looking for NAME took longer than 0\.05 s"):
        list(scan([rule], "a" * 5000 + ";"))


def test_a_pattern_that_presidio_skips_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    from presidio_analyzer import pattern_recognizer

    presidio.analyse("warm")
    monkeypatch.setattr(pattern_recognizer, "REGEX_TIMEOUT_SECONDS", 0.0000001)
    with pytest.raises(GraderError, match="skipped by it"):
        presidio.analyse("1-" * 5000)
    monkeypatch.undo()
    assert presidio.analyse("warm") == []


@pytest.mark.parametrize(
    "text", ["a" * 20000, "Ana-" * 5000, "AB, " * 5000, "mrn: " * 4000, "1:" * 3000, "a." * 10000]
)
def test_hostile_texts_end(text: str) -> None:
    presidio.analyse(text)
