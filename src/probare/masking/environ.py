"""Which variables of the environment look like secrets."""

from __future__ import annotations

import re
from collections.abc import Mapping

_SECRET = re.compile(
    r"(?:^|_)(?:\w*(?:APIKEY|TOKEN|SECRET|SECRETS|PASSWORD|PASSWD|PASSPHRASE)|CREDENTIALS?"
    r"|KEYS?|TOKENS|PASS|PW|PWD|AUTH)(?:_|$)",
    re.IGNORECASE,
)
_WHERE_NOT_WHAT = re.compile(r"_(?:FILE|PATH|DIR|SOCK|SOCKET|URL|URI|HOST|NAME|TYPE)$", re.I)
_NOT_SECRET = frozenset({"PWD", "OLDPWD"})
_SMALL_NUMBER = re.compile(r"[0-9]{1,9}")


def secrets_from_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables whose names say that their value is a secret.

    Those that say where a secret is (`…_FILE`, `…_URL`) are none, nor are limits
    (`MAX_TOKENS=100000`).
    """
    return {
        name: value
        for name, value in environ.items()
        if value
        and name not in _NOT_SECRET
        and _SECRET.search(name)
        and not _WHERE_NOT_WHAT.search(name)
        and not ("TOKENS" in name.upper() and _SMALL_NUMBER.fullmatch(value))
    }
