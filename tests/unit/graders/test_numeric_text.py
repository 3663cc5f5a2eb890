from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.graders.normal import normalise
from probare.graders.numeric_text import numerals, parse


def values(text: str) -> list[Decimal | None]:
    return [numeral.value for numeral in numerals(normalise(text))]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("42", "42"),
        ("The answer is 42!", "42"),
        ("(42).", "42"),
        ("[42]", "42"),
        ("**42**", "42"),
        (r"\boxed{42}", "42"),
        ("x=5", "5"),
        ("1,000", "1000"),
        ("total is 1,000.", "1000"),
        ("1 000", "1000"),
        ("1\u00a0000\u00a0000", "1000000"),
        ("1\u202f234,5", "1234.5"),
        ("1'000", "1000"),
        ("1’000.5", "1000.5"),
        ("12,34,567", "1234567"),
        ("1,234.56", "1234.56"),
        ("1.234,56", "1234.56"),
        ("1.234.567", "1234567"),
        ("1.000.000.000", "1000000000"),
        ("1.234.123.200,25", "1234123200.25"),
        ("1,5", "1.5"),
        ("0,123", "0.123"),
        ("1234,567", "1234.567"),
        ("1.234", "1.234"),
        (".5", "0.5"),
        ("-5", "-5"),
        ("\u22125", "-5"),
        ("–5 degrees", "-5"),
        ("+7", "7"),
        ("-0.25", "-0.25"),
        ("1e3", "1000"),
        ("1E-3", "0.001"),
        ("6.02×10^23", "6.02e23"),
        ("1.5 x 10⁻³", "0.0015"),
        ("$460", "460"),
        (r"\$460", "460"),
        ("-$5", "-5"),
        ("$-5", "-5"),
        ("US$ 5", "5"),
        ("5 €", "5"),
        ("460 USD", "460"),
        ("USD460", "460"),
        ("Rp500.000", "500000"),
        ("Rp 1.500.000", "1500000"),
        ("€1.500", "1500"),
        ("$1.500", "1.5"),
        ("1.2k", "1200"),
        ("$1.5bn", "1.5e9"),
        ("5 million people", "5000000"),
        ("20mg", "20"),
        ("37.5°C", "37.5"),
        ("a 20-year-old", "20"),
        ("٣٫٥", "3.5"),
        ("１２", "12"),
        ("४२", "42"),
        ("共42个", "42"),
    ],
)
def test_one_number(text: str, value: str) -> None:
    assert values(text) == [Decimal(value)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "none",
        "2024-05-20",
        "20/05/2024",
        "2024-05-20T10:00:00",
        "1.2.3",
        "v1.2",
        "12:30",
        "3:1",
        "192.168.100.200",
        "GPT-4",
        "A12",
        "x_5",
        "the 3rd and 21st",
        "+1-555-123-4567",
        "²",
    ],
)
def test_no_number(text: str) -> None:
    assert values(text) == []


@pytest.mark.parametrize(
    "text",
    ["42abc", "1/2", "8/10", "10²", "1½", "10^3", "1,2,3", "1,234,56", "1_000", "5x", "$5m", "5‰"],
)
def test_what_cannot_be_read_comes_back_without_a_value(text: str) -> None:
    assert values(text) == [None]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3-5", ["3", "5"]),
        ("3–5", ["3", "5"]),
        ("3 -5", ["3", "-5"]),
        ("2+2=4", ["2", "2", "4"]),
        ("2020 100", ["2020", "100"]),
        (r"\$400 + \$60 = \$460", ["400", "60", "460"]),
        ("1, 2, 3", ["1", "2", "3"]),
        ("10-20%", ["10", "20"]),
    ],
)
def test_several_numbers(text: str, found: list[str]) -> None:
    assert values(text) == [Decimal(value) for value in found]


@pytest.mark.parametrize(
    "text",
    ["20%", "20 %", r"20\%", "20 percent", "20 per cent", "20-percent", "20 persen", "２０％"],
)
def test_percentages(text: str) -> None:
    (numeral,) = numerals(normalise(text))
    assert (numeral.value, numeral.percent, numeral.text) == (Decimal(20), True, text)


def test_percentage_points_are_no_percentage() -> None:
    assert [n.percent for n in numerals("20 percentage points")] == [False]


def test_currency_is_told() -> None:
    assert [n.currency for n in numerals("$5, 6 EUR, 7 RM50 8kr")] == [
        True,
        True,
        False,
        True,
        True,
    ]


def test_parse_wants_the_whole_text() -> None:
    parsed = parse(" 1,000 ")
    assert parsed is not None
    assert parsed.value == 1000
    assert parse("1,000 or so") is None
    assert parse("1 and 2") is None
    assert parse("42abc") is None
    assert parse("") is None


def test_long_digits_are_exact_and_quick() -> None:
    digits = "9" * 50_000
    assert values(digits) == [Decimal(digits)]
    assert values("-" + digits)[0] == Decimal("-" + digits)


@given(
    st.decimals(min_value=-(10**12), max_value=10**12, allow_nan=False, places=2),
    st.sampled_from(["{:,}", "{}", "${:,}", "{:,} USD", "about {:,}.", "({:,})", "= {}!"]),
)
@settings(max_examples=200)
def test_what_was_formatted_is_read_back(value: Decimal, form: str) -> None:
    assert values(form.format(value)) == [value]


@given(st.integers(0, 10**12))
@settings(max_examples=100)
def test_every_way_of_grouping_is_read_back(value: int) -> None:
    grouped = f"{value:,}"
    for separator in (",", " ", "\u00a0", "\u202f", "'", "’"):
        assert values(f"so {grouped.replace(',', separator)}.") == [value]
    swapped = f"{value:,}.25".replace(",", "x").replace(".", ",").replace("x", ".")
    assert values(swapped) == [Decimal(value) + Decimal("0.25")]


@given(st.text("0123456789.,'-+ /:%$€eExk×^²abcRp₁½\u00a0–", max_size=30))
@settings(max_examples=300)
def test_any_text_is_read_in_order_without_overlap(text: str) -> None:
    text = normalise(text)
    end = 0
    for numeral in numerals(text):
        assert end <= numeral.start < numeral.end <= len(text)
        assert text[numeral.start : numeral.end] == numeral.text
        end = numeral.end
