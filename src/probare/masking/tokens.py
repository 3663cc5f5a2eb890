"""What stands in a secret's place: its name, and an HMAC that tells equal ones apart from others.

The HMAC's key is the user's own and never stands in a run directory: without it, nobody can try
out what a short digest came from. It is `PROBARE_MASK_KEY` where that is set (so that machines
can share one), else the file `probare/mask.key` in the user's state folder, made at its first use,
else, where no such file can be, the process's own.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
from pathlib import Path

from probare.errors import InputError

VARIABLE = "PROBARE_MASK_KEY"
SHOWN = 8
_LEAST = 16
_LETTERS = str.maketrans("0123456789abcdef", "abcdefghijklmnop")
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]")
_own: dict[Path | None, bytes] = {}


def secret_token(name: str, value: str) -> str:
    """Return `[secret:NAME#kfbpaocd]`: equal for equal values under the same key.

    The digest is written in the letters a to p, four bits each, so that no identifier made of
    digits can stand in it by chance.
    """
    data = value.encode("utf-8", "surrogatepass")
    digest = hmac.new(mask_key(), data, hashlib.sha256).hexdigest()[:SHOWN]
    return f"[secret:{safe_name(name)}#{digest.translate(_LETTERS)}]"


def safe_name(name: str) -> str:
    """Return a name with all but letters, digits, `_`, `.` and `-` replaced."""
    return _UNSAFE.sub("_", name)


def mask_key() -> bytes:
    """Return the key of the HMACs. Raises InputError where the one that was set is too short."""
    given = os.environ.get(VARIABLE)
    if given:
        if len(given) < _LEAST:
            raise InputError(
                f"{VARIABLE} has fewer than {_LEAST} characters",
                hint="make one: python -c 'import secrets; print(secrets.token_hex(32))'",
            )
        return given.encode("utf-8", "surrogateescape")
    path = key_path()
    if path not in _own:
        _own[path] = _from_file(path) if path is not None else os.urandom(32)
    return _own[path]


def key_path() -> Path | None:
    """Return where the user's key is kept; None for a user without a home."""
    state = os.environ.get("XDG_STATE_HOME")
    if state and Path(state).is_absolute():
        return Path(state) / "probare" / "mask.key"
    try:
        return Path.home() / ".local" / "state" / "probare" / "mask.key"
    except RuntimeError:
        return None


def _from_file(path: Path) -> bytes:
    """Return the key in a file, made first where there is none; a new one if it cannot be."""
    fresh = os.urandom(32)
    new = path.with_name(f"{path.name}.{os.getpid()}.{fresh[:4].hex()}")
    try:
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(fresh)
            _link(new, path)
        kept = path.read_bytes()
    except OSError:
        return fresh
    return kept if len(kept) >= _LEAST else fresh


def _link(new: Path, path: Path) -> None:
    """Put a whole file in its place, unless another process was faster."""
    try:
        os.link(new, path)
    except FileExistsError:
        pass
    finally:
        new.unlink()
