"""Seeded canaries: secrets and planted identifiers that an agent leaks everywhere are in no file
of a run, not on the terminal, and in nothing made of the run later, encoded or not.

What is looked for is decoded here, without the code that masks.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import html
import json
import os
import pty
import re
import select
import subprocess
import sys
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

import pytest

API_KEY = "qZ7-canaryOfEnvironment-4411x"
PASSWORD = 'pa55/W0rd+"canary x'
DOTENV = "dotenv.canary.9f8e7d6c5b"
PLACE = "https://canary-place.example/hidden"
HEADER = "headerCanary00112233"
SHAPES = {
    "OPENAI": "sk-proj-CanaryOpenAi0123456789",
    "ANTHROPIC": "sk-ant-api03-CanaryAnthropic-0123456789",
    "GOOGLE": "AIzaSyCanaryGoogle0123456789abcdefghi",
    "AWS": "AKIACANARY0123456789",
    "AWS_PAIR": "canaryAWS/secret+0123456789abcdefghij012",
    "GITHUB": "ghp_CanaryGithub0123456789abcdefgh",
    "BEARER": "canary.bearer.0123456789-abcdef",
    "PEM": "MIICanaryOfAPrivateKey0123456789",
}
SECRETS = {"env": API_KEY, "password": PASSWORD, "dotenv": DOTENV, "place": PLACE, **SHAPES}
NAME, SSN, RECORD, LAST = "Avery Quillfeather", "521-44-9083", "PT-559120", "QX7J"
PLANTED = {"name": NAME, "ssn": SSN, "record": RECORD, "last": LAST}

AGENT = f"""
import asyncio, base64, html, json, logging, os, sys, threading, time, warnings
from urllib.parse import quote
from probare.model.event import Note

SHAPES = {SHAPES!r}
NAME, SSN, RECORD, LAST = {NAME!r}, {SSN!r}, {RECORD!r}, {LAST!r}

def b64(text):
    return base64.b64encode(text.encode()).decode()

def wide(text):
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)

def secrets():
    plain = [os.environ[n] for n in ("CANARY_API_KEY", "CANARY_PASSWORD", "CANARY_DOTENV_TOKEN")]
    plain.append(os.environ["CANARY_PLACE"])
    return plain

def keys():
    for name, key in SHAPES.items():
        if name == "BEARER":
            yield "Authorization: Bearer " + key
        elif name == "AWS_PAIR":
            yield "aws_secret_access_key = " + key
        elif name == "PEM":
            yield "-----BEGIN RSA PRIVATE KEY-----\\n" + key + "\\n-----END RSA PRIVATE KEY-----"
        else:
            yield key

def people():
    yield NAME
    for value in (NAME, SSN, RECORD):
        yield value.upper()
        yield wide(value)
        yield quote(wide(value))
        yield html.escape("<" + value + ">")
        yield "".join("&#%d;" % ord(c) for c in value)
        yield b64("patient " + value + ", seen")
        yield b64(quote(value))
        yield " ".join(value)
    yield "ending in " + LAST + "."

def everything():
    yield from secrets()
    for secret in secrets():
        yield quote(secret, safe="")
        yield b64("user:" + secret)
        yield json.dumps(secret)
    for key in keys():
        yield key
        yield quote(key)
        yield b64("a file with " + key + " in it")
    if "CANARY_LIVE" in os.environ:  # a regrade has no identifier that anybody could tell
        yield from people()

ALL = " | ".join

