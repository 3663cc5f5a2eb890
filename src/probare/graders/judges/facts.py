"""`judge_facts`: claim by claim, does the answer say what the reference says?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta

from probare.encoding.narrow import mapping, sequence
from probare.errors import GraderError
from probare.graders.judges.asking import shortened
from probare.graders.judges.judging import Judge, judged_part, middle, undecided
from probare.graders.judges.prompts import Question, parts_of, text_of
from probare.graders.judges.replies import Answer, Unreadable
from probare.model.verdict import Verdict
from probare.ports.grader import TrialView

Finding: TypeAlias = Literal["supported", "contradicted", "missing", "unknown"]
_FINDINGS: tuple[Finding, ...] = ("supported", "contradicted", "missing", "unknown")
_MOST_SHOWN = 5

_WORDS = """\
Compare the text `answer` with the claims of the text `reference`, one by one. The finding of a \
claim is one of these words:
- supported: the answer says the same, in whatever words
- contradicted: the answer says something that cannot be true where the claim is
- missing: the answer says nothing of it
- unknown: you cannot tell from what is given
What the answer says beyond the reference does not matter."""
_NUMBERED = "\nThe reference numbers its claims. Give each number exactly one finding."
_SPLIT = "\nFirst split the reference into its single claims; then give each one finding."


class Claim(msgspec.Struct, frozen=True):
    """A claim of the reference and what was found of it."""

    text: str
    finding: Finding


class FactsForm(msgspec.Struct, frozen=True):
    """An answer of findings: of the given claims, or of those that the judge finds (none given)."""

    claims: tuple[str, ...]

    @property
    def fields(self) -> dict[str, Any]:
        """The schema of each key."""
        said = {"type": "integer"} if self.claims else {"type": "string"}
        item = {
            "type": "object",
            "properties": {"claim": said, "finding": {"type": "string", "enum": [*_FINDINGS]}},
            "required": ["claim", "finding"],
            "additionalProperties": False,
        }
        return {"reasoning": {"type": "string"}, "claims": {"type": "array", "items": item}}

    @property
    def example(self) -> dict[str, Any]:
        """The form as it is shown."""
        said = "… its number …" if self.claims else "… the claim …"
        item = {"claim": said, "finding": "… one of the words listed above …"}
        return {"reasoning": "…", "claims": [item]}

    def read(self, fields: Mapping[str, Any]) -> Answer | Unreadable:
        """Read an object: every claim has one finding, and there is at least one claim."""
        found: list[Claim] = []
        numbers: list[int] = []
        for item in sequence(fields.get("claims")):
            said, finding = mapping(item).get("claim"), mapping(item).get("finding")
            word = _finding(finding)
            if word is None:
                return Unreadable(f"a finding is off the menu: {finding!r:.100}")
            if self.claims:
                number = _number(said)
                if number is None or not 1 <= number <= len(self.claims):
                    return Unreadable(f"there is no claim {said!r:.100}")
                numbers.append(number)
                found.append(Claim(self.claims[number - 1], word))
            elif isinstance(said, str) and said.strip():
                found.append(Claim(said.strip(), word))
            else:
                return Unreadable(f"a finding is of no claim: {said!r:.100}")
        if not found:
            return Unreadable("the reply has no finding of any claim")
        if self.claims and sorted(numbers) != list(range(1, len(self.claims) + 1)):
            return Unreadable("the reply does not give each claim exactly one finding")
        why = fields.get("reasoning")
        return Answer(_counted(found), why if isinstance(why, str) else "", tuple(found))

    def read_line(self, line: str) -> tuple[Answer, bool] | None:
        """Findings do not stand on one line."""
        return None


class JudgeFacts(Judge, frozen=True, kw_only=True):
    """A model finds that the answer says what the reference says: each claim of it is supported,
    contradicted or missing.

    `reference` is a text, which the judge splits into claims, or a list of claims. It holds where
    none is contradicted and at most `missing_at_most` are missing. The score is the share of
    claims that are supported. A claim that the judge cannot tell of makes it unknown.
    """

    NAME: ClassVar[str] = "judge_facts"
    MAIN: ClassVar[str | None] = "reference"

    reference: Any
    missing_at_most: Annotated[int, Meta(ge=0)] = 0

    def judge(self, seen: Any, trial: TrialView) -> Verdict:
        """Ask for a finding of each claim."""
        claims = _claims(self.reference)
        form = FactsForm(claims)
        listed = "\n".join(f"{at}. {claim}" for at, claim in enumerate(claims, 1))
        reference = parts_of(reference=listed if claims else self.reference)
        question = Question(
            words=_WORDS + (_NUMBERED if claims else _SPLIT),
            parts=(*self.context(trial), *reference, *judged_part(seen, trial)),
            fields=form.fields,
            example=form.example,
        )
        votes = self.ask(trial, question, form, self._meaning)
        decided = undecided(votes)
        if decided is not None:
            return decided
        answers = votes.answers()
        shares = [
            sum(claim.finding == "supported" for claim in answer.details) / len(answer.details)
            for answer in answers
        ]
        reason = "; ".join(filter(None, [votes.reason(), _told(answers[0].details)]))
        return Verdict(votes.tally.means, middle(shares), reason, judged=votes.replies)

    def _meaning(self, answer: Answer) -> Literal["pass", "fail", "unknown"]:
        findings = [claim.finding for claim in answer.details]
        if "contradicted" in findings or findings.count("missing") > self.missing_at_most:
            return "fail"
        return "unknown" if "unknown" in findings else "pass"


def _claims(reference: Any) -> tuple[str, ...]:
    """Return the claims that are given as a list; none where the reference is a text."""
    if reference is None or reference is UNSET or reference in ("", [], {}):
        raise GraderError("there is no reference to judge by", hint="it is null, empty or absent")
    return tuple(text_of(claim) for claim in sequence(reference))


def _finding(word: Any) -> Finding | None:
    folded = word.strip().casefold() if isinstance(word, str) else None
    return next((each for each in _FINDINGS if each == folded), None)


def _number(said: Any) -> int | None:
    if isinstance(said, str) and said.strip().rstrip(".").isdecimal():
        return int(said.strip().rstrip("."))
    return said if isinstance(said, int) and not isinstance(said, bool) else None


def _counted(claims: list[Claim]) -> str:
    counts = [(word, sum(claim.finding == word for claim in claims)) for word in _FINDINGS]
    return ", ".join(f"{count} {word}" for word, count in counts if count)


def _told(claims: tuple[Claim, ...]) -> str:
    """Name the claims that are not supported."""
    others = [claim for claim in claims if claim.finding != "supported"]
    told = [f"{claim.finding}: {shortened(claim.text, 120)}" for claim in others[:_MOST_SHOWN]]
    more = len(others) - len(told)
    return "; ".join([*told, f"and {more} more"] if more > 0 else told)
