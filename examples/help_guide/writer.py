"""The offline writer: composes a reply from the user's situation, always the same one.

A reply says, in this order: the answer to a question it knows, where the user is, what is
missing in the product's own sentences, and what to do next. On a first visit it ends with
questions to start from.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

from language import Language
from situation import Situation
from topics import answer_to

NAME = "offline writer"


@dataclass(frozen=True, slots=True)
class Phrases:
    """The writer's wording in one language. `{about}` is the goal in quotes, or empty."""

    start: str
    with_dataset: str
    with_goal: str
    running: str
    done: str
    about: str
    run: str
    wait: str
    compare: str
    offer: str
    unsure: str
    questions_before: str
    questions: tuple[str, ...]


PHRASES: dict[Language, Phrases] = {
    "en": Phrases(
        start="You are at the start.",
        with_dataset='Your dataset "{dataset}" is connected.',
        with_goal='The goal you have set is "{goal}".',
        running="Your analysis{about} is running at the moment.",
        done="Your analysis{about} is done and its results are on the Results page.",
        about=' of "{goal}"',
        run="Next, open Analyze, check the dataset and the goal, and press Run analysis.",
        wait="Next, wait until it has finished; this page updates by itself.",
        compare="Next, open Compare, choose the earlier period, and press Compare periods.",
        offer="Nothing is missing. Next, you can generate the report: "
        "open Report and press Generate.",
        unsure="The product is still checking what is missing; please look again in a moment.",
        questions_before="If you are not sure what to look at, start with one of these questions:",
        questions=(
            "Which products sold best last month?",
            "In which region did revenue fall, and since when?",
            "Which customers have stopped ordering this quarter?",
        ),
    ),
    "id": Phrases(
        start="Anda berada di langkah awal.",
        with_dataset='Dataset Anda "{dataset}" sudah terhubung.',
        with_goal='Tujuan yang Anda tetapkan adalah "{goal}".',
        running="Analisis Anda{about} sedang berjalan.",
        done="Analisis Anda{about} sudah selesai dan hasilnya ada di halaman Hasil.",
        about=' untuk "{goal}"',
        run="Selanjutnya, buka Analisis, periksa dataset dan tujuannya, "
        "lalu tekan Jalankan analisis.",
        wait="Selanjutnya, tunggu sampai selesai; halaman ini diperbarui dengan sendirinya.",
        compare="Selanjutnya, buka Bandingkan, pilih periode yang lebih awal, "
        "lalu tekan Bandingkan periode.",
        offer="Semuanya sudah lengkap. Selanjutnya, Anda dapat membuat laporan: "
        "buka Laporan lalu tekan Buat.",
        unsure="Produk masih memeriksa apa yang belum lengkap; silakan lihat lagi sebentar lagi.",
        questions_before="Jika belum yakin mau melihat apa, mulailah dengan salah satu "
        "pertanyaan berikut:",
        questions=(
            "Produk mana yang paling laku bulan lalu?",
            "Di wilayah mana pendapatan turun, dan sejak kapan?",
            "Pelanggan mana yang berhenti memesan pada kuartal ini?",
        ),
    ),
}


def compose(situation: Situation) -> str:
    """Return the whole reply."""
    phrases = PHRASES[situation.language]
    answer = answer_to(situation.message, situation.language)
    sentences = [
        *([answer] if answer else []),
        *_position(situation, phrases),
        *situation.readiness.sentences(situation.language),
        _next_step(situation, phrases),
    ]
    reply = " ".join(sentences)
    if situation.first_visit:
        questions = "\n".join(f"- {question}" for question in phrases.questions)
        reply += f"\n\n{phrases.questions_before}\n{questions}"
    return reply


def _position(situation: Situation, phrases: Phrases) -> list[str]:
    if situation.analysis != "none":
        about = phrases.about.format(goal=situation.goal) if situation.goal else ""
        pattern = phrases.running if situation.analysis == "running" else phrases.done
        return [pattern.format(about=about)]
    said = [phrases.start]
    if situation.dataset:
        said.append(phrases.with_dataset.format(dataset=situation.dataset))
    if situation.goal:
        said.append(phrases.with_goal.format(goal=situation.goal))
    return said


def _next_step(situation: Situation, phrases: Phrases) -> str:
    if situation.readiness.ready:
        return phrases.offer
    missing = situation.readiness.missing
    if "analysis" in missing:
        return phrases.wait if situation.analysis == "running" else phrases.run
    return phrases.compare if "delta" in missing else phrases.unsure


async def stream(situation: Situation) -> AsyncIterator[str]:
    """Yield the reply word by word, as a chat model would."""
    for piece in re.findall(r"\S+\s*", compose(situation)):
        yield piece
        await asyncio.sleep(0)
