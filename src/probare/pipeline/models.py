"""The chat models of one run, closed when it ends."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

from probare.providers import Models


@contextmanager
def models_for(cache: str | None, on_warning: Callable[[str], None]) -> Generator[Models]:
    """Yield the models that targets and judges ask; `cache` is the folder of kept replies."""
    with Models(cache=None if cache is None else Path(cache), on_warning=on_warning) as models:
        yield models


def told_once(problems: Iterable[str]) -> str:
    """Join what went wrong beside the trials, each once."""
    return "; ".join(dict.fromkeys(problem for problem in problems if problem))
