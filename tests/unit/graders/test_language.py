# ruff: noqa: E501 - the texts stand as they were given
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from probare.errors import GraderError
from probare.graders.language import Language, belief
from probare.graders.language_text import enough, own_words
from probare.model.case import Case
from probare.model.outcome import Transcript
from probare.model.verdict import Verdict
from probare.ports.grader import GradingSettings, TrialView


def grade(text: Any, expected: Any, detector: str | None = None, **settings: Any) -> Verdict:
    trial = TrialView(
        case=Case(id="c"), transcript=Transcript(case="c"), settings=GradingSettings(**settings)
    )
    grader = msgspec.convert({"expected": expected, "detector": detector}, Language)
    return grader.grade(text, trial)


PURE = [
    ("en", "The dose was changed to 20 mg."),
    ("en", "No."),
    ("en", "Thanks!"),
    ("id", "Kantor cabang kami tutup karena libur nasional, silakan hubungi lewat telepon."),
    ("id", "Dosis obat diubah menjadi 20 mg karena tekanan darah Anda naik."),
    ("id", "Permohonan cuti Anda sudah disetujui."),
    ("id", "Tidak."),
    ("id", "Pasien harus berpuasa delapan jam sebelum pemeriksaan laboratorium."),
    ("ms", "Pejabat cawangan kami tutup sempena cuti umum, sila hubungi melalui telefon."),
    ("ms", "Maaf, saya tidak dapat berkongsi maklumat tersebut."),
    ("ms", "Permohonan cuti anda telah diluluskan."),
    ("ms", "Gaji bulan ini akan dimasukkan ke akaun awak petang esok."),
    ("ms", "Pesakit mesti berpuasa lapan jam sebelum ujian makmal dijalankan."),
    ("es", "La dosis se cambió a 20 mg."),
    ("es", "Lo siento, no puedo compartir esa información."),
    ("es", "De acuerdo."),
    ("fr", "D'accord."),
    ("fr", "Je suis désolé, je ne peux pas partager ces informations."),
    ("fr", "Votre demande de congé a été approuvée."),
    ("de", "Gern geschehen."),
    ("de", "Die Dosis wurde auf 20 mg erhöht."),
    ("de", "Ihr Urlaubsantrag wurde genehmigt."),
    ("ja", "了解しました。"),
    ("ja", "休暇申請が承認されました。"),
    ("zh", "好的。"),
    ("zh", "请在星期五之前上传护照复印件。"),
    ("ar", "تمت الموافقة على طلب إجازتك."),
    ("ar", "يرجى تحميل نسخة من جواز سفرك قبل يوم الجمعة."),
    ("hi", "क्षमा करें, मैं यह जानकारी साझा नहीं कर सकता।"),
    ("hi", "आपकी छुट्टी का आवेदन स्वीकृत हो गया है।"),
]
MIXED = [
    (
        "id",
        'Menurut kebijakan, "All employees must submit leave requests two weeks in advance through the HR portal", jadi permohonan Anda terlambat.',
    ),
    ("zh", '政策规定 "Do not share patient identifiers by email",因此我不能发送该号码。'),
    (
        "es",
        "Use el comando `pip install --upgrade requests` y luego abra https://example.com/docs para ver los pasos.",
    ),
    (
        "fr",
        "La clause indique « This agreement shall be governed by the laws of Delaware », ce qui signifie que le droit du Delaware s'applique.",
    ),
    ("hi", 'नीति में लिखा है "Do not share patient identifiers by email", इसलिए मैं नंबर नहीं भेज सकता।'),
    (
        "de",
        'In der Richtlinie steht "Do not share patient identifiers by email", deshalb kann ich die Nummer nicht senden.',
    ),
]
LANGUAGES = sorted({language for language, _ in PURE})
SHORT = [(language, text) for language, text in PURE if not enough(own_words(text))]
LONG = [(language, text) for language, text in PURE + MIXED if enough(own_words(text))]
SISTERS = {"id", "ms"}


@pytest.mark.parametrize(("language", "text"), PURE + MIXED)
def test_never_wrong(language: str, text: str) -> None:
    for expected in LANGUAGES:
        allowed = {"pass" if expected == language else "fail", "unknown"}
        assert grade(text, expected).result in allowed, expected


def test_short_texts_are_unknown() -> None:
    assert len(SHORT) == 8
    for language, text in SHORT:
        verdict = grade(text, language)
        assert verdict.result == "unknown"
        assert "too short" in verdict.reason


def test_long_texts_are_answered_save_between_sisters() -> None:
    answered = [
        (language, text) for language, text in LONG if grade(text, language).result == "pass"
    ]
    assert len(LONG) == 28
    assert len(answered) == 25
    assert {language for language, text in LONG if (language, text) not in answered} <= SISTERS


