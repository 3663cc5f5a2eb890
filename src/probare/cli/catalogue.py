"""`probare graders` and `probare schema`: what there is to write in a suite."""

from __future__ import annotations

import textwrap

import click
import msgspec

from probare.encoding import jsonbytes
from probare.errors import InputError, did_you_mean
from probare.graders.catalogue_page import GraderPage, catalogue_rows
from probare.loading import schema
from probare.pipeline.catalogue import BuiltCatalogue


@click.command("graders", short_help="Show the graders and their arguments.")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="The catalogue as JSON.")
def graders_command(name: str | None, as_json: bool) -> int:
    """Show all graders in a line each, or one of them in full."""
    pages = catalogue_rows(BuiltCatalogue().graders)
    if name is not None:
        names = [page.name for page in pages]
        if name not in names:
            raise InputError(f"there is no grader '{name}'", hint=did_you_mean(name, names))
        pages = [page for page in pages if page.name == name]
    if as_json:
        click.echo(msgspec.json.format(jsonbytes.encode(pages), indent=2).decode())
    elif name is not None:
        click.echo(_full(pages[0]))
    else:
        width = max(len(page.name) for page in pages)
        for page in pages:
            click.echo(f"{page.name:<{width}}  {page.summary}")
        click.echo("\nnot, any_of, all_of take checks.  One in full: probare graders NAME")
    return 0


def _full(page: GraderPage) -> str:
    lines = [f"{page.name}  (version {page.version}, {page.scope}-wide)", "", page.text, ""]
    for argument in page.arguments:
        marks = ["main argument"] if argument.name == page.main else []
        marks.append("required" if argument.required else f"default {argument.default}")
        lines.append(f"  {argument.name}: {argument.type}  ({', '.join(marks)})")
    if page.looks_at:
        lines.append(f"  in: default {page.looks_at}")
    return textwrap.dedent("\n".join(lines))


@click.command("schema", short_help="Print the JSON Schema of suite files.")
def schema_command() -> int:
    """Print the JSON Schema (draft 2020-12) of suite files, with every grader's arguments."""
    whole = jsonbytes.encode(schema(BuiltCatalogue()))
    click.echo(msgspec.json.format(whole, indent=2).decode())
    return 0
