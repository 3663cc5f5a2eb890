"""Keys: made safely, loaded strictly."""

from __future__ import annotations

import stat
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization as s
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from probare.errors import InputError
from probare.evidence.keys import generate, load_private, load_public, needs_passphrase


def test_a_pair_signs_and_verifies(tmp_path: Path) -> None:
    made = generate(tmp_path / "a.key", tmp_path / "a.pub")
    key = load_private(tmp_path / "a.key")
    public = load_public(tmp_path / "a.pub")
    assert key.public.key_id == public.key_id == made.key_id
    assert public.verify(key.sign(b"text"), b"text")
    assert not public.verify(key.sign(b"text"), b"other")
    assert not public.verify(b"", b"text")


def test_modes_and_forms(tmp_path: Path) -> None:
    generate(tmp_path / "a.key", tmp_path / "a.pub")
    assert stat.S_IMODE((tmp_path / "a.key").stat().st_mode) == 0o600
    assert (tmp_path / "a.key").read_text().startswith("-----BEGIN PRIVATE KEY-----")
    assert (tmp_path / "a.pub").read_text().startswith("-----BEGIN PUBLIC KEY-----")


def test_the_key_id_is_what_openssl_says(tmp_path: Path) -> None:
    made = generate(tmp_path / "a.key", tmp_path / "a.pub")
    command = f"openssl pkey -pubin -in {tmp_path}/a.pub -outform DER | sha256sum"
    told = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert told.stdout.split()[0] == made.key_id


@pytest.mark.parametrize("existing", ["a.key", "a.pub"])
def test_nothing_is_written_over(tmp_path: Path, existing: str) -> None:
    (tmp_path / existing).write_text("precious")
    with pytest.raises(InputError, match="exists already"):
        generate(tmp_path / "a.key", tmp_path / "a.pub")
    assert (tmp_path / existing).read_text() == "precious"
    assert [path.name for path in tmp_path.iterdir()] == [existing]


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.key").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="exists already"):
        generate(tmp_path / "a.key", tmp_path / "a.pub")
    assert not (tmp_path / "elsewhere").exists()


def test_a_passphrase(tmp_path: Path) -> None:
    generate(tmp_path / "a.key", tmp_path / "a.pub", "open sesame")
    assert needs_passphrase(tmp_path / "a.key")
    key = load_private(tmp_path / "a.key", "open sesame")
    assert load_public(tmp_path / "a.pub").verify(key.sign(b"x"), b"x")
    with pytest.raises(InputError, match="passphrase does not open"):
        load_private(tmp_path / "a.key", "shut")
    with pytest.raises(InputError, match="protected by a passphrase"):
        load_private(tmp_path / "a.key")


def test_a_needless_passphrase_is_no_fault(tmp_path: Path) -> None:
    generate(tmp_path / "a.key", tmp_path / "a.pub")
    assert not needs_passphrase(tmp_path / "a.key")
    load_private(tmp_path / "a.key", "whatever")


def test_an_empty_passphrase_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="empty"):
        generate(tmp_path / "a.key", tmp_path / "a.pub", "")
    assert list(tmp_path.iterdir()) == []


def test_a_key_that_others_can_read_is_refused_unless_locked(tmp_path: Path) -> None:
    generate(tmp_path / "a.key", tmp_path / "a.pub")
    (tmp_path / "a.key").chmod(0o640)
    with pytest.raises(InputError, match=r"others can read .* 0640.*chmod 600"):
        load_private(tmp_path / "a.key")
    generate(tmp_path / "b.key", tmp_path / "b.pub", "secret")
    (tmp_path / "b.key").chmod(0o640)
    load_private(tmp_path / "b.key", "secret")


@pytest.mark.parametrize("where", ["", "inner/"])
def test_no_private_key_in_a_run_directory(finished: Path, tmp_path: Path, where: str) -> None:
    (finished / where).mkdir(exist_ok=True)
    with pytest.raises(InputError, match="no place in the run directory"):
        generate(finished / f"{where}a.key", tmp_path / "a.pub")
    generate(tmp_path / "b.key", tmp_path / "b.pub")
    (tmp_path / "b.key").rename(finished / f"{where}b.key")
    with pytest.raises(InputError, match="no place in the run directory"):
        load_private(finished / f"{where}b.key")


def _pem(key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey) -> bytes:
    return key.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.NoEncryption())


@pytest.mark.parametrize("kind", ["P-384", "secp256k1", "RSA", "Ed25519"])
def test_other_kinds_of_keys_are_refused(tmp_path: Path, kind: str) -> None:
    made = {
        "P-384": lambda: ec.generate_private_key(ec.SECP384R1()),
        "secp256k1": lambda: ec.generate_private_key(ec.SECP256K1()),
        "RSA": lambda: rsa.generate_private_key(65537, 2048),
        "Ed25519": ed25519.Ed25519PrivateKey.generate,
    }[kind]()
    (tmp_path / "a.key").touch(0o600)
    (tmp_path / "a.key").write_bytes(_pem(made))
    with pytest.raises(InputError, match="not an ECDSA P-256 key"):
        load_private(tmp_path / "a.key")
    public = made.public_key().public_bytes(s.Encoding.PEM, s.PublicFormat.SubjectPublicKeyInfo)
    (tmp_path / "a.pub").write_bytes(public)
    with pytest.raises(InputError, match="not an ECDSA P-256 key"):
        load_public(tmp_path / "a.pub")


@pytest.mark.parametrize("content", [b"", b"no key", b"\xff\x00", b"-----BEGIN PRIVATE KEY-----\n"])
def test_what_is_no_key_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.key"
    path.touch(0o600)
    path.write_bytes(content)
    with pytest.raises(InputError, match="not a private key in PEM form"):
        load_private(path)
    with pytest.raises(InputError, match=r"not a public key|is a private key"):
        load_public(path)


def test_a_missing_key_and_a_mistaken_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read the key.*probare keygen"):
        load_private(tmp_path / "none.key")
    with pytest.raises(InputError, match="cannot read the key"):
        load_public(tmp_path / "none.pub")
    generate(tmp_path / "a.key", tmp_path / "a.pub")
    with pytest.raises(InputError, match="is a private key"):
        load_public(tmp_path / "a.key")
    (tmp_path / "a.pub").chmod(0o600)
    with pytest.raises(InputError, match="not a private key"):
        load_private(tmp_path / "a.pub")


def test_a_pair_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot write"):
        generate(tmp_path / "a.key", tmp_path / "no folder" / "a.pub")
    assert list(tmp_path.iterdir()) == []
