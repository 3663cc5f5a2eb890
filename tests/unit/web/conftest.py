"""A folder with a finished run, a desk with its trials queued, and people who ask for pages."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from probare.face import run as run_suite
from probare.model.review import Person, QueueItem, Reason, Submission, Wanted, item_id
from probare.model.rubric import Dimension, Level, PassRule, Rubric, Trigger
from probare.review.accounts import Hashing
from probare.review.desk import ReviewDesk
from probare.stores.reader import RunReader
from probare.web.app import create_app
from probare.web.site import Doors, Site

if TYPE_CHECKING:
    from starlette.testclient import TestClient

MARKUP = "<img src=x onerror=alert(1)></script><!--"
BASE = "http://127.0.0.1:8321"
HOST = "127.0.0.1:8321"
PASSWORD = "a long enough password"

AGENT = """
def answer(input, recorder):
    def search(query):
        return [{"document": "policy", "title": "Leave", "section": "Days", "version": 2,
                 "text": "Twenty days a year. " + query}]
    recorder.retriever(search, name="search")(input["question"])
    if input["question"] == "crash":
        raise ValueError("down")
    return {"text": "Twenty days. " + input["question"], "citations": [
        {"document": "policy", "section": "Days", "version": 2}], "escalated": None}
"""

SUITE = """
suite: desk
target: {python: "agent:answer"}
defaults:
  expect: [{contains: {text: twenty, label: the rule is told}}]
cases: [cases.jsonl]
"""


@pytest.fixture
def markup() -> str:
    return MARKUP


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run directory: cases that pass, one that fails, one that crashed, one of markup."""
    import json

    folder = tmp_path_factory.mktemp("desk")
    (folder / "suite.yaml").write_text(SUITE)
    (folder / "agent.py").write_text(AGENT)
    reference = {
        "answer": "Twenty days.",
        "jurisdiction": "DE",
        "law": "BUrlG section 3: at least 24 working days.",
        "law_as_of": "2025-07-01",
    }
    cases: list[dict[str, Any]] = [
        {
            "id": "leave",
            "input": {"question": "How many?"},
            "reference": reference,
            "category": "x",
            "tags": ["sensitive"],
        },
        {
            "id": "told",
            "input": {"question": "the secret-word"},
            "forbid": [{"contains": {"text": "secret-word", "label": "no-secret-told"}}],
        },
        {"id": "crash", "input": {"question": "crash"}},
        {"id": f"m/{MARKUP}", "input": {"question": MARKUP}, "description": MARKUP},
        {"id": "other", "input": {"question": "Why?"}},
    ]
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    return run_suite(folder, runs=folder / "runs").folder


@pytest.fixture
def runs(finished: Path, tmp_path: Path) -> Path:
    """A folder of runs of the test's own."""
    folder = tmp_path / "runs"
    shutil.copytree(finished, folder / finished.name)
    return folder


@pytest.fixture
def run_name(finished: Path) -> str:
    return finished.name


def _dimension(name: str) -> Dimension:
    levels = tuple(Level(number, f"{name} is at {number}. {MARKUP}") for number in (1, 2, 3, 4))
    return Dimension(id=name, name=name.capitalize(), question=f"How is {name}?", levels=levels)


@pytest.fixture
def rubric() -> Rubric:
    return Rubric(
        id="answer",
        version="1",
        name="Answers",
        dimensions=(_dimension("accuracy"), _dimension("safety")),
        pass_rule=PassRule(each_at_least=3),
        triggers=(
            Trigger(dimension="safety", at_most=1, opens="incident_review", holds_gate=True),
        ),
    )


@pytest.fixture
def desk(runs: Path) -> Iterator[ReviewDesk]:
    with ReviewDesk.open(runs / ".probare" / "reviews.db") as opened:
        opened.accounts.hashing = Hashing(time_cost=1, memory_kib=8, parallelism=1)
        yield opened


LEAD = Person("Lea", "lead")


