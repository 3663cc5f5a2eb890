"""What a suite may say of spans: `capture: otel`; for agents elsewhere, `otlp: {port, grace}`."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from probare.encoding.durations import parse_duration
from probare.errors import InputError

Captures: TypeAlias = Literal["otel"]

DEFAULT_PORT = 4318
HTTP_GRACE = 6.0


class OtlpSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The receiver of spans: `port`, null for the usual one (4318 for an `http` target, a free one
    for a `command`), and `grace`, how long spans may come after the answer (6s for an `http`
    target, whose exporter sends every 5 seconds unless told otherwise; none for a command).
    """

    port: int | None = None
    grace: float | str | None = None

    def seconds(self, default: float) -> float:
        """Return the grace in seconds. Raises InputError where it is no duration."""
        if self.grace is None:
            return default
        if self.grace == 0:
            return 0.0
        try:
            return parse_duration(self.grace)
        except ValueError as error:
            raise InputError(f"the `grace` of `otlp`: {error}") from None

    def checked_port(self, default: int) -> int:
        """Return the port. Raises InputError where it is none."""
        port = default if self.port is None else self.port
        if not 0 <= port <= 65_535:
            raise InputError(f"the `port` of `otlp` is {port}", hint="0 (any free one) to 65535")
        return port
