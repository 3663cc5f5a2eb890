"""`report.html`: the page put together, streamed while the records are read once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from probare.model.score import Summary
from probare.ports.reporter import Material
from probare.reporting.files import write_whole
from probare.reporting.html.against import baseline_section
from probare.reporting.html.assets import assets
from probare.reporting.html.decision import decision
from probare.reporting.html.embedding import block, encoded
from probare.reporting.html.explorer import explorer_section, footer, help_dialog, top_bar
from probare.reporting.html.markup import Ink
from probare.reporting.html.proof import proof_section
from probare.reporting.html.rows import COLUMNS, Rows
from probare.reporting.html.scores import (
    group_sections,
    optional_section,
    score_section,
    split_section,
)
from probare.reporting.html.telling import Telling


class HtmlReporter:
    """Writes the page: one file, no request, no markup from data."""

    name = "html"
    filename = "report.html"

    def write(self, path: Path, material: Material) -> None:
        """Write the file, whole or not at all. Raises RunDirectoryError where it cannot."""
        write_whole(path, pieces(material))


def pieces(material: Material) -> Iterator[str]:
    """Yield the page. What is kept in memory is bounded by the cases, not by the trials."""
    ink = Ink(material.mask)
    summary = material.summary
    yield from _head(summary, ink)
    yield from _sections(material, ink)
    telling = Telling(material)
    yield from telling.blocks()
    rows = Rows(telling)
    yield from rows.blocks()
    yield block("about", encoded(_about(material, telling, rows), material.mask))
    files = assets()
    yield f"<script>{files.library}</script>\n<script>{files.script}</script>\n</body>\n</html>\n"


def _head(summary: Summary, ink: Ink) -> Iterator[str]:
    files = assets()
    title = f"{ink.text(summary.suite, 80)}: {summary.decision} – Probare"
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{files.policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f'<link rel="icon" href="data:,">\n<title>{title}</title>\n'
        f"<style>{files.style}</style>\n</head>\n<body>\n"
    )


def _sections(material: Material, ink: Ink) -> Iterator[str]:
    summary = material.summary
    yield top_bar(summary)
    yield '<main id="main">\n'
    yield from decision(material, ink)
    yield score_section(summary, ink)
    yield split_section(summary, ink)
    yield from group_sections(summary, ink)
    yield baseline_section(summary, ink)
    yield explorer_section()
    yield optional_section(summary, ink)
    yield proof_section(material, ink)
    yield "</main>\n"
    yield footer()
    yield help_dialog()


def _about(material: Material, telling: Telling, rows: Rows) -> dict[str, Any]:
    """What the script needs to know of the file itself."""
    chooser = telling.chooser
    return {
        "columns": COLUMNS,
        "row_blocks": rows.blocks_written,
        "rows_left_out": rows.left_out,
        "trials": material.summary.trials.run,
        "embedded": chooser.embedded,
        "left_out_passed": chooser.left_out_passed,
        "left_out_others": chooser.left_out_others,
        "sources": telling.sources,
        "trust": material.summary.trust,
        "run_id": material.summary.run_id,
    }
