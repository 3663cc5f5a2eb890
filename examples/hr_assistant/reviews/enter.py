"""Enter the made-up reviews of `finished.jsonl` for a run, as if three people had reviewed it.

    python examples/hr_assistant/reviews/enter.py RUN [--db DATABASE]

The raters do not exist, and nobody read the answers for this: the file is there so that the
agreement, the adjudication and the incident have something to show. Each line names the SHA-256 of
the answer that it is about; where a run has another answer, nothing is entered at all.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from probare.errors import InputError, ProbareError
from probare.loading.rubrics import load_rubric
from probare.model.record import TrialRecord
from probare.model.review import Person, QueueItem, Reason, Submission, Wanted
from probare.model.rubric import Rubric
from probare.review.desk import ReviewDesk
from probare.review.places import database_of
from probare.stores.reader import RunReader

FOLDER = Path(__file__).parent
FINISHED = FOLDER / "finished.jsonl"
RUBRIC = FOLDER.parent / "rubrics" / "hr.yaml"
LEAD = Person("enter.py", "lead")
RATERS = 3
_WHY = Reason("asked", "an example: reviews of made-up raters")
_LONGEST_EXCERPT = 300


def finished() -> list[dict[str, Any]]:
    """Return the reviews of the file; its first line says what it is."""
    lines = FINISHED.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[1:]]


def enter(run: Path, database: str | None = None) -> tuple[int, int]:
    """Queue the reviewed cases of a run and submit the reviews; return how many reviews there
    are, and how many incidents they opened.

    Raises InputError where the run lacks a case or has another answer, and what the desk raises.
    """
    reader = RunReader(run)
    records = {record.case: record for record in reader.records() if record.trial == 0}
    reviews, rubric = finished(), load_rubric(RUBRIC)
    answers = _answers(reader, records, reviews)
    wanted = [
        Wanted(
            case=case,
            trial=0,
            transcript=records[case].transcript.sha256,
            reasons=(_WHY,),
            overlap=RATERS,
        )
        for case in answers
    ]
    where = Path(database_of(run.resolve().parent)) if database is None else database
    if isinstance(where, Path):
        where.parent.mkdir(parents=True, exist_ok=True)
    opened = 0
    with ReviewDesk.open(where) as desk:
        desk.enqueue(LEAD, reader.plan.run_id, rubric, wanted)
        for review in reviews:
            item = desk.find(reader.plan.run_id, review["case"], 0)
            assert item is not None
            opened += _submit(desk, item, review, rubric, answers[review["case"]])
    return len(reviews), opened


def _submit(
    desk: ReviewDesk, item: QueueItem, review: dict[str, Any], rubric: Rubric, answer: str
) -> int:
    person = Person(review["reviewer"], review["role"])
    given = Submission(
        item=item.id,
        rubric=rubric.digest,
        transcript=item.transcript,
        scores=review["scores"],
        comments=review["comments"],
        meaning=review["meaning"],
        excerpt=answer[:_LONGEST_EXCERPT],
    )
    if all(place.person != person.name for place in item.assigned):
        desk.claim(person, item.id)
    return len(desk.submit(person, given, entered_by=LEAD.name).incidents)


def _answers(
    reader: RunReader, records: dict[str, TrialRecord], reviews: Sequence[dict[str, Any]]
) -> dict[str, str]:
    """Return the answers that were reviewed, by case. Raises InputError where one is another."""
    found: dict[str, str] = {}
    for review in reviews:
        case = review["case"]
        if case not in records:
            raise InputError(f"the run has no case '{case}'", hint="run the whole suite")
        output: Any = reader.transcript(records[case]).outcome.output
        found[case] = output["text"] if isinstance(output, dict) else ""
        if hashlib.sha256(found[case].encode()).hexdigest() != review["answer_sha256"]:
            raise InputError(
                f"the run has another answer for '{case}' than the one that was reviewed",
                hint="the reviews are of the assistant's own wording, without a model",
            )
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Enter made-up reviews for a run.")
    parser.add_argument("run", type=Path, help="a run of examples/hr_assistant")
    parser.add_argument("--db", help="the review database: a file or a URL")
    given = parser.parse_args(arguments)
    try:
        reviews, incidents = enter(given.run, given.db)
    except ProbareError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{reviews} made-up reviews are in, {incidents} opened an incident")
    return 0


if __name__ == "__main__":
    sys.exit(main())
