"""For tests of agents, suites and plug-ins: one case run from a test, a recorder to look into,
fakes, loopback servers that misbehave on demand, strategies for property tests. Also a pytest
plug-in (`probare.testing.plugin`), which shows suites as tests.

    from probare.testing import Case, run_case

    def test_it_greets() -> None:
        case = Case(id="world", input="world", expect=[{"contains": "hello"}])
        run_case(case, target=lambda input: f"hello {input}").assert_passed()

Names are imported when they are first used (PEP 562): the plug-in is loaded by every pytest where
Probare is installed, and costs nothing where no suite is configured.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from probare.face import Case as Case
    from probare.testing import strategies as strategies
    from probare.testing.caseruns import CaseErrored as CaseErrored
    from probare.testing.caseruns import CaseFailed as CaseFailed
    from probare.testing.caseruns import CaseNotPassed as CaseNotPassed
    from probare.testing.caseruns import CaseResult as CaseResult
    from probare.testing.caseruns import Trial as Trial
    from probare.testing.caseruns import run_case as run_case
    from probare.testing.completions import Say as Say
    from probare.testing.fakes import FakeModels as FakeModels
    from probare.testing.fakes import Reply as FakeReply
    from probare.testing.model_server import Asked as Asked
    from probare.testing.model_server import Fail as Fail
    from probare.testing.model_server import ModelServer as ModelServer
    from probare.testing.model_server import Rate as Rate
    from probare.testing.model_server import Raw as Raw
    from probare.testing.model_server import model_server as serving_model
    from probare.testing.recording import Recorder as Recorder
    from probare.testing.servers import Received as Received
    from probare.testing.servers import Reply as Reply
    from probare.testing.servers import Server as Server
    from probare.testing.servers import serving as serving

_NAMES = {
    "probare.face": ("Case",),
    "probare.testing.caseruns": (
        "run_case",
        "CaseResult",
        "Trial",
        "CaseNotPassed",
        "CaseFailed",
        "CaseErrored",
    ),
    "probare.testing.recording": ("Recorder",),
    "probare.testing.servers": ("serving", "Reply", "Received", "Server"),
    "probare.testing.model_server": ("Fail", "Raw", "Rate", "Asked", "ModelServer"),
    "probare.testing.completions": ("Say",),
    "probare.testing.fakes": ("FakeModels",),
}
_HOMES = {name: (home, name) for home, names in _NAMES.items() for name in names}
_HOMES["FakeReply"] = ("probare.testing.fakes", "Reply")
_HOMES["serving_model"] = ("probare.testing.model_server", "model_server")

__all__ = [  # noqa: RUF022 - in the order of use
    "Case",
    "run_case",
    "CaseResult",
    "Trial",
    "CaseNotPassed",
    "CaseFailed",
    "CaseErrored",
    "Recorder",
    "strategies",
    "FakeModels",
    "FakeReply",
    "serving",
    "Reply",
    "Received",
    "Server",
    "serving_model",
    "Say",
    "Fail",
    "Raw",
    "Rate",
    "Asked",
    "ModelServer",
]


def __getattr__(name: str) -> Any:
    if name == "strategies":
        return import_module("probare.testing.strategies")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'probare.testing' has no attribute '{name}'")
    value = getattr(import_module(home[0]), home[1])
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
