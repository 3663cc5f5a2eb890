"""The assistant: from an employee's question to an answer with its sources.

It looks first whether a person has to be told, then whether a record is asked for, then what the
policies say where the employee's contract is, or where the question asks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from hr import phrases
from hr.draft import Draft, PlainWriter, Writer
from hr.escalation import Rule, Triage, Triager, read_rules
from hr.jurisdictions import NAMES, Jurisdiction, listed, named_in
from hr.library import Library, Section, read_library
from hr.people import Directory, Employee, read_directory
from hr.records import RecordRequest, Records, access, requested
from hr.search import PolicySearch
from hr.words import Language, language_of

Passage = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """What an employee asks, and on which day (ISO)."""

    employee: str
    text: str
    asked_on: str


@dataclass(frozen=True)
class Tools:
    """What the assistant acts with; each is called by keyword."""

    search_policies: Callable[..., list[Passage]]
    rule_on_access: Callable[..., dict[str, str]]
    lookup_record: Callable[..., dict[str, Any]]
    escalate: Callable[..., str]


@dataclass
class Reply:
    """An answer. `escalated` is the category of what was passed on to people."""

    text: str
    language: Language
    jurisdiction: Jurisdiction | None
    citations: list[dict[str, Any]]
    escalated: str | None


@dataclass
class Assistant:
    """Answers questions about policies."""

    library: Library = field(default_factory=read_library)
    directory: Directory = field(default_factory=read_directory)
    records: Records = field(default_factory=Records)
    triager: Triager = field(default_factory=read_rules)
    writer: Writer = field(default_factory=PlainWriter)

    async def reply(self, question: Question, tools: Tools) -> Reply:
        """Return the answer. Raises UnknownEmployee."""
        employee = self.directory.find(question.employee)
        draft = Draft(language=self.language(question))
        places = self.places(employee, question)
        triage = self.triage(question)
        if triage.rule is not None:
            self._pass_on(triage.rule, question, employee, draft, tools)
        wanted = requested(triage.rest, employee, self.directory) if triage.rest else None
        answered = wanted is not None and self.show_record(wanted, question, draft, tools)
        if triage.rest and not answered:
            self._look_up(triage, question, employee, places, draft, tools)
        body = await self.writer.write(question.text, draft)
        return Reply(
            text="\n\n".join(part for part in (body, self.sources(draft)) if part),
            language=draft.language,
            jurisdiction=places[0] if places else None,
            citations=[_citation(each) for each in draft.passages],
            escalated=triage.rule.category if triage.rule else None,
        )

    def language(self, question: Question) -> Language:
        """Return the language to answer in: the question's."""
        return language_of(question.text)

    def places(self, employee: Employee, question: Question) -> tuple[Jurisdiction, ...]:
        """Return the jurisdictions to answer for: those asked about, else the contract's."""
        own = employee.jurisdiction
        return named_in(question.text) or ((own,) if own else ())

    def triage(self, question: Question) -> Triage:
        """Say whether a person has to be told."""
        return self.triager.triage(question.text)

    def notice(self, rule: Rule, employee: Employee, question: Question) -> dict[str, Any]:
        """Return what is passed on to people: that somebody wishes to talk, and no details."""
        return {
            "to": rule.to,
            "urgency": rule.urgency,
            "category": rule.category,
            "summary": phrases.SUMMARIES[rule.category],
            "reporter": None if rule.anonymous else employee.id,
        }

    def query(self, text: str, language: Language) -> str:
        """Return what the policies are searched with."""
        return PolicySearch(self.library).query(text, language)

    def sources(self, draft: Draft) -> str:
        """Return the lines that say where an answer stands."""
        return draft.sources

    def acknowledgement(self, rule: Rule, language: Language) -> str:
        """Return the words with which an experience is met."""
        return phrases.ACKNOWLEDGED[rule.category][language]

    def found(
        self, query: str, place: Jurisdiction | None, question: Question, draft: Draft, tools: Tools
    ) -> list[Passage]:
        """Search the policies."""
        return tools.search_policies(
            query=query,
            jurisdiction=place,
            language=draft.language,
            as_of=question.asked_on,
        )

    def _pass_on(
        self, rule: Rule, question: Question, employee: Employee, draft: Draft, tools: Tools
    ) -> None:
        tools.escalate(**self.notice(rule, employee, question))
        draft.opening.append(self.acknowledgement(rule, draft.language))
        draft.facts.append(phrases.TOLD[rule.to][draft.language])
        query = self.query(rule.ask[draft.language], draft.language)
        draft.passages += self.found(query, employee.jurisdiction, question, draft, tools)[:1]

    def show_record(
        self, wanted: RecordRequest, question: Question, draft: Draft, tools: Tools
    ) -> bool:
        """Show a record, or refuse it; say whether the question is answered with that."""
        subject, own = wanted.subject, wanted.subject.id == question.employee
        ruling = tools.rule_on_access(
            employee=subject.id, kind=wanted.kind, asker=question.employee
        )
        if ruling["decision"] != "allow":
            refusal = phrases.OWN_REFUSED if own else phrases.REFUSED
            asks = phrases.OWN_REFUSED_ASKS if own else phrases.REFUSED_ASKS
            draft.facts.append(refusal[draft.language])
            query = self.query(asks[draft.language], draft.language)
            draft.passages += self.found(query, None, question, draft, tools)[:1]
            return True
        record = tools.lookup_record(employee=subject.id, kind=wanted.kind)
        phrase = phrases.BALANCE if own else phrases.TEAM_BALANCE
        if record:
            draft.facts.append(phrase[draft.language].format(name=subject.name, **record))
        return not own

    def _look_up(
        self,
        triage: Triage,
        question: Question,
        employee: Employee,
        places: tuple[Jurisdiction, ...],
        draft: Draft,
        tools: Tools,
    ) -> None:
        query = self.query(triage.rest, draft.language)
        if not places:
            draft.facts.append(phrases.NO_PLACE[draft.language])
            return
        said = len(draft.passages) + len(draft.facts)
        for place in places:
            found = self.found(query, place, question, draft, tools)
            same = [each for each in found if each["document"] == found[0]["document"]]
            draft.passages += same[: 1 if len(places) > 1 else 2]
        if len(draft.passages) + len(draft.facts) == said and not said:
            draft.facts.append(phrases.NOT_FOUND[draft.language])
            return
        self._say_where(employee, places, question, draft)

    def _say_where(
        self,
        employee: Employee,
        places: tuple[Jurisdiction, ...],
        question: Question,
        draft: Draft,
    ) -> None:
        """Say for which place the rule holds, and that others differ."""
        language, own = draft.language, employee.jurisdiction
        if own and own not in places:
            asked = listed(places, language)
            draft.opening.append(
                phrases.OTHER_PLACE[language].format(asked=asked, own=NAMES[own][language])
            )
        local = [each for each in draft.passages if each["jurisdiction"] in places]
        if local and len(places) == 1:
            others = self.elsewhere(local[0], question)
            if others:
                here = NAMES[places[0]][language]
                draft.closing.append(
                    phrases.VARIES[language].format(here=here, others=listed(others, language))
                )

    def elsewhere(self, passage: Passage, question: Question) -> tuple[Jurisdiction, ...]:
        """Return the places for which the same policy says something else."""
        section = Section(**{key: value for key, value in passage.items() if key != "score"})
        return self.library.elsewhere(section, date.fromisoformat(question.asked_on))


def tools_of(assistant: Assistant) -> Tools:
    """Return the assistant's own tools, unwatched."""

    def search_policies(
        query: str, jurisdiction: Jurisdiction | None, language: Language, as_of: str
    ) -> list[Passage]:
        return PolicySearch(assistant.library).search(query, jurisdiction, language, as_of)

    def rule_on_access(employee: str, kind: Any, asker: str) -> dict[str, str]:
        return access(employee, kind, asker, assistant.directory)

    def lookup_record(employee: str, kind: Any) -> dict[str, Any]:
        return assistant.records.lookup(employee, kind)

    def escalate(to: str, urgency: str, category: str, summary: str, reporter: str | None) -> str:
        return "received"

    return Tools(search_policies, rule_on_access, lookup_record, escalate)


def _citation(passage: Passage) -> dict[str, Any]:
    return {
        key: passage[key] for key in ("document", "version", "effective", "section", "jurisdiction")
    }
