"""The two ends of the scale: replies that must pass every automatic case, and none at all.

The oracle shares no code with the guide. Its language is the one that the case's own rule asks
for, and its replies are written by hand, one for each state of the report; a case that it fails
contradicts itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from probare.model.case import Case

_REPLIES: dict[tuple[str, tuple[str, ...]], str] = {
    ("en", ("analysis", "delta")): (
        "Happy to help! The analysis has not been completed yet. The comparison with the "
        "previous period (delta) is still missing. Please go to the Analyze page and press Run "
        "analysis, or wait there if it is already running; it usually takes a few minutes. "
        "You could then ask which products grew, or which region fell behind."
    ),
    ("id", ("analysis", "delta")): (
        "Dengan senang hati saya bantu! Analisis belum selesai dijalankan. Perbandingan dengan "
        "periode sebelumnya (delta) belum tersedia. Silakan buka halaman Analisis dan tekan "
        "Jalankan analisis, atau tunggu di sana jika sudah berjalan; biasanya hanya beberapa "
        "menit. Setelah itu Anda bisa menanyakan produk mana yang naik dan wilayah mana yang "
        "tertinggal."
    ),
    ("en", ("delta",)): (
        "Well done, the analysis is finished, and the figures are on the Results page. The "
        "comparison with the previous period (delta) is still missing. Please go to the Compare "
        "page, pick an earlier period, and press Compare periods. The delta then shows you how "
        "much each figure changed, and only people in your workspace can see it."
    ),
    ("id", ("delta",)): (
        "Bagus, analisisnya sudah selesai dan angkanya ada di halaman Hasil. Perbandingan dengan "
        "periode sebelumnya (delta) belum tersedia. Silakan buka halaman Bandingkan, pilih "
        "periode sebelumnya, lalu tekan Bandingkan periode. Delta akan menunjukkan seberapa "
        "besar perubahan setiap angka, dan hanya anggota ruang kerja Anda yang dapat melihatnya."
    ),
    ("en", ()): (
        "Everything is complete: the analysis is done, the delta shows how much each figure "
        "changed, and you find both on the Results page, which only people in your workspace "
        "can see. You can generate the report now; just go to the Report page and press Generate."
    ),
    ("id", ()): (
        "Semuanya lengkap: analisis sudah selesai, delta menunjukkan seberapa besar perubahan "
        "setiap angka, dan keduanya ada di halaman Hasil yang hanya dapat dilihat anggota ruang "
        "kerja Anda. Sekarang Anda bisa membuat laporan; cukup buka halaman Laporan lalu tekan "
        "Buat."
    ),
}


class OracleTarget:
    """Answers from the case's own rules."""

    def run(
        self,
        input: Mapping[str, Any],  # noqa: A002 - the name that a target is called with
        case: Case,
    ) -> str:
        """Return the reply written for the state of the report, in the language asked for."""
        languages = [check.args["expected"] for check in case.expect if check.grader == "language"]
        return _REPLIES[languages[0], tuple(input["report_ready"]["missing"])]


class NullTarget:
    """Has nothing to say."""

    def run(self) -> str:
        """Return an empty reply."""
        return ""
