"""Python functions as tools: schema, checked arguments, where they run."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from probare.errors import InputError
from probare.model.event import ToolResult
from probare.ports.chat import ChatToolCall
from probare.targets.modelfunctions import load
from probare.targets.modelsettings import ToolSettings
from probare.targets.recorder import Recorder

TOOLS = '''
from __future__ import annotations

import threading
from typing import Literal

from pydantic import BaseModel

from probare.targets.recorder import Recorder


class Trip(BaseModel):
    city: str
    nights: int


def weather(city: str, days: int = 1, unit: Literal["c", "f"] = "c") -> dict:
    """Tell the weather.

    Args:
        city: the city's name
    """
    return {"city": city, "days": days, "unit": unit}


async def later(city: str) -> str:
    return f"{city} later, on {threading.current_thread().name}"


def where() -> str:
    return threading.current_thread().name


def noted(recorder: Recorder, city: str) -> str:
    """Note it."""
    recorder.state({"city": city})
    return "noted"


def trip(trip: Trip) -> str:
    return f"{trip.city} {trip.nights + 1}"


def fails(n: int) -> None:
    raise LookupError(f"no {n}")


def by_place(city, /):
    return city


def several(*cities: str) -> int:
    return len(cities)


thing = 5
'''


@pytest.fixture
def toolbox(tmp_path: Path, services: Any) -> Any:
    (tmp_path / "probe_tools.py").write_text(TOOLS)

    def make(*names: str, **settings: Any) -> Any:
        given = [
            ToolSettings(python=f"probe_tools:{name}", **settings)
            if settings
            else f"probe_tools:{name}"
            for name in names
        ]
        return load(given, tmp_path, services().executor)

    return make


def call(box: Any, name: str, arguments: Any) -> tuple[str, Recorder]:
    recorder = Recorder()
    asked = ChatToolCall(id="1", name=name, arguments=arguments)
    return asyncio.run(box.call(asked, recorder)), recorder


def test_the_schema_is_the_signatures_and_the_docstrings(toolbox: Any) -> None:
    (told,) = toolbox("weather").told
    assert (told.name, told.description) == ("weather", "Tell the weather.")
    assert told.parameters["required"] == ["city"]
    assert told.parameters["properties"]["city"] == {
        "type": "string",
        "description": "the city's name",
    }
    assert told.parameters["properties"]["unit"]["enum"] == ["c", "f"]


def test_a_name_and_a_description_may_be_given(toolbox: Any) -> None:
    (told,) = toolbox("weather", name="sky", description="The sky.").told
    assert (told.name, told.description) == ("sky", "The sky.")


def test_arguments_are_checked_and_given_as_their_types(toolbox: Any) -> None:
    box = toolbox("weather", "trip")
    text, recorder = call(box, "weather", {"city": "Oslo", "days": "2"})
    assert text == '{"city":"Oslo","days":2,"unit":"c"}'
    assert recorder.events[0].arguments == {"city": "Oslo", "days": "2"}  # type: ignore[union-attr]
    assert call(box, "trip", {"city": "Oslo", "nights": 2})[0] == "Oslo 3"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "city: Field required"),
        ({"city": 5}, "city: Input should be a valid string"),
        ({"city": "x", "unit": "k"}, "unit: Input should be 'c' or 'f'"),
        ({"city": "x", "no": 1}, "no: Extra inputs are not permitted"),
    ],
)
def test_bad_arguments_are_a_tools_error(toolbox: Any, arguments: Any, told: str) -> None:
    text, recorder = call(toolbox("weather"), "weather", arguments)
    assert text == f"error: the arguments do not fit: {told}"
    assert isinstance(recorder.events[-1], ToolResult)


def test_a_plain_function_runs_on_a_thread_and_a_coroutine_on_the_loop(toolbox: Any) -> None:
    box = toolbox("where", "later")
    here = threading.current_thread().name
    assert call(box, "where", {})[0] != here
    assert call(box, "later", {"city": "Oslo"})[0] == f"Oslo later, on {here}"


def test_the_recorder_is_the_harnesss_and_no_argument(toolbox: Any) -> None:
    box = toolbox("noted")
    assert list(box.told[0].parameters["properties"]) == ["city"]
    text, recorder = call(box, "noted", {"city": "Oslo"})
    assert text == "noted"
    assert recorder.outcome.state == {"city": "Oslo"}
    assert "Extra inputs" in call(box, "noted", {"city": "Oslo", "recorder": 1})[0]


def test_what_a_function_raises_is_its_error(toolbox: Any) -> None:
    assert call(toolbox("fails"), "fails", {"n": 3})[0] == "error: LookupError: no 3"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("by_place", "takes 'city' by place"),
        ("several", "takes 'cities' by place"),
        ("thing", "is no function"),
        ("wether", "has no 'wether'"),
    ],
)
def test_what_is_no_tool_is_told_before_anything_runs(toolbox: Any, name: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        toolbox(name)
    assert told in str(caught.value)
