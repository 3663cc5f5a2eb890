"""Envelopes: by the standard, verified by others' code, and in one form only."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probare.evidence.dsse import EnvelopeError, open_envelope, sign_envelope

PAYLOAD = b'{"_type":"https://in-toto.io/Statement/v1"}'


def test_an_envelope_is_signed_over_its_pre_authentication_encoding(
    keys: Any, other_keys: Any
) -> None:
    raw = json.loads(sign_envelope(PAYLOAD, keys.signing))
    assert list(raw) == ["payload", "payloadType", "signatures"]
    signature = base64.b64decode(raw["signatures"][0]["sig"])
    signed = b"DSSEv1 28 application/vnd.in-toto+json %d %b" % (len(PAYLOAD), PAYLOAD)
    assert keys.verifying.verify(signature, signed)
    assert raw["signatures"][0]["keyid"] == keys.verifying.key_id


def test_it_reads_back(keys: Any, other_keys: Any) -> None:
    envelope = open_envelope(sign_envelope(PAYLOAD, keys.signing))
    assert envelope.payload == PAYLOAD
    assert envelope.signed_by(keys.verifying)
    assert envelope.signed_by(keys.verifying), "verifying changes nothing"
    assert not envelope.signed_by(other_keys.verifying)


def test_a_claimed_key_id_is_not_believed(keys: Any, other_keys: Any) -> None:
    data = sign_envelope(PAYLOAD, keys.signing)
    claimed = data.replace(keys.verifying.key_id.encode(), other_keys.verifying.key_id.encode())
    assert not open_envelope(claimed).signed_by(other_keys.verifying)


Change = Callable[[str, dict[str, Any]], str]

CHANGES: dict[str, Change] = {
    "a space": lambda text, raw: text.replace(":", ": ", 1),
    "a line feed": lambda text, raw: text + "\n",
    "another order": lambda text, raw: json.dumps(
        dict(reversed(raw.items())), separators=(",", ":")
    ),
    "an escape": lambda text, raw: text.replace("vnd", "\\u0076nd"),
    "a duplicate key": lambda text, raw: text.replace("{", '{"payload":"",', 1),
    "an extra key": lambda text, raw: text.replace("{", '{"extra":1,', 1),
    "another payload type": lambda text, raw: text.replace("in-toto", "in-tot0"),
    "no signature": lambda text, raw: json.dumps({**raw, "signatures": []}, separators=(",", ":")),
    "two signatures": lambda text, raw: json.dumps(
        {**raw, "signatures": raw["signatures"] * 2}, separators=(",", ":")
    ),
    "an extra field of a signature": lambda text, raw: text.replace('"keyid"', '"x":1,"keyid"'),
    "base64 without padding": lambda text, raw: text.replace("=", ""),
    "no JSON": lambda text, raw: text[:-1],
    "no object": lambda text, raw: "[]",
    "nested deep": lambda text, raw: "[" * 100_000,
    "nothing": lambda text, raw: "",
}


@pytest.mark.parametrize("change", CHANGES)
def test_another_form_of_the_same_is_refused(keys: Any, change: str) -> None:
    text = sign_envelope(PAYLOAD + b" " * (2 - len(PAYLOAD) % 3), keys.signing).decode()
    changed = CHANGES[change](text, json.loads(text))
    assert changed != text
    with pytest.raises(EnvelopeError):
        open_envelope(changed.encode())


@pytest.fixture(scope="module")
def stored(keys: Any) -> bytes:
    return sign_envelope(PAYLOAD, keys.signing)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_flipped_bit_is_seen(keys: Any, stored: bytes, data: st.DataObject) -> None:
    whole = bytearray(stored)
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= 1 << data.draw(st.integers(0, 7))
    try:
        envelope = open_envelope(bytes(whole))
    except EnvelopeError:
        return
    assert envelope.key_id != keys.verifying.key_id or not envelope.signed_by(keys.verifying)


def test_securesystemslib_verifies_it(keys: Any) -> None:
    from securesystemslib.dsse import Envelope
    from securesystemslib.signer import SSlibKey  # pyright: ignore[reportPrivateImportUsage]

    raw = json.loads(sign_envelope(PAYLOAD, keys.signing))
    holder = SSlibKey.from_crypto(keys.verifying.crypto, keyid=keys.verifying.key_id)
    envelope = Envelope.from_dict(raw)  # pyright: ignore[reportUnknownMemberType]
    assert list(envelope.verify([holder], 1)) == [keys.verifying.key_id]
