"""Names of people: after titles, relations, roles and labels; and full names by their first."""

from __future__ import annotations

from probare.graders.phi_recognisers.given_names import GIVEN
from probare.graders.phi_recognisers.ordinary import EPONYMS, NAMED_AFTER, PLAIN, REGIONS
from probare.graders.phi_recognisers.recognising import Rule, compiled

_PARTICLE = (
    r"(?:de la|de las|de los|van der|van den|von der|de|del|della|da|das|dos|di|du|van"
    r"|von|der|bin|ibn|bint|al|el|la|le|ter|ten)"
)
_MIXED = r"\p{Lu}(?:\p{Ll}|['’]\p{Lu}\p{Ll})[\p{L}'’]{0,30}"
_WORD = rf"(?:{_MIXED}|\p{{Lu}}{{2,30}}(?:['’]\p{{Lu}}{{1,30}})?)"
_NAME = rf"{_WORD}(?:-{_WORD}){{0,2}}(?!\p{{L}})"
_SPACE = r"[ \t\u00a0]{1,3}"
_GAP = r"[ \t\u00a0]{0,3}"
_IS = r"(?:[\"']? ?[:=]|(?i: is\b))[ \t\u00a0]{0,3}[\"']?"
_MORE = (
    rf"{_SPACE}(?:{_PARTICLE}{_SPACE}{_NAME}|al-{_NAME}|\p{{Lu}}\.|\p{{Lu}}(?=\s)|{_NAME}"
    rf"|Jr\.?|Sr\.?|I{{2,3}}\b)"
)
_ANY = rf"(?<value>(?:{_PARTICLE}{_SPACE})?{_NAME}(?:{_MORE}){{0,3}})"
_FULL = rf"(?<value>{_NAME}(?:{_MORE}){{1,3}})"

_TITLE = (
    r"(?:Drs?|Mrs?|Ms|Mx|Miss|Prof|Rev|Hon|Sra?|Srta|Doctor|Professor|Nurse|Reverend|Pastor|Rabbi"
    r"|Judge|Sgt|Capt|Lt|DR|MRS?|MS|Señora?|Don|Doña|Mme|Herr|Frau)"
)
_RELATION = (
    r"(?:daughter|son|wife|husband|mother|father|mom|dad|brother|sister|spouse|partner|fianc[eé]e?"
    r"|guardian|caregiver|carer|grand(?:mother|father|son|daughter)|aunt|uncle|cousin|niece|nephew"
    r"|friend|neighbou?r|roommate|girlfriend|boyfriend|next of kin|emergency contact|interpreter"
    r"|colleague|supervisor|manager|(?:son|daughter|mother|father|sister|brother)-in-law)"
)
_ROLE = (
    r"(?:[Pp]atient|PATIENT|[Pp]t|[Cc]lient|[Mm]ember|[Aa]pplicant|[Ee]mployee|[Pp]articipant"
    r"|[Ss]ubject|[Rr]esident|[Cc]laimant|[Cc]andidate|[Bb]eneficiary|[Ii]nsured|[Ss]ubscriber"
    r"|[Gg]uarantor|[Vv]eteran|[Nn]urse|[Ss]urgeon|[Pp]hysician|[Pp]rovider|[Dd]octor|[Mm]idwife"
    r"|[Tt]herapist|[Ss]ocial worker|[Cc]ase manager|[Cc]ounsel+or|[Pp]harmacist)"
)
_PERSONS = (
    r"(?:patient|first|middle|last|given|family|maiden|preferred|employee|applicant|member"
    r"|subscriber|guardian|mother'?s|father'?s|insured|guarantor|customer|client)"
)
_LABEL = (
    r"(?i:(?:patient|full|first|middle|last|given|family|maiden|preferred|legal|member|employee"
    r"|applicant|subscriber|emergency contact|contact|mother'?s|father'?s|guardian|insured"
    r"|guarantor|customer|client|user|your|the|her|his|my)[ _]?name|name|surname|alias|a\.?k\.?a\.?"
    r"|next of kin|attending|attn|attention|pcp|referr(?:ing|ed)(?: by| physician)?|seen by"
    r"|signed(?: by)?|dictated by|reviewed by|prepared by|reported by|witness(?:ed by)?|author"
    r"|to|from|cc)"
)
_VERB = (
    r"(?i:spoke (?:with|to)|met with|discussed with|talked (?:to|with)|called|paged|e-?mailed"
    r"|texted|contacted|notified|informed|interviewed|seen by|examined by|signed by|ordered by"
    r"|referred (?:to|by)|accompanied by|care of|regarding|on behalf of|assigned to|reports to"
    r"|hired|terminated|promoted|reported by|written by|named|i am|i'm|this is)"
)
_GREETING = r"(?:Dear|Hi|Hello|Hey|Thanks|Sincerely|Regards|Best|Yours truly)"
_CREDENTIAL = (
    r"(?:M\.?D|D\.?O|R\.?N|N\.?P|P\.?A(?:-C)?|Ph\.?D|D\.?D\.?S|Pharm\.?D|LCSW|LPN|CRNA|FNP|APRN"
    r"|Esq|J\.?D|M\.?P\.?H|Psy\.?D|D\.?P\.?T|FACP|FACS)"
)
_AGE = r"(?:\(|,? (?:is )?(?:an? )?)\d{1,3}(?:[ -]?(?:y(?:ea)?rs?[ -]old|y/?o|yo)\b|[ ,)])"
_DISEASE = (
    r"\W{1,3}(?:[\p{L}-]{1,20}\W)?(?i:syndrome|disease|sign|test|scale|score|score|lymphoma|palsy"
    r"|hospital|university|clinic|institute|college|school|foundation|cent(?:er|re)|method|stain"
    r"|criteria|classification|law|procedure|index|questionnaire|inventory|street|st\b|ave)"
)


