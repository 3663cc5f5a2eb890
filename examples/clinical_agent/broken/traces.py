"""Traces that change by themselves, and files that do not come from theirs."""

from __future__ import annotations

import hashlib
import time
from dataclasses import replace
from typing import Any

from governed.action import Ruling
from governed.artifacts import ArtifactWriter
from governed.authority import Authority
from governed.runtime import NAME, Runtime


class ClockInTrace(Runtime):
    """The time stands in a receipt's reason."""

    class Dated(Authority):
        def decide(self, *args: Any, **kwargs: Any) -> Ruling:
            ruling = super().decide(*args, **kwargs)
            return replace(ruling, reason=f"{ruling.reason} (at {time.time_ns()})")

    authority_type = Dated


class ManifestMissing(Runtime):
    """The manifest is forgotten."""

    def seal(self, writer: ArtifactWriter) -> None:
        pass


class WrongHash(Runtime):
    """A file is changed after it was listed."""

    def seal(self, writer: ArtifactWriter) -> None:
        super().seal(writer)
        with (writer.folder / writer.paths[0]).open("a", encoding="utf-8") as file:
            file.write("PS: all is well.\n")


class ForeignProvenance(Runtime):
    """The files are said to come from another trace."""

    def seal(self, writer: ArtifactWriter) -> None:
        writer.finish(hashlib.sha256(b"yesterday's trace").hexdigest(), NAME)


class UnlistedFile(Runtime):
    """A draft is left lying there."""

    def seal(self, writer: ArtifactWriter) -> None:
        (writer.folder / "draft.md").write_text("to be deleted\n", encoding="utf-8")
        super().seal(writer)
