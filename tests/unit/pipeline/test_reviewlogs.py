"""Where the reviews of a run are, and who acts there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from probare.errors import InvalidReview, NotFound
from probare.model.review import Person
from probare.pipeline.reviewlogs import acting, database_for, desk_for, people_today
from probare.review.accounts import Hashing


def test_the_database_is_beside_the_runs(tmp_path: Path) -> None:
    run = tmp_path / "runs" / "x"
    assert database_for(run) == str(tmp_path / "runs" / ".probare" / "reviews.db")
    assert database_for(run, "postgresql://h/d") == "postgresql://h/d"


def test_none_is_made_unless_asked_for(tmp_path: Path) -> None:
    run = tmp_path / "x"
    with pytest.raises(NotFound, match="no review database") as caught, desk_for(run):
        pass
    assert "probare review queue" in caught.value.hint
    with desk_for(run, create=True) as desk:
        assert desk.runs() == ()
    with desk_for(run) as desk:
        assert desk.runs() == ()


def test_without_accounts_anybody_leads(tmp_path: Path) -> None:
    with desk_for(tmp_path / "x", create=True) as desk:
        assert acting(desk, " Lea  Fox ") == Person("Lea Fox", "lead")
        with pytest.raises(InvalidReview):
            acting(desk, "")


def test_with_accounts_the_role_is_the_account_s(tmp_path: Path) -> None:
    with desk_for(tmp_path / "x", create=True) as desk:
        desk.accounts.hashing = Hashing(time_cost=1, memory_kib=8, parallelism=1)
        desk.accounts.add("ann", "reviewer", "correct horse battery")
        desk.accounts.add("gone", "lead", "correct horse battery")
        desk.accounts.set_disabled("gone", disabled=True)
        assert acting(desk, "ann") == Person("ann", "reviewer")
        for name in ("lea", "gone"):
            with pytest.raises(NotFound, match="there is no user") as caught:
                acting(desk, name)
            assert caught.value.hint == "say who acts: --as NAME"


def test_of_a_run_that_nobody_was_asked_about_there_is_nothing(reviews: Any) -> None:
    found = reviews()
    other = Path(found.run.parent / "other")
    plan = msgspec.structs.replace(found.reader.plan, run_id="other")
    assert people_today(other, plan) is None
    assert people_today(found.run, found.reader.plan) is not None
