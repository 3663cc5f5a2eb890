"""Which variables of the environment look like secrets."""

from __future__ import annotations

import re
from collections.abc import Mapping

_WORDS = re.compile(
    r"(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|CREDENTIALS?|AUTH|PASSPHRASE)(?:_|$)",
    re.IGNORECASE,
)
_NOT_SECRET = frozenset({"PWD", "OLDPWD", "SSH_AUTH_SOCK", "GPG_KEY"})


def secrets_from_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables whose names say that their value is a secret."""
    return {
        name: value
        for name, value in environ.items()
        if value and name not in _NOT_SECRET and _WORDS.search(name)
    }
