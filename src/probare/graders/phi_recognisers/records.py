"""Numbers that stand for a person in some file: records, plans, accounts, licences, others.

Each is known by the label before it. The value is a code with digits in it, or a word in
capitals with a number (CRIMSON-0447); never a dose, a count or a code of a classification.
"""

from __future__ import annotations

from probare.graders.phi_recognisers.recognising import Extent, Rule, compiled

_LINK = (
    r"(?:[ \t_]{0,2}(?:[#:=(\"']|(?i:numbers?|num|nos?|nr|ids?|identifiers?|codes?|is|was"
    r"|ending in|of)\b\.?)){0,6}[ \t]{0,2}"
)
_STRONG = (
    r"[ \t_]{0,2}[\"']?(?:#|:|=|(?i:numbers?|num|nos?|nr|ids?|identifiers?|codes?)\b\.?)" + _LINK
)
_PREFIX = r"(?:[A-Z]{2,4}[ :#]{1,2})?"
_CODE = (
    r"(?<value>[A-Za-z0-9](?:[A-Za-z0-9]|[-/._](?=[A-Za-z0-9])){2,29}(?:[ ]\d{2,6}(?=[ .,;)]"
    r"|$)){0,3})(?![\w@])"
)
_NOT_A_DOSE = (
    r"(?! ?(?i:mg|mcg|µg|g|kg|ml|mmol|units?|weeks?|days?|months?|years?|hours?|minutes?|%|percent"
    r"|mmhg|bpm|times|patients|people|dollars|usd|employees|participants|subjects|pages?)\b)"
)


# decimals, fractions, dates and years
_NO_CODE = r"\d{1,3}\.\d{1,3}|\d{1,4}/\d{1,2}(?:/\d{2,4})?|(?:19|20)\d{2}"


def _with_digits(least: int) -> Extent:
    """Return an extent: the value where it has enough digits and is no decimal number or date."""

    def extent(value: str) -> int:
        digits = sum(map(str.isdigit, value))
        return 0 if digits < least or compiled(_NO_CODE).fullmatch(value) else len(value)

    return extent


def labelled(kind: str, label: str, *, strong: bool = False, digits: int = 3) -> Rule:
    """Return the rule for codes after a label.

    With `strong` the label alone is not enough: `number`, `ID`, `#` or a colon must follow it.
    A space in a label may be an underscore, and the label a key of JSON.
    """
    label = label.replace(" ", "[ _]")
    link = _STRONG if strong else _LINK
    score = 0.85 if strong else 0.9
    return Rule(
        kind,
        rf"(?<![A-Za-z0-9])"
        rf"(?i:{label}){link}{_PREFIX}{_CODE}{_NOT_A_DOSE}",
        _with_digits(digits),
        score,
    )


_MBI_LETTER = "[AC-HJKMNP-RT-Y]"
_MBI_EITHER = "[0-9AC-HJKMNP-RT-Y]"
_MBI = (
    rf"\b[1-9]{_MBI_LETTER}{_MBI_EITHER}\d-?{_MBI_LETTER}{_MBI_EITHER}\d-?"
    rf"{_MBI_LETTER}{{2}}\d{{2}}\b"
)


def _is_dea(value: str) -> int:
    """Return the length of a DEA number whose check digit is right: the last digit of
    (d1 + d3 + d5) + 2 (d2 + d4 + d6).
    """
    digits = [int(char) for char in value[2:]]
    total = digits[0] + digits[2] + digits[4] + 2 * (digits[1] + digits[3] + digits[5])
    return len(value) if total % 10 == digits[6] else 0


def _is_card(value: str) -> int:
    """Return the length of a number that passes the Luhn check (ISO/IEC 7812-1, annex B)."""
    digits = [int(char) for char in value if char.isdigit()]
    if len(set(digits)) == 1:
        return 0
    doubled = [
        d if at % 2 == 0 else sum(divmod(2 * d, 10)) for at, d in enumerate(reversed(digits))
    ]
    return len(value) if sum(doubled) % 10 == 0 else 0


_SSN_WORD = (
    r"(?i:ssn|ss ?#|s\.s\.n\.?|soc(?:ial)?\.? sec(?:urity)?(?: (?:number|num|no\.?|#))?"
    r"|social(?= ?(?:#|:|is))|itin|tin|taxpayer id)"
)

