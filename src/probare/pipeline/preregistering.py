"""Pre-registration: what will count is sealed before the run, and the run is held to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from probare.encoding import digest, jsonbytes
from probare.encoding.narrow import mapping
from probare.errors import InputError, RunDirectoryError
from probare.evidence.examination import Finding
from probare.evidence.keys import PublicKey, SigningKey
from probare.evidence.names import PLAN
from probare.evidence.plans import PlanFacts, SealedPlan, read_plan, write_plan
from probare.grading.ready import COMBINATORS, label_of
from probare.loading import Loaded
from probare.model.case import Case, Check, content_digest
from probare.model.private import private_suite
from probare.model.score import Baseline
from probare.model.suite import Gate
from probare.pipeline import baselinefile
from probare.pipeline.options import RunOptions, Selection
from probare.pipeline.preparing import choose_target, least_trials, planned_trials
from probare.ports.catalogue import Catalogue
from probare.stores.reader import RunReader

_MASKED = b"[secret:"


def preregister(
    loaded: Loaded, options: RunOptions, catalogue: Catalogue, out: Path, key: SigningKey
) -> str:
    """Seal what will count in a run of this suite with these options; return the plan's SHA-256.

    A plan is of all cases: raises InputError where the options select some.
    """
    return write_plan(out, facts_of(loaded, options, catalogue), key)


def facts_of(loaded: Loaded, options: RunOptions, catalogue: Catalogue) -> PlanFacts:
    """Return what will count: suite, cases, checks, graders' versions, trials, gate, baseline.

    Of a suite that masks what is planted, the digests are those of the masked cases.
    """
    if options.select != Selection():
        raise InputError(
            "a plan is of all cases of a suite; a selection does not go with it",
            hint="leave out --case, --tag, --limit and the like",
        )
    suite = private_suite(loaded.suite)
    baseline = baselinefile.chosen(
        Path(options.baseline) if options.baseline is not None else None, loaded.path
    )
    return PlanFacts(
        suite=suite.name,
        suite_digest=loaded.digest,
        target=choose_target(suite, options.target).name,
        cases={case.id: content_digest(case) for case in suite.cases},
        checks={case.id: _checks_digest(case) for case in suite.cases},
        graders=_versions(suite.cases, catalogue),
        trials=planned_trials(suite, suite.cases, options, least_trials(suite, catalogue)),
        gate=_gate(suite.gate, baseline),
        thresholds=_thresholds(suite.cases),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        probare=version("probare"),
    )


def hold_to(
    plan: Path,
    loaded: Loaded,
    options: RunOptions,
    catalogue: Catalogue,
    public: PublicKey | None,
) -> SealedPlan:
    """Return the sealed plan. Raises InputError where suite or options differ from it, all said."""
    sealed = read_plan(plan, public)
    now = facts_of(loaded, options, catalogue)
    found = list(_differences(sealed.facts, now))
    if found:
        raise InputError(
            f"the suite is not what {plan} says will count: {'; '.join(found)}",
            hint="put it back as it was, or seal a new plan before the run",
        )
    return sealed


def lay_in(plan: Path, folder: Path) -> None:
    """Put a sealed plan's bytes into a run directory, to be sealed with it."""
    try:
        (folder / PLAN).write_bytes(plan.read_bytes())
    except OSError as error:
        raise RunDirectoryError(f"{plan} cannot be copied: {error.strerror}") from error


