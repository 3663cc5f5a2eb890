"""A web server for a site, that stops when it is told to."""

from __future__ import annotations

import ipaddress
import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from probare.errors import InputError, MissingExtra
from probare.web.app import create_app
from probare.web.site import Site

if TYPE_CHECKING:
    import uvicorn

_STARTS_WITHIN = 20.0
_STOPS_WITHIN = 10.0


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach what is bound to a host."""
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


def bound(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 is any free one. Raises InputError where it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(128)
    except (OSError, OverflowError) as error:
        made.close()
        said = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(
            f"{host}:{port} cannot be bound: {said}", hint="choose another with --port"
        ) from error
    return made


class Server:
    """Serves a site on a socket. `run` blocks until it is stopped; `start` does not."""

    def __init__(
        self,
        site: Site,
        listening: socket.socket,
        *,
        certificate: Path | None = None,
        key: Path | None = None,
    ) -> None:
        try:
            import uvicorn
        except ImportError as error:
            raise MissingExtra("uvicorn", "web") from error
        self._socket = listening
        config = uvicorn.Config(
            create_app(site),
            log_level="warning",
            access_log=False,
            server_header=False,
            date_header=True,
            lifespan="off",
            ws="none",
            proxy_headers=False,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=5,
            limit_concurrency=512,
            ssl_certfile=str(certificate) if certificate is not None else None,
            ssl_keyfile=str(key) if key is not None else None,
        )
        self._server: uvicorn.Server = uvicorn.Server(config)
        self._thread: threading.Thread | None = None

    def run(self) -> None:
        """Serve until a signal, or `stop`."""
        with self._socket:
            self._server.run(sockets=[self._socket])

    def start(self) -> None:
        """Serve in a thread; return when requests are answered."""
        self._thread = threading.Thread(target=self.run, name="probare-serve", daemon=True)
        self._thread.start()
        waited = threading.Event()
        for _ in range(int(_STARTS_WITHIN / 0.02)):
            if self._server.started or not self._thread.is_alive():
                break
            waited.wait(0.02)
        if not self._server.started:
            raise InputError("the server did not start")

    def stop(self) -> None:
        """Stop serving, and wait for that."""
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join(_STOPS_WITHIN)
