"""RFC 3161 time stamps: an outside witness that a file existed at a time.

Probare calls no time-stamping authority: it makes the request, which one sends to an authority
of one's choice (`curl -H 'Content-Type: application/timestamp-query' --data-binary @FILE URL`),
and checks the response against the file and the authority's root certificate. This needs the
extra `timestamps` (the package rfc3161-client).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from probare.errors import InputError, MissingExtra

if TYPE_CHECKING:
    from cryptography.x509 import Certificate
    from rfc3161_client import TimeStampResponse

_LARGEST_FILE = 256 * 1024 * 1024
_LARGEST_RESPONSE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Timestamp:
    """What an authority says: the time (UTC), its serial number, and the authority's name."""

    time: datetime
    serial: int
    authority: str


def make_request(path: Path) -> bytes:
    """Return a time-stamp request (DER) over a file's SHA-256, with a nonce; it asks for the
    authority's certificate too. Raises InputError, MissingExtra.
    """
    _require()
    from rfc3161_client import HashAlgorithm, TimestampRequestBuilder

    data = _read(path)
    if not data:
        raise InputError(f"{path} is empty")
    builder = TimestampRequestBuilder().data(data).hash_algorithm(HashAlgorithm.SHA256)
    return builder.nonce(nonce=True).cert_request(cert_request=True).build().as_bytes()


def check_response(path: Path, response: bytes, root_pem: bytes) -> Timestamp:
    """Check an authority's response (DER) against a file and the authority's root certificate.

    Raises InputError: the response is none, was refused, is of other bytes, or does not lead to
    the root; MissingExtra. The nonce is not compared: it matters to the one who asked, when
    asking. Revocation of certificates is not looked up: that would need the network.
    """
    _require()
    from rfc3161_client import (
        VerificationError,
        VerifierBuilder,
        decode_timestamp_response,
    )

    if len(response) > _LARGEST_RESPONSE:
        raise InputError("the time stamp is larger than one can be")
    try:
        decoded = decode_timestamp_response(response)
    except ValueError as error:
        raise InputError(
            f"the time stamp cannot be read as an RFC 3161 response in strict DER: {error}",
            hint=f"openssl ts -verify -data {path} -in RESPONSE -CAfile ROOT may still take it",
        ) from None
    builder = VerifierBuilder()
    for root in _roots(root_pem):
        builder = builder.add_root_certificate(root)
    try:
        builder.build().verify_message(decoded, _read(path))
    except (VerificationError, ValueError) as error:
        raise InputError(
            f"the time stamp does not hold for {path}: {error}",
            hint="is it of this very file, and the root that of the authority?",
        ) from None
    return _told(decoded)


def _told(decoded: TimeStampResponse) -> Timestamp:
    info = decoded.tst_info
    time = info.gen_time
    if time.tzinfo is None:
        time = time.replace(tzinfo=UTC)
    return Timestamp(time.astimezone(UTC), info.serial_number, _signer(decoded))


def _signer(decoded: TimeStampResponse) -> str:
    from cryptography.x509 import load_der_x509_certificate

    signers = decoded.signed_data.signer_infos
    for data in decoded.signed_data.certificates:
        certificate = load_der_x509_certificate(data)
        for signer in signers:
            mine = (certificate.issuer, certificate.serial_number)
            if (signer.issuer, signer.serial_number) == mine:
                return certificate.subject.rfc4514_string()
    return ""


def _roots(pem: bytes) -> list[Certificate]:
    from cryptography.x509 import load_pem_x509_certificates

    try:
        return load_pem_x509_certificates(pem)
    except ValueError:
        raise InputError("the root certificate is not in PEM form") from None


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise InputError(f"{path} is too large: stamp manifest.json, which names every file")
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error


def _require() -> None:
    try:
        import rfc3161_client  # noqa: F401  # pyright: ignore[reportUnusedImport]
    except ImportError:
        raise MissingExtra("rfc3161-client", "timestamps") from None