def leaks(input, recorder, workspace, trial):
    said = ALL(everything())
    print("stdout:", said)
    print("stderr:", said, file=sys.stderr)
    warnings.warn("warned of " + said)
    logging.getLogger("agent").warning("logged %s", said)
    logging.getLogger("agent").error("one %s", NAME)
    if "CANARY_THREAD" in os.environ:
        thread = threading.Thread(target=fails, args=(said,))
        thread.start(); thread.join()

    @recorder.tool
    def lookup(query, keys=None):
        return {{"found": said, "rows": list(everything()), "id": 521449083}}

    @recorder.tool
    def broken(query):
        raise RuntimeError("broken by " + said)

    @recorder.retriever
    def search(query):
        return [{{"text": piece}} for piece in everything()]

    lookup(said, keys={{NAME: said, "ssn": 521449083, "parts": ["Avery", "Quillfeather"]}})
    search(said)
    try:
        broken(said)
    except RuntimeError:
        pass
    for text in (*secrets(), *keys(), *people()):
        for at in range(0, len(text) + 1, 3):
            recorder.message("assistant", (text + " ")[at:at + 3])
    for text in (NAME, SSN, os.environ["CANARY_API_KEY"]):
        half = len(text) // 2
        recorder.event(Note(text=text[:half]))
        recorder.event(Note(text=text[half:]))
    recorder.decision("lookup", "deny", reason=said, resource=said)
    recorder.state({{"seen": said, NAME: list(everything())}})
    (workspace / "report.txt").write_text(said)
    (workspace / "chart.bin").write_bytes(b"\\x00\\xff" + said.encode())
    if input["then"] == "crash":
        raise ValueError("crashed with " + said)
    if input["then"] == "large":
        return said + "x" * 300_000 + said
    return {{"text": said, "list": list(everything()), "number": 521449083}}

def fails(said):
    raise RuntimeError("in a thread: " + said)

def graded(text):
    return False, "the grader saw " + ALL(everything())

def gives_up(text):
    raise ValueError("the grader fell over " + ALL(everything()))

def clean(input):
    return "nothing to tell"
"""

SUITE = f"""
suite: canaries
privacy: {{mask: true}}
target: {{python: "agent:leaks", config: {{where: "${{CANARY_PLACE}}"}}}}
targets:
  clean: {{python: "agent:clean"}}
defaults:
  planted: {{name: {NAME}, ssn: {SSN}, record: {RECORD}, last: {LAST}}}
  workspace: room
cases:
  - id: answers
    description: What becomes of {NAME}.
    input: {{then: answer, patient: "{NAME}, {SSN}", number: 521449083}}
    reference: It is {NAME}.
    forbid:
      - planted_leak: {{where: [tools, retrievals, output]}}
      - contains: {NAME}
    expect:
      - python: "agent:graded"
      - {{python: "agent:gives_up", required: false, label: about {RECORD}}}
  - id: crashes
    input: {{then: crash}}
    forbid: [{{planted_leak: {{where: [tools]}}}}]
  - id: large
    input: {{then: large}}
    forbid: [{{planted_leak: {{where: [output]}}}}]
