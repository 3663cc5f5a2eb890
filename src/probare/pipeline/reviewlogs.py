"""The review database beside runs, and what it holds of one run today."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from probare.errors import InputError, NotFound, ReviewError
from probare.model.record import RunPlan
from probare.model.review import Person
from probare.pipeline.people import REASON, People
from probare.review import people
from probare.review.desk import ReviewDesk
from probare.review.places import database_of, is_there

_LINEAGE = (REASON, "regrade")


def database_for(run: Path, given: str | None = None) -> str:
    """Return the review database of a run: the one given (a file or a URL), else the SQLite file
    `.probare/reviews.db` in the folder where the run stands.
    """
    return database_of(run.resolve().parent, given)


@contextmanager
def desk_for(run: Path, given: str | None = None, *, create: bool = False) -> Generator[ReviewDesk]:
    """Open the review desk of a run. Raises NotFound where there is none and none is to be made."""
    where = database_for(run, given)
    if not create and not is_there(where):
        raise NotFound(
            f"there is no review database {where}", hint=f"begin with: probare review queue {run}"
        )
    with ReviewDesk.open(where, create=create) as desk:
        yield desk


def acting(desk: ReviewDesk, name: str) -> Person:
    """Return who acts. Where the database has accounts, the role is the account's; else anybody
    who can open it leads. Raises NotFound and InvalidReview.
    """
    who = people.person(name, "lead")
    if not desk.accounts.exist():
        return who
    for user in desk.accounts.users():
        if user.name == who.name and not user.disabled:
            return Person(user.name, user.role)
    raise NotFound(f"there is no user '{who.name}'", hint="say who acts: --as NAME")


def refuse_reviewed(plan: RunPlan, what: str) -> None:
    """Refuse a run that people's reviews are graded into already. Raises InputError."""
    if plan.parent_reason == REASON:
        raise InputError(
            f"{plan.run_id} has people's reviews graded in, and cannot be {what}",
            hint=f"give the run that it was made from: {plan.parent}",
        )


def reviewed_run(desk: ReviewDesk, plan: RunPlan) -> str | None:
    """Return the run whose reviews are those of this run: itself, else the one it was made from
    with the same transcripts; None where neither has any.
    """
    known = desk.runs()
    if plan.run_id in known:
        return plan.run_id
    if plan.parent_reason in _LINEAGE and plan.parent in known:
        return plan.parent
    return None


def people_of(desk: ReviewDesk, run: str) -> People:
    """Return what people said of a run. Raises ReviewError where its log does not hold."""
    findings = desk.check_log(run)
    if findings:
        more = f" (and {len(findings) - 3} more)" if len(findings) > 3 else ""
        said = "; ".join(map(str, findings[:3]))
        raise ReviewError(
            f"the review log of {run} does not hold: {said}{more}",
            hint="somebody changed the review database: take it from a copy",
        )
    return People(desk.export_log(run), run)


def people_today(run: Path, plan: RunPlan, given: str | None = None) -> People | None:
    """Return what people have said of a run up to now; None where nobody was asked.

    Raises what `people_of` does, and NotFound where a database was given that is not there.
    """
    if given is None and not is_there(database_for(run)):
        return None
    with desk_for(run, given) as desk:
        found = reviewed_run(desk, plan)
        return None if found is None else people_of(desk, found)
