"""RFC 3161, against an authority made of `openssl ts`."""

from __future__ import annotations

import builtins
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from probare.errors import InputError, MissingExtra
from probare.evidence.timestamps import check_response, make_request


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.json"
    path.write_text("what will count")
    return path


def test_a_time_stamp_holds_for_its_file(authority: Any, plan: Path) -> None:
    response = authority.answer(make_request(plan))
    stamp = check_response(plan, response, authority.root)
    assert abs(stamp.time - datetime.now(UTC)) < timedelta(minutes=5)
    assert stamp.time.tzinfo is UTC
    assert stamp.authority == "CN=Test authority"
    assert stamp.serial > 0


def test_the_request_is_what_openssl_reads(plan: Path, tmp_path: Path) -> None:
    (tmp_path / "q.tsq").write_bytes(make_request(plan))
    told = subprocess.run(
        ["openssl", "ts", "-query", "-in", tmp_path / "q.tsq", "-text"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "Hash Algorithm: sha256" in told
    assert "Certificate required: yes" in told
    assert "Nonce: 0x" in told


def test_a_changed_file_is_not_the_one_that_was_stamped(authority: Any, plan: Path) -> None:
    response = authority.answer(make_request(plan))
    plan.write_text("what will count now")
    with pytest.raises(InputError, match="does not hold"):
        check_response(plan, response, authority.root)


def test_another_root_is_refused(
    authority: Any, plan: Path, make_authority: Callable[[], Any]
) -> None:
    other = make_authority()
    with pytest.raises(InputError, match="does not hold"):
        check_response(plan, authority.answer(make_request(plan)), other.root)


def test_any_changed_byte_of_the_signed_part_is_refused(authority: Any, plan: Path) -> None:
    response = authority.answer(make_request(plan))
    place = response.index(b"CN=") if b"CN=" in response else len(response) - 20
    changed = response[:place] + bytes([response[place] ^ 1]) + response[place + 1 :]
    with pytest.raises(InputError):
        check_response(plan, changed, authority.root)


@pytest.mark.parametrize("response", [b"", b"\x30\x03\x02\x01\x00", b"\x00" * 2_000_000, b"text"])
def test_what_is_no_time_stamp(authority: Any, plan: Path, response: bytes) -> None:
    with pytest.raises(InputError, match="time stamp"):
        check_response(plan, response, authority.root)


def test_a_refusal_is_no_time_stamp(authority: Any, plan: Path) -> None:
    request = bytearray(make_request(plan))
    oid = bytes.fromhex("0609608648016503040201")
    request[request.index(oid) + len(oid) - 1] = 3  # SHA-512, for a digest of 32 bytes
    with pytest.raises(InputError):
        check_response(plan, authority.answer(bytes(request)), authority.root)


def test_what_is_no_root_and_what_is_no_file(authority: Any, plan: Path) -> None:
    response = authority.answer(make_request(plan))
    with pytest.raises(InputError, match="not in PEM form"):
        check_response(plan, response, b"no certificate")
    with pytest.raises(InputError, match="cannot read"):
        check_response(plan.parent / "none", response, authority.root)
    with pytest.raises(InputError, match="cannot read"):
        make_request(plan.parent / "none")
    plan.write_bytes(b"")
    with pytest.raises(InputError, match="is empty"):
        make_request(plan)


def test_without_the_package_the_install_command_is_named(
    plan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def refuse(name: str, *args: Any) -> Any:
        if name == "rfc3161_client":
            raise ImportError(name)
        return real(name, *args)

    monkeypatch.setattr(builtins, "__import__", refuse)
    for call in (lambda: make_request(plan), lambda: check_response(plan, b"", b"")):
        with pytest.raises(MissingExtra, match=r"pip install 'probare\[timestamps\]'"):
            call()
