"""`probare serve`: browse runs, and review, in a browser."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from probare.errors import InputError
from probare.review.accounts import User
from probare.review.desk import ReviewDesk
from probare.review.people import ROLES
from probare.review.places import database_of
from probare.web.server import Server, bound, is_loopback
from probare.web.site import Doors, Site

_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_TLS = 443


@click.command("serve", short_help="Browse runs and review them in a browser.")
@click.argument("runs", type=_FOLDER)
@click.option("--db", metavar="FILE|URL", help="The review database  [RUNS/.probare/reviews.db].")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option("--port", type=click.IntRange(0, 65535), default=8321, show_default=True)
@click.option("--open", "opens", is_flag=True, help="Open a browser.")
@click.option("--url", metavar="URL", help="How browsers reach it, through a proxy or by name.")
@click.option("--cert", type=_FILE, help="A certificate, for https.")
@click.option("--cert-key", type=_FILE, help="The certificate's key.")
@click.option("--add-user", "add", metavar="NAME", help="Add a user, or give a new password.")
@click.option("--role", type=click.Choice(ROLES), help="With --add-user: the role.")
@click.option("--disable-user", "disable", metavar="NAME", help="End a user's access.")
@click.option("--users", "lists", is_flag=True, help="List the users.")
def serve_command(runs: Path, db: str | None, **given: Any) -> int:
    """Serve the folder RUNS: browse, compare, review, adjudicate, handle incidents.

    Without accounts it listens on this machine alone, and asks your name once. Anywhere else it
    starts only where there are accounts: add them with --add-user NAME --role ROLE (the password
    is asked, or read from standard input). Ctrl-C ends it.
    """
    if (runs / "run.json").is_file():
        raise InputError(
            f"{runs} is one run; serve the folder that holds it",
            hint=f"probare serve {runs.resolve().parent}",
        )
    where = database_of(runs, db)
    with ReviewDesk.open(where) as desk:
        if given["add"] or given["disable"] or given["lists"]:
            return _manage(desk, given)
        return _serve(runs, desk, given)


def _manage(desk: ReviewDesk, given: dict[str, Any]) -> int:
    if given["add"]:
        _add(desk, given["add"], given["role"])
    if given["disable"]:
        desk.accounts.set_disabled(given["disable"], disabled=True)
        click.echo(f"{given['disable']} cannot log in any more")
    if given["lists"]:
        for user in desk.accounts.users():
            click.echo(f"{user.name}\t{user.role}{_tab_disabled(user)}")
    return 0


def _tab_disabled(user: User) -> str:
    return "\tdisabled" if user.disabled else ""


def _add(desk: ReviewDesk, name: str, role: str | None) -> None:
    known = next((each for each in desk.accounts.users() if each.name == name), None)
    if known is None and role is None:
        raise InputError("a new user needs a role", hint=f"--role {'|'.join(ROLES)}")
    password = _password()
    if known is None and role is not None:
        desk.accounts.add(name, role, password)
        click.echo(f"added {name} as {role}")
        return
    desk.accounts.set_password(name, password)
    if role is not None:
        desk.accounts.set_role(name, role)
    desk.accounts.set_disabled(name, disabled=False)
    click.echo(f"{name} has a new password{f' and the role {role}' if role else ''}")


def _password() -> str:
    if sys.stdin.isatty():
        return str(click.prompt("Password", hide_input=True, confirmation_prompt=True))
    return sys.stdin.readline().rstrip("\r\n")


def _serve(runs: Path, desk: ReviewDesk, given: dict[str, Any]) -> int:
    host, url = given["host"], given["url"]
    accounts = desk.accounts.exist()
    if not is_loopback(host) and not accounts:
        raise InputError(
            f"{host} can be reached from elsewhere, and there are no accounts",
            hint="probare serve RUNS --add-user NAME --role reviewer",
        )
    if (given["cert"] is None) != (given["cert_key"] is None):
        raise InputError("--cert and --cert-key go together")
    https = given["cert"] is not None or (url or "").startswith("https://")
    with bound(host, given["port"]) as listening:
        port = int(listening.getsockname()[1])
        doors = Doors(accounts=accounts, https=https, hosts=_hosts(host, port, url))
        server = Server(
            Site(runs, desk, doors), listening, certificate=given["cert"], key=given["cert_key"]
        )
        address = url or f"{'https' if https else 'http'}://{_named(host)}:{port}/"
        click.echo(f"Probare serves {runs} at {address} (Ctrl-C ends it)")
        if not is_loopback(host) and not https:
            click.echo("warning: passwords cross the network in the clear; use --cert", err=True)
        if given["opens"]:
            webbrowser.open(address)
        try:
            server.run()
        except KeyboardInterrupt:
            click.echo("stopped")
    return 0


def _named(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _hosts(host: str, port: int, url: str | None) -> tuple[str, ...]:
    """Return the names under which the site may be asked; empty for any.

    On loopback these are the machine's own, so that no other name that resolves to it (DNS
    rebinding) is answered. With accounts elsewhere, any name is, unless --url says which.
    """
    if url is not None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/"):
            raise InputError(f"'{url}' is no address of a site", hint="https://reviews.example.org")
        own = parts.netloc.lower()
        return (own, f"127.0.0.1:{port}", f"localhost:{port}")
    if not is_loopback(host):
        return ()
    names = dict.fromkeys((_named(host), "127.0.0.1", "localhost", "[::1]"))
    plain = (80, _TLS)
    return tuple(f"{name}:{port}" for name in names) + (tuple(names) if port in plain else ())
