"""Replies kept on disk, so that the same question need not be paid for twice.

The key is a digest of the whole question but its timeout: model, address, messages, tools,
schema, settings, and what it is for: purpose, case, trial and turn, so that two trials are two
samples. An entry is one file, written whole or not at all. It holds the reply, never the
question, and no reply with a secret in it is kept: what is masked would not be the same reply.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from probare.encoding import digest, jsonbytes
from probare.masking import Masker
from probare.ports.chat import ChatReply, ChatRequest

_FORMAT = 1
_KEPT = ("stop", "length", "tool_calls", "refused")


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: int
    key: str
    reply: ChatReply


class ReplyCache:
    """A folder of replies. `warn` is told of entries that cannot be read or written."""

    def __init__(self, folder: Path, masker: Masker, warn: Callable[[str], None]) -> None:
        self._folder = folder
        self._masker = masker
        self._warn = warn

    def key(self, request: ChatRequest, url: str | None) -> str:
        """Return the key of a question to the model at an address."""
        asked = msgspec.to_builtins(msgspec.structs.replace(request, timeout=None))
        return digest.of_value({"format": _FORMAT, "url": url, "request": asked})

    def get(self, key: str) -> ChatReply | None:
        """Return the reply, without what it took: its cost and its time are null."""
        path = self._path(key)
        try:
            entry = msgspec.json.decode(path.read_bytes(), type=_Entry)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            self._warn(f"{path}: the cached reply cannot be read, so it is asked for: {error}")
            return None
        if (entry.format, entry.key) != (_FORMAT, key):
            self._warn(f"{path}: the cached reply is another question's, so it is asked for")
            return None
        usage = entry.reply.usage
        return msgspec.structs.replace(
            entry.reply,
            cached=True,
            first_token_ms=None,
            usage=usage and msgspec.structs.replace(usage, cost_usd=None),
        )

    def put(self, key: str, reply: ChatReply) -> None:
        """Keep a reply that the model itself brought to an end."""
        if reply.finish not in _KEPT:
            return
        line = jsonbytes.encode(_Entry(_FORMAT, key, reply))
        if self._masker.mask_bytes(line) != line:
            return
        path = self._path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_whole(path, line)
        except OSError as error:
            self._warn(f"{path}: the reply could not be cached: {error}")

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


def _write_whole(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
