"""The log in the database keeps what may be there once, once."""

from __future__ import annotations

import pytest

from probare.errors import Outdated
from probare.review import logbook
from probare.review.database import Database
from probare.review.log import verify_log


def test_of_two_records_with_one_mark_the_first_is_kept(where: str) -> None:
    database = Database.open(where)
    entry = logbook.Entry(kind="review", body={"a": 1}, once=("first", "item", "Ann"))
    with database.writing() as transaction:
        logbook.lock(transaction, "run")
        logbook.append(transaction, "run", [entry])

    def again() -> None:
        with database.writing() as transaction:
            logbook.lock(transaction, "run")
            logbook.append(transaction, "run", [logbook.Entry(kind="review", body={}), entry])

    with pytest.raises(Outdated, match="at the same moment"):
        again()
    with database.reading() as transaction:
        lines = logbook.lines(transaction, "run")
    assert len(lines) == 1
    assert verify_log(lines, "run") == []
    database.close()


def test_records_without_a_mark_may_be_many(where: str) -> None:
    database = Database.open(where)
    with database.writing() as transaction:
        logbook.lock(transaction, "run")
        records = logbook.append(
            transaction, "run", [logbook.Entry(kind="incident", body={"n": 1})] * 3
        )
        lines = logbook.lines(transaction, "run")
    assert [record.seq for record in records] == [0, 1, 2]
    assert verify_log(lines, "run") == []
    database.close()