def kept(reader: RunReader, public: PublicKey | None) -> tuple[list[Finding], list[str], list[str]]:
    """Say whether a run kept to the plan that lies in it: faults, what was held against the plan,
    and what could not be.
    """
    sealed = read_plan(reader.folder / PLAN, public)
    facts, plan, suite = sealed.facts, reader.plan, reader.suite()
    told = [
        ("suite", facts.suite, plan.suite),
        ("suite digest", facts.suite_digest, plan.suite_digest),
        ("target", facts.target, plan.target),
        ("trials", facts.trials, plan.cases),
        ("gate and baseline", facts.gate, _gate(suite.gate, reader.basis.baseline)),
        ("thresholds", facts.thresholds, _thresholds(suite.cases)),
    ]
    faults = [
        Finding(PLAN, f"the run did not keep to the plan: its {name} differs")
        for name, planned, run in told
        if planned != run
    ]
    masked = 0
    for case in suite.cases:
        if _MASKED in jsonbytes.encode(case):
            masked += 1
        elif facts.cases.get(case.id) != content_digest(case):
            faults.append(Finding(PLAN, f"case {case.id} is not the case of the plan"))
    faults += [
        Finding(PLAN, f"{name} judged in version {used}; the plan says {facts.graders.get(name)}")
        for name, used in sorted(_used(reader))
        if facts.graders.get(name) != used
    ]
    unchecked = [f"{masked} cases against the plan: they are stored masked"] if masked else []
    if not sealed.checked:
        unchecked.append("the plan's signature")
    words = f"the run kept to the plan {sealed.sha256[:16]}…, which says what will count"
    return faults, [] if faults else [words], unchecked


def _differences(planned: PlanFacts, now: PlanFacts) -> Iterator[str]:
    for name in ("suite", "target", "gate", "thresholds", "graders"):
        before, after = getattr(planned, name), getattr(now, name)
        if before != after:
            yield f"{name} differs{_where(before, after)}"
    for name, what in (("cases", "asks another thing"), ("trials", "has other trials")):
        before, after = getattr(planned, name), getattr(now, name)
        yield from _by_case(before, after, what)
    if planned.suite_digest != now.suite_digest:
        yield "the suite's digest differs"


def _by_case(before: Mapping[str, Any], after: Mapping[str, Any], what: str) -> Iterator[str]:
    changed = [name for name in before if name in after and before[name] != after[name]]
    for names, words in (
        (changed, what),
        ([name for name in before if name not in after], "is gone"),
        ([name for name in after if name not in before], "was added"),
    ):
        if names:
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            yield f"case {', '.join(names[:3])}{more} {words}"


def _where(before: Any, after: Any) -> str:
    if not isinstance(before, dict) or not isinstance(after, dict):
        return f" ({before!r} in the plan, {after!r} now)"
    first, second = mapping(before), mapping(after)
    keys = [key for key in {**first, **second} if first.get(key) != second.get(key)]
    shown = [f"{key} {first.get(key)!r} in the plan, {second.get(key)!r} now" for key in keys[:3]]
    return f" ({'; '.join(shown)})"


def _checks_digest(case: Case) -> str:
    return digest.of_value([case.expect, case.forbid])


def _versions(cases: tuple[Case, ...], catalogue: Catalogue) -> dict[str, str]:
    names = {check.grader for check in _all(cases)} - set(COMBINATORS)
    return {name: catalogue.graders[name].VERSION for name in sorted(names)}


def _used(reader: RunReader) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for record in (*reader.records(), *reader.case_records()):
        found |= {(verdict.grader, verdict.grader_version) for verdict in record.verdicts}
    return {pair for pair in found if pair[0] not in COMBINATORS}


def _all(cases: tuple[Case, ...]) -> Iterator[Check]:
    for case in cases:
        yield from _inside(case.expect + case.forbid)


def _inside(checks: tuple[Check, ...]) -> Iterator[Check]:
    for check in checks:
        yield check
        yield from _inside(check.checks)


def _thresholds(cases: tuple[Case, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for case in cases:
        own = {
            label_of(check): check.threshold
            for check in _inside(case.expect + case.forbid)
            if check.threshold is not None
        }
        if own:
            found[case.id] = own
    return found


def _gate(gate: Gate, baseline: Baseline | None) -> dict[str, Any]:
    rule: dict[str, Any] = msgspec.to_builtins(gate)
    rule["baseline"] = None if baseline is None else digest.of_value(baseline)
    return msgspec.json.decode(msgspec.json.encode(rule))
