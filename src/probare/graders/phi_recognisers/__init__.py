"""Recognisers of what may identify a person: the list of HIPAA's Safe Harbor.

45 CFR 164.514(b)(2)(i) names eighteen kinds of identifiers; `TYPES` are these, with ages over 89
apart from the dates among which the rule puts them. Patterns and heuristics for English text;
they know labels and forms, not people. A dictionary of places or surnames is not among them.
"""

from probare.graders.phi_recognisers import contacts, dates, names, places, records, things

TYPES = {
    "NAME": "names of people",
    "GEO": "places smaller than a state",
    "DATE": "dates finer than a year",
    "AGE": "ages over 89",
    "PHONE": "telephone numbers",
    "FAX": "fax numbers",
    "EMAIL": "mail addresses",
    "SSN": "social security and taxpayer numbers",
    "MRN": "numbers of medical records",
    "HEALTH_PLAN": "numbers of health plans and their members",
    "ACCOUNT": "account and card numbers",
    "LICENSE": "numbers of licences, certificates and passports",
    "VEHICLE": "vehicle identifiers and licence plates",
    "DEVICE": "device identifiers and serial numbers",
    "URL": "web addresses",
    "IP": "internet addresses",
    "BIOMETRIC": "finger and voice prints and the like",
    "PHOTO": "photographs of faces",
    "OTHER": "any other number or code that stands for a person",
}

RULES = (
    *names.RULES,
    *places.RULES,
    *dates.RULES,
    *contacts.RULES,
    *records.RULES,
    *things.RULES,
)
