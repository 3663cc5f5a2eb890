"""A file's value by its format: YAML or JSON, by the ending of its name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from probare.errors import Place
from probare.loading import jsontree, yamltree
from probare.loading.documents import Document
from probare.loading.faultlist import Faults
from probare.loading.files import as_text, read_bytes, shown_path

YAML = (".yaml", ".yml")
JSON = (".json",)


def read_tree(
    path: Path, faults: Faults, named_at: Place | None = None
) -> tuple[Any, Document] | None:
    """Return the value of a YAML or JSON file with its document; None where it has faults."""
    before = len(faults)
    data = read_bytes(path, faults, named_at)
    file = shown_path(path)
    text = as_text(data, file, faults) if data is not None else None
    if text is None:
        return None
    parse = jsontree.parse if path.suffix.lower() in JSON else yamltree.parse
    value, document = parse(text, file, faults)
    return (value, document) if len(faults) == before else None
