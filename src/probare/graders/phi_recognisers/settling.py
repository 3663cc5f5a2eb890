"""From all that recognisers found to what is reported: one finding a stretch, codes left out."""

from __future__ import annotations

from collections.abc import Iterable

from probare.graders.phi_recognisers.recognising import Found, compiled

# the numbers of classifications, publications and versions stand for no person
_CODES = (
    r"\b(?:CPT|HCPCS|SNOMED(?:[ -]CT)?|ICD(?:-?(?:9|10|11|O))?(?:-?(?:CM|PCS))?|LOINC|RxNorm|RXCUI"
    r"|NDC|DRG|MS-DRG|ATC|UMLS|CUI|MeSH|HL7|FHIR|DSM|CVX|NCT|PMID|PMCID|PMC|DOI|ISBN|ISSN|ISO|RFC"
    r"|CFR|USC|OMIM|CAS|IEC|ANSI|(?i:version|release|build|section|chapter|clause|article|figure"
    r"|firmware|paragraph|appendix|protocol version|ver|rev))\.?(?: (?i:codes?|numbers?|no\.?))?"
    r"[ :#-]{0,3}$|(?<![A-Za-z])[vV]\.? ?$"
)
_LOOK_BACK = 32


def settle(found: Iterable[Found], text: str) -> list[Found]:
    """Return what is left where findings overlap: the surest, of these the longest; in the order
    of the text. Codes of classifications (CPT 99213) and versions are dropped.
    """
    kept: list[Found] = []
    for one in sorted(found, key=lambda f: (-f.score, f.start - f.end, f.start, f.type)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    kept.sort(key=lambda f: f.start)
    return [one for one in kept if not _is_code(one, text)]


def _is_code(found: Found, text: str) -> bool:
    if found.type == "NAME":
        return False
    before = text[max(0, found.start - _LOOK_BACK) : found.start]
    return compiled(_CODES).search(before) is not None
