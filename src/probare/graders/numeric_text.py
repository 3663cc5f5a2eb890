r"""Numbers in prose: where they stand, what they are worth, what only looks like one.

Read: digits of any script, signs (also U+2212), thousands (1,000; 1 000; 1'000; 1.000.000;
12,34,567), decimals (0.5; .5; 1.234,5), exponents (1e3; 6.02×10^23), percentages (20%; 20 \%;
20 percent), currency before or after (\$460, € 5, 460 USD, Rp500.000), magnitudes (1.2k, 5M,
3bn, 5 million), common units glued on (20mg). Two cases are a convention, since text cannot
settle them: a comma before exactly three digits parts thousands (1,234 is 1234), a dot is
decimal (1.234 is 1.234), save after a currency whose countries write it the other way
(Rp 1.500 is 1500); any other single comma is decimal (1,5 is 1.5). Two runs of digits with one
space between them are one number where the grouping fits (5 100 is 5100).

Not numbers, and passed over: what is glued to letters before it (GPT-4, A12), dates, times,
ratios, versions, addresses, ordinals (2024-05-20, 12:30, 1.2.3, 3rd). Digits that look like a
number and yet cannot be read as one (42abc, 1/2, 10², 1,2,3) come back with no value, so that
nobody takes an earlier number for the last.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal

import msgspec

_MINUS = "-\u2010\u2011\u2212\ufe63\uff0d"
_SAME = str.maketrans(
    {"٫": ".", "٬": ",", "．": ".", "，": ",", "％": "%", "٪": "%", "﹪": "%", "\u2019": "'"}
    | {"／": "/", "：": ":"}
)
_POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_CODES = "USD|EUR|GBP|JPY|CNY|INR|IDR|MYR|SGD|AUD|CAD|CHF|VND|THB|PHP|BRL|SEK|NOK|DKK|Rp|RM|Rs|kr"
_DOT_GROUPS = {"Rp", "IDR", "€", "EUR", "₫", "VND", "R$", "BRL"}
_SIGNS = r"\\?[$€£¥₹₩₽₫₱₺₦₪฿₴₸₿¢￥＄]"
_UNITS = (
    "mg|mcg|µg|μg|ug|ng|kg|g|ml|mL|dl|dL|cl|l|L|mm|cm|km|nm|ms|s|sec|min|mins|h|hr|hrs|kB|KB|MB|GB"
    "|TB|kcal|kJ|mmHg|mmol|mol|IU|Hz|kHz|MHz|GHz|V|W|kW|kWh|px|pt|°C|°F|°|℃|º"
)
_SCALES = {"k": 3, "K": 3, "M": 6, "mn": 6, "mio": 6, "bn": 9, "B": 9, "tn": 12}
_SCALE_WORDS = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_NUMERAL = re.compile(
    rf"""
    (?P<sign>(?<![\w)\]])[-+–](?={_SIGNS}|(?:{_CODES})\.?\s?\d)|)
    (?P<before>(?:(?<![^\W_])(?:US|A|C|S|R|HK|NZ)?{_SIGNS}|(?<![^\W_])(?:{_CODES})\.?)\s?|)
    (?P<inner>(?<![\w)\].,%])[-+–]|)
    (?P<digits>
        \d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?![.,]?\d)          # 1,234.5
      | \d{{1,2}}(?:,\d{{2}})+,\d{{3}}(?:\.\d+)?(?![.,]?\d)  # 12,34,567
      | \d{{1,3}}(?:'\d{{3}})+(?:[.,]\d+)?(?![.,']?\d)       # 1'234.5
      | \d{{1,3}}(?:[ ]\d{{3}})+(?:[.,]\d+)?(?![.,]?\d|[ ]\d)  # 1 234,5
      | \d{{1,3}}(?:\.\d{{3}})+,\d+(?![.,]?\d)               # 1.234,5
      | \d{{1,3}}(?:\.\d{{3}}){{2,}}(?![.,]?\d)              # 1.234.567
      | \d+,\d+(?![.,]?\d)                                   # 1,5
      | \d+\.\d+(?!\.?\d)
      | (?<![\w.])\.\d+(?!\.?\d)
      | \d+
    )
    (?P<exponent>[eE][-+]?\d{{1,4}}(?![\w.]\w)
      | \s?[×x·*]\s?10(?:
            \s?(?:\^|\*\*)\s?\{{?(?P<power>[-+]?\d{{1,4}})\}}?
          | (?P<raised>⁻?[⁰¹²³⁴-⁹]{{1,4}})
        )
      |)
    (?P<percent>\s?\\?%|[\s-](?:per\s?cent|pct|persen|prozent|Prozent|por\sciento)(?![^\W\d_])|)
    """,
    re.VERBOSE,
)
_TAIL = re.compile(
    rf"(?P<scale>{'|'.join(_SCALES)})(?![^\W_])"
    rf"|[\s-](?P<word>{'|'.join(_SCALE_WORDS)})(?![^\W\d_])"
    rf"|(?:{_UNITS})(?:/\w+)?(?![^\W_])"
)
_AFTER = re.compile(rf"\s?(?P<mark>{_SIGNS}|(?:{_CODES}|dollars|euros)(?![^\W_]))")
_DIGIT = re.compile(r"[0-9]")
_LONGEST_MARK = 8  # "-HK\\$ -" before the digits
_CHAIN = re.compile(r"\d+(?:[-./:]\d+){2,}|\d+:\d+|\d+(?:st|nd|rd|th)(?![^\W_])")
_UNREADABLE = re.compile(r"\d+/\d+|\d+(?:[.,']\d+){2,}|\d+\^\{?-?\w+\}?")
_GLUED = re.compile(r"[\w.:/'-]*\w")


class Numeral(msgspec.Struct, frozen=True, kw_only=True):
    """A number in a text: `start` and `end` in characters of that text, end excluded.

    `value` is as written, so 20 for 20 % with `percent` set; null where the digits cannot be
    read as one number. `text` is how it stands there.
    """

    value: Decimal | None
    percent: bool = False
    currency: bool = False
    start: int
    end: int
    text: str


def numerals(text: str) -> list[Numeral]:
    """Return what looks like a number in `text`, in order; `value` is null for the unreadable.

    The text should be normalised first (`probare.graders.normal`); positions are in `text`.
    """
    return list(_scan(text, _plain(text)))


def parse(text: str) -> Numeral | None:
    """Return the one number that a whole text is (spaces around it aside), else None."""
    found = numerals(text)
    if len(found) != 1 or found[0].value is None:
        return None
    stripped = text.strip()
    return found[0] if found[0].text == stripped else None


def _plain(text: str) -> str:
    """Return `text` with digits, minus signs and separators as ASCII, character by character."""
    if text.isascii():
        return text
    chars: list[str] = []
    for char in text.translate(_SAME):
        if char.isdecimal():
            chars.append(str(unicodedata.decimal(char)))
        elif char in _MINUS:
            chars.append("-")
        elif char.isspace() and char != "\n":
            chars.append(" ")
        else:
            chars.append(char)
    return "".join(chars)


def _scan(text: str, plain: str) -> Iterator[Numeral]:
    at = 0
    while True:
        digit = _DIGIT.search(plain, at)
        if digit is None:
            return
        match = _NUMERAL.search(plain, max(at, digit.start() - _LONGEST_MARK))
        assert match is not None
        digits = match.start("digits")
        skip = _not_a_number(plain, digits, match.start())
        if skip is not None:
            at = skip
            continue
        numeral = _read(text, plain, match)
        yield numeral
        at = numeral.end


def _not_a_number(plain: str, digits: int, start: int) -> int | None:
    """Return where to go on if these digits are part of a name, date, time or version."""
    chain = _CHAIN.match(plain, digits)
    if chain is not None and not _is_grouping(chain[0], plain[chain.end() : chain.end() + 2]):
        return _end_of_word(plain, chain.end())
    before = plain[max(start - 1, 0) : start]
    if before in ("-", "."):
        before = plain[max(start - 2, 0) : start - 1]
    if before == "_" or _is_cased(before):
        return _end_of_word(plain, digits)
    return None


def _is_grouping(chain: str, following: str) -> bool:
    """Whether a run of digits and dots is one grouped number and no address (192.168.100.200)."""
    head, *groups = chain.split(".")
    if not groups or len(head) > 3 or any(len(g) != 3 or not g.isdigit() for g in groups):
        return False
    address = len(groups) == 3 and all(
        int(part) <= 255 and not part.startswith("0") for part in (head, *groups)
    )
    return not address or re.match(r",\d", following) is not None


def _is_cased(char: str) -> bool:
    """Whether a letter glues: those of scripts with case do; 共42个 and 42개 are numbers."""
    return bool(char) and char.isalpha() and char.lower() != char.upper()


def _end_of_word(plain: str, at: int) -> int:
    match = _GLUED.match(plain, at)
    return match.end() if match else at


def _read(text: str, plain: str, match: re.Match[str]) -> Numeral:
    start, end = match.span()
    odd = _UNREADABLE.match(plain, match.start("digits"))
    if odd is not None and odd.end() > match.end("digits"):
        return _unreadable(text, plain, start, odd.end())
    before = match["before"].strip().lstrip("\\").rstrip(".")
    currency, percent = bool(before), bool(match["percent"])
    scale = 0
    if not percent:
        tail = _TAIL.match(plain, end)
        if tail is not None:
            end = tail.end()
            scale = _SCALES.get(tail["scale"] or "", 0) or _SCALE_WORDS.get(tail["word"] or "", 0)
        after = _AFTER.match(plain, end)
        if after is not None and not currency:
            currency, end = True, after.end()
            before = after["mark"].lstrip("\\")
    following = plain[end : end + 1]
    glued = _is_cased(following) or following in ("_", "^", "‰")
    if following and (glued or unicodedata.category(following) == "No"):
        return _unreadable(text, plain, start, end + 1)
    return Numeral(
        value=_value(match, before, scale),
        percent=percent,
        currency=currency,
        start=start,
        end=end,
        text=text[start:end],
    )


def _unreadable(text: str, plain: str, start: int, end: int) -> Numeral:
    end = _end_of_word(plain, end)
    return Numeral(value=None, start=start, end=end, text=text[start:end])


def _value(match: re.Match[str], currency: str, scale: int) -> Decimal:
    digits = _dotted(match["digits"], dot_groups=currency in _DOT_GROUPS)
    exponent = match["exponent"].strip()
    if match["power"] or match["raised"]:
        scale += int(match["power"] or match["raised"].translate(_POWERS))
    elif exponent:
        scale += int(exponent[1:])
    negative = "-" in match["sign"] + match["inner"] or "–" in match["sign"] + match["inner"]
    return Decimal(f"{'-' if negative else ''}{digits}e{scale}")


def _dotted(digits: str, *, dot_groups: bool) -> str:
    """Return digits with a decimal dot, if any, and no groups."""
    digits = digits.replace(" ", "").replace("'", "")
    commas, dots = digits.count(","), digits.count(".")
    if commas and dots:
        decimal = max(digits.rfind(","), digits.rfind("."))
        whole = digits[:decimal].replace(",", "").replace(".", "")
        return f"{whole}.{digits[decimal + 1 :]}"
    if commas:
        grouped = commas > 1 or re.fullmatch(r"[1-9]\d{0,2},\d{3}", digits)
        return digits.replace(",", "" if grouped else ".")
    if dots > 1 or (dots and dot_groups and re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", digits)):
        return digits.replace(".", "")
    return digits
