"""Words of a text, cut to their stems, and the language that a text is written in."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Language: TypeAlias = Literal["en", "de", "id"]

DEFAULT: Language = "en"
_WORD = re.compile(r"[^\W\d_]{2,}")

_COMMON: dict[Language, frozenset[str]] = {
    "en": frozenset(
        """
        a about after again all also am an and any are as at be because been before but by can could
        did do does don find for from get got had has have he her hers him his how i if in into is
        it its just know like many me more most much must my no nor not now of off on once only or
        our ours out over she should so some such tell than that the their them then there these
        they this those to too under us want was we were what when where which who whom why will
        with would you your yours
        """.split()  # noqa: SIM905 - a list of words is read, not typed
    ),
    "de": frozenset(
        """
        aber alle als am an auch auf aus bei bin bis da damit das dass dem den der des die dies dir
        doch durch ein eine einem einen einer es euch für gibt habe haben hat hier ich ihr ihre im
        in ist ja kann kein keine können man mein meine meinem meinen meiner mich mir mit muss nach
        nicht noch nur ob oder ohne sehr sein seit sich sie sind so über um und uns unter vom von
        vor was wann war warum weil wenn wer werden wie wieviele viele wird wir wo würde zu zum zur
        """.split()  # noqa: SIM905 - a list of words is read, not typed
    ),
    "id": frozenset(
        """
        ada adalah agar akan aku anda apa apakah atas atau bagaimana bagi bahwa banyak belum berapa
        bisa boleh dalam dan dapat dari dengan di dia hanya harus ini itu jadi jika juga kami kapan
        karena ke kepada kita lagi lalu mana masih mereka mohon oleh pada saat saja saya sebagai
        sebelum sedang sehingga seperti setelah siapa sudah telah tetapi tidak tolong untuk yang
        """.split()  # noqa: SIM905 - a list of words is read, not typed
    ),
}
_ENDINGS: dict[Language, tuple[str, ...]] = {
    "en": ("ations", "ation", "ings", "ing", "ies", "ied", "ed", "es", "s", "e", "y"),
    "de": ("ungen", "ung", "ern", "est", "en", "er", "es", "em", "e", "n", "s", "t"),
    "id": ("nya", "kan", "lah", "ku", "an"),
}
_SHORTEST = 3


def stems(text: str, language: Language) -> list[str]:
    """Return the stems of a text's words in their order, without the commonest words."""
    words = [word.lower() for word in _WORD.findall(text)]
    return [_stem(word, language) for word in words if word not in _COMMON[language]]


def language_of(text: str) -> Language:
    """Return the language of a text: the one most of whose commonest words stand in it, and
    English where none does.
    """
    words = [word.lower() for word in _WORD.findall(text)]
    counts: dict[Language, int] = {
        name: sum(word in common for word in words) for name, common in _COMMON.items()
    }
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] > counts[DEFAULT] else DEFAULT


def _stem(word: str, language: Language) -> str:
    for ending in _ENDINGS[language]:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return word[: -len(ending)]
    return word
