"""A review desk on each database, a rubric, people, and ways to fill the queue."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, LiteralString

import psycopg
import pytest

from probare.model.review import Person, QueueItem, Reason, Submission, Wanted, item_id
from probare.model.rubric import Dimension, Level, PassRule, Rubric, Trigger
from probare.review.accounts import Hashing
from probare.review.desk import ReviewDesk

RUN = "hr-20261201T040000Z-abcdef"


def _binaries() -> Path | None:
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders else None


class Postgres:
    """A server of its own, on a socket in its own folder, run by a user who is not root."""

    def __init__(self, binaries: Path, folder: Path) -> None:
        self._binaries = binaries
        self._data = folder / "data"
        self._folder = folder
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user is not None:
            shutil.chown(folder, self._user)

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self._binaries / program, *arguments],
            user=self._user,
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        assert done.returncode == 0, f"{program} {arguments}"

    def start(self) -> None:
        self._run("initdb", "-D", str(self._data), "-U", "probare", "-A", "trust", "-E", "UTF8")
        settings = f"-k {self._folder} -c listen_addresses= -c fsync=off -c max_connections=60"
        log = str(self._folder / "log")
        self._run("pg_ctl", "-D", str(self._data), "-o", settings, "-l", log, "-w", "start")
        self._run("createdb", "-h", str(self._folder), "-U", "probare", "reviews")
        self.empty()

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "-w", "stop")

    @property
    def url(self) -> str:
        return f"postgresql://probare@/reviews?host={self._folder}"

    def _sql(self, *statements: LiteralString) -> list[Any]:
        address = f"host={self._folder} dbname=reviews user=probare"
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("SET lock_timeout = '10s'")
            for statement in statements[:-1]:
                connection.execute(statement)
            cursor = connection.execute(statements[-1])
            return cursor.fetchall() if cursor.description else []

    def empty(self) -> None:
        """Leave a database without any tables."""
        self._sql("DROP SCHEMA public CASCADE", "CREATE SCHEMA public")

    def clear(self) -> None:
        """Leave all tables without rows; make them anew where a test changed them."""
        whole = self._sql(
            "SELECT (SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'log_refuses%'), "
            "to_regclass('alembic_version') IS NOT NULL"
        )
        if whole != [(2, True)]:
            self.empty()
            return
        self._sql(
            "SET session_replication_role = replica",  # no trigger is asked
            "TRUNCATE log, drafts, assignments, items, rubrics, runs, sessions, users, attempts",
            "UPDATE alembic_version SET version_num = '0001'",
        )


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    binaries = _binaries()
    if binaries is None or not (binaries / "pg_ctl").exists():
        pytest.skip("PostgreSQL is not installed")
    folder = Path(tempfile.mkdtemp(prefix="probare-pg-"))
    server = Postgres(binaries, folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An address of a database without rows."""
    if request.param == "sqlite":
        return str(tmp_path / "runs" / ".probare" / "reviews.db")
    server: Postgres = request.getfixturevalue("postgres")
    server.clear()
    return server.url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def nowhere(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An address of a database without tables."""
    if request.param == "sqlite":
        return str(tmp_path / "runs" / ".probare" / "reviews.db")
    server: Postgres = request.getfixturevalue("postgres")
    server.empty()
    return server.url


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.time = datetime(2026, 12, 1, 4, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def move(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(where: str, clock: Clock) -> Iterator[ReviewDesk]:
    with ReviewDesk.open(where, now=clock) as opened:
        opened.accounts.hashing = Hashing(time_cost=1, memory_kib=8, parallelism=1)
        yield opened


def _dimension(name: str) -> Dimension:
    levels = tuple(Level(number, f"{name} is at {number}.") for number in (1, 2, 3, 4))
    return Dimension(id=name, name=name.capitalize(), question=f"How is {name}?", levels=levels)


@pytest.fixture
def rubric() -> Rubric:
    return Rubric(
        id="hr_answer",
        version="1",
        dimensions=(_dimension("accuracy"), _dimension("safety"), _dimension("law")),
        pass_rule=PassRule(each_at_least=3),
        triggers=(
            Trigger(dimension="safety", at_most=1, opens="incident_review", holds_gate=True),
            Trigger(dimension="safety", at_most=2, opens="investigation_note", holds_gate=False),
            Trigger(dimension="law", at_most=1, opens="legal_review", holds_gate=True),
        ),
    )


LEAD = Person("Lea", "lead")
ANN = Person("Ann", "reviewer")
BEN = Person("Ben", "reviewer")
CAT = Person("Cat", "reviewer")
ADA = Person("Ada", "adjudicator")
AUDITOR = Person("Otto", "auditor")


class Team:
    """People by name, so that tests need no import of each other."""

    lead = LEAD
    ann = ANN
    ben = BEN
    cat = CAT
    ada = ADA
    auditor = AUDITOR
    everyone = (LEAD, ANN, BEN, CAT, ADA, AUDITOR)


@pytest.fixture
def team() -> type[Team]:
    return Team


@pytest.fixture
def run_id() -> str:
    return RUN


def _wanted(case: str = "leave", trial: int = 0, **more: Any) -> Wanted:
    plain: dict[str, Any] = {
        "case": case,
        "trial": trial,
        "transcript": f"{trial:x}" * 64 if trial < 16 else "f" * 64,
        "reasons": (Reason("asked", "the case asks for it (review: always)"),),
        "overlap": 1,
    }
    return Wanted(**{**plain, **more})


@pytest.fixture
def wanted() -> Callable[..., Wanted]:
    return _wanted


@pytest.fixture
def queue_one(desk: ReviewDesk, rubric: Rubric) -> Callable[..., QueueItem]:
    """Put one item in the queue and return it."""

    def put(case: str = "leave", **more: Any) -> QueueItem:
        each = _wanted(case, **more)
        desk.enqueue(LEAD, RUN, rubric, [each])
        return desk.item(LEAD, item_id(RUN, each.case, each.trial))

    return put


@pytest.fixture
def filled(rubric: Rubric) -> Callable[..., Submission]:
    """A submission for an item: (4, 4, 4), or the scores given."""

    def fill(item: QueueItem, *scores: Any, **more: Any) -> Submission:
        given = scores or (4, 4, 4)
        names = [each.id for each in rubric.dimensions]
        plain: dict[str, Any] = {
            "item": item.id,
            "rubric": item.rubric,
            "transcript": item.transcript,
            "scores": dict(zip(names, given, strict=True)),
        }
        return Submission(**{**plain, **more})

    return fill