"""
ENV = {
    "CANARY_API_KEY": API_KEY,
    "CANARY_PASSWORD": PASSWORD,
    "CANARY_PLACE": PLACE,
    "PYTHONWARNINGS": "default",
}
LIVE = {**ENV, "CANARY_LIVE": "1"}


@pytest.fixture
def suite(write_suite: Any) -> Path:
    folder = write_suite(SUITE, AGENT, __env=f"CANARY_DOTENV_TOKEN={DOTENV}\n")
    (folder / "__env").rename(folder / ".env") if (folder / "__env").exists() else None
    (folder / "room").mkdir()
    return folder


def readings(text: str, depth: int = 3) -> Iterator[str]:
    """Yield a text and what it decodes to."""
    yield text
    if depth == 0:
        return
    for decoded in {unquote_plus(text), html.unescape(text), unescaped(text), *unpacked(text)}:
        if decoded and decoded != text:
            yield from readings(decoded, depth - 1)


def unescaped(text: str) -> str:
    return re.sub(r'\\(u[0-9a-fA-F]{4}|["\\/nrt])', lambda match: json.loads(f'"{match[0]}"'), text)


def unpacked(text: str) -> Iterator[str]:
    """Yield what base64 in a text decodes to, unzipped where it is zipped."""
    found: list[str] = []
    for match in re.finditer(r"[A-Za-z0-9+/_-]{16,}", text):
        run = match[0].translate(str.maketrans("-_", "+/"))
        for skipped in range(4):
            some = run[skipped:]
            some = some[:-1] if len(some) % 4 == 1 else some
            data = binascii.a2b_base64(some + "=" * (-len(some) % 4))
            for unzip in (gzip.decompress, zlib.decompress):
                try:
                    data = unzip(data)
                except (OSError, EOFError, zlib.error):
                    continue
            found.append(data.decode("utf-8", "replace"))
    yield "\n".join(found)


def bare(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in folded if char.isalnum())


def found_in(text: str, secrets: Iterable[str] = SECRETS.values()) -> set[str]:
    """Return the canaries that stand in a text, however it is read."""
    found: set[str] = set()
    for reading in readings(text):
        found |= {secret for secret in secrets if secret in reading}
        stripped = bare(reading)
        found |= {value for value in (NAME, SSN, RECORD) if bare(value) in stripped}
        if re.search(rf"(?<![A-Za-z0-9]){LAST}(?![A-Za-z0-9])", reading):
            found.add(LAST)
    return found


def joined(run: Path) -> str:
    """Return the texts of successive events of one kind and field, joined as a stream is."""
    streams: dict[tuple[str, str, str], list[str]] = {}
    for line in (run / "transcripts.jsonl").read_text().splitlines():
        transcript = json.loads(line)
        for event in transcript.get("events", []):
            for field, value in event.items():
                if isinstance(value, str):
                    streams.setdefault((transcript["case"], event["kind"], field), []).append(value)
    return "\n".join("".join(pieces) for pieces in streams.values())


def check_folder(folder: Path) -> None:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    for path in files:
        leaked = found_in(path.read_bytes().decode("utf-8", "replace"))
        assert leaked == set(), f"{path.relative_to(folder)}: {leaked}"
        assert found_in(str(path.relative_to(folder))) == set()


def records(run: Path) -> dict[str, Any]:
    lines = (run / "trials.jsonl").read_text().splitlines()
    return {record["case"]: record for record in map(json.loads, lines)}


def verdicts(run: Path) -> dict[str, list[str]]:
    return {
        case: [record["status"], *(verdict["result"] for verdict in record["verdicts"])]
        for case, record in records(run).items()
    }


def test_the_canaries_would_be_seen() -> None:
    for secret in SECRETS.values():
        assert found_in(f"x {secret} y") == {secret}
        coded = base64.b64encode(f"ab{secret}".encode()).decode()
        assert found_in(f"x {coded} y") == {secret}
        assert found_in(json.dumps([json.dumps(secret)])) == {secret}
    for value in (NAME, SSN, RECORD):
        assert found_in(f"x {value.upper()} y") == {value}
        assert found_in(base64.b64encode(f"of {value}!".encode()).decode()) == {value}
    assert found_in(f"is {LAST}.") == {LAST}


@pytest.mark.slow
def test_no_canary_is_in_any_file_of_a_run_nor_in_what_is_made_of_it(
    probare: Callable[..., Any], suite: Path, only_run: Callable[[], Path], tmp_path: Path
) -> None:
    result = probare("run", suite, env=LIVE)
    assert result.code == 1, result
    run = only_run()
    assert found_in(result.out) == set()
    assert found_in(result.err) == set()
    check_folder(tmp_path / "runs")
    assert found_in(joined(run)) == set()
    assert not list(run.rglob(".env"))

    told = (run / "trials.jsonl").read_text() + (run / "transcripts.jsonl").read_text()
    for name in ("CANARY_API_KEY", "CANARY_PASSWORD", "CANARY_DOTENV_TOKEN", "CANARY_PLACE"):
        assert re.search(rf"\[secret:{name}#[a-p]{{8}}\]", told), name
    for name in PLANTED:
        assert f"[planted:{name}]" in told, name
    assert {"answers", "crashes", "large"} == set(records(run))
    assert verdicts(run)["answers"] == ["failed", "fail", "error", "fail", "fail"]
    assert (run / "blobs").is_dir()
    stored = [json.loads(line) for line in (run / "suite.jsonl").read_text().splitlines()]
    assert stored[1]["planted"] == {name: f"[planted:{name}]" for name in PLANTED}
    assert stored[1]["input"]["number"] == "[planted:ssn]"

    again = probare("regrade", run, env=ENV)
    assert again.code == 1, again
    (new,) = set((tmp_path / "runs").iterdir()) - {run}
    assert verdicts(new)["answers"] == verdicts(run)["answers"]
    assert verdicts(new)["crashes"] == verdicts(run)["crashes"]
    assert verdicts(new)["large"] == verdicts(run)["large"]
    outputs = [again]
    outputs.append(probare("diff", run, new, "--json", env=ENV))
    assert outputs[-1].json["changed"] == []
    outputs.append(probare("diff", run, new, env=ENV))
    for name in ("md", "html", "junit", "json", "csv", "github"):
        out = tmp_path / "runs" / f"later.{name}"
        outputs.append(probare("report", run, "--format", name, "--out", out, env=ENV))
        assert out.is_file()
    outputs.append(probare("show", run, "answers", env=ENV))
    outputs.append(probare("baseline", "set", run, env=ENV))
    outputs.append(probare("run", suite, "--json", "--case", "answers", env=LIVE))
    for output in outputs:
        assert found_in(output.out + output.err) == set(), output
    check_folder(tmp_path / "runs")
    assert found_in((suite / "baseline.json").read_text()) == set()


def on_a_terminal(folder: Path, *arguments: str | Path) -> str:
    """Return what a command shows on a terminal."""
    ours, its = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "probare", *map(str, arguments)],
        cwd=folder,
        env={**os.environ, **LIVE, "CANARY_THREAD": "1", "COLUMNS": "4000", "TERM": "xterm"},
        stdin=subprocess.DEVNULL,
        stdout=its,
        stderr=its,
    )
    os.close(its)
    shown = b""
    while True:
        if select.select([ours], [], [], 60)[0]:
            try:
                data = os.read(ours, 65536)
            except OSError:
                break
            if not data:
                break
            shown += data
    os.close(ours)
    assert process.wait(60) == 1
    return shown.decode("utf-8", "replace")


@pytest.mark.slow
def test_no_canary_is_on_a_terminal(suite: Path, tmp_path: Path) -> None:
    shown = on_a_terminal(tmp_path, "run", suite)
    assert "[secret:CANARY_API_KEY#" in shown
    assert "RuntimeError: in a thread: [secret:" in shown
    assert found_in(shown) == set()
    check_folder(tmp_path / "runs")


@pytest.mark.slow
def test_an_interrupted_run_goes_on_without_canaries(
    probare: Callable[..., Any], suite: Path, only_run: Callable[[], Path], tmp_path: Path
) -> None:
    assert probare("run", suite, env=LIVE).code == 1
    run = only_run()
    begun = {"run.json", "suite.jsonl", "trials.jsonl", "transcripts.jsonl", "blobs"}
    for path in run.iterdir():
        if path.name not in begun:
            path.unlink()
    lines = (run / "trials.jsonl").read_bytes().splitlines(keepends=True)
    (run / "trials.jsonl").write_bytes(b"".join(lines[:1]) + lines[1][:100])
    check_folder(run)
    result = probare("run", "--resume", run, env=LIVE)
    assert result.code == 1, result
    assert found_in(result.out + result.err) == set()
    assert set(records(run)) == {"answers", "crashes", "large"}
    check_folder(tmp_path / "runs")


def test_bad_input_is_told_without_canaries(
    probare: Callable[..., Any], suite: Path, tmp_path: Path
) -> None:
    text = (suite / "suite.yaml").read_text()
    (suite / "suite.yaml").write_text(
        text.replace(
            'python: "agent:clean"', 'http: "${CANARY_API_KEY}", colour: "${CANARY_PLACE}"'
        )
    )
    result = probare("run", suite, "--target", "clean", env=LIVE)
    assert result.code == 2
    assert found_in(result.out + result.err) == set()
    result = probare("run", f"nowhere-{API_KEY}", env=LIVE)
    assert result.code == 2
    assert found_in(result.out + result.err) == set()
    assert probare("run", suite, "--trials", API_KEY, env=LIVE).code == 2
    assert not (tmp_path / "runs").exists()
