"""What the recognisers find in marked sentences, and that they find nothing in clean ones.

The floors are what was measured; `benchmarks/suspected_phi.py` prints the table.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from probare.graders.phi_recognisers import TYPES
from probare.graders.phi_recognisers.presidio import analyse

HERE = Path(__file__).parent
GIVEN: Any = json.loads((HERE / "phi_vectors.json").read_text("utf-8"))
OWN: Any = json.loads((HERE / "phi_own.json").read_text("utf-8"))
MARK = re.compile(r"\[([A-Z_]+)\|([^\]]+)\]")


class Marked(NamedTuple):
    text: str
    spans: tuple[tuple[str, int, int], ...]


def unmarked(written: str) -> Marked:
    text, spans, at = "", list[tuple[str, int, int]](), 0
    for mark in MARK.finditer(written):
        text += written[at : mark.start()]
        spans.append((mark[1], len(text), len(text) + len(mark[2])))
        text += mark[2]
        at = mark.end()
    return Marked(text + written[at:], tuple(spans))


VECTORS = [
    Marked(item["text"], tuple((s["type"], s["start"], s["end"]) for s in item["spans"]))
    for item in GIVEN["phi"]
]
TUNED = [unmarked(text) for text in OWN["phi"]]
HELD_OUT = [unmarked(text) for text in OWN["later"]]


def covered(marked: Marked) -> list[tuple[str, bool]]:
    """Return each marked identifier's type, and whether its type was found on 60 % of it."""
    found = analyse(marked.text)
    return [
        (
            kind,
            any(
                one.type == kind
                and min(one.end, end) - max(one.start, start) >= 0.6 * (end - start)
                for one in found
            ),
        )
        for kind, start, end in marked.spans
    ]


@pytest.mark.parametrize("marked", VECTORS + TUNED, ids=lambda m: m.text[:40])
def test_every_identifier_is_found_with_its_type_and_nothing_else(marked: Marked) -> None:
    assert [kind for kind, hit in covered(marked) if not hit] == []
    for one in analyse(marked.text):
        assert any(one.start < end and start < one.end for _, start, end in marked.spans), one


def test_the_vectors_are_whole() -> None:
    for marked, item in zip(VECTORS, GIVEN["phi"], strict=True):
        for (_, start, end), span in zip(marked.spans, item["spans"], strict=True):
            assert marked.text[start:end] == span["value"]
    assert len(VECTORS) == 37
    assert {kind for marked in VECTORS for kind, _, _ in marked.spans} == TYPES.keys() - {"AGE"}


def test_sentences_that_were_never_tuned_on() -> None:
    missed = Counter(kind for marked in HELD_OUT for kind, hit in covered(marked) if not hit)
    of = sum(len(marked.spans) for marked in HELD_OUT)
    assert of == 35
    assert missed == Counter({"GEO": 1, "VEHICLE": 1})


@pytest.mark.parametrize("text", [*GIVEN["clean"], *OWN["clean"]])
def test_nothing_is_found_in_a_clean_sentence(text: str) -> None:
    assert analyse(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "See James Cook University Hospital for directions.",
        "Charles Bonnet syndrome was discussed.",
        "Registered as NCT04280705, doi 10.1000/182.",
        "Order 3 boxes, case 12 of 40, visit: 2024.",
        "VITAMIN B, VITAMIN D. and BUN, CREATININE were drawn.",
        "She is 45 years old; his age: 88.",
        "Meet in Boston to discuss California and Kenya.",
        "COVID-19, SARS-CoV-2, E. coli O157:H7, T-score -2.5.",
        "Her mother had Parkinson disease, her father Crohn colitis.",
        "name: Lisinopril",
        "The derivative work is in Source or Object form.",
        "1/2 tablet, then 3/10 pain, on 5/5 strength.",
        "Patient Portal Access Request Form",
    ],
)
def test_what_looks_alike_and_is_none(text: str) -> None:
    assert analyse(text) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("VIN 1M8GDM9AXKP042788", "VEHICLE"),
        ("1M8GDM9AXKP042788 was towed", "VEHICLE"),
        ("paid with 4111111111111111", "ACCOUNT"),
        ("DEA BH1234563", "LICENSE"),
        ("prescriber BH1234563", "LICENSE"),
        ("{'member_id': 'XJ88412'}", "HEALTH_PLAN"),
        ('{"new_mrn": "884120"}', "MRN"),
        ("ages: 94 and counting", "AGE"),
        ("a ninety-three-year-old man", "AGE"),
        ("at 40.71278, -74.00601", "GEO"),
        ("SW1A 1AA", "GEO"),
        ("2024-01-05T10:22:31Z", "DATE"),
        ("12FEB2024", "DATE"),
        ("call 555-0148", "PHONE"),
        ("j.doe [at] mail [dot] com", "EMAIL"),
        ("xxx-xx-4471", "SSN"),
        ("fe80::1ff:fe23:4567:890a", "IP"),
        ("00-1B-44-11-3A-B7", "DEVICE"),
    ],
)
def test_forms(text: str, kind: str) -> None:
    assert kind in [one.type for one in analyse(text)]


@pytest.mark.parametrize(
    "text",
    [
        "1M8GDM9AXKP042789 was towed",
        "paid with 4111111111111112",
        "prescriber BH1234564",
        "patients 90 or older",
        "300.1.2.3",
    ],
)
def test_wrong_check_digits_and_ranges(text: str) -> None:
    assert analyse(text) == []
