"""From a loaded suite and options to what will be run: target, cases, trials, `run.json`."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

import msgspec

from probare.encoding.narrow import mapping
from probare.errors import InputError, did_you_mean
from probare.loading import Loaded
from probare.masking import Masker, Masks, secrets_from_environ, secrets_from_headers
from probare.masking.terminal import keep_off
from probare.model.case import Case
from probare.model.private import private_suite
from probare.model.record import RunPlan
from probare.model.suite import Suite, TargetSpec
from probare.pipeline.options import DEFAULT_CONCURRENCY, RunOptions
from probare.pipeline.selection import select
from probare.ports.catalogue import Catalogue
from probare.ports.target import Target
from probare.running.attempts import PlannedTrial
from probare.stores import layout


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    """A run that is ready to begin. `suite` holds the selected cases only.

    `held` says whether it is held against a baseline; the runs of a proof are not.
    """

    suite: Suite
    spec: TargetSpec
    plan: RunPlan
    folder: Path
    options: RunOptions
    masker: Masker
    suite_file: Path | None
    held: bool = True

    @property
    def masks(self) -> Masks:
        """What masks the records."""
        return masks_of(self.masker, self.suite)

    @property
    def concurrency(self) -> int:
        """How many trials run at once."""
        return self.options.concurrency or self.suite.concurrency or DEFAULT_CONCURRENCY

    def trials(self, done: frozenset[tuple[str, int]] = frozenset()) -> Iterator[PlannedTrial]:
        """Yield the planned trials, case by case, without those already done."""
        for case in self.suite.cases:
            timeout = self.options.timeout or case.timeout or self.suite.timeout
            for number in range(self.plan.cases[case.id]):
                if (case.id, number) not in done:
                    seed = trial_seed(self.plan.seed, case.id, number)
                    yield PlannedTrial(case, number, timeout, seed)


def trial_seed(seed: int, case: str, trial: int) -> int:
    """Return a trial's own seed: the same in every run with the same seed."""
    return int.from_bytes(sha256(f"{seed}/{case}/{trial}".encode()).digest()[:4])


def prepare(
    loaded: Loaded,
    options: RunOptions,
    environ: Mapping[str, str],
    *,
    least_trials: Mapping[str, int] | None = None,
    run_id: str | None = None,
) -> Prepared:
    """Choose target and cases and write down what is planned. Nothing runs yet.

    `least_trials` maps case ids to trials that their checks need. Raises InputError on an
    unknown target or a suite without one, SelectionError where nothing is selected.
    """
    suite = loaded.suite
    spec = choose_target(suite, options.target)
    if spec.isolation is None:
        spec = msgspec.structs.replace(spec, isolation=suite.isolation)
    cases = select(suite.cases, options.select, options.seed)
    planned = planned_trials(suite, cases, options, least_trials or {})
    plan = RunPlan(
        run_id=run_id or layout.new_run_id(suite.name),
        suite=suite.name,
        suite_digest=loaded.digest,
        target=spec.name,
        target_kind=spec.kind,
        trust=spec.trust,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        seed=options.seed,
        cases=planned,
        options=cast("dict[str, Any]", msgspec.to_builtins(options)),
        versions={"probare": version("probare"), "python": platform.python_version()},
        suite_path=str(loaded.path.resolve()) if loaded.path is not None else None,
        git_commit=git_commit(loaded.folder),
        target_settings=shown_settings(spec),
    )
    secrets = suite_secrets(suite)
    planted = (pair for case in cases for pair in case.planted.items())
    keep_off(secrets, planted if suite.privacy.mask else ())
    masker = Masker({**secrets_from_environ(environ), **secrets})
    return Prepared(
        suite=msgspec.structs.replace(suite, cases=cases),
        spec=spec,
        plan=plan,
        folder=loaded.folder,
        options=options,
        masker=masker,
        suite_file=loaded.path,
    )


