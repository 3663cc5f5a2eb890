"""Presidio's analyzer with its checked patterns, our recognisers, and a spaCy model by option.

Nothing here reaches the network: the language pipeline is blank (or an installed package, never
downloaded), and Presidio's recognisers of mail and web addresses, which fetch lists of domain
endings, are left out in favour of our own.
"""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from probare.errors import GraderError, InputError, MissingExtra
from probare.graders.phi_recognisers import RULES, TYPES
from probare.graders.phi_recognisers.names import extent
from probare.graders.phi_recognisers.places import town
from probare.graders.phi_recognisers.recognising import Found, scan
from probare.graders.phi_recognisers.settling import settle

# Presidio's own entities, by ours; below 0.4 its patterns are guesses that wait for context
_ENTITIES = {
    "IBAN_CODE": "ACCOUNT",
    "CREDIT_CARD": "ACCOUNT",
    "CRYPTO": "ACCOUNT",
    "US_SSN": "SSN",
    "US_ITIN": "SSN",
    "US_MBI": "HEALTH_PLAN",
    "MAC_ADDRESS": "DEVICE",
    "PHONE_NUMBER": "PHONE",
    "DATE_TIME": "DATE",
    "PERSON": "NAME",
    "LOCATION": "GEO",
}
_PATTERNS = (
    "IbanRecognizer",
    "CreditCardRecognizer",
    "CryptoRecognizer",
    "UsSsnRecognizer",
    "UsItinRecognizer",
    "UsMbiRecognizer",
    "MacAddressRecognizer",
    "DateRecognizer",
)
_LEAST_SCORE = 0.4
_MODEL_LABELS = {"PERSON": "PERSON", "GPE": "LOCATION", "LOC": "LOCATION", "FAC": "LOCATION"}
_MODEL_IGNORES = [
    "CARDINAL",
    "DATE",
    "EVENT",
    "LANGUAGE",
    "LAW",
    "MONEY",
    "NORP",
    "ORDINAL",
    "ORG",
    "PERCENT",
    "PRODUCT",
    "QUANTITY",
    "TIME",
    "WORK_OF_ART",
]
# a label that one of our rules has read says more than the form of a number
_OTHERS_SCORE = 0.65
_WINDOW = 20_000
_OVERLAP = 300

_using = threading.Lock()


def require(model: str | None) -> None:
    """Raise MissingExtra or InputError where Presidio, or the model's package, is missing."""
    if find_spec("presidio_analyzer") is None or find_spec("spacy") is None:
        raise MissingExtra("presidio-analyzer", "privacy")
    if model is not None and find_spec(model) is None:
        raise InputError(
            f"the spaCy model '{model}' is not installed",
            hint="install it as a package first; nothing is downloaded during a run",
        )


def analyse(text: str, model: str | None = None) -> list[Found]:
    """Return what in a text looks like an identifier, in its order, without overlaps.

    The engine is built once (about two seconds) and used by one thread at a time. Raises
    GraderError where a pattern takes too long, MissingExtra where Presidio is not installed.
    """
    with _using:
        engine = _engine(model)
        found: set[Found] = set()
        for start, window in _windows(text):
            found.update(
                one._replace(start=one.start + start, end=one.end + start)
                for one in _asked(engine, window)
            )
    return settle(found, text)


def forget() -> None:
    """Let go of the engines, so that the next text builds one anew."""
    _engine.cache_clear()


def _windows(text: str) -> Iterator[tuple[int, str]]:
    """Yield a long text in overlapping parts, so that no pattern meets all of it at once."""
    start = 0
    while len(text) - start > _WINDOW:
        cut = text.rfind("\n", start + _WINDOW // 2, start + _WINDOW)
        if cut < 0:
            cut = text.rfind(" ", start + _WINDOW // 2, start + _WINDOW)
        end = cut + 1 if cut >= 0 else start + _WINDOW
        yield start, text[start:end]
        start = max(start + 1, end - _OVERLAP)
    yield start, text[start:]


def _asked(engine: Any, text: str) -> Iterator[Found]:
    _watch.skipped = False
    results = engine.analyze(text, language="en", score_threshold=_LEAST_SCORE)
    if _watch.skipped:
        raise GraderError("one of Presidio's patterns took too long, and was skipped by it")
    for result in results:
        kind = _ENTITIES.get(result.entity_type, result.entity_type)
        end = result.end
        if result.entity_type == "PERSON":
            end = result.start + extent(text[result.start : result.end])
        elif result.entity_type == "LOCATION":
            end = result.start + town(text[result.start : result.end])
        if kind in TYPES and end > result.start:
            own = result.entity_type in TYPES
            yield Found(kind, result.start, end, result.score if own else _OTHERS_SCORE)


class _Watch(threading.local):
    """Whether Presidio skipped a pattern in this thread: it says so in its log alone."""

    skipped = False


_watch = _Watch()


class _SkippedPatterns(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        kind = record.exc_info[0] if isinstance(record.exc_info, tuple) else None
        if kind is not None and issubclass(kind, TimeoutError):
            _watch.skipped = True
        return True


@lru_cache(maxsize=2)
def _engine(model: str | None) -> Any:
    require(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return _built(model)
        except ImportError as error:
            raise MissingExtra("presidio-analyzer", "privacy") from error


def _built(model: str | None) -> Any:
    import spacy
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer import predefined_recognizers as predefined
    from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine

    labels = NerModelConfiguration(
        model_to_presidio_entity_mapping=_MODEL_LABELS, labels_to_ignore=_MODEL_IGNORES
    )
    language = SpacyNlpEngine(ner_model_configuration=labels)
    language.nlp = {"en": spacy.blank("en") if model is None else _loaded(model)}
    registry = RecognizerRegistry(supported_languages=["en"])
    registry.add_recognizer(_own_recogniser())
    for name in _PATTERNS:
        kind: Any = getattr(predefined, name, None)
        if kind is not None:
            registry.add_recognizer(kind())
    registry.add_recognizer(predefined.PhoneRecognizer(supported_regions=("US",)))
    if model is not None:
        registry.add_recognizer(
            predefined.SpacyRecognizer(supported_entities=["PERSON", "LOCATION"])
        )
    logging.getLogger("presidio-analyzer").addFilter(_SkippedPatterns())
    return AnalyzerEngine(registry=registry, nlp_engine=language, supported_languages=["en"])


def _loaded(model: str) -> Any:
    """Return the pipeline of an installed package. It is never downloaded, nor read from a path."""
    load: Any = getattr(import_module(model), "load", None)
    if load is None:
        raise InputError(f"the package '{model}' is no spaCy model: it has no `load`")
    try:
        return load()
    except Exception as error:
        raise GraderError(f"the spaCy model '{model}' cannot be loaded: {error}") from error


def _own_recogniser() -> Any:
    from presidio_analyzer import LocalRecognizer, RecognizerResult

    class OwnRecogniser(LocalRecognizer):
        """Our rules, as Presidio's analyzer asks for them."""

        def load(self) -> None:
            """Nothing to load: patterns are compiled as they are first used."""

        def analyze(
            self, text: str, entities: Iterable[str], nlp_artifacts: Any = None
        ) -> list[RecognizerResult]:
            return [
                RecognizerResult(one.type, one.start, one.end, one.score)
                for one in scan(RULES, text)
                if one.type in entities
            ]

    return OwnRecogniser(supported_entities=list(TYPES), name="probare")
