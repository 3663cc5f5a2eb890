"""`probare keygen`, `seal`, `verify`, `excerpt`, `plan`: evidence that others can check."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import click
import msgspec

from probare.cli.examinations import rendered, rendered_chain
from probare.cli.keys import KEY, PASSPHRASE, signing_key
from probare.cli.options import RUN, SUITE, write_out
from probare.encoding import jsonbytes
from probare.errors import InputError
from probare.evidence import timestamps
from probare.evidence.examination import Examination, Finding
from probare.evidence.excerpts import make_excerpt
from probare.evidence.keys import generate, load_public
from probare.evidence.names import PLAN
from probare.pipeline.catalogue import BuiltCatalogue
from probare.pipeline.options import RunOptions
from probare.pipeline.preregistering import preregister
from probare.pipeline.runs import opened
from probare.pipeline.sealing import seal_run
from probare.pipeline.verifying import verify, verify_chain
from probare.stores.reader import RunReader

NEW_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("keygen", short_help="Make a key pair for signing runs.")
@click.option("--out", type=NEW_FILE, default="probare.key", show_default=True, help="Private key.")
@click.option("--public", type=NEW_FILE, help="Public key  [default: as --out, ending in .pub].")
@click.option("--passphrase", is_flag=True, help=f"Protect it: {PASSPHRASE}, or asked for.")
def keygen_command(out: Path, public: Path | None, passphrase: bool) -> int:
    """Make an ECDSA P-256 key pair: the private key (mode 0600) and its public half.

    Keep the private key away from run directories; give the public key to whoever verifies.
    """
    where = public if public is not None else out.with_suffix(".pub")
    secret = None
    if passphrase:
        secret = os.environ.get(PASSPHRASE) or click.prompt(
            "Passphrase", hide_input=True, confirmation_prompt=True, err=True
        )
    made = generate(out, where, secret)
    click.echo(f"private key: {out}\npublic key:  {where}\nkey id:      {made.key_id}")
    return 0


@click.command("seal", short_help="Seal a finished run, or sign a sealed one.")
@click.argument("run", type=RUN)
@click.option("--key", type=KEY, help="Sign with this private key.")
def seal_command(run: Path, key: Path | None) -> int:
    """Seal RUN if it is not sealed, and sign it with --key. No sealed byte changes."""
    sealed = seal_run(run, key=signing_key(key))
    signed = f"signed by {sealed.key_id}" if sealed.key_id else "not signed"
    click.echo(f"{run}: sealed, {signed}\nmanifest sha256 {sealed.manifest_sha256}")
    return 0


@click.command("verify", short_help="Check a sealed run or an excerpt, offline.")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--key", type=KEY, help="The public key that must have signed it.")
@click.option("--chain", is_flag=True, help="Check the runs that it was made from, too.")
@click.option("--search", type=RUN, multiple=True, metavar="DIR", help="With --chain: look here.")
@click.option("--timestamp", type=KEY, help="An RFC 3161 response over the run's plan.")
@click.option("--tsa-root", type=KEY, help="The time-stamping authority's root certificate.")
@click.option("--json", "as_json", is_flag=True, help="What was found, as JSON.")
def verify_command(
    run: Path,
    key: Path | None,
    chain: bool,
    search: tuple[Path, ...],
    timestamp: Path | None,
    tsa_root: Path | None,
    as_json: bool,
) -> int:
    """Check every file, digest, line, count, root and signature of RUN (a run directory or an
    excerpt), and recount statuses, summary and decision. Needs no network and runs no code of
    the suite.

    Exit code: 0 intact, 1 not, 2 bad input.
    """
    public = None if key is None else load_public(key)
    found = verify(run, public)
    if timestamp is not None or tsa_root is not None:
        found = _with_timestamp(found, run, timestamp, tsa_root)
    links = verify_chain(run, public, search) if chain else ()
    whole = found.intact and all(link.intact for link in links)
    if as_json:
        shown: dict[str, Any] = {"intact": whole, **msgspec.to_builtins(found)}
        if chain:
            shown["chain"] = [
                {"run_id": link.run_id, "problem": link.problem, "intact": link.intact}
                for link in links
            ]
        click.echo(jsonbytes.encode(shown).decode())
    else:
        click.echo(rendered(found, str(run)))
        if chain:
            click.echo(rendered_chain(links))
    return 0 if whole else 1


def _with_timestamp(
    found: Examination, run: Path, response: Path | None, root: Path | None
) -> Examination:
    if response is None or root is None:
        raise InputError("--timestamp and --tsa-root go together")
    plan = run / PLAN
    if not plan.is_file():
        raise InputError(f"{run} has no plan that could have a time stamp")
    stamp = timestamps.check_response(plan, response.read_bytes(), root.read_bytes())
    began = RunReader(run).plan.created
    when = stamp.time.isoformat(timespec="seconds")
    if stamp.time.isoformat() > began:
        what = f"was seen at {when} by {stamp.authority}, after the run began ({began})"
        return found.plus(findings=[Finding(PLAN, what)])
    return found.plus(
        checked=[f"{stamp.authority} saw the plan at {when}; the run says it began at {began}"]
    )


@click.command("excerpt", short_help="Cut out the proof of one case.")
@click.argument("run", type=RUN)
@click.option("--case", "case", required=True, help="The case's id.")
@click.option("--trial", type=click.IntRange(0), help="One of its trials  [default: all].")
@click.option("--out", type=NEW_FILE, help="Where to write it  [default: CASE.excerpt.json].")
def excerpt_command(run: Path, case: str, trial: int | None, out: Path | None) -> int:
    """Write a small file with the lines of one case of RUN and the proof that they belong to the
    sealed run; `probare verify FILE` accepts it alone. It discloses no other case.
    """
    data = make_excerpt(run, case, trial)
    if out is None:
        out = Path(f"{re.sub('[^A-Za-z0-9._-]+', '-', case).strip('-.') or 'case'}.excerpt.json")
    write_out(out, data)
    return 0


@click.command("plan", short_help="Seal, before the run, what will count.")
@click.argument("suite", type=SUITE)
@click.option("--key", type=KEY, required=True, help="Sign with this private key.")
@click.option("--out", type=NEW_FILE, default=PLAN, show_default=True, help="The plan's file.")
@click.option("--target", help="The target of the runs under this plan.")
@click.option("--trials", type=click.IntRange(1), help="Trials of each case.")
@click.option("--baseline", type=KEY, help="The baseline that runs will be held against.")
@click.option("--tsq", type=NEW_FILE, help="Also write an RFC 3161 request for a time stamp.")
def plan_command(
    suite: Path,
    key: Path,
    out: Path,
    target: str | None,
    trials: int | None,
    baseline: Path | None,
    tsq: Path | None,
) -> int:
    """Seal what will count in runs of SUITE: cases, checks, graders' versions, trials, gate,
    thresholds, baseline. `probare run SUITE --plan FILE` refuses a suite that differs.

    It shows that one key signed plan and run and that they agree. That the plan came first needs
    an outside witness: publish its digest, or have it time-stamped (--tsq). Runs that were thrown
    away cannot be excluded.
    """
    signer = signing_key(key)
    assert signer is not None
    options = RunOptions(
        target=target, trials=trials, baseline=None if baseline is None else str(baseline)
    )
    catalogue = BuiltCatalogue()
    with opened(suite, catalogue) as (loaded, _):
        sha256 = preregister(loaded, options, catalogue, out, signer)
    click.echo(f"{out}: sealed by {signer.public.key_id}\nsha256 {sha256}")
    if tsq is not None:
        tsq.write_bytes(timestamps.make_request(out))
        click.echo(f"{tsq}: send it to a time-stamping authority, keep its answer beside the plan")
    return 0
