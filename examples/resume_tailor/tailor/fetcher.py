"""A job posting from its address: cached, tried again where that can help, and clear when not."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import httpx
from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception,
    stop_after_attempt,
    wait_exponential,
    wait_random,
)

from tailor.page import posting_in
from tailor.posting import Posting

LARGEST_PAGE = 5_000_000
_TRY_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_URL = re.compile(r"https?://[^\s<>\"'`\\^{}|]+", re.IGNORECASE)
_OPENERS = {")": "(", "]": "["}

OnAttempt: TypeAlias = Callable[[int, str | None], None]


class FetchError(Exception):
    """A posting could not be had. `status` is null where no answer came at all."""

    def __init__(self, message: str, *, status: int | None = None, retryable: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.retryable = retryable
        self.retry_after: float | None = None


class PostingGone(FetchError):
    """The address leads nowhere (404, 410). Trying again does not help."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A posting, and whether it came from the cache."""

    posting: Posting
    cache: Literal["hit", "miss"]


def find_urls(text: str) -> tuple[str, ...]:
    """Return the web addresses in a text, each once, in order, without the punctuation of the
    sentence around them. A closing bracket belongs to the address only where it was opened
    inside.
    """
    found = (_without_punctuation(match[0]) for match in _URL.finditer(text))
    return tuple(dict.fromkeys(url for url in found if not url.endswith("://")))


def _without_punctuation(url: str) -> str:
    while url[-1] in ".,;:!?*_" or url.count(url[-1]) > url.count(_OPENERS.get(url[-1], url[-1])):
        url = url[:-1]
    return url


def _ignore(_number: int, _error: str | None) -> None:
    """Tell nobody of an attempt."""


class Fetcher:
    """Fetches postings over HTTP and keeps them in a folder, if it is given one.

    Tried again, up to `attempts` times with growing waits (seconds, `first_wait` to
    `longest_wait`; a shorter Retry-After is kept to), are lost connections, timeouts and answers
    that say "later". Every other answer is final. `on_attempt` is told of each try its number,
    from 1, and what went wrong, if something did.
    """

    def __init__(
        self,
        cache: Path | None = None,
        *,
        attempts: int = 4,
        first_wait: float = 0.5,
        longest_wait: float = 20.0,
        timeout: float = 15.0,
        on_attempt: OnAttempt = _ignore,
    ) -> None:
        self._cache = cache
        self._timeout = timeout
        self._on_attempt = on_attempt
        self._longest_wait = longest_wait
        self._backoff = wait_exponential(multiplier=first_wait, max=longest_wait) + wait_random(
            0, first_wait
        )
        self._retrying = Retrying(
            stop=stop_after_attempt(attempts),
            wait=self._wait,
            retry=retry_if_exception(lambda error: getattr(error, "retryable", False)),
            reraise=True,
        )

    def fetch(self, url: str) -> Fetched:
        """Return the posting at an address.

        Raises PostingGone where there is none, and FetchError where it could not be had.
        """
        if not url.startswith(("http://", "https://")):
            raise FetchError(f"{url!r} is not a web address (http or https)")
        cached = self._cached(url)
        if cached is not None:
            return Fetched(cached, "hit")
        posting: Posting | None = None
        for attempt in self._retrying:
            with attempt:
                posting = self._once(url, attempt.retry_state.attempt_number)
        assert posting is not None
        self._keep(url, posting)
        return Fetched(posting, "miss")

    def _once(self, url: str, number: int) -> Posting:
        try:
            posting = self._posting(url)
        except FetchError as error:
            self._on_attempt(number, str(error))
            raise
        self._on_attempt(number, None)
        return posting

    def _posting(self, url: str) -> Posting:
        try:
            with (
                httpx.Client(follow_redirects=True, timeout=self._timeout) as client,
                client.stream("GET", url, headers={"Accept": "text/html, text/plain"}) as response,
            ):
                _refuse_errors(response)
                page = _read(response)
                kind = response.headers.get("content-type", "")
                final = str(response.url)
        except httpx.TransportError as error:
            said = str(error) or type(error).__name__
            raise FetchError(f"{url} could not be reached: {said}", retryable=True) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise FetchError(f"{url} could not be fetched: {error}") from error
        if kind.startswith("text/plain"):
            posting = Posting(text=page.strip(), url=final)
        else:
            posting = posting_in(page, final)
        if not posting.text:
            raise FetchError(f"there is no text to read at {url}")
        return posting

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = getattr(error, "retry_after", None)
        return self._backoff(state) if asked is None else min(asked, self._longest_wait)

    def _file(self, url: str) -> Path | None:
        name = hashlib.sha256(url.encode()).hexdigest()
        return self._cache / f"{name}.json" if self._cache is not None else None

    def _cached(self, url: str) -> Posting | None:
        file = self._file(url)
        if file is None:
            return None
        try:
            return Posting(**json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None  # not there, or half written: it is fetched again

    def _keep(self, url: str, posting: Posting) -> None:
        file = self._file(url)
        if file is None:
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        unfinished = file.with_suffix(f".{os.getpid()}.tmp")
        unfinished.write_text(json.dumps(asdict(posting)), encoding="utf-8")
        unfinished.replace(file)


def _refuse_errors(response: httpx.Response) -> None:
    status = response.status_code
    if response.is_success:
        return
    if status in (404, 410):
        raise PostingGone(f"the posting is gone: {response.url} answered {status}", status=status)
    error = FetchError(
        f"{response.url} answered {status}", status=status, retryable=status in _TRY_AGAIN
    )
    wait = response.headers.get("retry-after", "")
    error.retry_after = float(wait) if wait.isdecimal() else None
    raise error


def _read(response: httpx.Response) -> str:
    """Return the page as text; one that is too large to be a posting is refused."""
    data = b""
    for chunk in response.iter_bytes():
        data += chunk
        if len(data) > LARGEST_PAGE:
            raise FetchError(f"{response.url} is larger than {LARGEST_PAGE:,} bytes")
    return data.decode(response.charset_encoding or "utf-8", "replace")
