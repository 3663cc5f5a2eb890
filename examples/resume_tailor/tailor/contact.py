"""Who a résumé is about: the lines that stand before its first section."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tailor.latex import Line
from tailor.resume import Contact

_BETWEEN = re.compile(r"\s*[|•·∙⋅◇⋄]\s*|\s+[–—]\s+")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"\+?\(?\d[\d\s()./-]{5,}\d")
_WEB = re.compile(r"(?:https?://)?[\w-]+(?:\.[\w-]+)+(?:/\S*)?")


def contact_of(header: Iterable[Line]) -> Contact:
    """Return the contact: the name comes first, the rest is known by its look."""
    links = [link for line in header for link in line.links]
    parts = [
        part.strip()
        for line in header
        for column in line.columns
        for part in _BETWEEN.split(column)
        if part.strip()
    ]
    if not parts:
        return Contact()
    behind = [link.address for link in links]
    emails = [
        address.removeprefix("mailto:") for address in behind if address.startswith("mailto:")
    ]
    phones = [address.removeprefix("tel:") for address in behind if address.startswith("tel:")]
    webs = [address for address in behind if address.startswith(("http://", "https://"))]
    said = {link.text for link in links if link.address in webs}
    places: list[str] = []
    for part in parts[1:]:
        if email := _EMAIL.search(part):
            emails.append(email[0])
        elif phone := _PHONE.search(part):
            phones.insert(0, phone[0])
        elif part in said:
            continue
        elif _WEB.fullmatch(part):
            webs.append(part)
        elif not any(character.isdigit() for character in part):
            places.append(part)
    return Contact(
        name=parts[0],
        email=next(iter(emails), ""),
        phone=next(iter(phones), ""),
        location=next(iter(places), ""),
        links=tuple(webs),
    )
