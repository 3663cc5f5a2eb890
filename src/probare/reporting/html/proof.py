"""How the run is made again, and how anyone verifies it."""

from __future__ import annotations

from collections.abc import Iterator

from probare.ports.reporter import Material
from probare.reporting.html.markup import Ink, section
from probare.reporting.reproduce import command


def proof_section(material: Material, ink: Ink) -> str:
    """Return how to verify the run, and how to make it again."""
    return section("verify", "How to verify this run", _body(material, ink))


def _body(material: Material, ink: Ink) -> Iterator[str]:
    plan = material.plan
    yield (
        "<p>This page is a rendering; the evidence is the run directory it stands in. With that "
        "directory, and no network:</p>\n"
        f"<pre><code>probare verify {ink.text(plan.run_id)} --key PUBLIC_KEY</code></pre>\n"
        '<ul class="plain">'
        "<li>It reads every file and recomputes digests, Merkle roots, statuses, scores and the "
        "decision from the stored bytes, and names what is missing, changed or reordered.</li>"
        "<li>With the signer’s public key it shows that the holder of that key signed exactly "
        "these files. Without a key it shows only that the files agree with each other.</li>"
        "<li>It does not show that the agent was the right one, that the cases are good, or that "
        "no other run was thrown away.</li></ul>\n"
    )
    line = command(plan)
    yield "<h3>How to make it again</h3>\n"
    if line is None:
        yield "<p>This run was started from Python.</p>\n"
    else:
        yield f"<pre><code>{ink.text(line)}</code></pre>\n"
    rows = [
        ("suite digest", plan.suite_digest),
        ("seed", str(plan.seed)),
        ("git commit", plan.git_commit or "–"),
        ("versions", ", ".join(f"{name} {version}" for name, version in plan.versions.items())),
    ]
    if plan.plan is not None:
        rows.append(("held to the sealed plan", plan.plan))
    if plan.parent is not None:
        rows.append(("made from", f"{plan.parent} ({plan.parent_reason or 'unknown'})"))
    yield '<dl class="facts wide">'
    for name, value in rows:
        yield f"<div><dt>{name}</dt><dd>{ink.text(value)}</dd></div>"
    yield "</dl>\n"
