"""Opening, upgrading, and what the database itself refuses."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from probare.errors import MissingExtra, NotFound, Outdated, ReviewError
from probare.review.database import Database
from probare.review.desk import ReviewDesk
from probare.review.places import database_of, is_there
from probare.review.upgrading import MIGRATIONS, VERSIONS

_MODULES = [
    "desk",
    "accounts",
    "database",
    "upgrading",
    "queueing",
    "exchange",
    "csvsheets",
    "jsonsheets",
    "replay",
    "log",
    "incidentpages",
    "outcomes",
    "people",
    "places",
]


def _versions(folder: Path) -> list[str]:
    files = sorted(folder.glob("v*.py"))
    found = [re.search(r'^revision = "(.*)"$', file.read_text(), re.MULTILINE) for file in files]
    return [match[1] for match in found if match is not None]


def test_the_list_of_versions_is_that_of_the_migrations() -> None:
    assert _versions(MIGRATIONS / "versions") == list(VERSIONS)


def test_what_is_heavy_is_imported_late() -> None:
    code = (
        "import sys, "
        + ", ".join(f"probare.review.{name}" for name in _MODULES)
        + "; print([name for name in ('sqlalchemy', 'alembic', 'argon2') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_it_is_there_again_when_opened_again(where: str, team: Any) -> None:
    with ReviewDesk.open(where) as desk:
        desk.accounts.add("Ann", "lead", "a long password")
    with ReviewDesk.open(where, create=False) as desk:
        assert [user.name for user in desk.accounts.users()] == ["Ann"]


def test_a_file_that_is_not_there_is_not_made_unasked(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "reviews.db"
    with pytest.raises(NotFound, match="no review database"):
        ReviewDesk.open(path, create=False)
    assert not path.parent.exists()


def test_where_it_is(tmp_path: Path) -> None:
    assert database_of(tmp_path) == str(tmp_path / ".probare" / "reviews.db")
    assert database_of(tmp_path, "postgresql://x/y") == "postgresql://x/y"
    assert not is_there(database_of(tmp_path))
    assert is_there("postgresql://x/y")
    ReviewDesk.open(database_of(tmp_path)).close()
    assert is_there(database_of(tmp_path))


def test_sqlite_by_url_and_with_odd_characters(tmp_path: Path) -> None:
    folder = tmp_path / "a %41 ü?#"
    ReviewDesk.open(folder / "reviews.db").close()
    assert (folder / "reviews.db").is_file()
    ReviewDesk.open(f"sqlite:///{tmp_path}/other.db").close()
    assert (tmp_path / "other.db").is_file()


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("mysql://x/y", "no database 'mysql' is known"),
        ("://", "no address of a database"),
        ("postgresql://u:secret@127.0.0.1:1/x?connect_timeout=2", "the review database postgresql"),
    ],
)
def test_a_database_that_cannot_be_opened(where: str, words: str) -> None:
    with pytest.raises(ReviewError, match=words) as caught:
        ReviewDesk.open(where)
    assert "secret" not in str(caught.value)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "reviews.db").write_bytes(b"not a database, but long enough to be one" * 100)
    with pytest.raises(ReviewError, match="not a database"):
        ReviewDesk.open(tmp_path / "reviews.db")
    (tmp_path / "file").write_text("")
    with pytest.raises(ReviewError, match="cannot make the review database"):
        ReviewDesk.open(tmp_path / "file" / "reviews.db")


def test_a_database_of_a_newer_probare_is_left_alone(where: str) -> None:
    database = Database.open(where)
    with database.writing() as transaction:
        transaction.run("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    with pytest.raises(ReviewError, match="of version 9999, which this Probare does not know"):
        Database.open(where)


@pytest.mark.parametrize("package", ["sqlalchemy", "alembic"])
def test_a_missing_package_names_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"{package}.*\n?.*probare\[review\]"):
        ReviewDesk.open(tmp_path / "reviews.db")


def test_a_missing_driver_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"psycopg.*probare\[postgres\]"):
        ReviewDesk.open("postgresql://x/y")


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE log SET line = 'x'",
        "UPDATE log SET kind = 'x' WHERE seq = 0",
        "DELETE FROM log",
        "DELETE FROM log WHERE seq = 0",
    ],
)
def test_the_log_is_append_only(desk: ReviewDesk, queue_one: Any, where: str, sql: str) -> None:
    queue_one()
    before = desk.export_log(desk.runs()[0])
    database = Database.open(where)
    with pytest.raises(ReviewError), database.writing() as transaction:
        transaction.run(sql)
    database.close()
    assert desk.export_log(desk.runs()[0]) == before


def test_nor_is_it_emptied_or_replaced(desk: ReviewDesk, queue_one: Any, where: str) -> None:
    queue_one()
    before = desk.export_log(desk.runs()[0])
    sql = "TRUNCATE log"
    if "://" not in where:
        columns = "run, seq, kind, item, person, about, once, line, hash"
        sql = f"INSERT OR REPLACE INTO log SELECT {columns.replace('line', 'hash')} FROM log"
    database = Database.open(where)
    with pytest.raises(ReviewError), database.writing() as transaction:
        transaction.run(sql)
    database.close()
    assert desk.export_log(desk.runs()[0]) == before


def test_a_block_that_raises_keeps_nothing(where: str) -> None:
    database = Database.open(where)

    def fail() -> None:
        with database.writing() as transaction:
            transaction.run("INSERT INTO runs (run, records, head) VALUES ('a', 0, 'x')")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    with database.reading() as transaction:
        assert transaction.rows("SELECT * FROM runs") == []
    database.close()


def test_the_database_keeps_its_keys(where: str) -> None:
    database = Database.open(where)
    with pytest.raises(Outdated), database.writing() as transaction:
        transaction.run(
            "INSERT INTO log (run, seq, kind, line, hash) VALUES ('gone', 0, 'x', 'x', 'x')"
        )
    database.close()


def test_a_log_tampered_with_beneath_the_triggers_is_found(
    desk: ReviewDesk, queue_one: Any, filled: Any, team: Any, where: str
) -> None:
    item = queue_one()
    desk.submit(team.ann, filled(item, 4, 4, 4))
    (run,) = desk.runs()
    database = Database.open(where)
    with database.writing() as transaction:
        names = ["log_refuses_update", "log_refuses_delete"]
        if "://" in where:
            names = ["log_refuses_change ON log"]
        for name in names:
            transaction.run(f"DROP TRIGGER {name}")
        sql = "UPDATE log SET line = replace(line, :old, :new)"
        transaction.run(sql, old='"law":4', new='"law":3')
    assert any("was changed" in str(finding) for finding in desk.check_log(run))
    with database.writing() as transaction:
        transaction.run("DELETE FROM log WHERE seq = 2")
    database.close()
    (finding,) = desk.check_log(run)
    assert "records at the end of the log are missing" in str(finding)
