"""Language codes: which there are, which mean the same, which the default detector knows.

Codes are ISO 639-1 where a language has one, else ISO 639-3. A region or script after the code
(`pt-BR`, `zh-Hans`) is dropped: no detector tells those apart.
"""

from __future__ import annotations

from collections.abc import Iterable

_ISO_639_1 = """
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de
    dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia
    id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo
    lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl
    ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk
    tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
_PY3LANGID = """
    ace af am an ar ary arz as az ba bcl be bg bn br bs ca crh cs cy da de dz el en eo es et eu ext
    fa fi fo fr fuv fy ga gcf gcr gd gl gom grc gu gug guw ha hbo he hi hr ht hu hy id ig is it ja
    jv ka kab kik kk km kn ko ku ky la lb lg lij ln lo lt ltg lv mg mk ml mn mr ms mt my ne nl nn
    no nso oc om or pa pcm pl ps pt qu ro ru rw sa sdh se si sk sl sn so sq sr st sv sw ta te tg th
    tk tl tr tt ug uk ur uz uzs vec vi vo wa wuu xh yo yue zh zu
"""

ISO_639_1 = frozenset(_ISO_639_1.split())
"""All of ISO 639-1."""

DETECTED = frozenset(_PY3LANGID.split())
"""The labels of py3langid 0.4, whose names need no import of the package here."""

# Members of what ISO 639-3 calls a macrolanguage, counted as the whole: a detector's split of
# written Arabic or Chinese is not one that a reader would make.
PART_OF = {
    "ary": "ar",
    "arz": "ar",
    "wuu": "zh",
    "yue": "zh",
    "cmn": "zh",
    "arb": "ar",
    "uzs": "uz",
    "sdh": "ku",
    "gug": "gn",
    "kik": "ki",
    "fuv": "ff",
}
_OLDER = {"iw": "he", "in": "id", "ji": "yi", "mo": "ro", "fil": "tl", "zsm": "ms", "ind": "id"}

# What a detector calls `no` is Bokmål; `no` asked for is either written form.
_WRITTEN_FORMS = {"nb": ("no",), "no": ("no", "nn")}


def canonical(code: str) -> str:
    """Return a code as verdicts use it, without region and script. Raises ValueError."""
    primary = code.strip().replace("_", "-").split("-")[0].lower()
    primary = _OLDER.get(primary, primary)
    primary = PART_OF.get(primary, primary)
    if primary not in ISO_639_1 and primary not in DETECTED:
        raise ValueError(
            f"'{code}' is no language code that is known here (ISO 639-1, such as en, id, ms)"
        )
    return primary


def accepted(expected: Iterable[str], equivalents: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Return the codes that answer the expected ones, the suite's equivalents included."""
    codes = [canonical(code) for code in expected]
    for group in equivalents:
        members = [canonical(code) for code in group]
        if any(code in members for code in codes):
            codes.extend(members)
    forms = [form for code in codes for form in _WRITTEN_FORMS.get(code, (code,))]
    return tuple(dict.fromkeys([*codes, *forms]))
