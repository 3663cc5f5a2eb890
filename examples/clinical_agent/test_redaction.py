"""The redactor: what it finds, however it is written, and what it leaves alone."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from probare.grading import usercode

FOLDER = Path(__file__).parent
Redactor = usercode.load("governed.redaction:Redactor", FOLDER)
plain = usercode.load("governed.disguises:plain", FOLDER)
PATIENT = {"name": "Avery Quill", "birth_date": "1961-02-30", "mrn": "4471-9023"}


def clean(text: Any, patient: dict[str, str] | None = None) -> Any:
    return Redactor(PATIENT if patient is None else patient).redact(text).clean


@pytest.mark.parametrize(
    "written",
    [
        "Avery Quill",
        "AVERY QUILL",
        "Quill",
        "A-v-e-r-y Q.u.i.l.l",
        "Ａｖｅｒｙ Ｑｕｉｌｌ",
        "Av\u200bery\u00a0Quill",
        "&#65;very Quill",
        "Avery%20Quill",
        base64.b64encode(b"seen: Avery Quill").decode(),
        quote(base64.b64encode(b"Avery Quill!!").decode()),
    ],
)
def test_the_patient_is_found_however_written(written: str) -> None:
    redacted = Redactor(PATIENT).redact(f"about {written} today")
    assert "[NAME]" in redacted.clean
    assert "NAME" in {each.kind for each in redacted.found}
    assert Redactor(PATIENT).is_clean(redacted.clean)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("born １９６１-０２-３０", "born [DATE]"),
        ("born 1961/02/30", "born [DATE]"),
        ("MRN 44719023", "MRN [MRN]"),
        ("mrn: 4471 9023", "mrn: [MRN]"),
    ],
)
def test_other_identifiers_of_the_patient_in_other_forms(text: str, left: str) -> None:
    assert clean(text) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Patient was born on June 3, 1961.", "Patient was born on [DATE]."),
        ("Next appointment is Tuesday the 4th of March.", "Next appointment is [DATE]."),
        ("Her cell is 206.555.0199.", "Her cell is [PHONE]."),
        ("Call (415) 555-0132 after 5 pm.", "Call [PHONE] after 5 pm."),
        ("contact priya.r@uni-hospital.edu", "contact [EMAIL]"),
        ("Social security number: 521 44 9083.", "Social security number: [SSN]."),
        ("the applicant gave SSN 521449083", "the applicant gave SSN [SSN]"),
        ("See chart #A20938475 for imaging.", "See chart #[MRN] for imaging."),
        ("Medicare MBI 1EG4-TE5-MK73 active.", "Medicare MBI [HEALTH_PLAN] active."),
        ("Pacemaker serial number PJN-448210C", "Pacemaker serial number [DEVICE]"),
        ("The car with plate 8XKD204 is here.", "The car with plate [VEHICLE] is here."),
        ("Login from 203.0.113.47 was flagged.", "Login from [IP] was flagged."),
        ("lives at 12 Larkspur Lane.", "lives at [ADDRESS]"),
        ("Mailing address: PO Box 4471", "Mailing address: [ADDRESS]"),
        ("HERNANDEZ, LUIS A. - follow-up", "[NAME] - follow-up"),
        ("a 93-year-old woman", "a [AGE] woman"),
        ("at https://chart.example/99820?tab=labs.", "at [URL]."),
    ],
)
def test_anyones_identifiers_are_found_by_their_look(text: str, left: str) -> None:
    assert clean(text, {}) == left


@pytest.mark.parametrize(
    "text",
    [
        "Continue warfarin with INR goal 2.0-3.0.",
        "Hemoglobin A1c 7.9%, fasting glucose 142 mg/dL, creatinine 1.12 mg/dL.",
        "Glasgow Coma Scale 15, pupils equal and reactive.",
        "CPT 99213 billed for the established-patient office visit.",
        "WBC 11.2 x10^3/uL, Hgb 13.4 g/dL, Plt 245 x10^3/uL.",
        "BP 138/84 mmHg, HR 72 bpm, RR 16, SpO2 97% on room air.",
        "Version 3.2.1 of the interface engine was deployed to the test system.",
        "The patient is a middle-aged adult with a history of migraine.",
        "Reduce by 50%20 is no encoding, nor is anticoagulation",
    ],
)
def test_clinical_sentences_stay_as_they_are(text: str) -> None:
    redacted = Redactor({}).redact(text)
    assert (redacted.clean, redacted.found) == (text, [])


def test_a_piece_that_says_nothing_of_anyone_stays_encoded() -> None:
    token = base64.b64encode(b"take with food").decode()
    assert clean(f"note {token} and a%20b") == f"note {token} and a%20b"


def test_values_and_keys_of_arguments_are_redacted_and_the_rest_kept() -> None:
    said = {"to": ["Avery Quill", 7, None], "Quill": {"dose": 2.5, "urgent": True}}
    assert clean(said) == {"to": ["[NAME]", 7, None], "[NAME]": {"dose": 2.5, "urgent": True}}


def test_what_was_found_is_told_with_its_text() -> None:
    found = Redactor(PATIENT).redact("Avery Quill, born １９６１-０２-３０").found
    assert [(each.kind, each.text) for each in found] == [
        ("NAME", "Avery Quill"),
        ("DATE", "1961-02-30"),
    ]


def test_a_second_pass_changes_nothing() -> None:
    once = clean("Mr. Avery Quill, MRN 4471-9023, a.quill@mail.example, PO Box 12")
    assert clean(once) == once
    assert plain(once) == once


def test_without_a_patient_a_name_without_a_cue_is_not_known() -> None:
    assert clean("Avery Quill has a cough", {}) == "Avery Quill has a cough"
