"""Adapters to systems under test: `python`, `command`, `http`, `model`, `replay`."""

from probare.ports.target import TargetKind
from probare.targets.command import COMMAND
from probare.targets.http import HTTP
from probare.targets.model import MODEL
from probare.targets.python import PYTHON
from probare.targets.replay import REPLAY

CORE: tuple[TargetKind, ...] = (PYTHON, COMMAND, HTTP, MODEL, REPLAY)
