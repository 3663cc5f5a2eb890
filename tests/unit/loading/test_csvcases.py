from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.loading import csvcases
from probare.loading.faultlist import Faults


def cases(folder: Any, table: str, name: str = "cases.csv") -> list[Any]:
    folder.suite(f"suite: s\ncases: [{name}]\n").write(name, table)
    return list(folder.load().suite.cases)


def test_columns_become_cases(folder: Any) -> None:
    first, second = cases(
        folder,
        "id,category,tags,split,reference,description,trials,timeout,planted.name,message,"
        "state.analysis,state.goal,input.tags,expect,expect2,forbid1\n"
        'a,c,regression; capability ,carried_over,right,"told, why",3,2s,Avery,hi,done,,x,'
        "contains: Paris,is_json,contains_any: x; y\n"
        "b,,,,,,,,,,,,,,,\n",
    )
    assert first.category == "c"
    assert first.tags == ("regression", "capability")
    assert first.split == "carried_over"
    assert (first.reference, first.description) == ("right", "told, why")
    assert (first.trials, first.timeout) == (3, 2.0)
    assert first.planted == {"name": "Avery"}
    assert first.input == {"message": "hi", "state": {"analysis": "done", "goal": ""}, "tags": "x"}
    assert [(check.grader, check.args) for check in first.expect] == [
        ("contains", {"text": "Paris"}),
        ("is_json", {}),
    ]
    assert first.forbid[0].args == {"texts": ["x", "y"]}
    assert second.input == {"message": "", "state": {"analysis": "", "goal": ""}, "tags": ""}
    assert (second.category, second.trials, second.planted) == (None, None, {})


def test_a_lone_input_column_is_the_input(folder: Any) -> None:
    (case,) = cases(folder, "id,input\na,what now?\n")
    assert case.input == "what now?"


@pytest.mark.parametrize(
    ("name", "table"),
    [
        # B96: tabs are tabs, also in a .csv
        ("cases.tsv", "id\tinput\ttarget\na\thello, you\tA\n"),
        ("cases.csv", "id\tinput\ttarget\na\thello, you\tA\n"),
        ("cases.csv", "id;input;target\na;hello, you;A\n"),
        ("cases.csv", 'id,input,target\r\na,"hello, you",A\r\n'),
        ("cases.csv", '\ufeffid,input,target\na,"hello, you",A\n'),
        ("cases.csv", 'id,"input",target\n\n"a","hello, you","A"\n'),
    ],
)
def test_the_separator_is_that_of_the_first_row(folder: Any, name: str, table: str) -> None:
    (case,) = cases(folder, table, name)
    assert case.input == {"input": "hello, you", "target": "A"}


def test_line_ends_inside_cells_are_kept(folder: Any) -> None:
    (case,) = cases(folder, 'id,input\na,"one\ntwo\x0bthree\u2028"\n')
    assert case.input == "one\ntwo\x0bthree\u2028"


@pytest.mark.parametrize(
    ("table", "faults"),
    [
        (
            "id,expct,tag\na,contains: x,t\n",
            [
                (
                    "cases.csv:1: unknown column 'expct' (did you mean 'expect'? a key of the "
                    "input is written 'input.expct')"
                ),
                (
                    "cases.csv:1: unknown column 'tag' (did you mean 'tags'? a key of the input is "
                    "written 'input.tag')"
                ),
            ],
        ),
        (
            "ID,input\na,x\n",
            [
                (
                    "cases.csv:1: unknown column 'ID' (did you mean 'id'? a key of the input is "
                    "written 'input.ID')"
                ),
                "cases.csv:1: there is no column 'id' (each case needs an id)",
            ],
        ),
        ("id,x,x\na,1,2\n", ["cases.csv:1: duplicate column 'x'"]),
        ("id,,x\na,1,2\n", ["cases.csv:1: a column has no name"]),
        (
            "id,x\na,b,c\n",
            [
                (
                    "cases.csv:2: the row has 3 cells, the header 2 (put a cell that holds the "
                    "separator in double quotes)"
                )
            ],
        ),
        ('id,x\na,"b\n', ["cases.csv:2: is not CSV: unexpected end of data"]),
        ("id,x\n", ["cases.csv: holds no cases"]),
        ("", ["cases.csv: holds no cases"]),
        (",x\n", None),
        (
            "id,x\n,1\n",
            ["cases.csv:2: key 'id' is missing"],
        ),
        (
            "id,split\na,held\n",
            [
                (
                    "cases.csv:2: split: should be one of carried_over, held_out; is the text "
                    "'held' (did you mean 'held_out'?)"
                )
            ],
        ),
        (
            "id,expect\na,be polite\n",
            ["cases.csv:2: expect[0]: 'be polite' is no check: write `grader: argument`"],
        ),
        (
            "id,expect\na,contain: x\n",
            ["cases.csv:2: expect[0].contain: unknown grader 'contain' (did you mean 'contains'?)"],
        ),
        (
            "id,a,a.b\nx,1,2\n",
            ["cases.csv:2: input: column 'a.b' and another one are the same key"],
        ),
        ('id,x\n"a\nb",1\nc,1,2\n', None),
    ],
)
def test_what_is_wrong_is_said(folder: Any, table: str, faults: list[str] | None) -> None:
    folder.suite("suite: s\ncases: [cases.csv]\n").write("cases.csv", table)
    found = folder.faults()
    if faults is not None:
        assert found == faults


@given(st.text(max_size=80) | st.text('id,x;\t"\n\r', max_size=50))
@settings(max_examples=200, deadline=None)
def test_no_text_crashes(text: str) -> None:
    faults = Faults()
    rows = list(csvcases.read(text, "f.csv", {}, faults))
    assert all(
        case.keys() <= {"id", "input", *csvcases.KEYS, "expect", "forbid", "planted"}
        for case, _ in rows
    )
