"""LaTeX to lines: what a reader of the printed page sees, with its structure and no more.

pylatexenc parses and turns accents, macros and maths into text. Where the structure matters
(sections, headings, bullets, columns, line ends), its text carries a control character, at
which the text is then cut into lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pylatexenc.latex2text import (
    EnvironmentTextSpec,
    LatexNodes2Text,
    MacroTextSpec,
    SpecialsTextSpec,
)
from pylatexenc.latex2text import (
    get_default_latex_context_db as default_texts,
)
from pylatexenc.latexwalker import (
    LatexWalker,
    LatexWalkerParseError,
)
from pylatexenc.latexwalker import (
    get_default_latex_context_db as default_syntax,
)
from pylatexenc.macrospec import EnvironmentSpec, MacroSpec

Kind: TypeAlias = Literal["section", "heading", "bullet", "line"]

SECTION, HEADING, BULLET, BREAK, END, COLUMN, URL, URL_END, LINK_END = (
    "\x01\x02\x03\x04\x05\x06\x07\x08\x0e"
)

_KINDS: dict[str, Kind] = {SECTION: "section", HEADING: "heading", BULLET: "bullet"}
_MARKS = re.compile(f"([{SECTION}{HEADING}{BULLET}{BREAK}{END}])")
_LINK = re.compile(f"{URL}([^{URL_END}]*){URL_END}([^{LINK_END}]*){LINK_END}")
_BLANK_LINE = re.compile(r"\n[ \t]*(?=\n)")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_ADDRESS_IN_SOURCE = re.compile(r"\\(?:href|url)\s*\{[^{}]*\}")

_UNCOMMENTED = r"(?m)^(?:[^%\\\n]|\\.)*?"
_BEGIN = re.compile(_UNCOMMENTED + r"\\begin\{document\}")
_END_OF_BODY = re.compile(r"\\end\{document\}")

_HEADINGS = {"resumeSubheading": 4, "resumeProjectHeading": 2, "resumeSubSubheading": 2}
_INVISIBLE = {
    "vspace": "*{",
    "hspace": "*{",
    "setlength": "{{",
    "addtolength": "{{",
    "fontsize": "{{",
    "color": "{",
    "pagestyle": "{",
    "thispagestyle": "{",
    "faIcon": "[{",
    "input": "{",
    "label": "{",
}
_NAMES = {"LaTeX": "LaTeX", "TeX": "TeX", "euro": "€"}
_LISTS = ("itemize", "enumerate", "description")
_TABLES = {"tabular": "[{", "tabular*": "{[{", "tabularx": "{[{"}


class LatexError(ValueError):
    """The source is not well-formed; the message says at which line and column."""


@dataclass(frozen=True, slots=True)
class Link:
    """An address, and the words that are printed for it."""

    address: str
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """One line, bullet, heading or section title: its columns, and the links in it.

    A line that is broken inside a bullet stays that bullet; what follows is another column.
    """

    kind: Kind
    columns: tuple[str, ...]
    links: tuple[Link, ...] = ()

    @property
    def text(self) -> str:
        """The line as one text."""
        return " ".join(column for column in self.columns if column)


def read(source: str) -> tuple[Line, ...]:
    """Return the lines of a LaTeX document's body, or of a fragment without one.

    Raises LatexError where braces, environments or maths are not closed.
    """
    source = _CONTROL.sub("", source.replace("\r\n", "\n"))
    source = _ADDRESS_IN_SOURCE.sub(_percent_escaped, _body(source))
    source = _BLANK_LINE.sub(r"\n\\par", source)
    walker = LatexWalker(source, latex_context=_SYNTAX, tolerant_parsing=False)
    try:
        nodes, _, _ = walker.get_latex_nodes()
    except LatexWalkerParseError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise LatexError(f"the LaTeX cannot be read at {place}: {error.msg}") from None
    text: str = _TEXTS.nodelist_to_text(nodes)
    return tuple(_lines(text))


def _percent_escaped(address: re.Match[str]) -> str:
    """In an address a percent sign is itself, not the begin of a comment."""
    return re.sub(r"(?<!\\)%", r"\\%", address[0])


def _body(source: str) -> str:
    """Return the document's body; what stands before it is blanked, so that lines stay counted.

    A preamble defines macros from halves of environments, which nothing but TeX can read.
    """
    begin = _BEGIN.search(source)
    if begin is None:
        return source
    end = _END_OF_BODY.search(source, begin.end())
    return (
        re.sub(r"[^\n]", " ", source[: begin.end()])
        + source[begin.end() : end.start() if end else None]
    )


def _lines(text: str) -> Iterator[Line]:
    kind: Kind = "line"
    held = ""
    for part in _MARKS.split(text):
        if not _MARKS.fullmatch(part):
            held += part
        elif part == BREAK and kind != "line":
            held += COLUMN if kind == "bullet" else " "
        else:
            yield from _line(kind, held)
            kind, held = _KINDS.get(part, "line"), ""
    yield from _line(kind, held)


def _line(kind: Kind, text: str) -> Iterator[Line]:
    links = tuple(
        Link(address.strip(), " ".join(said.split())) for address, said in _LINK.findall(text)
    )
    columns = tuple(" ".join(column.split()) for column in _LINK.sub(r"\2", text).split(COLUMN))
    if any(columns):
        yield Line(kind, columns if kind == "heading" else tuple(filter(None, columns)), links)


def _argument(node: Any, index: int, texts: LatexNodes2Text) -> str:
    arguments = node.nodeargd.argnlist if node.nodeargd else []
    found = arguments[index] if -len(arguments) <= index < len(arguments) else None
    return "" if found is None else texts.nodelist_to_text([found])


def _marked(mark: str, end: str = END) -> Any:
    """Return the text of a macro: its last argument behind a mark."""
    return lambda node, l2tobj: f"{mark}{_argument(node, -1, l2tobj)}{end}"


def _last(node: Any, l2tobj: LatexNodes2Text) -> str:
    return _argument(node, -1, l2tobj)


def _heading(node: Any, l2tobj: LatexNodes2Text) -> str:
    count = len(node.nodeargd.argnlist)
    return HEADING + COLUMN.join(_argument(node, n, l2tobj) for n in range(count)) + END


def _item(node: Any, l2tobj: LatexNodes2Text) -> str:
    return f"{BULLET}{_argument(node, 0, l2tobj)} "


def _link(node: Any, l2tobj: LatexNodes2Text) -> str:
    address, said = _argument(node, 0, l2tobj), _argument(node, -1, l2tobj)
    return f"{URL}{address}{URL_END}{said}{LINK_END}"


def _syntax() -> Any:
    database = default_syntax()
    database.add_context_category(
        "resume",
        prepend=True,
        macros=[
            *(MacroSpec(name, "{" * count) for name, count in _HEADINGS.items()),
            *(MacroSpec(name, arguments) for name, arguments in _INVISIBLE.items()),
            *(MacroSpec(name, "{") for name in ("resumeItem", "resumeSubItem", "name", "url")),
            *(MacroSpec(name, "*[{") for name in ("section", "subsection")),
            *(MacroSpec(name, "{{") for name in ("href", "textcolor")),
            MacroSpec("item", "["),
            MacroSpec("\\", "*["),
        ],
        environments=[
            *(EnvironmentSpec(name, "[") for name in _LISTS),
            *(EnvironmentSpec(name, arguments) for name, arguments in _TABLES.items()),
        ],
    )
    return database


def _texts() -> LatexNodes2Text:
    database = default_texts()
    database.add_context_category(
        "resume",
        prepend=True,
        macros=[
            *(MacroTextSpec(name, simplify_repl=_heading) for name in _HEADINGS),
            *(MacroTextSpec(name, discard=True) for name in _INVISIBLE),
            *(
                MacroTextSpec(name, simplify_repl=_marked(BULLET))
                for name in ("resumeItem", "resumeSubItem")
            ),
            MacroTextSpec("section", simplify_repl=_marked(SECTION)),
            MacroTextSpec("subsection", simplify_repl=_marked(BREAK)),
            MacroTextSpec("name", simplify_repl=_marked(BREAK)),
            MacroTextSpec("href", simplify_repl=_link),
            MacroTextSpec("url", simplify_repl=_link),
            MacroTextSpec("textcolor", simplify_repl=_last),
            MacroTextSpec("item", simplify_repl=_item),
            *(MacroTextSpec(name, simplify_repl=said) for name, said in _NAMES.items()),
            MacroTextSpec("resumeItemListEnd", simplify_repl=END),
            *(MacroTextSpec(name, simplify_repl=COLUMN) for name in ("hfill", "quad", "qquad")),
            *(MacroTextSpec(name, simplify_repl=BREAK) for name in ("\\", "newline", "par")),
        ],
        environments=[
            *(EnvironmentTextSpec(name, simplify_repl=f"{END}%s{END}") for name in _LISTS),
            *(
                EnvironmentTextSpec(name, simplify_repl=f"{BREAK}%s{BREAK}")
                for name in (*_TABLES, "center")
            ),
        ],
        specials=[SpecialsTextSpec("&", simplify_repl=COLUMN)],
    )
    return LatexNodes2Text(latex_context=database, math_mode="text")


_SYNTAX = _syntax()
_TEXTS = _texts()
