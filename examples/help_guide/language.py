"""Which language to reply in: English or Indonesian.

The detector counts words that only one of the two languages uses. It reads what the user wrote
themselves: quotations, code and addresses are left out, since people paste them from elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias, cast

Language: TypeAlias = Literal["en", "id"]

DEFAULT: Language = "en"
NAMES: dict[Language, str] = {"en": "English", "id": "Indonesian"}

_ENGLISH = frozenset(
    """
    a about after again all already also am an and any are at be because been before but by can
    could did do does done each for from get give go had has have he hello here hi how i if in
    into is it its just last let many me month more much my need never next no not now of on only
    or our out please see she should show so some start still tell than thank thanks that the
    their them then there these they this those to until up us want was we were what when where
    which while who why will with without would year yes yet you your
    """.split()  # noqa: SIM905 - a list of words is read, not typed
)
_INDONESIAN = frozenset(
    """
    ada adalah agar aja akan aku anda apa apakah atau ayo bagaimana bagi bantu belum berapa berikut
    berikutnya besok bikin bikinin bikinkan bisa blm boleh buat bukan bulan cara coba cuma dan
    dapat dari datanya dengan dgn di dia dimana dong dulu enggak ga gak gimana gmn hari harus
    hasil hasilnya ini ingin itu jadi jangan jika juga kah kalau kalo kami kamu kapan karena kasih
    ke kemarin kemudian kenapa ketika kita klo kok krn lagi lah lalu langkah laporan laporannya
    lihat liat lupa malam mana masih mau melihat mengapa mereka minggu mohon mulai nanti nggak ngga
    oleh pada pagi penjualan perlu pernah saat saja sama sampai saya sebelum sedang sekarang
    selamat selanjutnya selesai semua seperti setelah siang siapa sih silakan sore sudah supaya
    tahun tak tapi telah terima tetapi tidak tolong tunggu udah udh untuk utk ya yang yg
    """.split()  # noqa: SIM905 - a list of words is read, not typed
)

_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_INLINE_CODE = re.compile(r"`[^`\n]*`")
_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+|\S+@\S+\.\S+", re.IGNORECASE)
_QUOTED_LINE = re.compile(r"^\s*>.*$", re.MULTILINE)
_QUOTATION = re.compile(r"\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|‘[^’]*’|(?<!\w)'[^'\n]+'(?!\w)")
_WORD = re.compile(r"[^\W\d_]+")


def own_words(text: str) -> str:
    """Return the text without code, quotations and addresses."""
    for pattern in (_FENCE, _INLINE_CODE, _ADDRESS, _QUOTED_LINE, _QUOTATION):
        text = pattern.sub(" ", text)
    return text


def detect(text: str) -> Language | None:
    """Return the language of the text, or None where its words do not tell.

    None is the answer for an empty text, for one without a word of either list ("ok", "Q3"),
    and for a draw.
    """
    words = _WORD.findall(own_words(text))
    english = sum(word.lower() in _ENGLISH for word in words)
    indonesian = sum(word.lower() in _INDONESIAN or _has_nya(word) for word in words)
    if english == indonesian:
        return None
    return "en" if english > indonesian else "id"


def _has_nya(word: str) -> bool:
    """Whether a word carries -nya, which Indonesian hangs on loan words too ("reportnya").

    Names such as Kenya are capitalised.
    """
    return word.islower() and (word == "nya" or (len(word) > 5 and word.endswith("nya")))


def is_short(text: str) -> bool:
    """Whether the text has fewer than three words of its own.

    So few say little: "oke, next?" and "thanks ya" stand in chats of either language.
    """
    return len(_WORD.findall(own_words(text))) < 3


def reply_language(message: str | None, history: Iterable[Mapping[str, Any]]) -> Language:
    """Return the language of the reply.

    The message decides. Where there is none (the help button), or it is short or does not tell,
    the user's own latest words in the history do; then their short ones, then what the guide
    last said, then the default.
    """
    turns = list(history)
    user = [message] if message else []
    user += [_content(turn) for turn in reversed(turns) if turn.get("role") == "user"]
    guide = [_content(turn) for turn in reversed(turns) if turn.get("role") == "assistant"]
    found = (detect(text) for text in [*(t for t in user if not is_short(t)), *user, *guide])
    return next((language for language in found if language is not None), DEFAULT)


def _content(turn: Mapping[str, Any]) -> str:
    return cast("str", turn.get("content") or "")
