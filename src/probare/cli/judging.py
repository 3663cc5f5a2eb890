"""`probare judge check`: a judge against people."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec

from probare.cli.options import RUN, SUITE, judge_options
from probare.encoding import jsonbytes
from probare.errors import InputError
from probare.loading.labelled import Labelled, check_of, is_suite, read_labelled
from probare.model.labelled import Example
from probare.model.suite import JudgeSettings
from probare.pipeline.catalogue import BuiltCatalogue
from probare.pipeline.dotenv import filled_environ
from probare.pipeline.judge_checks import (
    check_judge,
    chosen_use,
    is_judge,
    judge_uses,
    rate_of_run,
)
from probare.pipeline.judge_labels import JudgeUse, PassFrom
from probare.pipeline.judge_reviews import reviewed_examples
from probare.pipeline.models import models_for
from probare.pipeline.runs import opened
from probare.ports.grader import GradingSettings
from probare.reporting.judgechecks import rendered_judge_check
from probare.scoring.judgechecks import Minimums
from probare.stores.reader import RunReader

_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_SHARE = click.FloatRange(0, 1)
_RATE = re.compile(r"([0-9]+)/([0-9]+)\Z")


@click.group("judge", short_help="Check a judge against people.")
def judge_command() -> None:
    """Models that judge, and whether people can trust them."""


@judge_command.command("check")
@click.argument("source", type=SUITE, metavar="SUITE|FILE")
@click.option("--examples", type=_FILE, help="Labelled examples for SUITE's check.")
@click.option("--reviews", type=_FILE, help="People's scores of --run, as CSV or JSON.")
@click.option("--run", "run", type=RUN, metavar="RUN", help="The run that people scored.")
@click.option("--check", "label", metavar="LABEL", help="Which of SUITE's checks.")
@click.option("--rubric", metavar="TEXT|FILE", help="Judge by this rubric.")
@click.option("--dimension", help="With --reviews: the dimension that says pass or fail.")
@click.option("--pass-from", type=int, help="With --dimension: the level that passes.")
@judge_options
@click.option("--votes", type=click.IntRange(1, 25), help="How often each model is asked.")
@click.option("--rate", metavar="K/N", help="Correct this pass rate of the judge.")
@click.option("--min-kappa", "kappa", type=click.FloatRange(-1, 1), help="Exit 1 below it.")
@click.option("--min-sensitivity", "sensitivity", type=_SHARE, help="Exit 1 below it.")
@click.option("--min-specificity", "specificity", type=_SHARE, help="Exit 1 below it.")
@click.option("--concurrency", type=click.IntRange(1), default=8, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The result as JSON, in one line.")
def check_command(
    source: Path,
    judge_model: tuple[str, ...],
    votes: int | None,
    concurrency: int,
    cache: str | None,
    as_json: bool,
    **asked: Any,
) -> int:
    """Ask a judge about examples that people labelled, and compare.

    SUITE has the check; its examples are those of --examples, of `judge: {examples: FILE}`, or of
    --reviews with --run. FILE holds examples (YAML, JSON, JSON Lines) and names the check, or
    --rubric does.

    Prints the table of confusion, κ, sensitivity and specificity with their intervals, the
    corrected pass rate and the disagreements to read. Exit code: 0; 1 below a minimum; 2 bad
    input, nobody was asked; 3 incomplete: answers that could not be had.
    """
    catalogue = BuiltCatalogue()
    if not source.exists():
        raise InputError(f"there is no suite and no file '{source}'")
    folder = source if source.is_dir() else source.parent
    with filled_environ(folder):
        use, examples, settings = _work(source, asked, catalogue, folder)
        judge = settings.judge or JudgeSettings()
        judge = msgspec.structs.replace(
            judge, override=judge_model or judge.override, votes=votes or judge.votes
        )
        if votes is not None:
            kept = {key: value for key, value in use.check.args.items() if key != "votes"}
            check = msgspec.structs.replace(use.check, args={**kept, "votes": votes})
            use = JudgeUse(check, use.in_list)
        with models_for(cache, _warn) as chat:
            found = check_judge(
                use,
                examples,
                catalogue.graders,
                msgspec.structs.replace(settings, judge=judge, chat=chat),
                minimums=Minimums(
                    kappa=asked["kappa"],
                    sensitivity=asked["sensitivity"],
                    specificity=asked["specificity"],
                ),
                pass_from=_pass_from(asked),
                rate=_rate(asked, use),
                concurrency=concurrency,
                told=_counter(len(examples)),
            )
    click.echo(jsonbytes.encode(found).decode() if as_json else rendered_judge_check(found))
    return found.exit_code


def _work(
    source: Path, asked: dict[str, Any], catalogue: BuiltCatalogue, folder: Path
) -> tuple[JudgeUse, tuple[Example, ...], GradingSettings]:
    """Return the check, the examples and how to grade."""
    graders = catalogue.graders
    if not is_suite(source):
        read = read_labelled(source, graders)
        use = _named_use(asked, read, catalogue)
        return use, _examples(asked, read.examples, catalogue), GradingSettings(folder=folder)
    with opened(source, catalogue) as (loaded, _):
        suite = loaded.suite
    if asked["rubric"] is not None:
        use = _named_use(asked, Labelled(()), catalogue)
    else:
        use = chosen_use(judge_uses(suite, graders), asked["label"])
    kept = suite.judge.examples if suite.judge is not None else None
    own: tuple[Example, ...] = ()
    if kept is not None and asked["examples"] is None and asked["reviews"] is None:
        own = read_labelled(loaded.folder / kept, graders).examples
    settings = GradingSettings(
        folder=loaded.folder,
        equivalent_languages=suite.equivalent_languages,
        language_detector=suite.language_detector,
        judge=suite.judge,
    )
    return use, _examples(asked, own, catalogue), settings


def _named_use(asked: dict[str, Any], read: Labelled, catalogue: BuiltCatalogue) -> JudgeUse:
    """Return the check of --rubric, or of the file of examples."""
    if asked["rubric"] is not None:
        dimensions = asked["rubric"].endswith((".yaml", ".yml", ".json"))
        written = {"judge_rubric" if dimensions else "judge": asked["rubric"]}
        return JudgeUse(check_of(written, catalogue.graders, Path()))
    if read.check is None:
        raise InputError(
            "no check is named that asks a judge",
            hint="write `check:` into the file of examples, or give --rubric",
        )
    if not is_judge(read.check, catalogue.graders):
        raise InputError(f"{read.check.grader} asks no judge")
    return JudgeUse(read.check)


def _examples(
    asked: dict[str, Any], own: tuple[Example, ...], catalogue: BuiltCatalogue
) -> tuple[Example, ...]:
    """Return the examples of --examples, of --reviews, or those at hand."""
    if asked["examples"] is not None and asked["reviews"] is not None:
        raise InputError("--examples and --reviews do not go together")
    if asked["reviews"] is not None:
        if asked["run"] is None:
            raise InputError("--reviews needs the run that was reviewed", hint="--run RUN")
        return reviewed_examples(asked["reviews"], asked["run"])
    if asked["examples"] is not None:
        return read_labelled(asked["examples"], catalogue.graders).examples
    if not own:
        raise InputError(
            "there are no labelled examples",
            hint="--examples FILE, judge: {examples: FILE}, or --reviews FILE --run RUN",
        )
    return own


def _pass_from(asked: dict[str, Any]) -> PassFrom | None:
    name, level = asked["dimension"], asked["pass_from"]
    if (name is None) != (level is None):
        raise InputError("--dimension and --pass-from go together")
    return None if name is None else PassFrom(name, level)


def _rate(asked: dict[str, Any], use: JudgeUse) -> tuple[int, int] | None:
    if asked["rate"] is None:
        if asked["run"] is None or asked["reviews"] is not None:
            return None
        return rate_of_run(RunReader(asked["run"]), use.label)
    match = _RATE.match(asked["rate"])
    if match is None or int(match[2]) == 0 or int(match[1]) > int(match[2]):
        raise InputError(f"--rate is K/N, such as 412/500, not '{asked['rate']}'")
    return int(match[1]), int(match[2])


def _warn(message: str) -> None:
    click.echo(f"warning: {message}", err=True)


def _counter(total: int) -> Callable[[int], None]:
    """Return what tells how far it is: on a terminal each, elsewhere about every tenth."""
    live = sys.stderr.isatty()
    step = 1 if live else max(1, total // 10)

    def told(done: int) -> None:
        if done % step == 0 or done == total:
            end = not live or done == total
            click.echo(
                f"\rasked {done}/{total}" if live else f"asked {done}/{total}", err=True, nl=end
            )

    return told