def extent(value: str, *, least: int = 1, eponyms: bool = False) -> int:
    """Return how much of a value is a name: it ends before the first word that is none.

    `least` is how many words, initials aside, it needs. With `eponyms` the names of diseases
    count as names.
    """
    length = words = 0
    for match in compiled(r"[\p{L}'’.]+(?:-[\p{L}'’]+)*").finditer(value):
        word = match[0].rstrip(".")
        folded = word.casefold().removesuffix("'s").removesuffix("’s")
        parts = folded.split("-")
        if any(part in PLAIN or (not eponyms and part in EPONYMS) for part in parts):
            break
        if not eponyms and _is_acronym(word):
            break
        if len(word) > 1 and not word.islower():
            words += 1
        if not word.islower():
            length = match.start() + len(match[0] if len(word) == 1 else word)
    value = value[:length]
    for suffix in ("'s", "’s"):
        value = value.removesuffix(suffix)
    return len(value) if words >= least else 0


def _is_acronym(word: str) -> bool:
    """Whether a word of capitals is too short, or too hard to say, to be a name."""
    bare = word.replace("'", "").replace("’", "")
    if not bare.isupper() or len(bare) == 1:
        return False
    return len(bare) == 2 or not set(bare) & set("AEIOUYÁÉÍÓÚÄÖÜ")


def _titled(value: str) -> int:
    return extent(value, eponyms=True)


def _single(value: str) -> int:
    return extent(value)


def _full(value: str) -> int:
    return extent(value, least=2)


def _by_first(value: str) -> int:
    length = _full(value)
    rest = value[length:].casefold().split()
    named_after = bool(rest) and rest[0] in NAMED_AFTER
    return length if _first(value) in GIVEN and not named_after else 0


def _known(value: str) -> int:
    return _single(value) if _first(value) in GIVEN else 0


def _first(value: str) -> str:
    return compiled(r"[ .-]").split(value, maxsplit=1)[0].casefold()


def _surname_first(value: str) -> int:
    words = compiled(r"[\p{L}'’]+").findall(value)
    if any(word.casefold() in PLAIN | EPONYMS | REGIONS for word in words if len(word) > 1):
        return 0
    return len(value)


def _surname_given(value: str) -> int:
    words = compiled(r"[\p{L}'’-]+").findall(value)
    return _surname_first(value) if words[1].casefold() in GIVEN else 0


_LAST_FIRST = rf"{_NAME}(?:{_SPACE}{_NAME})?,{_SPACE}{_NAME}"
_AHEAD = r"(?=\W{1,4}(?i:dob|d\.o\.b|mrn|date of birth|born|age|sex|\d{1,3} ?y))"

RULES = (
    Rule("NAME", rf"\b{_TITLE}\.?{_SPACE}{_ANY}", _titled, 0.9),
    Rule(
        "NAME", rf"\b(?i:{_RELATION})(?:,{_SPACE}|{_SPACE}(?i:is |named |called )?){_ANY}", _single
    ),
    Rule("NAME", rf"\b(?i:{_RELATION}) ?[:(-]{_GAP}{_FULL}", _full),
    Rule("NAME", rf"\b{_ROLE}(?:,|:| is| named)?{_SPACE}{_FULL}", _full),
    Rule("NAME", rf"(?<![A-Za-z0-9]){_LABEL}{_IS}{_FULL}", _full, 0.9),
    Rule(
        "NAME",
        rf"(?<![A-Za-z0-9])(?i:{_PERSONS}[ _]?name|surname|alias|attn"
        rf"|pcp){_IS}{_ANY}",
        _single,
    ),
    Rule("NAME", rf"\b(?i:name){_IS}{_ANY}", _known),
    Rule("NAME", rf"\b{_VERB}{_SPACE}{_FULL}", _full),
    Rule(
        "NAME",
        rf"\b(?i:my name is|goes by|i am called|née|born as|nickname(?: is|:)?){_SPACE}{_ANY}",
        _single,
    ),
    Rule("NAME", rf"\b{_GREETING},?(?:{_SPACE}|\n{{1,2}}){_ANY}(?=[,.!\n:]|$)", _single, 0.7),
    Rule("NAME", rf"\b{_FULL}(?=, ?{_CREDENTIAL}\b)", _full, 0.9),
    Rule("NAME", rf"\b{_FULL}(?={_AGE})", _full, 0.7),
    Rule("NAME", rf"\b{_FULL}{_AHEAD}", _full),
    Rule("NAME", rf"\b{_FULL}(?!{_DISEASE})", _by_first, 0.7),
    Rule("NAME", rf"\b(?<value>{_LAST_FIRST}{_SPACE}\p{{Lu}}(?:\.|\b(?!\p{{L}})))", _surname_first),
    Rule("NAME", rf"\b(?<value>{_LAST_FIRST}){_AHEAD}", _surname_first),
    Rule("NAME", rf"\b(?<value>{_LAST_FIRST})\b", _surname_given, 0.7),
    Rule("NAME", rf"\b(?:{_ROLE}|{_LABEL}) ?[: ]{_GAP}(?<value>{_LAST_FIRST})\b", _surname_first),
)
