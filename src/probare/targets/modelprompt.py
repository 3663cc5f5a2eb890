r"""Templates of prompts: `{{ input.question }}` in a text is replaced, once, by what it names.

Between the braces stands a name with a path, by the rules of placeholders; never an expression.
A text that is a placeholder as a whole (`$input.question`) is one too. `\{{` is the text `{{`, and
`$$x` as a whole text is `$x`. Texts go in as they are, other values as compact JSON; what went in
is data, and is not looked through again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from probare.encoding import jsonbytes
from probare.errors import GraderError, InfraError, did_you_mean
from probare.grading import placeholders
from probare.grading.placeholders import Placeholder

ROOTS = ("input", "case", "trial", "seed", "config")

_HOLE = re.compile(r"(\\\{\{)|\{\{(.*?)\}\}", re.DOTALL)
_LITERAL = "as plain text the braces are written \\{{"


class Template(msgspec.Struct, frozen=True):
    """A text and its holes, in order."""

    parts: tuple[str | Placeholder, ...]

    @property
    def holes(self) -> Iterator[Placeholder]:
        """The placeholders in it."""
        return (part for part in self.parts if isinstance(part, Placeholder))


def parse(text: str) -> Template:
    """Return the template that a text is. Raises ValueError where a hole names nothing."""
    alone = placeholders.parse(text.strip())
    if alone is not None:
        return Template((_known(alone),))
    if text.startswith("$$"):
        return Template((text[1:],))
    parts: list[str | Placeholder] = []
    at = 0
    for match in _HOLE.finditer(text):
        parts.append(_plain(text[at : match.start()]))
        at = match.end()
        if match[1]:
            parts.append("{{")
            continue
        name = match[2].strip().removeprefix("$")
        found = placeholders.parse(f"${name}")
        if found is None:
            raise ValueError(f"'{match[0]}' names nothing that a prompt may hold ({_LITERAL})")
        parts.append(_known(found))
    parts.append(_plain(text[at:]))
    return Template(tuple(part for part in parts if part))


def missing(template: Template, root: str, value: Any) -> Iterator[str]:
    """Yield what is wrong with the holes of one root, where it has this value."""
    for found in template.holes:
        if found.root == root:
            try:
                placeholders.walk(value, found)
            except GraderError as error:
                yield f"{{{{ {found.text[1:]} }}}} does not exist: {error}"


def fill(template: Template, known: Mapping[str, Any]) -> str:
    """Return the text with its holes filled. Raises InfraError where the case lacks a value."""
    return "".join(
        part if isinstance(part, str) else _written(part, known) for part in template.parts
    )


def as_text(value: Any) -> str:
    """Return a value as it stands in a prompt."""
    return value if isinstance(value, str) else jsonbytes.encode(value).decode()


def _written(found: Placeholder, known: Mapping[str, Any]) -> str:
    try:
        return as_text(placeholders.walk(known[found.root], found))
    except GraderError as error:
        raise InfraError(
            f"the prompt cannot be made: {error}",
            hint="the target's prompt must fit the input of every case",
            retryable=False,
        ) from None


def _known(found: Placeholder) -> Placeholder:
    if found.root not in ROOTS:
        hint = did_you_mean(found.root, ROOTS) or f"there are {', '.join(ROOTS)}"
        raise ValueError(f"'{found.text[1:]}' does not exist in a prompt ({hint})")
    return found


def _plain(text: str) -> str:
    if "{{" in text:
        raise ValueError(f"'{{{{' is not closed ({_LITERAL})")
    return text
