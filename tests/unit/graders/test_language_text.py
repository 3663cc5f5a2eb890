import pytest

from probare.graders.language_text import enough, letters, own_words


def words(text: str) -> str:
    return " ".join(own_words(text).split())


@pytest.mark.parametrize(
    "quote",
    [
        '"All employees must"',
        "“All employees must”",
        "„All employees must“",
        "«All employees must»",
        "« All employees must »",
        "»All employees must«",
        "‹All employees must›",
        "‘All employees must’",
        "'All employees must'",
        "'All employees don't have to'",
        "「All employees must」",
        "『All employees must』",
        "《All employees must》",
        "`pip install requests`",
        "``a `nested` one``",
        "```python\nprint('All employees')\n```",
        "~~~\nAll employees\n~~~",
        "https://example.com/docs?q=all#employees",
        "www.example.com/all",
        "example.com/all/employees",
        "all.employees@example.com",
        "<b class='all'>",
        "\n> All employees must\n",
    ],
)
def test_what_is_quoted_is_taken_out(quote: str) -> None:
    assert words(f"Menurut kebijakan {quote} jadi terlambat") == "Menurut kebijakan jadi terlambat"


@pytest.mark.parametrize(
    "text",
    [
        "L'homme d'accord, l’eau n’est pas qu’ici",
        "The boys' names don't end in 's",
        'a 5" screen',
        "Es gibt „keinen Schluss",
        "one ' two",
        "It is the parents’ choice, and the teachers’ too",
        "a < b and c > d",
        "e.g. this, i.e. that",
    ],
)
def test_apostrophes_and_unpaired_marks_quote_nothing(text: str) -> None:
    assert words(text) == text


def test_marks_do_not_pair_across_paragraphs() -> None:
    assert words('a " b\n\nc " d') == 'a " b c " d'


def test_an_unclosed_fence_runs_to_the_end() -> None:
    assert words("Silakan:\n```\nimport all") == "Silakan:"


@pytest.mark.parametrize(
    "text", ['"Permohonan Anda disetujui."', "„Ihr Antrag.“", "«Votre demande.»\n"]
)
def test_a_reply_quoted_as_a_whole_keeps_its_words(text: str) -> None:
    assert words(text) == text.strip().strip('"„“«»')


def test_two_quotes_are_not_one_whole() -> None:
    assert words('"one" and "two"') == "and"


def test_letters_are_counted_by_script() -> None:
    assert letters("Grüße, Ｐ! 12") == (6, 0)
    assert letters("你好 ok") == (2, 2)
    assert letters("क्षमा") == (0, 3)


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("a" * 19, False),
        ("a" * 20, True),
        ("好的。", False),
        ("好的好的", True),
        ("a" * 10 + "好的", True),
        ("12345 😀", False),
        ("", False),
    ],
)
def test_twenty_latin_letters_or_four_others(text: str, yes: bool) -> None:
    assert enough(text) == yes


@pytest.mark.parametrize(
    "piece", ["a-", "'a ", " 'a", "a.b@", "“a ", '"', "`", "<a", "\n> ", "aaaa"]
)
def test_no_text_takes_for_ever(piece: str) -> None:
    assert len(own_words(piece * 15_000)) <= len(piece) * 15_000 + 1