RULES = (
    Rule(
        "SSN",
        r"(?<![\w-])(?!000|666)\d{3}(?<s>[- ])(?!00)\d{2}(?P=s)(?!0000)\d{4}(?![\w-])",
        None,
        0.9,
    ),
    Rule(
        "SSN",
        rf"\b{_SSN_WORD}{_LINK}(?<value>\d{{3}}[-. ]?\d{{2}}[-. ]?\d{{4}})(?![\w-])",
        None,
        0.95,
    ),
    Rule("SSN", rf"\b{_SSN_WORD}[^\d\n]{{0,25}}(?<value>\d{{4}})(?![\w-])", None, 0.8),
    Rule("SSN", r"(?i)(?<value>[x*#]{3}[- ]?[x*#]{2}[- ]?\d{4})(?![\w-])", None, 0.9),
    Rule(
        "SSN",
        r"(?i)\blast (?:four|4)(?: digits)?(?: of)?(?: (?:the|her|his|their|my))? (?:ssn|social"
        r"(?: security)?)[^\d\n]{0,15}(?<value>\d{4})\b",
        None,
        0.9,
    ),
    labelled(
        "MRN",
        r"mrn|mr#|med(?:ical)?\.? rec(?:ord)?s?|patient (?:id|identifier|number|no\.?|#)|pt\.? ?"
        r"(?:id|#)|pat ?id|hospital (?:id|number|no)|empi|umrn|health record",
    ),
    labelled("MRN", r"(?:duplicate|old|new|merged|patient) records?", digits=4),
    labelled(
        "MRN",
        r"chart|record|case|encounter|visit|admission|accession|specimen|requisition|csn|order"
        r"|referral|prescription|rx",
        strong=True,
        digits=4,
    ),
    Rule("MRN", r"\b(?:MRN|PT|PAT|MR|PID|EMPI)[-#:]?\d{5,10}\b", None, 0.7),
    Rule("HEALTH_PLAN", _MBI, None, 0.9),
    labelled(
        "HEALTH_PLAN",
        r"(?:member|subscriber|beneficiary|insured|policy ?holder|enrollee|recipient|dependent)",
        strong=True,
        digits=4,
    ),
    labelled(
        "HEALTH_PLAN",
        r"(?:policy|group|plan|insurance|coverage|certificate of coverage|claim|authorization"
        r"|prior auth(?:orization)?|payer|rxbin|rxgroup|rxgrp)",
        strong=True,
        digits=4,
    ),
    labelled(
        "HEALTH_PLAN",
        r"medicare|medicaid|medi-?cal|mbi|hicn?|tricare|nhs(?: number)?|health (?:plan|card"
        r"|insurance)(?: (?:id|number|no\.?|#))?|blue (?:cross|shield)|aetna|cigna|humana|bcbs",
        digits=5,
    ),
    labelled(
        "ACCOUNT", r"accounts?|acct|a/c|guarantor|invoice|financial (?:id|class)|har|fin", digits=5
    ),
    labelled(
        "ACCOUNT",
        r"(?:billing|bank|checking|savings|hospital) (?:account|acct)|routing|aba|iban|swift"
        r"|statement|credit card|debit card|card",
        strong=True,
        digits=4,
    ),
    Rule(
        "ACCOUNT",
        r"(?<![\w-])(?:\d{4}[- ]?){3}\d{4}(?![\w-])|(?<![\w-])3[47]\d{2}[- ]?\d{6}[- ]?\d{5}"
        r"(?![\w-])",
        _is_card,
        0.85,
    ),
    labelled(
        "LICENSE",
        r"dea|npi|driver'?s?'?’?s? licen[cs]e|drivers? lic\.?|d\.?l\.?(?= ?(?:#|no|number|:))"
        r"|passport|state id|licen[cs]e (?:number|no\.?|#|id)|licensure|green card|visa (?:number"
        r"|no)|certificate",
        digits=4,
    ),
    labelled(
        "LICENSE",
        r"(?:nursing|medical|professional|pharmacy|teaching|pilot'?s?|commercial|state|rn|md"
        r"|board) (?:licen[cs]e|certificat(?:e|ion)|registration)",
        digits=4,
    ),
    Rule("LICENSE", r"(?<![\w-])[ABCDEFGHJKLMPRSTUX][A-Z9]\d{7}(?![\w-])", _is_dea, 0.9),
    labelled(
        "OTHER",
        r"(?:employee|emp|badge|student|staff|personnel|payroll|inmate|prisoner|veteran|membership"
        r"|user|customer|client|applicant|candidate|worker|tax|national|alien|military|service)",
        strong=True,
        digits=3,
    ),
    labelled(
        "OTHER",
        r"(?:(?:study|trial|research) )?(?:participant|subject|enrollee|screening"
        r"|randomi[sz]ation)",
        strong=True,
        digits=2,
    ),
    labelled(
        "OTHER",
        r"(?:confirmation|reference|ticket|tracking|docket|grievance|complaint)",
        strong=True,
        digits=4,
    ),
    Rule(
        "OTHER",
        r"(?i)\b(?:user ?name|login|handle|screen name|user ?id|account name)(?: is)? ?[:=] ?"
        r"(?<value>[\w.@+-]{3,40})",
        None,
        0.7,
    ),
    Rule(
        "OTHER",
        r"(?i)\b(?:twitter|instagram|facebook|telegram|handle|social media)\b[^\n@]{0,20}"
        r"(?<value>@\w{3,30})\b",
        None,
        0.7,
    ),
)
