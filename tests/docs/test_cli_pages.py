"""`docs/cli.md` holds every --help page as it is. Write it anew with:

python -m pytest tests/docs --write-docs
"""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from probare.cli import root

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


def pages(command: click.Command, name: str, parent: click.Context | None = None) -> list[str]:
    """The help of a command and of all below it, at 88 columns."""
    context = click.Context(
        command,
        info_name=name,
        parent=parent,
        terminal_width=88,
        max_content_width=88,
        **command.context_settings,
    )
    path = context.command_path
    found = [f"## {path}\n\n```text\n{command.get_help(context).rstrip()}\n```\n"]
    if isinstance(command, click.Group):
        for below_name in command.list_commands(context):
            below = command.get_command(context, below_name)
            assert below is not None
            found += pages(below, below_name, context)
    return found


def test_the_pages_are_those_of_the_code(request: pytest.FixtureRequest) -> None:
    text = "# Commands\n\n" + "\n".join(pages(root, "probare"))
    if request.config.getoption("--write-docs"):
        PAGE.write_text(text)
    assert PAGE.read_text() == text, "write it anew: pytest tests/docs --write-docs"
