"""`prove.md`: whole, and nothing in it that comes from data is markup."""

from __future__ import annotations

import re
from collections.abc import Callable

from probare.model.proof import ProofResult
from probare.reporting.proofmarkdown import proof_markdown


def test_the_report(every_outcome: ProofResult, snapshot: Callable[[str, str], None]) -> None:
    snapshot("proof.md", "".join(proof_markdown(every_outcome)))


def test_nothing_of_the_data_is_markup(hostile_proof: ProofResult) -> None:
    text = "".join(proof_markdown(hostile_proof))
    assert not re.search(r"(?<!\\)<(img|/script|!--)", text)
    assert not re.search(r"(?<!\\)\[a\]", text)
    assert not re.search(r"(?<!\\)`code", text)
    assert not {"\x1b", "\x07", "\u202e", "\ud800"} & set(text)


def test_rows_of_the_tables_have_as_many_cells_as_their_heads(hostile_proof: ProofResult) -> None:
    text = "".join(proof_markdown(hostile_proof))
    tables = re.findall(r"(?m)(?:^\|.*\n)+", text)
    assert len(tables) == 2
    for table in tables:
        counts = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(counts) == 1
