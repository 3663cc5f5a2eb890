"""`probare serve`: where it starts, and where it refuses to."""

from __future__ import annotations

import http.client
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from probare.cli.serving import _hosts  # pyright: ignore[reportPrivateUsage]
from probare.errors import InputError
from probare.web.server import is_loopback

PASSWORD = "a long enough password\n"


def _serve(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "probare", "serve", *arguments],
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_without_accounts_nothing_but_this_machine_is_served(tmp_path: Path) -> None:
    for host in ("0.0.0.0", "::", "192.0.2.1"):
        done = _serve(str(tmp_path), "--host", host, "--port", "0")
        assert done.returncode == 2
        assert "there are no accounts" in done.stderr
        assert "hint: probare serve RUNS --add-user NAME --role reviewer" in done.stderr


def test_users_are_added_listed_and_disabled(tmp_path: Path) -> None:
    runs = str(tmp_path)
    assert _serve(runs, "--add-user", "Ann", given=PASSWORD).returncode == 2
    short = _serve(runs, "--add-user", "Ann", "--role", "lead", given="short\n")
    assert (short.returncode, "12 characters" in short.stderr) == (2, True)
    assert _serve(runs, "--add-user", "Ann", "--role", "lead", given=PASSWORD).returncode == 0
    again = _serve(runs, "--add-user", "Ann", "--role", "auditor", given=PASSWORD)
    assert again.stdout == "Ann has a new password and the role auditor\n"
    assert _serve(runs, "--users").stdout == "Ann\tauditor\n"
    assert _serve(runs, "--disable-user", "Ann").returncode == 0
    assert _serve(runs, "--users").stdout == "Ann\tauditor\tdisabled\n"
    assert "no accounts" in _serve(runs, "--host", "0.0.0.0", "--port", "0").stderr


def test_a_run_is_no_folder_of_runs(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{}")
    done = _serve(str(tmp_path))
    assert done.returncode == 2
    assert "serve the folder that holds it" in done.stderr


def test_it_answers_until_ctrl_c(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "probare", "serve", str(tmp_path), "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        found = re.search(r":(\d+)/", process.stdout.readline())
        assert found is not None
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=10)
        connection.request("GET", "/who")
        assert connection.getresponse().status == 200
        connection.close()
        busy = _serve(str(tmp_path), "--port", found[1])
        assert busy.returncode == 2
        assert "cannot be bound" in busy.stderr
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, "")


def test_which_names_are_answered() -> None:
    assert _hosts("127.0.0.1", 8321, None) == (
        "127.0.0.1:8321",
        "localhost:8321",
        "[::1]:8321",
    )
    assert "localhost" in _hosts("localhost", 80, None)
    assert _hosts("0.0.0.0", 8321, None) == ()
    assert _hosts("0.0.0.0", 8321, "https://Reviews.example.org/")[0] == "reviews.example.org"
    for wrong in ("reviews.example.org", "ftp://x", "https://x/path", "https://"):
        with pytest.raises(InputError):
            _hosts("0.0.0.0", 8321, wrong)


def test_loopback() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.1.2.3", "::1", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.0.2.1", "example.org", "")))
