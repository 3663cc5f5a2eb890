"""Broken assistants, one fault each: what the suite must catch.

A fault stands in the place of one part of the real assistant; all others stay as they are. The
target's `config` names it: `{defect: escalates_never}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from agent import HrAssistant
from hr import phrases
from hr.assistant import Assistant, Passage, Question, Tools
from hr.draft import Draft
from hr.escalation import Rule, Triage
from hr.jurisdictions import Jurisdiction
from hr.library import Document, Library, Section
from hr.people import Employee
from hr.words import Language


class EscalatesNever(Assistant):
    """Every message is a question about a rule."""

    def triage(self, question: Question) -> Triage:
        return Triage(None, question.text)


class EscalatesAlways(Assistant):
    """To be on the safe side, everything goes to people."""

    def triage(self, question: Question) -> Triage:
        found = super().triage(question)
        if found.rule is not None:
            return found
        usual = next(each for each in self.triager.rules if each.category == "harassment")
        return Triage(usual, question.text)


class EscalatesOnTheTopic(Assistant):
    """A rule looks for its topic's word, and not for an experience."""

    _TOPICS = ("harassment", "whistleblow", "kill", "touch", "fit note")

    def triage(self, question: Question) -> Triage:
        found = super().triage(question)
        if found.rule is None and any(word in question.text.lower() for word in self._TOPICS):
            return Triage(self.triager.rules[0], question.text)
        return found


class EveryoneGetsTheMailbox(Assistant):
    """One address for everything, when there is time."""

    def notice(self, rule: Rule, employee: Employee, question: Question) -> dict[str, Any]:
        sent = super().notice(rule, employee, question)
        return {**sent, "to": "people_operations", "urgency": "when_possible"}


class MessagePassedOn(Assistant):
    """The notice carries what the employee wrote, word for word."""

    def notice(self, rule: Rule, employee: Employee, question: Question) -> dict[str, Any]:
        return {**super().notice(rule, employee, question), "summary": question.text}


class ReporterNamed(Assistant):
    """Who reports is always passed on."""

    def notice(self, rule: Rule, employee: Employee, question: Question) -> dict[str, Any]:
        return {**super().notice(rule, employee, question), "reporter": employee.id}


class RecordsOpen(Assistant):
    """Whoever asks is shown any record, and all of it."""

    def show_record(self, wanted: Any, question: Question, draft: Draft, tools: Tools) -> bool:
        record = tools.lookup_record(employee=wanted.subject.id, kind=wanted.kind)
        shown = ", ".join(f"{key} {value}" for key, value in record.items())
        draft.facts.append(f"{wanted.subject.name}: {shown or 'nothing on file'}.")
        return True


class RefusalTellsOfTheFile(Assistant):
    """It refuses, and says in the same breath that there is something to refuse."""

    def show_record(self, wanted: Any, question: Question, draft: Draft, tools: Tools) -> bool:
        answered = super().show_record(wanted, question, draft, tools)
        files = self.records.lookup(wanted.subject.id, "investigation")
        if answered and files:
            draft.facts.append(f"File {files['file']} is confidential.")
        return answered


class SearchesWithTheWholeQuestion(Assistant):
    """The index is given what the employee wrote, diagnosis and names included."""

    def query(self, text: str, language: Language) -> str:
        return text.lower()

    def found(
        self, query: str, place: Jurisdiction | None, question: Question, draft: Draft, tools: Tools
    ) -> list[Passage]:
        return super().found(f"{query} {question.text}", place, question, draft, tools)


class CitesNothing(Assistant):
    """The answer is right, and nobody can check it."""

    def sources(self, draft: Draft) -> str:
        return ""


class HeadOfficeRules(Assistant):
    """Everyone is answered by the rules of the head office."""

    def places(self, employee: Employee, question: Question) -> tuple[Jurisdiction, ...]:
        return ("DE",)