def choose_target(suite: Suite, name: str | None) -> TargetSpec:
    """Return the target of that name, or the suite's own."""
    wanted = name or suite.target
    if wanted is None:
        raise InputError(
            f"suite '{suite.name}' has no target",
            hint="write `target:` into the suite, or choose one of its targets with --target",
        )
    if wanted not in suite.targets:
        known = ", ".join(suite.targets) or "none"
        hint = did_you_mean(wanted, suite.targets) or f"there are: {known}"
        raise InputError(f"suite '{suite.name}' has no target '{wanted}'", hint=hint)
    spec = suite.targets[wanted]
    if spec.missing:
        names = ", ".join(spec.missing)
        raise InputError(
            f"target '{wanted}' needs variables that are not set: {names}",
            hint="set them, or write them into a .env beside the suite",
        )
    return spec


def planned_trials(
    suite: Suite, cases: Iterable[Case], options: RunOptions, least: Mapping[str, int]
) -> dict[str, int]:
    """Return how many trials each case will have."""
    return {
        case.id: max(options.trials or case.trials or suite.trials, least.get(case.id, 1))
        for case in cases
    }


def least_trials(suite: Suite, catalogue: Catalogue) -> dict[str, int]:
    """Return the cases whose case-wide checks need at least two trials."""
    wide = {name for name, kind in catalogue.graders.items() if kind.SCOPE == "case"}
    if not wide:
        return {}
    return {
        case.id: 2
        for case in suite.cases
        if any(check.grader in wide for check in case.expect + case.forbid)
    }


def build_target(spec: TargetSpec, catalogue: Catalogue) -> Target:
    """Return the target that a checked specification describes."""
    kind = catalogue.targets[spec.kind]
    return kind.build(spec, msgspec.convert(spec.settings, kind.settings))


def masks_of(masker: Masker, suite: Suite) -> Masks:
    """Return what masks a suite's records: its planted identifiers only where it says so."""
    mask = suite.privacy.mask
    return Masks(masker, {case.id: case.planted for case in suite.cases} if mask else None)


def suite_secrets(suite: Suite) -> dict[str, str]:
    """Return the values in any target of a suite that are secrets: those that came from `${NAME}`,
    and those of headers and of the agent's variables whose names say so.
    """
    specs = suite.targets.values()
    found = {name: value for spec in specs for name, value in spec.secrets.items()}
    for spec in specs:
        headers = secrets_from_headers(_texts(spec.settings.get("headers")))
        variables = secrets_from_environ(_texts(spec.settings.get("env")))
        found = {**headers, **variables, **found}
    return found


def recorded_secrets(suite: Suite, environ: Mapping[str, str]) -> dict[str, str]:
    """Return today's values of the variables that the targets of a recorded suite were given."""
    names = {name for spec in suite.targets.values() for name in spec.secrets}
    return {name: environ[name] for name in names if environ.get(name)}


def _texts(value: Any) -> dict[str, str]:
    return {name: text for name, text in mapping(value).items() if isinstance(text, str)}


def for_record(suite: Suite) -> Suite:
    """Return a suite as it may be written down: of secrets their names alone, no Python objects,
    and no planted identifiers where `privacy` says so.
    """
    targets = {
        name: msgspec.structs.replace(
            spec, secrets=dict.fromkeys(spec.secrets, ""), settings=shown_settings(spec)
        )
        for name, spec in suite.targets.items()
    }
    return msgspec.structs.replace(private_suite(suite), targets=targets)


def shown_settings(spec: TargetSpec) -> dict[str, Any]:
    """Return a target's settings with Python objects as their names."""
    return {key: _named(value) for key, value in spec.settings.items()}


def _named(value: Any) -> Any:
    if callable(value):
        module = getattr(value, "__module__", "?")
        return f"{module}:{getattr(value, '__qualname__', type(value).__qualname__)}"
    return value


def git_commit(folder: Path) -> str | None:
    """Return the commit that the suite's folder stands at, or None outside a repository."""
    command = ["git", "-C", str(folder), "rev-parse", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
