"""What a failed request means: a limit, a passing fault, a refusal of the request, a filter."""

from __future__ import annotations

import re
from typing import Any, Literal

import msgspec

from probare.encoding.narrow import mapping
from probare.errors import InfraError

Kind = Literal["limited", "passing", "lasting", "filtered"]

_LIMITED = 429
FORMAT_FIELD = "response_format"
_PASSING = frozenset({408, 409, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
_FILTERS = frozenset({"content_filter", "content_policy_violation"})
_FRACTION = re.compile(r"[0-9]{1,9}\.[0-9]+")
_LONGEST_TOLD = 500


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """A failed request. `wait` is what the provider asked for, in seconds; `status` its answer's,
    where one came.
    """

    kind: Kind
    message: str
    wait: float | None = None
    status: int | None = None

    def error(self, model: str) -> InfraError:
        """Return what is raised when nothing more is tried."""
        return InfraError(
            f"{model}: {self.message}",
            hint=_HINTS.get(self.status or 0, ""),
            retryable=self.kind in ("limited", "passing"),
            retry_after=self.wait,
        )


_HINTS = {
    401: "the key is not accepted",
    402: "the account has no credit left",
    403: "the key has no access to this model",
    404: "the provider knows no such model, or the base URL is wrong",
}


class Unfinished(Exception):  # noqa: N818 - reads as what it is
    """A stream ended before the reply did."""


def fault_of(error: Exception) -> Fault | None:
    """Return what an exception of the model layer means; None where it is not the provider's."""
    from pydantic_ai import exceptions

    if isinstance(error, TimeoutError | exceptions.ModelRequestTimeout):
        return Fault(kind="passing", message=str(error) or "no answer within the time")
    if isinstance(error, Unfinished):
        return Fault(kind="passing", message="the stream ended before the reply did")
    if isinstance(error, exceptions.ContentFilterError):
        return Fault(kind="filtered", message=str(error))
    if isinstance(error, exceptions.ModelHTTPError):
        return _answered(error)
    if isinstance(error, exceptions.ModelQuotaExceededError):
        return Fault(kind="lasting", message=_words(error), status=402)
    if isinstance(error, exceptions.ModelRateLimitError):
        return Fault(kind="limited", message=_words(error), wait=error.retry_after)
    if isinstance(error, exceptions.ModelRequestRejectedError):
        return Fault(kind="lasting", message=_words(error))
    if isinstance(error, exceptions.ModelAPIError):
        return Fault(kind="passing", message=_words(error), wait=error.retry_after)
    if isinstance(error, exceptions.UserError):  # the layer knows that the provider would refuse
        return Fault(kind="lasting", message=_shortened(str(error)), status=422)
    if isinstance(error, exceptions.UnexpectedModelBehavior):
        return Fault(kind="passing", message=_shortened(str(error)))
    return None


def _answered(error: Any) -> Fault:
    from pydantic_ai import exceptions

    status: int = error.status_code
    message = f"answered {status}: {_words(error)}"
    code = error.provider_error_code
    if code in _FILTERS:
        return Fault(kind="filtered", message=message, status=status)
    if isinstance(error, exceptions.ModelQuotaExceededError):
        return Fault(kind="lasting", message=message, status=402)
    if status == _LIMITED:
        return Fault(kind="limited", message=message, wait=_wait(error), status=status)
    passing = status in _PASSING or isinstance(error, exceptions.ModelUnavailableError)
    if FORMAT_FIELD in message:  # llama.cpp's server says so with a 500, and would say it again
        passing = False
    return Fault(
        kind="passing" if passing else "lasting",
        message=message,
        wait=_wait(error),
        status=status,
    )


def _wait(error: Any) -> float | None:
    """Return the wait that was asked for; in fractions of a second too, as some services send."""
    if error.retry_after is not None:
        return float(error.retry_after)
    text = mapping(error.headers).get("retry-after", "")
    return float(text) if _FRACTION.fullmatch(text) else None


def _words(error: Any) -> str:
    """Return the provider's own words, where it sent some."""
    body = mapping(error.body)
    inner = mapping(body.get("error")) or body
    told = inner.get("message") or body.get("error")
    return _shortened(told if isinstance(told, str) else str(error.body or error.message))


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_TOLD else f"{text[:_LONGEST_TOLD]}…"
