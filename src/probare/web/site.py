"""What the web application serves, and how its doors stand."""

from __future__ import annotations

import secrets
from pathlib import Path

import msgspec

from probare.review.desk import ReviewDesk
from probare.web.shelf import Shelf


class Doors(msgspec.Struct, frozen=True, kw_only=True):
    """Who may come in.

    `accounts` says that people log in; without, whoever asks is a lead and only says a name.
    `https` says that browsers reach the site by TLS. `hosts` are the names (with ports) under
    which the site is asked; empty for any. A larger body than `largest_body` bytes is refused.
    """

    accounts: bool
    https: bool = False
    hosts: tuple[str, ...] = ()
    largest_body: int = 4_000_000


class Site:
    """A folder of runs with its review desk, behind doors."""

    def __init__(self, runs: Path, desk: ReviewDesk, doors: Doors) -> None:
        self.shelf = Shelf(runs)
        self.desk = desk
        self.doors = doors
        self.key = secrets.token_bytes(32)
