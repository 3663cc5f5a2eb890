"""The parts of the page that its script fills: cases, filters, keys. No data stands in them."""

from __future__ import annotations

from probare.model.score import Summary

_FILTERS = (("status", "Status"), ("tag", "Tag"), ("category", "Category"), ("split", "Split"))
_KEYS = (
    ("/", "search"),
    ("j, ↓", "next case"),
    ("k, ↑", "previous case"),
    ("Enter", "read the case"),
    ("[, ]", "previous and next trial"),
    ("Esc", "back to the list; in the search: clear it"),
    ("?", "this help"),
)


def top_bar(summary: Summary) -> str:
    """Return the bar that stays in sight: where one can go, and the colours."""
    links = [("decision", "Decision"), ("scores", "Scores")]
    if summary.scores.compliance.carried_over.value is not None:
        links.append(("splits", "Splits"))
    if summary.by_tag:
        links.append(("tags", "Tags"))
    elif summary.by_category:
        links.append(("categories", "Categories"))
    links += [("baseline", "Baseline"), ("cases", "Cases"), ("verify", "Verify")]
    listed = "".join(f'<li><a href="#{at}">{words}</a></li>' for at, words in links)
    return (
        '<a class="skip" href="#cases">Skip to the cases</a>\n'
        '<header class="top"><span class="brand">Probare</span>'
        f'<nav aria-label="Sections"><ul>{listed}</ul></nav>'
        '<button type="button" id="theme" hidden>Dark</button></header>\n'
    )


def explorer_section() -> str:
    """Return the search, the filters, the list and the place where a case is read."""
    filters = "".join(
        f'<label>{words}<select id="f-{name}"><option value="">all</option></select></label>'
        for name, words in _FILTERS
    )
    return (
        '<section id="cases" aria-labelledby="h-cases">\n<h2 id="h-cases">Cases</h2>\n'
        "<noscript><p>The list of cases needs JavaScript, which is off here. "
        "<code>report.md</code> in the run directory tells the same without it.</p></noscript>\n"
        '<div id="left-out" class="loud" hidden></div>\n'
        '<form id="filters" role="search" hidden>'
        '<label class="wide">Search<input type="search" id="q" autocomplete="off" '
        'spellcheck="false" placeholder="case, reason, tag, description"></label>'
        f"{filters}"
        '<label>Order<select id="order">'
        '<option value="worst">worst first</option><option value="suite">as in the suite</option>'
        '<option value="slow">slowest first</option><option value="name">by name</option>'
        "</select></label>"
        '<button type="button" id="clear">Clear</button>'
        '<button type="button" id="keys">Keys</button></form>\n'
        '<p id="count" class="aside" role="status" aria-live="polite"></p>\n'
        '<div id="explorer" hidden>'
        '<div id="list" role="grid" aria-label="Cases" tabindex="0" aria-colcount="5">'
        '<div class="row heads" role="row" aria-rowindex="1">'
        '<span role="columnheader">status</span><span role="columnheader">case</span>'
        '<span role="columnheader">trials</span>'
        '<span role="columnheader" class="n">accuracy</span>'
        '<span role="columnheader" class="n">time</span></div>'
        '<div id="rows" role="rowgroup"></div></div>'
        '<article id="detail" tabindex="-1" aria-label="The chosen case"></article></div>\n'
        '<div id="print-cases"></div>\n</section>\n'
    )


def help_dialog() -> str:
    """Return the page of keys."""
    rows = "".join(f"<div><dt><kbd>{keys}</kbd></dt><dd>{what}</dd></div>" for keys, what in _KEYS)
    return (
        '<dialog id="help" aria-labelledby="h-help"><h2 id="h-help">Keys</h2>'
        f'<dl class="keys">{rows}</dl>'
        '<form method="dialog"><button>Close</button></form></dialog>\n'
    )


def footer() -> str:
    """Return the foot of the page."""
    return (
        "<footer><p>Made by Probare. This file holds all it shows and asks the network for "
        "nothing. Charts: D3, © Mike Bostock, ISC licence.</p></footer>\n"
    )
