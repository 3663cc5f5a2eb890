"""The command line. This module imports click alone; each command's family is imported when
it is called, so that `probare --help` is quick.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, cast

import click

_COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("probare.cli.running", "Run suites, grade, score, gate and report."),
    "prove": ("probare.cli.proving", "Does a suite catch broken agents?"),
    "regrade": ("probare.cli.running", "Grade a run's stored transcripts with today's graders."),
    "check": ("probare.cli.suites", "Check suites without running anything."),
    "list": ("probare.cli.suites", "List a suite's cases."),
    "new": ("probare.cli.suites", "Make a small suite that runs at once."),
    "graders": ("probare.cli.catalogue", "Show the graders and their arguments."),
    "schema": ("probare.cli.catalogue", "Print the JSON Schema of suite files."),
    "show": ("probare.cli.transcripts", "Show a case's trials: conversation, calls, verdicts."),
    "trace": ("probare.cli.tracing", "What a trial did: its hash, its steps, two compared."),
    "report": ("probare.cli.results", "Write a report of a finished run."),
    "diff": ("probare.cli.results", "Compare two runs, case by case."),
    "gate": ("probare.cli.results", "Decide a finished run again: exit code and reasons."),
    "baseline": ("probare.cli.baselines", "Set, show or clear a suite's baseline."),
    "plan": ("probare.cli.evidence", "Seal, before the run, what will count."),
    "keygen": ("probare.cli.evidence", "Make a key pair for signing runs."),
    "seal": ("probare.cli.evidence", "Seal a finished run, or sign a sealed one."),
    "verify": ("probare.cli.evidence", "Check a sealed run or an excerpt, offline."),
    "excerpt": ("probare.cli.evidence", "Cut out the proof of one case."),
    "serve": ("probare.cli.serving", "Browse runs and review them in a browser."),
    "review": ("probare.cli.reviewing", "People's reviews: queue, sheets, incidents, apply."),
    "judge": ("probare.cli.judging", "Check a judge against people."),
    "import": ("probare.cli.importing", "Turn recorded work into a suite and transcripts."),
}


class _LazyGroup(click.Group):
    """Knows each command's name and help, and imports it when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(_COMMANDS)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002
        cmd_name: str,
    ) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(_COMMANDS[cmd_name][0])
        name = f"{cmd_name}_command"
        return cast("click.Command", getattr(module, name))

    def invoke(self, ctx: click.Context) -> Any:
        """Call the command, with what it prints masked."""
        from probare.masking.terminal import masked_terminal

        with masked_terminal():
            return super().invoke(ctx)

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002
        formatter: click.HelpFormatter,
    ) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], _COMMANDS, n=1)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            ctx.fail(f"There is no command '{args[0]}'.{hint}")
        return super().resolve_command(ctx, args)


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="probare")
def root() -> None:
    """Probare tests AI agents, grades what they did, and proves what it found."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code (DESIGN section 5)."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(_exit_code(arguments))


def _exit_code(arguments: list[str] | None) -> int:
    try:
        result = root.main(arguments, standalone_mode=False)
    except click.exceptions.Exit as end:
        return end.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return 130
    except Exception as error:
        return _told(error)
    return result if isinstance(result, int) else 0


def _told(error: Exception) -> int:
    """Tell of an error with secrets masked, and return the exit code."""
    from probare.masking.terminal import masked_terminal

    with masked_terminal():
        if isinstance(error, click.ClickException):
            error.show()
            return 2
        return _failure(error)


def _failure(error: Exception) -> int:
    """Tell of an error: the user's without a traceback, a fault of Probare's with it."""
    from probare.errors import HarnessError, InvalidReview, LoadError, ProbareError

    if isinstance(error, BrokenPipeError):
        sys.stderr.close()
        return 2
    if not isinstance(error, ProbareError) or isinstance(error, HarnessError):
        import traceback

        traceback.print_exception(error)
        click.echo("this is a fault of Probare itself; please report it", err=True)
        return 3
    if isinstance(error, LoadError | InvalidReview):
        lines = [str(error)]
    else:
        place = f"{error.place}: " if error.place and str(error.place) else ""
        lines = [f"error: {place}{error.message}"]
        lines += [f"hint: {error.hint}"] if error.hint else []
    click.echo("\n".join(lines), err=True)
    return 2
