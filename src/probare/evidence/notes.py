"""C2SP signed notes (c2sp.org/signed-note), signed with ECDSA P-256.

The signature type is 0x02 of that specification: ECDSA as the witness of transparency-dev and
Sigstore's Rekor have it. Its key id is the first four bytes of the SHA-256 of the key's DER
SubjectPublicKeyInfo (so, of our key id); what is signed is the note's text, to its last line
feed. The specification prefers Ed25519 where one is free to choose; we sign everything with one
kind of key.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass

from probare.evidence.keys import PublicKey, SigningKey

SIGNATURE_TYPE = 0x02
MAX_SIGNATURES = 64

_LINE = re.compile(r"\u2014 (\S+) ([A-Za-z0-9+/=]+)")
_FORBIDDEN = re.compile(r"[\x00-\x09\x0b-\x1f]")


class NoteError(ValueError):
    """A text is not a signed note."""


@dataclass(frozen=True, slots=True)
class NoteSignature:
    """A signature line: the key's name, the four bytes of its id, and the signature."""

    name: str
    key_id: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Note:
    """A note: its text, which ends in a line feed, and its signatures, not verified yet."""

    text: str
    signatures: tuple[NoteSignature, ...]

    def signed_by(self, name: str, key: PublicKey) -> bool:
        """Return whether the key signed the text under this name; every such line must hold."""
        mine = [s for s in self.signatures if s.name == name and s.key_id == note_key_id(key)]
        data = self.text.encode()
        return bool(mine) and all(key.verify(s.signature, data) for s in mine)


def note_key_id(key: PublicKey) -> bytes:
    """Return the key id of signature type 0x02."""
    return bytes.fromhex(key.key_id)[:4]


def verifier_key(name: str, key: PublicKey) -> str:
    """Return the key as other tools of signed notes take it: `name+id+base64(type || SPKI)`."""
    encoded = base64.b64encode(bytes([SIGNATURE_TYPE]) + key.der).decode()
    return f"{name}+{note_key_id(key).hex()}+{encoded}"


def sign_note(text: str, name: str, key: SigningKey) -> str:
    """Return the signed note. Raises NoteError where the text or the name cannot be one."""
    if not text.endswith("\n") or _FORBIDDEN.search(text):
        raise NoteError("a note's text ends in a line feed and has no control characters")
    if not name or "+" in name or any(c.isspace() for c in name):
        raise NoteError("a key's name has no spaces and no plus")
    data = note_key_id(key.public) + key.sign(text.encode())
    return f"{text}\n\u2014 {name} {base64.b64encode(data).decode()}\n"


def parse_note(data: bytes) -> Note:
    """Take a note apart. Raises NoteError with what is wrong; verifies nothing.

    A text without any signature line (a proof of an unsigned tree) is a note of none.
    """
    try:
        whole = data.decode()
    except UnicodeDecodeError:
        raise NoteError("it is not UTF-8") from None
    if _FORBIDDEN.search(whole):
        raise NoteError("it has control characters")
    text, gap, lines = whole.rpartition("\n\n")
    if not gap:
        raise NoteError("no empty line stands between its text and its signatures")
    if lines and not lines.endswith("\n"):
        raise NoteError("its last line has no line feed")
    signatures = tuple(_signature(line) for line in lines.split("\n")[:-1])
    if len(signatures) > MAX_SIGNATURES:
        raise NoteError(f"it has more than {MAX_SIGNATURES} signatures")
    return Note(text + "\n", signatures)


def _signature(line: str) -> NoteSignature:
    match = _LINE.fullmatch(line)
    if match is None or "+" in match[1]:
        raise NoteError("a signature line is malformed")
    data = canonical_base64(match[2])
    if data is None or len(data) <= 4:
        raise NoteError("a signature is not canonical base64 of a key id and a signature")
    return NoteSignature(match[1], data[:4], data[4:])


def canonical_base64(text: str) -> bytes | None:
    """Return the bytes that a text is the base64 of; None where another text is, too."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if base64.b64encode(data).decode() == text else None
