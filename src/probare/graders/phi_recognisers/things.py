"""Identifiers of things and bodies: vehicles, devices, biometric templates, photographs."""

from __future__ import annotations

from probare.graders.phi_recognisers.recognising import Rule
from probare.graders.phi_recognisers.records import labelled

_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_LETTERS = dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ", [*range(1, 9), 1, 2, 3, 4, 5, 7, 9, *range(2, 10)], strict=True)
)
_IMAGE = r"(?i:jpe?g|png|gif|heic|heif|tiff?|bmp|webp|raw|dng|mp4|mov)"
_FACE = (
    r"(?i:photo(?:graph)?s?|picture|headshot|selfie|portrait|mug ?shot|face|facial|full-?face"
    r"|frontal|passport photo|id photo|badge photo|webcam|snapshot)"
)
_BODY = (
    r"(?i:finger ?prints?|thumb ?prints?|palm ?(?:prints?|vein)|hand geometry|retina(?:l)?|iris"
    r"|voice ?prints?|voice|facial|face|gait|biometric|dna|genom(?:e|ic)|ear print)"
)
_TRACE = (
    r"(?i:template|scan|hash|id|identifier|profile|sample|record|key|signature|enrol+ment"
    r"|recognition"
    r"|data|token|vector|print|embedding)"
)
_HEX = (
    r"(?:[0-9a-fA-F]{16,128}|(?=[\w-]*\d)[A-Za-z0-9]{1,8}(?:[-_][A-Za-z0-9]{1,16}){1,5}|"
    r"(?=\w*\d)\w{6,64})"
)


def _is_vin(value: str) -> int:
    """Return the length of a vehicle number whose check digit is right (49 CFR 565.15(c))."""
    total = sum(
        weight * (int(char) if char.isdigit() else _LETTERS[char])
        for weight, char in zip(_WEIGHTS, value, strict=True)
    )
    return len(value) if "0123456789X"[total % 11] == value[8] else 0


RULES = (
    Rule(
        "VEHICLE",
        r"(?i)\bvin\b(?: (?:number|no\.?|is|#))?[ :#=]{1,3}(?<value>[A-HJ-NPR-Z0-9]{11,17})\b",
        None,
        0.95,
    ),
    Rule("VEHICLE", r"(?<![\w-])[A-HJ-NPR-Z0-9]{17}(?![\w-])", _is_vin, 0.9),
    Rule(
        "VEHICLE",
        r"\b(?i:licen[cs]e plates?|number plates?|plates?|tag|vehicle registration"
        r"|registration plate)"
        r"(?i:(?: (?:number|no\.?|is|was|#|reads|reading))|[ ]?[:#=(])*[ ]{0,2}(?:[A-Z]{2} )?"
        r"(?<value>(?=[A-Z0-9 -]{0,8}\d)[A-Z0-9]{1,4}[ -]?[A-Z0-9]{2,5})\b(?![\w-])",
        None,
        0.95,
    ),
    labelled(
        "DEVICE",
        r"serial|s/n|sn(?= ?[:#])|udi|imei|meid|device (?:id|identifier|serial|number|no|#)|"
        r"(?:pacemaker|implant|icd|pump|monitor|defibrillator|stent|hearing aid|cgm|insulin pump"
        r"|ventilator|prosthesis|lead|generator) (?:serial|s/n|id|identifier|number|no\.?|#|model)",
        digits=3,
    ),
    Rule(
        "DEVICE",
        r"\(01\) ?\d{14}(?:\((?:1[0157]|2[01]|30|240)\) ?[^\s()]{1,20}){0,6}(?<![.,;])",
        None,
        0.95,
    ),
    Rule(
        "DEVICE",
        r"(?<![\w:.-])[0-9A-Fa-f]{2}(?<s>[:-])(?:[0-9A-Fa-f]{2}(?P=s)){4}[0-9A-Fa-f]{2}(?![\w:-])",
        None,
        0.95,
    ),
    Rule("DEVICE", r"(?<![\w.])[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}(?![\w.])", None, 0.8),
    Rule(
        "DEVICE",
        r"(?i)\b(?:device|advertising|idfa|gaid|hardware)[^\n]{0,20}?(?<value>[0-9a-f]{8}-"
        r"(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\b",
        None,
        0.9,
    ),
    Rule(
        "BIOMETRIC",
        rf"\b{_BODY}(?:[ -]{_TRACE}){{1,3}}(?i: (?:number|no\.?|is|was|#)| ?[:#=])*[ ]?"
        rf"(?<value>{_HEX})(?![\w-])",
        None,
        0.9,
    ),
    Rule(
        "PHOTO",
        rf"\b{_FACE}\b[^\n]{{0,60}}?(?<![\w/.-])(?<value>[\w%+./\\-]{{1,120}}\.{_IMAGE})\b",
        None,
        0.9,
    ),
    Rule(
        "PHOTO",
        rf"(?i)(?<![\w-])(?<value>[\w/\\-]{{0,40}}(?:face|facial|portrait|selfie|headshot|mugshot"
        rf"|patient[_-]?photo)[\w./\\-]{{0,60}}\.{_IMAGE})\b",
        None,
        0.8,
    ),
)