def test_long_texts_are_answered_where_sisters_are_equivalent() -> None:
    for language, text in LONG:
        assert grade(text, language, equivalent_languages=(("id", "ms"),)).result == "pass"


def test_another_language_is_seen_as_such() -> None:
    for language, text in LONG:
        others = [code for code in LANGUAGES if {code, language} != SISTERS and code != language]
        assert [grade(text, code).result for code in others] == ["fail"] * len(others)


def test_equivalents_hold_both_ways() -> None:
    text = "Pesakit mesti berpuasa lapan jam sebelum ujian makmal dijalankan."
    assert grade(text, "id").result == "unknown"
    assert grade(text, "id", equivalent_languages=(("id", "ms"),)).result == "pass"
    assert grade(text, "en", equivalent_languages=(("id", "ms"),)).result == "fail"


def test_one_of_several_is_enough() -> None:
    text = "Votre demande de congé a été approuvée."
    assert grade(text, ["en", "fr"]).result == "pass"
    assert grade(text, ["en", "de"]).result == "fail"


def test_french_is_not_taken_for_the_nearest_of_the_expected() -> None:
    text = "Je suis désolé, je ne peux pas partager ces informations."
    assert grade(text, "en").result == "fail"
    verdict = grade(text, "fr")
    assert verdict.reason.startswith("language: expected fr, got fr (fr 1.00, next ")


@pytest.mark.parametrize("text", ["", "12345", "😀", "```\nall of this is code, nothing else\n```"])
def test_nothing_to_judge_is_unknown(text: str) -> None:
    assert grade(text, "en").result == "unknown"


def test_null_is_an_error() -> None:
    with pytest.raises(GraderError, match="no text"):
        grade(None, "en")


@pytest.mark.parametrize("expected", ["english", "", "xx", [], ["en", "xx"], 5])
def test_bad_codes_are_load_errors(expected: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"expected": expected}, Language)


@pytest.mark.parametrize("detector", ["nofunction", ":f", "m:"])
def test_a_bad_detector_reference_is_a_load_error(detector: str) -> None:
    with pytest.raises(msgspec.ValidationError, match="module:function"):
        msgspec.convert({"expected": "en", "detector": detector}, Language)


def test_a_language_the_detector_does_not_know_is_an_error() -> None:
    with pytest.raises(GraderError, match="does not know bi"):
        grade("The dose was changed to 20 mg on Friday evening.", "bi")
    with pytest.raises(GraderError, match="does not know bi"):
        grade("Die Dosis wurde am Freitag auf 20 mg erhöht.", ["en", "bi"])
    assert grade("Die Dosis wurde am Freitag auf 20 mg erhöht.", ["de", "bi"]).result == "pass"


def test_members_count_for_the_whole() -> None:
    shares = belief("يرجى تحميل نسخة من جواز سفرك قبل يوم الجمعة.")
    assert shares["ar"] > 0.99
    assert "arz" not in shares
    assert sum(shares.values()) == pytest.approx(1.0, abs=1e-4)


def test_threads_share_one_model() -> None:
    results: list[str] = []

    def ask() -> None:
        results.extend(grade(text, language).result for language, text in LONG[:6])

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = [grade(text, language).result for language, text in LONG[:6]]
    assert sorted(results) == sorted(alone * 4)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "own_language_detector.py").write_text(
        "seen = []\n"
        "def of(text):\n"
        "    seen.append(text)\n"
        "    return 'id-ID' if 'ya' in text else None\n"
        "def odd(text):\n"
        "    return 7\n"
        "def word(text):\n"
        "    return 'indonesian'\n"
    )
    path = list(sys.path)
    yield tmp_path
    sys.path[:] = path
    sys.modules.pop("own_language_detector", None)


def test_an_own_detector_decides_on_the_words_outside_quotes(folder: Path) -> None:
    own = "own_language_detector:of"
    assert grade('ya "yes"', "id", own, folder=folder).result == "pass"
    assert sys.modules["own_language_detector"].seen == ["ya  "]
    verdict = grade("ya", "en", own, folder=folder)
    assert (verdict.result, verdict.reason) == (
        "fail",
        "language: expected en, got id (by own_language_detector:of)",
    )
    assert grade('"ya" no', "id", own, folder=folder).result == "unknown"
    assert grade("ya", "ms", own, folder=folder, equivalent_languages=(("id", "ms"),)).result == (
        "pass"
    )


def test_the_suite_names_a_detector_and_the_check_overrides_it(folder: Path) -> None:
    suite = "own_language_detector:odd"
    with pytest.raises(GraderError, match="returned int"):
        grade("ya", "id", folder=folder, language_detector=suite)
    own = "own_language_detector:of"
    assert grade("ya", "id", own, folder=folder, language_detector=suite).result == "pass"
    with pytest.raises(GraderError, match="no language code"):
        grade("ya", "id", "own_language_detector:word", folder=folder)
