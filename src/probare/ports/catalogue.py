"""What there is to choose from: graders and target kinds, those of plug-ins included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from probare.ports.grader import Grader
from probare.ports.target import TargetKind


class Catalogue(Protocol):
    """`loading` knows graders and targets only through this."""

    @property
    def graders(self) -> Mapping[str, type[Grader]]:
        """Graders by the name that suites write."""
        ...

    @property
    def targets(self) -> Mapping[str, TargetKind]:
        """Target adapters by kind."""
        ...

    @property
    def criteria(self) -> Mapping[str, Mapping[str, Any]]:
        """Checks, as a suite writes them, by the plain sentence that scenarios write for them;
        those of pass criteria under `pass`, those of fail criteria under `fail`.
        """
        ...
