"""DSSE envelopes (github.com/secure-systems-lab/dsse, v1) by `securesystemslib`.

A stored envelope must be its own compact serialisation, byte for byte, with one signature: JSON
and base64 leave room for bytes that differ and decode alike. The payload is opaque: what is
signed is its stored bytes (in the pre-authentication encoding), and nothing is encoded again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from probare.encoding import jsonbytes
from probare.evidence.keys import PublicKey, SigningKey
from probare.evidence.notes import canonical_base64

PAYLOAD_TYPE = "application/vnd.in-toto+json"


class EnvelopeError(ValueError):
    """The bytes are not an envelope in its one form."""


class _Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    keyid: str
    sig: str


class _Shape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    payload: str
    payloadType: str  # noqa: N815 - the standard's name
    signatures: tuple[_Signature, ...]


@dataclass(frozen=True, slots=True)
class OpenedEnvelope:
    """An envelope taken apart, its signature not verified yet."""

    payload: bytes
    key_id: str
    raw: dict[str, Any]

    def signed_by(self, key: PublicKey) -> bool:
        """Return whether the key signed this payload."""
        from securesystemslib.dsse import Envelope
        from securesystemslib.exceptions import VerificationError
        from securesystemslib.signer import SSlibKey  # pyright: ignore[reportPrivateImportUsage]

        copy = {**self.raw, "signatures": [dict(s) for s in self.raw["signatures"]]}
        holder = SSlibKey.from_crypto(key.crypto, keyid=key.key_id)
        try:
            envelope = Envelope.from_dict(copy)  # pyright: ignore[reportUnknownMemberType]
            envelope.verify([holder], threshold=1)
        except VerificationError:
            return False
        return True


def sign_envelope(payload: bytes, key: SigningKey) -> bytes:
    """Return an envelope around an in-toto Statement, as it is stored, without a line feed."""
    from securesystemslib.dsse import Envelope
    from securesystemslib.signer import (
        CryptoSigner,  # pyright: ignore[reportPrivateImportUsage]
        SSlibKey,  # pyright: ignore[reportPrivateImportUsage]
    )

    holder = SSlibKey.from_crypto(key.public.crypto, keyid=key.public.key_id)
    envelope = Envelope(payload, PAYLOAD_TYPE, {})
    envelope.sign(CryptoSigner(key.crypto, holder))
    return jsonbytes.encode(envelope.to_dict())  # pyright: ignore[reportUnknownMemberType]


def open_envelope(data: bytes) -> OpenedEnvelope:
    """Take a stored envelope apart. Raises EnvelopeError with what is wrong."""
    try:
        raw = jsonbytes.decode_strict(data)
        shape = msgspec.convert(raw, _Shape)
    except RecursionError:
        raise EnvelopeError("it is nested too deep") from None
    except ValueError as error:
        raise EnvelopeError(f"it is no envelope: {error}") from None
    if shape.payloadType != PAYLOAD_TYPE:
        raise EnvelopeError(f"its payload is not of the type {PAYLOAD_TYPE}")
    if len(shape.signatures) != 1:
        raise EnvelopeError(f"it has {len(shape.signatures)} signatures instead of one")
    signature = shape.signatures[0]
    payload = canonical_base64(shape.payload)
    if payload is None or canonical_base64(signature.sig) is None:
        raise EnvelopeError("its base64 is not in the one canonical form")
    if jsonbytes.encode(shape) != data:
        raise EnvelopeError("it is not its own compact serialisation")
    return OpenedEnvelope(payload, signature.keyid, raw)
