# Agents and tools are written without types, as users write them.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
import functools
from pathlib import Path
from typing import Any

import pytest

from probare.errors import InputError
from probare.model.case import Case, Check
from probare.targets import agent as agents
from probare.targets.agent import Given
from probare.targets.recorder import Recorder


def _called(function: Any, **fields: Any) -> Any:
    case = Case(id="c", input={"q": [1]}, expect=(Check(grader="equals", args={"value": [1]}),))
    given = Given(
        case=fields.pop("case", case),
        recorder=Recorder(),
        trial=2,
        seed=7,
        config={"temperature": [0.3]},
        workspace=Path("work"),
        model="m",
        **fields,
    )
    return agents.prepare(function, config={}, model=None).call(given)


def test_an_agent_gets_what_it_names() -> None:
    def agent(input: Any, seed: int, trial: int, model: str, workspace: Path, config: Any) -> Any:  # noqa: A002
        return [input, seed, trial, model, workspace, config]

    expected = [{"q": [1]}, 7, 2, "m", Path("work"), {"temperature": [0.3]}]
    assert _called(agent) == expected


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        (lambda question: question, {"q": [1]}),
        (lambda question="none": question, {"q": [1]}),
        (lambda question, seed: [question, seed], [{"q": [1]}, 7]),
        (lambda question, /, seed: [question, seed], [{"q": [1]}, 7]),
        (lambda seed, other=5: [seed, other], [7, 5]),
        (lambda *args: args, ({"q": [1]},)),
        (lambda: "nothing asked", "nothing asked"),
        (functools.partial(lambda a, b: [a, b], 1), [1, {"q": [1]}]),
        (repr, "{'q': [1]}"),
    ],
)
def test_the_one_parameter_of_another_name_gets_the_input(agent: Any, expected: Any) -> None:
    assert _called(agent) == expected


def test_keywords_get_all_that_is_not_named() -> None:
    def agent(input: Any, **rest: Any) -> set[str]:  # noqa: A002
        return set(rest)

    assert _called(agent) == set(agents.NAMES) - {"input"}


@pytest.mark.parametrize(
    ("agent", "named"),
    [
        (lambda question, context: 0, "'question', 'context'"),
        (lambda input, tooling: 0, "'tooling'"),  # noqa: A006
        (lambda question, context, /: 0, "'question', 'context'"),
    ],
)
def test_what_no_trial_offers_is_named(agent: Any, named: str) -> None:
    with pytest.raises(InputError) as caught:
        agents.prepare(agent, config={}, model=None)
    assert named in caught.value.message
    assert "recorder" in caught.value.hint


def test_a_near_miss_is_suggested() -> None:
    with pytest.raises(InputError, match="did you mean 'recorder'"):
        agents.prepare(lambda input, recoder: 0, config={}, model=None)  # noqa: A006


def test_each_trial_has_its_own_input_config_and_case() -> None:
    case = Case(id="c", input={"q": [1]}, reference=[1])

    def spoil(input: Any, config: Any, case: Case) -> Any:  # noqa: A002
        input["q"].append(2)
        config["temperature"].append(2)
        case.input["q"].append(3)
        case.reference.append(2)
        return input

    assert _called(spoil, case=case) == {"q": [1, 2]}
    assert _called(spoil, case=case) == {"q": [1, 2]}
    assert case == Case(id="c", input={"q": [1]}, reference=[1])


class Simple:
    def __init__(self, config: dict[str, Any], model: str | None = None) -> None:
        self.config = config
        self.model = model

    def run(self, question: Any) -> Any:
        return [question, self.config, self.model]

    def __call__(self, question: Any) -> Any:
        return "not asked"


class Callable:
    def __call__(self, question: Any) -> Any:
        return question


def test_a_class_is_made_with_config_and_run_is_its_entry() -> None:
    agent = agents.prepare(Simple, config={"a": 1}, model="m")
    given = Given(case=Case(id="c", input=1), recorder=Recorder())
    assert agent.call(given) == [1, {"a": 1}, "m"]
    assert isinstance(agent.owner, Simple)


def test_call_is_the_entry_where_there_is_no_run() -> None:
    assert _called(Callable) == {"q": [1]}
    assert _called(Callable()) == {"q": [1]}


class Demanding:
    def __init__(self, database: str) -> None: ...

    def run(self) -> None: ...


class Broken:
    def __init__(self) -> None:
        raise OSError("no database")

    def run(self) -> None: ...


class Nothing:
    pass


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Demanding, "the constructor of Demanding asks for 'database'"),
        (Broken, "Broken cannot be made: OSError: no database"),
        (Nothing, "no agent"),
        (5, "an int, which is no agent"),
        ("text", "a str, which is no agent"),
    ],
)
def test_what_is_no_agent_is_refused(found: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        agents.prepare(found, config={}, model=None)
    assert said in str(caught.value)


def test_a_module_that_exits_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "exits_at_import.py").write_text("import sys\nsys.exit(2)\n")
    with pytest.raises(InputError, match="SystemExit") as caught:
        agents.find("exits_at_import:agent", tmp_path)
    assert "__main__" in caught.value.hint


def test_ways_of_calling_are_seen() -> None:
    async def coroutine(input: Any) -> None: ...  # noqa: A002

    async def pieces(input: Any) -> Any:  # noqa: A002
        yield "x"

    class Object:
        async def __call__(self, input: Any) -> None: ...  # noqa: A002

    def way(function: Any) -> str:
        return agents.prepare(function, config={}, model=None).way

    assert way(coroutine) == "coroutine"
    assert way(functools.partial(coroutine, 1)) == "coroutine"
    assert way(Object()) == "coroutine"
    assert way(pieces) == "async_generator"
    assert way(lambda x: x) == "plain"
