"""Ways to reach somebody: telephone, fax, mail address, web address, internet address."""

from __future__ import annotations

import ipaddress

from probare.graders.phi_recognisers.recognising import Rule, holding

_EXTENSION = r"(?: ?(?:,|;)? ?(?i:ext(?:ension)?\.?|x) ?\d{1,6})?"
_TEN = r"(?:\+?1[-. ]?)?(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}"
_BARE = r"(?:\+?1)?\d{10}"
_ABROAD = r"\+\d{1,3}(?:[ .-]?\(?\d{1,5}\)?){2,6}"
_NUMBER = rf"(?:{_TEN}{_EXTENSION}|{_ABROAD}|{_BARE})"
_START = r"(?<![\w.+-])(?<!\d[ (])"
_END = r"(?![\w-]|\.\d)"
_PHONE_WORD = (
    r"(?i:phone|telephone|tel|cell(?:ular)?|cellphone|mobile|call(?:ed|s|ing)?|pager|beeper"
    r"|text(?:ed)?"
    r"|sms|voicemail|line|landline|whatsapp|reach(?:ed|able)?|contact|ring|dial)"
)
_FAX_WORD = r"(?i:fax(?:ed|es|ing)?|facsimile|telefax|efax)"
_GAP = rf"(?:(?!\b{_PHONE_WORD}\b)[^\d\n;]){{0,40}}"
_TLD = (
    "com|org|net|edu|gov|mil|int|io|co|us|uk|ca|de|fr|es|it|nl|eu|au|in|jp|br|mx|info|biz|me|tv|dev"
    "|app|ai|care|clinic|doctor|health|healthcare|hospital|blog|page|online|site|example|test"
)
_LABEL = r"[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})"
_HOST = rf"{_LABEL}(?:\.{_LABEL}){{0,8}}"
_TAIL = r"(?:[/?#](?:[^\s<>\"'()]{0,2000}[^\s<>\"'().,;:!?\]])?)?"


def _is_ip(value: str) -> bool:
    try:
        ipaddress.ip_interface(value)
    except ValueError:
        return False
    return True


_VERSION = r"(?<!(?i:version|release|build|section|chapter|clause|firmware|v)[ .:]{0,2})"

RULES = (
    Rule(
        "FAX",
        rf"\b{_FAX_WORD}\b{_GAP}{_START}(?<value>{_NUMBER}|\d{{3}}[-. ]\d{{4}}){_END}",
        None,
        0.95,
    ),
    Rule("FAX", rf"{_START}(?<value>{_NUMBER}){_END} ?[(\[]?(?i:fax)\b", None, 0.95),
    Rule("PHONE", rf"{_START}(?<value>{_TEN}{_EXTENSION}){_END}", None, 0.8),
    Rule(
        "PHONE",
        rf"{_START}(?<value>{_ABROAD}){_END}",
        holding(lambda v: 8 <= sum(map(str.isdigit, v)) <= 15),
        0.7,
    ),
    Rule(
        "PHONE",
        rf"\b{_PHONE_WORD}\b[^\d\n;]{{0,25}}{_START}(?<value>{_BARE}|\d{{3}}[-. ]\d{{4}}"
        rf"|0\d{{2,4}}[ -]?\d{{3,4}}[ -]?\d{{3,4}}){_END}",
        None,
        0.8,
    ),
    Rule(
        "PHONE",
        rf"\b{_PHONE_WORD}\b[^\d\n;]{{0,25}}\b(?i:ext(?:ension)?\.?|x) ?(?<value>\d{{3,6}}){_END}",
        None,
        0.6,
    ),
    Rule(
        "EMAIL",
        rf"(?<![\w.+%-])[\p{{L}}\p{{N}}][\w.!#$%&'*+/=?^`{{|}}~-]{{0,63}}@{_HOST}\.\p{{L}}{{2,24}}"
        rf"\b",
        None,
        0.95,
    ),
    Rule(
        "EMAIL",
        rf"(?i)\b[a-z0-9][\w.+-]{{0,63}} ?[\[(] ?at ?[\])] ?{_HOST}"
        r" ?[\[(] ?dot ?[\])] ?[a-z]{2,24}\b",
        None,
        0.8,
    ),
    Rule(
        "URL",
        r"(?i)\b(?:https?|ftp|sftp|file|s3|gs)://[^\s<>\"'()]{1,500}?(?=[.,;:!?\]]*(?:[\s<>\"'()]"
        r"|$))",
        None,
        0.95,
    ),
    Rule("URL", rf"(?i)(?<![\w@./-])www\d?\.{_HOST}{_TAIL}", None, 0.95),
    Rule("URL", rf"(?<![\w@./-])(?i:{_HOST})\.(?:{_TLD})(?![\w-]|\.\w|@){_TAIL}", None, 0.7),
    Rule(
        "IP",
        rf"(?<![\w.]){_VERSION}(?:\d{{1,3}}\.){{3}}\d{{1,3}}(?:/\d{{1,2}})?(?![\w]|\.\d)",
        holding(_is_ip),
        0.9,
    ),
    Rule(
        "IP",
        r"(?<![\w:.])(?i:[0-9a-f]{0,4}:){2,7}[0-9a-fA-F]{0,4}(?:/\d{1,3})?(?![\w:])",
        holding(lambda v: _is_ip(v) and len(v) > 6),
        0.9,
    ),
)
