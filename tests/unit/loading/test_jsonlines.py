from __future__ import annotations

from typing import Any

SUITE = "suite: s\ncases: [cases.jsonl]\n"


def test_a_case_a_line(folder: Any) -> None:
    folder.suite(SUITE).write(
        "cases.jsonl",
        b'\xef\xbb\xbf{"id": "a", "input": 1}\r\n\r\n{"id": "b", "input": "\xe2\x80\xa8"}\n',
    )
    cases = folder.load().suite.cases
    assert [(case.id, case.input) for case in cases] == [("a", 1), ("b", "\u2028")]


def test_every_fault_has_its_line(folder: Any) -> None:
    folder.suite(SUITE).write(
        "cases.jsonl",
        b'{"id": "a", "tagz": []}\n'
        b'{"id": "b", \n'
        b'{"id": "a"}\n'
        b'{"id": "c", "id": "d"}\n'
        b'{"id": "e", "input": NaN}\n'
        b'{"id": "f\xff"}\n'
        b"7\n"
        b'{"id": "g", "expect": [{"contains": "$input.x"}]}\n',
    )
    assert [fault.split("(")[0].strip() for fault in folder.faults()] == [
        "cases.jsonl:1:13: tagz: unknown key 'tagz'",
        "cases.jsonl:2:13: is not JSON: expecting property name enclosed in double quotes",
        "cases.jsonl:3:8: id: duplicate id 'a'",
        "cases.jsonl:4:13: id: duplicate key 'id'",
        "cases.jsonl:5:22: input: NaN is not JSON",
        "cases.jsonl:6:10: is not UTF-8",
        "cases.jsonl:7:1: a case should be a mapping, is 7",
        (
            "cases.jsonl:8:37: expect[0].contains: $input.x does not exist: $input has no parts, "
            "so no 'x'"
        ),
    ]


def test_duplicate_ids_name_both_places(folder: Any) -> None:
    folder.suite("suite: s\ncases: [one.jsonl, two.yaml]\n")
    folder.write("one.jsonl", '{"id": "a"}\n')
    folder.write("two.yaml", "- id: a\n")
    (fault,) = folder.faults()
    assert fault == "two.yaml:1:7: [0].id: duplicate id 'a' (first at one.jsonl:1:8: id)"


def test_keys_of_inputs_are_shared(folder: Any) -> None:
    folder.suite(SUITE).write(
        "cases.jsonl",
        '{"id": "a", "input": {"some key": 1}}\n{"id": "b", "input": {"some key": 2}}',
    )
    first, second = (next(iter(case.input)) for case in folder.load().suite.cases)
    assert first is second
