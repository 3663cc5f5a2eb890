"""Which variables of the environment, and which headers, look like secrets."""

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
_SECRET_HEADER = re.compile(
    r"(?:proxy-)?authorization|cookie|(?:\w+-)*(?:api-?key|key|token|secret|auth|password)", re.I
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9-]* +(\S.*)", re.DOTALL)
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


def secrets_from_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the values of headers whose names say that they are secrets: for `Bearer abc`, what
    follows the scheme.
    """
    found: dict[str, str] = {}
    for name, value in headers.items():
        if _SECRET_HEADER.fullmatch(name):
            scheme = _SCHEME.fullmatch(value) if name.lower().endswith("authorization") else None
            found[name] = scheme[1] if scheme else value
    return found
