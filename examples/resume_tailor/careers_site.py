"""A careers site on this machine, so that the fetcher meets real HTTP in every trial."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from probare.testing.servers import Received, Reply, Server, serving

FIXTURES = Path(__file__).parent / "fixtures"


@contextmanager
def careers_site(statuses: Iterable[int] = ()) -> Generator[Server]:
    """Serve the fixtures' pages, after one answer with each of the statuses.

    `server.requests` are the requests as they really came.
    """
    refusals = [Reply(status=status) for status in statuses]
    with serving(*refusals, _page) as server:
        yield server


def _page(request: Received) -> Reply:
    """Answer with a file of the fixtures; `/jobs?id=NAME` is a posting."""
    address = urlsplit(request.path)
    name = address.path.lstrip("/")
    if name == "jobs":
        name = f"postings/{parse_qs(address.query).get('id', ['?'])[0]}.html"
    path = (FIXTURES / name).resolve()
    if not path.is_relative_to(FIXTURES) or not path.is_file():
        return Reply.text("<h1>Not found</h1>", "text/html", status=404)
    kind = "text/plain" if path.suffix == ".txt" else "text/html"
    return Reply.text(path.read_bytes(), f"{kind}; charset=utf-8")
