"""Short answers to what users of the product ask most, for the offline writer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from language import Language


@dataclass(frozen=True, slots=True)
class Topic:
    """A question people ask, recognised by a pattern, and its answer in each language."""

    asked: re.Pattern[str]
    answer: dict[Language, str]


def _topic(asked: str, en: str, id: str) -> Topic:  # noqa: A002 - the language's code
    return Topic(re.compile(asked, re.IGNORECASE), {"en": en, "id": id})


TOPICS: tuple[Topic, ...] = (
    _topic(
        r"(what|meaning|mean|explain|tell me).*\bdelta\b"
        r"|\bdelta\b.*(mean|artinya|maksud)|(apa itu|arti|maksud|jelaskan).*\bdelta\b",
        en="The delta shows how much each figure changed against the earlier period.",
        id="Delta menunjukkan seberapa besar setiap angka berubah terhadap periode sebelumnya.",
    ),
    _topic(
        r"how (long|much longer)|still running|taking .*(long|forever)"
        r"|berapa lama|lama (banget|bgt|sekali)",
        en="An analysis usually takes a few minutes, and it goes on when you close the page.",
        id="Satu analisis biasanya memakan waktu beberapa menit dan tetap berjalan "
        "walaupun halaman ini ditutup.",
    ),
    _topic(
        r"(change|edit|switch|different).*\bgoal\b|(ubah|ganti|mengubah|mengganti).*\b(tujuan|goal)",
        en="You can change the goal on the Analyze page; the analysis then runs again.",
        id="Tujuan dapat diubah di halaman Analisis; setelah itu analisis dijalankan lagi.",
    ),
    _topic(
        r"(who|anyone|anybody).*(see|read|access)|siapa.*(lihat|melihat|akses|baca)",
        en="Only members of your workspace can see your data.",
        id="Hanya anggota ruang kerja Anda yang dapat melihat data Anda.",
    ),
    _topic(
        r"where.*(result|figure|number|see)|(di ?mana|mana|cara (lihat|liat)).*(hasil|angka)",
        en="The results of an analysis are on the Results page, as tables and charts.",
        id="Hasil analisis ada di halaman Hasil dalam bentuk tabel dan grafik.",
    ),
)


def answer_to(message: str | None, language: Language) -> str | None:
    """Return the answer to the first topic the message asks about, or None."""
    if message is None:
        return None
    found = (topic.answer[language] for topic in TOPICS if topic.asked.search(message))
    return next(found, None)