@pytest.fixture
def queued(desk: ReviewDesk, runs: Path, run_name: str, rubric: Rubric) -> Callable[..., QueueItem]:
    """Put a case of the run in the queue; return the item."""

    def put(case: str = "told", overlap: int = 2, **more: Any) -> QueueItem:
        reader = RunReader(runs / run_name)
        record = next(each for each in reader.records() if each.case == case)
        reasons = (
            Reason("tagged", "tagged sensitive"),
            Reason("failed", "failed: no-secret-told"),
        )
        wanted = Wanted(
            case=case,
            trial=0,
            transcript=record.transcript.sha256,
            reasons=reasons,
            overlap=overlap,
            **more,
        )
        run_id = reader.plan.run_id
        desk.enqueue(LEAD, run_id, rubric, [wanted])
        return desk.item(LEAD, item_id(run_id, case, 0))

    return put


@pytest.fixture
def submission() -> Callable[..., Submission]:
    """A submission for an item of the two-dimensional rubric."""

    def fill(item: QueueItem, accuracy: Any = 4, safety: Any = 4, **more: Any) -> Submission:
        return Submission(
            item=item.id,
            rubric=item.rubric,
            transcript=item.transcript,
            scores={"accuracy": accuracy, "safety": safety},
            **more,
        )

    return fill


class Guest:
    """Somebody with a browser. `get` and `post` do not follow; `send` fills in the token."""

    def __init__(self, site: Site, base: str = BASE) -> None:
        from starlette.testclient import TestClient

        self.site = site
        self.client: TestClient = TestClient(
            create_app(site), base_url=base, follow_redirects=False, raise_server_exceptions=False
        )
        self.csrf = ""

    def get(self, address: str, **headers: str) -> Any:
        return self.client.get(address, headers=headers)

    def text(self, address: str) -> str:
        found = self.client.get(address)
        assert found.status_code == 200, (address, found.status_code, found.text[:300])
        return found.text

    def post(self, address: str, fields: dict[str, str] | None = None, **headers: str) -> Any:
        return self.client.post(address, data=fields or {}, headers=headers)

    def send(self, address: str, **fields: str) -> Any:
        return self.post(address, {"csrf": self.csrf, **fields})

    def json(self, address: str, value: Any, csrf: str | None = None) -> Any:
        headers = {
            "accept": "application/json",
            "x-csrf-token": self.csrf if csrf is None else csrf,
        }
        return self.client.post(address, json=value, headers=headers)

    def _form(self, address: str) -> str:
        found = re.search(r'name="csrf" value="([0-9a-f]+)"', self.text(address))
        assert found is not None
        return found[1]

    def named(self, name: str) -> Guest:
        answer = self.post("/who", {"csrf": self._form("/who"), "name": name})
        assert answer.status_code == 303, answer.text
        return self._renew()

    def logs_in(self, name: str, password: str = PASSWORD) -> Guest:
        fields = {"csrf": self._form("/login"), "name": name, "password": password}
        answer = self.post("/login", fields)
        assert answer.status_code == 303, answer.text
        return self._renew()

    def _renew(self) -> Guest:
        self.csrf = self.client.get("/token").json()["csrf"]
        return self


@pytest.fixture
def guest(runs: Path, desk: ReviewDesk) -> Callable[..., Guest]:
    """Make somebody with a browser, on loopback without accounts unless said otherwise."""

    def make(base: str = BASE, **doors: Any) -> Guest:
        given: dict[str, Any] = {"accounts": False, "hosts": (HOST,)}
        return Guest(Site(runs, desk, Doors(**{**given, **doors})), base)

    return make


@pytest.fixture
def team(desk: ReviewDesk, guest: Callable[..., Guest]) -> Callable[[str], Guest]:
    """Log somebody in under a name that is their role, or a role with a number after it."""

    def come(name: str) -> Guest:
        known = {each.name for each in desk.accounts.users()}
        if name not in known:
            desk.accounts.add(name, name.rstrip("0123456789"), PASSWORD)
        return guest(accounts=True).logs_in(name)

    return come