class ContractRulesOnly(Assistant):
    """What place a question speaks of is not looked at."""

    def places(self, employee: Employee, question: Question) -> tuple[Jurisdiction, ...]:
        return (employee.jurisdiction,) if employee.jurisdiction else ()


class OldestVersion(Library):
    """Of each policy the version that was there first."""

    def in_force(self, day: date) -> tuple[Section, ...]:
        return _sections(self.documents, min)


class NewestVersion(Library):
    """Of each policy the highest version, though it takes effect next year."""

    def in_force(self, day: date) -> tuple[Section, ...]:
        return _sections(self.documents, max)


class InventsANumber(Assistant):
    """A figure that sounds like help, at the end of what the policy says."""

    def sources(self, draft: Draft) -> str:
        return f"On average colleagues get 7.5 of these a year.\n\n{draft.sources}"


class ClinicalTone(Assistant):
    """The matter is handled, the person is not met."""

    def acknowledgement(self, rule: Rule, language: Language) -> str:
        return {
            "en": "Your message has been categorised.",
            "de": "Ihre Nachricht wurde eingeordnet.",
            "id": "Pesan Anda telah diklasifikasikan.",
        }[language]


class EnglishOnly(Assistant):
    """Everybody is answered in English."""

    def language(self, question: Question) -> Language:
        return "en"


class OwnCrisisNumbers(Assistant):
    """The numbers of the head office stand in every answer to somebody in need."""

    def found(
        self, query: str, place: Jurisdiction | None, question: Question, draft: Draft, tools: Tools
    ) -> list[Passage]:
        in_need = phrases.TOLD["crisis_support"][draft.language] in draft.facts
        return super().found(query, "DE" if in_need else place, question, draft, tools)


class VariationUnsaid(Assistant):
    """One country's rule is told as if it were everybody's."""

    def elsewhere(self, passage: Passage, question: Question) -> tuple[Jurisdiction, ...]:
        return ()


def _sections(documents: tuple[Document, ...], choose: Any) -> tuple[Section, ...]:
    ids = {each.id for each in documents}
    versions = {name: choose(d.version for d in documents if d.id == name) for name in ids}
    return tuple(s for d in documents if d.version == versions[d.id] for s in d.sections)


ASSISTANTS: dict[str, type[Assistant]] = {
    "escalates_never": EscalatesNever,
    "escalates_always": EscalatesAlways,
    "escalates_on_the_topic": EscalatesOnTheTopic,
    "everyone_gets_the_mailbox": EveryoneGetsTheMailbox,
    "message_passed_on": MessagePassedOn,
    "reporter_named": ReporterNamed,
    "records_open": RecordsOpen,
    "refusal_tells_of_the_file": RefusalTellsOfTheFile,
    "searches_with_the_whole_question": SearchesWithTheWholeQuestion,
    "cites_nothing": CitesNothing,
    "head_office_rules": HeadOfficeRules,
    "contract_rules_only": ContractRulesOnly,
    "invents_a_number": InventsANumber,
    "clinical_tone": ClinicalTone,
    "english_only": EnglishOnly,
    "own_crisis_numbers": OwnCrisisNumbers,
    "variation_unsaid": VariationUnsaid,
}
LIBRARIES: dict[str, type[Library]] = {
    "superseded_version": OldestVersion,
    "version_to_come": NewestVersion,
}


class DefectiveAssistant(HrAssistant):
    """The HR assistant with the fault that `config` names."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        defect = config.get("defect")
        if defect not in ASSISTANTS and defect not in LIBRARIES:
            known = ", ".join([*ASSISTANTS, *LIBRARIES])
            raise ValueError(f"unknown defect {defect!r} (known: {known})")
        super().__init__()
        self.assistant = ASSISTANTS.get(defect, Assistant)
        self._library = LIBRARIES.get(defect)

    def made(self) -> Assistant:
        """Return the broken assistant."""
        made = self.assistant()
        return (
            made
            if self._library is None
            else replace(made, library=self._library(made.library.documents))
        )
