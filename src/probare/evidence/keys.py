"""Key pairs: ECDSA over P-256 with SHA-256, as PEM files (PKCS #8 and SubjectPublicKeyInfo).

A key's id is the SHA-256 of its DER SubjectPublicKeyInfo, in hex, as Sigstore has it:
`openssl pkey -pubin -in KEY.pub -outform DER | sha256sum`. A private key that others can read is
refused as ssh refuses it, unless a passphrase protects it.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from probare.errors import InputError
from probare.evidence import names

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric import ec

_LARGEST = 64 * 1024
_ENCRYPTED = b"-----BEGIN ENCRYPTED PRIVATE KEY-----"
PRIVATE_MARKS = (b"PRIVATE KEY-----", b"OPENSSH PRIVATE")


class PublicKey:
    """A public key: whom a signature is held against."""

    def __init__(self, key: ec.EllipticCurvePublicKey) -> None:
        from cryptography.hazmat.primitives import serialization as s

        self._key = key
        self.der = key.public_bytes(s.Encoding.DER, s.PublicFormat.SubjectPublicKeyInfo)
        self.pem = key.public_bytes(s.Encoding.PEM, s.PublicFormat.SubjectPublicKeyInfo)
        self.key_id = hashlib.sha256(self.der).hexdigest()

    @property
    def crypto(self) -> ec.EllipticCurvePublicKey:
        """The key as `cryptography` has it."""
        return self._key

    def verify(self, signature: bytes, data: bytes) -> bool:
        """Return whether a DER signature is this key's over the data."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec

        try:
            self._key.verify(signature, data, ec.ECDSA(hashes.SHA256()))
        except InvalidSignature:
            return False
        return True


class SigningKey:
    """A private key and the file it came from."""

    def __init__(self, key: ec.EllipticCurvePrivateKey, path: Path) -> None:
        self._key = key
        self.path = path
        self.public = PublicKey(key.public_key())

    @property
    def crypto(self) -> ec.EllipticCurvePrivateKey:
        """The key as `cryptography` has it."""
        return self._key

    def sign(self, data: bytes) -> bytes:
        """Return the DER signature over the data (ECDSA, SHA-256)."""
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec

        return self._key.sign(data, ec.ECDSA(hashes.SHA256()))


def generate(private: Path, public: Path, passphrase: str | None = None) -> PublicKey:
    """Make a key pair: the private key at mode 0600, neither file ever over an existing one.

    Raises InputError, also where a file would stand in a run directory.
    """
    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric import ec

    if passphrase == "":
        raise InputError("the passphrase is empty", hint="give one, or none at all")
    refuse_in_run(private)
    if public.exists():
        raise _exists(public)
    key = ec.generate_private_key(ec.SECP256R1())
    sealed = s.BestAvailableEncryption(passphrase.encode()) if passphrase else s.NoEncryption()
    pem = key.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, sealed)
    made = PublicKey(key.public_key())
    _create(private, pem, 0o600)
    try:
        _create(public, made.pem, 0o644)
    except InputError:
        private.unlink()
        raise
    return made


def needs_passphrase(path: Path) -> bool:
    """Return whether a private key file is protected by a passphrase."""
    return _ENCRYPTED in _read(path)


def load_private(path: Path, passphrase: str | None = None) -> SigningKey:
    """Load a private key. Raises InputError: missing, unsafe, locked, or not ECDSA P-256."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    pem = _read(path)
    locked = _ENCRYPTED in pem
    refuse_in_run(path)
    if not locked:
        _refuse_open_to_others(path)
    elif passphrase is None:
        raise InputError(f"{path} is protected by a passphrase", hint="give its passphrase")
    try:
        key = load_pem_private_key(pem, passphrase.encode() if passphrase and locked else None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        if locked:
            raise InputError(f"the passphrase does not open {path}") from None
        raise InputError(f"{path} is not a private key in PEM form", hint=_MAKE) from None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.curve.name != "secp256r1":
        raise InputError(f"{path} is not an ECDSA P-256 key", hint=_MAKE)
    return SigningKey(key, path)


def load_public(path: Path) -> PublicKey:
    """Load a public key. Raises InputError: missing, private, or not ECDSA P-256."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    pem = _read(path)
    if any(mark in pem for mark in PRIVATE_MARKS):
        raise InputError(f"{path} is a private key", hint="verify with the public one (.pub)")
    try:
        key = load_pem_public_key(pem)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise InputError(f"{path} is not a public key in PEM form") from None
    if not isinstance(key, ec.EllipticCurvePublicKey) or key.curve.name != "secp256r1":
        raise InputError(f"{path} is not an ECDSA P-256 key")
    return PublicKey(key)


def refuse_in_run(path: Path) -> None:
    """Raise InputError where a private key stands, or would stand, in a run directory."""
    for folder in path.resolve().parents:
        if (folder / names.RUN).is_file() and (folder / names.SUITE).is_file():
            raise InputError(
                f"a private key has no place in the run directory {folder}",
                hint="keep it where runs are not stored or sent from",
            )


_MAKE = "make a pair with: probare keygen"


def _refuse_open_to_others(path: Path) -> None:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise InputError(
            f"others can read the private key {path} (mode {mode:04o})",
            hint=f"chmod 600 {path}, or protect it with a passphrase",
        )


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST)
    except OSError as error:
        raise InputError(f"cannot read the key {path}: {error.strerror}", hint=_MAKE) from error


def _create(path: Path, data: bytes, mode: int) -> None:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    except FileExistsError:
        raise _exists(path) from None
    except OSError as error:
        raise InputError(f"cannot write the key {path}: {error.strerror}") from error
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _exists(path: Path) -> InputError:
    return InputError(f"{path} exists already; a key is never written over")
