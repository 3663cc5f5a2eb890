"""How many suspected identifiers are found: recall by type, precision, milliseconds a text.

    python benchmarks/suspected_phi.py [--model PACKAGE]

An identifier is found where findings of its type cover at least 60 % of it; `any` counts those of
another type too. A finding is right where it touches a marked identifier. The sentences are those
of the tests: `vectors` (given), `own` (written before the first measurement, then tuned on),
`later` (written afterwards, never tuned on) and `hard` (nothing but the words tells what they are).
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from probare.graders.phi_recognisers import TYPES
from probare.graders.phi_recognisers.presidio import analyse

DATA = Path(__file__).parent.parent / "tests" / "unit" / "graders"
MARK = re.compile(r"\[([A-Z_]+)\|([^\]]+)\]")
SETS = ("vectors", "own", "later", "hard")
REPEATS = 5


class Marked(NamedTuple):
    """A sentence, and what in it is an identifier: type, start, end."""

    text: str
    spans: list[tuple[str, int, int]]


def unmarked(written: str) -> Marked:
    """Return a sentence without its marks."""
    text, spans, at = "", [], 0
    for mark in MARK.finditer(written):
        text += written[at : mark.start()]
        spans.append((mark[1], len(text), len(text) + len(mark[2])))
        text += mark[2]
        at = mark.end()
    return Marked(text + written[at:], spans)


def sentences() -> tuple[dict[str, list[Marked]], list[str]]:
    """Return the marked sentences by set, and the clean ones."""
    given: Any = json.loads((DATA / "phi_vectors.json").read_text("utf-8"))
    own: Any = json.loads((DATA / "phi_own.json").read_text("utf-8"))
    vectors = [
        Marked(item["text"], [(s["type"], s["start"], s["end"]) for s in item["spans"]])
        for item in given["phi"]
    ]
    lists = {"own": "phi", "later": "later", "hard": "hard"}
    ours = {name: [unmarked(text) for text in own[key]] for name, key in lists.items()}
    return {"vectors": vectors, **ours}, [*given["clean"], *own["clean"]]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", help="an installed spaCy package")
    model = parser.parse_args().model
    began = time.perf_counter()
    analyse("Warm up.", model)
    start = time.perf_counter() - began
    marked, clean = sentences()
    of: Counter[tuple[str, str]] = Counter()
    found: Counter[tuple[str, str]] = Counter()
    untyped: Counter[str] = Counter()
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for name, items in marked.items():
        for text, spans in items:
            findings = analyse(text, model)
            for kind, first, last in spans:
                covering = {
                    f.type
                    for f in findings
                    if min(f.end, last) - max(f.start, first) >= 0.6 * (last - first)
                }
                of[name, kind] += 1
                found[name, kind] += kind in covering
                untyped[name] += bool(covering)
            for f in findings:
                touches = any(f.start < last and first < f.end for _, first, last in spans)
                (right if touches else wrong)[name] += 1
    on_clean = sum(len(analyse(text, model)) for text in clean)

    print(f"Recall, found / marked{f' (with {model})' if model else ''}\n")
    print(f"{'type':12}" + "".join(f"{name:>10}" for name in SETS))
    for kind in TYPES:
        cells = [f"{found[n, kind]}/{of[n, kind]}" if of[n, kind] else "-" for n in SETS]
        print(f"{kind:12}" + "".join(f"{cell:>10}" for cell in cells))
    totals = {n: sum(of[n, kind] for kind in TYPES) for n in SETS}
    hits = {n: sum(found[n, kind] for kind in TYPES) for n in SETS}
    print(f"{'all':12}" + "".join(f"{f'{hits[n]}/{totals[n]}':>10}" for n in SETS))
    print(f"{'any type':12}" + "".join(f"{f'{untyped[n]}/{totals[n]}':>10}" for n in SETS))
    shares = [f"{right[n]}/{right[n] + wrong[n]}" for n in SETS]
    print(f"{'precision':12}" + "".join(f"{share:>10}" for share in shares))
    every = sum(right.values())
    print(
        f"\n{on_clean} findings in {len(clean)} clean sentences; "
        f"precision over all {every}/{every + sum(wrong.values()) + on_clean}"
    )
    texts = [item.text for items in marked.values() for item in items] + clean
    times: list[float] = []
    for _ in range(REPEATS):
        for text in texts:
            began = time.perf_counter()
            analyse(text, model)
            times.append(1000 * (time.perf_counter() - began))
    words = statistics.mean(len(text.split()) for text in texts)
    long = " ".join(texts)
    began = time.perf_counter()
    analyse(long, model)
    took = 1000 * (time.perf_counter() - began)
    print(
        f"{statistics.median(times):.1f} ms a sentence of {words:.0f} words (median), "
        f"{took:.0f} ms a text of {len(long.split())} words; engine built once in {start:.1f} s"
    )


if __name__ == "__main__":
    main()
