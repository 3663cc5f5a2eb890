"""Where commands find the private key that they sign with."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from probare.errors import InputError
from probare.evidence.keys import SigningKey, load_private, needs_passphrase

PASSPHRASE = "PROBARE_KEY_PASSPHRASE"  # noqa: S105 - the variable's name
KEY = click.Path(path_type=Path, exists=True, dir_okay=False)


def signing_key(path: Path | None) -> SigningKey | None:
    """Return the private key in a file. Its passphrase comes from PROBARE_KEY_PASSPHRASE, or is
    asked for on a terminal.
    """
    if path is None:
        return None
    passphrase = os.environ.get(PASSPHRASE)
    if passphrase is None and needs_passphrase(path):
        if not sys.stdin.isatty():
            raise InputError(
                f"the key {path} has a passphrase", hint=f"set {PASSPHRASE}, or use a terminal"
            )
        passphrase = click.prompt(f"Passphrase of {path}", hide_input=True, err=True)
    return load_private(path, passphrase)
