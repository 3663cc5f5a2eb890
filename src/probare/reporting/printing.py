"""Printing data to a console: as text, never as markup, wrapped under its indentation."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from probare.reporting.words import visible

_LEAST_WIDTH = 20


def print_data(console: Console, data: str, left: int = 0, style: str = "") -> None:
    """Print data with each of its lines indented by `left`, its control characters written out."""
    width = max(_LEAST_WIDTH, console.width - left)
    for line in Text(visible(data), style).wrap(console, width):
        line.rstrip()
        console.print(Text.assemble(" " * left, line), no_wrap=True, overflow="ignore", crop=False)
