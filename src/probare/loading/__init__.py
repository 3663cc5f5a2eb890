"""Suite files, dialects, schema, scaffold: from what is written to the model, strictly."""

from __future__ import annotations

from probare.loading import mirrors, shapes
from probare.loading.json_schema import schema
from probare.loading.scaffolding import scaffold
from probare.loading.suitefile import Loaded, from_shape, load

__all__ = ["Loaded", "from_shape", "load", "mirrors", "scaffold", "schema", "shapes"]
