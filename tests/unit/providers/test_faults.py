"""What failures of the layer mean."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic_ai import exceptions

from probare.providers.faults import Unfinished, fault_of


def answered(status: int, body: Any = None, **more: Any) -> exceptions.ModelHTTPError:
    return exceptions.ModelHTTPError(status, "m", body, **more)


@pytest.mark.parametrize(
    ("error", "kind", "says"),
    [
        (answered(429, {"error": {"message": "slow down"}}), "limited", "429: slow down"),
        (answered(500, {"message": "oh"}), "passing", "500: oh"),
        (answered(529, {"error": "busy"}), "passing", "529: busy"),
        (answered(408), "passing", "408"),
        (answered(418, "a teapot"), "lasting", "a teapot"),
        (answered(400, provider_error_code="content_filter"), "filtered", "400"),
        (exceptions.ModelQuotaExceededError("m", "no money"), "lasting", "no money"),
        (exceptions.ModelRateLimitError("m", "slow"), "limited", "slow"),
        (exceptions.ModelRequestRejectedError("m", "bad"), "lasting", "bad"),
        (exceptions.ModelConnectionError("m", "gone"), "passing", "gone"),
        (exceptions.UnexpectedModelBehavior("x" * 2000), "passing", "xxx"),
        (exceptions.ContentFilterError("no"), "filtered", "no"),
        (exceptions.UserError("no tools with a schema"), "lasting", "no tools"),
        (TimeoutError(), "passing", "no answer within the time"),
        (Unfinished(), "passing", "ended before"),
    ],
)
def test_kinds(error: Exception, kind: str, says: str) -> None:
    fault = fault_of(error)
    assert fault is not None
    assert fault.kind == kind
    assert says in fault.message
    assert len(fault.message) < 600
    assert fault.error("m").retryable is (kind in ("limited", "passing"))


def test_a_fault_of_ones_own_is_none_of_the_providers() -> None:
    assert fault_of(KeyError("x")) is None


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "2"}, 2.0),
        ({"Retry-After": "0.25"}, 0.25),
        ({"retry-after-ms": "250"}, 0.25),
        ({"Retry-After": "Thu, 01 Jan 2015 00:00:00 GMT"}, 0.0),
        ({"Retry-After": "-1"}, None),
        ({"Retry-After": "soon"}, None),
        ({}, None),
    ],
)
def test_the_wait_that_was_asked_for(headers: dict[str, str], wait: float | None) -> None:
    fault = fault_of(answered(429, headers=headers))
    assert fault is not None
    assert fault.wait == wait
