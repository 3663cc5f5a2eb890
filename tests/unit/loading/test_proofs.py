"""The `prove` block: what is wrong with it is told with the suite's other faults."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probare.errors import LoadError
from probare.loading import from_shape
from probare.loading.proofs import merged
from probare.loading.shapes import CaseShape, SuiteShape
from probare.model.proof import Defect, Proof

SUITE = """\
suite: s
target: {echo: own, config: {a: {b: 1, c: [1]}, d: 2}, trust: claimed}
targets:
  right: {echo: right}
  "null": {echo: nothing}
  broken: {web: broken, config: {k: 1}}
prove:
  oracle: right
  "null": "null"
  defects:
    - {name: one, target: broken, must_fail: [a, b]}
cases:
  - {id: a, expect: [is_json]}
  - {id: b, forbid: [contains: x]}
  - {id: people, review: always, expect: [is_json]}
  - {id: unchecked}
  - {id: optional, expect: [{contains: x, required: false}]}
"""
ONE = "    - {name: one, target: broken, must_fail: [a, b]}\n"


def test_a_block_in_full(folder: Any) -> None:
    loaded = folder.suite(SUITE).load()
    one = Defect(name="one", target="broken", must_fail=("a", "b"))
    assert loaded.proof == Proof(oracle="right", null="null", defects=(one,))
    assert list(loaded.suite.targets) == ["default", "right", "null", "broken"]
    assert loaded.suite.extras["prove"]["oracle"] == "right"


def test_a_suite_may_name_its_two_ends_alone(folder: Any) -> None:
    proof = folder.suite(SUITE.replace("  defects:\n" + ONE, "")).load().proof
    assert proof == Proof(oracle="right", null="null")


def test_a_suite_without_one_has_none(folder: Any) -> None:
    text = SUITE.partition("prove:")[0] + "prove:\ncases: [{id: a}]\n"
    assert folder.suite(text).load().proof is None


def test_a_config_is_laid_over_the_suites_own_target(folder: Any) -> None:
    defect = "    - {name: cap off, config: {a: {c: [], z: 0}, e: 3}, must_fail: [a]}\n"
    loaded = folder.suite(SUITE.replace(ONE, ONE + defect)).load()
    assert loaded.proof.defects[1].target == "defect:cap off"
    made = loaded.suite.targets["defect:cap off"]
    assert made.config == {"a": {"b": 1, "c": [], "z": 0}, "d": 2, "e": 3}
    assert (made.kind, made.settings, made.trust) == ("echo", {"echo": "own"}, "claimed")
    assert loaded.suite.targets["default"].config == {"a": {"b": 1, "c": [1]}, "d": 2}


def test_a_config_is_laid_over_the_target_that_is_named(folder: Any) -> None:
    defect = "    - {name: x, target: broken, config: {k: 2}, must_fail: [a]}\n"
    loaded = folder.suite(SUITE.replace(ONE, defect)).load()
    made = loaded.suite.targets["defect:x"]
    assert (made.kind, made.config) == ("web", {"k": 2})


def test_a_config_reads_the_environment(folder: Any) -> None:
    defect = "    - {name: x, config: {key: '${KEY}', other: '${LACKING}'}, must_fail: [a]}\n"
    loaded = folder.suite(SUITE.replace(ONE, defect)).load(environ={"KEY": "secret"})
    made = loaded.suite.targets["defect:x"]
    assert made.config["key"] == "secret"
    assert made.secrets == {"KEY": "secret"}
    assert made.missing == ("LACKING",)


def test_a_defects_config_is_part_of_the_suites_digest(folder: Any) -> None:
    defect = "    - {name: x, config: {k: 1}, must_fail: [a]}\n"
    before = folder.suite(SUITE.replace(ONE, defect)).load().digest
    assert folder.load().digest == before
    after = folder.suite(SUITE.replace(ONE, defect.replace("k: 1", "k: 2"))).load().digest
    assert after != before


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        (
            "oracle: right",
            "oracle: rihgt",
            "suite.yaml:8:11: prove.oracle: there is no target 'rihgt' (did you mean 'right'?)",
        ),
        (
            '"null": "null"\n  defects',
            "null: null\n  defects",
            (
                "suite.yaml:9:9: prove.null: names no target: null is no text "
                '(in quotes it is one: "null")'
            ),
        ),
        (
            '"null": "null"\n  defects',
            "null: right\n  defects",
            "suite.yaml:9:9: prove.null: the oracle and the null target are one",
        ),
        (
            '  "null": "null"\n  defects',
            "  defects",
            "suite.yaml:8:3: prove: key 'null' is missing",
        ),
        (
            "  defects:",
            "  defekts:",
            "suite.yaml:10:3: prove.defekts: unknown key 'defekts' (did you mean 'defects'?)",
        ),
        (
            "target: broken, must",
            "target: brokn, must",
            (
                "suite.yaml:11:27: prove.defects[0].target: there is no target 'brokn' "
                "(did you mean 'broken'?)"
            ),
        ),
        (
            "target: broken, must",
            "must",
            (
                "suite.yaml:11:7: prove.defects[0]: the defect has neither a target nor a config, "
                "so that nothing is broken (name a target that has the fault)"
            ),
        ),
        (
            "target: broken, must",
            "config: {}, must",
            (
                "suite.yaml:11:7: prove.defects[0]: the defect has neither a target nor a config, "
                "so that nothing is broken (name a target that has the fault)"
            ),
        ),
        (
            "target: broken, must_fail",
            "target: broken, must_fial",
            (
                "suite.yaml:11:35: prove.defects[0].must_fial: unknown key 'must_fial' "
                "(did you mean 'must_fail'?)"
            ),
        ),
        (
            "[a, b]",
            "[]",
            "suite.yaml:11:46: prove.defects[0].must_fail: should have at least 1 item, has 0",
        ),
        (
            "[a, b]",
            "[a, peeple]",
            (
                "suite.yaml:11:50: prove.defects[0].must_fail[1]: there is no case 'peeple' "
                "(did you mean 'people'?)"
            ),
        ),
        (
            "[a, b]",
            "[zzz]",
            (
                "suite.yaml:11:47: prove.defects[0].must_fail[0]: there is no case 'zzz' "
                "(see them with: probare list)"
            ),
        ),
        (
            "[a, b]",
            "[a, b, a]",
            "suite.yaml:11:53: prove.defects[0].must_fail[2]: case 'a' is named twice",
        ),
        (
            "[a, b]",
            "[people]",
            (
                "suite.yaml:11:47: prove.defects[0].must_fail[0]: case 'people' is judged by "
                "people (review: always) (name a case that fails by its own checks)"
            ),
        ),
        (
            "[a, b]",
            "[unchecked]",
            (
                "suite.yaml:11:47: prove.defects[0].must_fail[0]: case 'unchecked' has no required "
                "check, so that it cannot fail"
            ),
        ),
        (
            "[a, b]",
            "[optional]",
            (
                "suite.yaml:11:47: prove.defects[0].must_fail[0]: case 'optional' has no required "
                "check, so that it cannot fail"
            ),
        ),
        (
            ONE,
            ONE + ONE,
            (
                "suite.yaml:12:14: prove.defects[1].name: duplicate defect 'one' "
                "(first at suite.yaml:11:14: prove.defects[0].name)"
            ),
        ),
        (
            "name: one",
            'name: "one "',
            (
                "suite.yaml:11:14: prove.defects[0].name: a name should be printable, without "
                "spaces around it, is 'one '"
            ),
        ),
        (
            "  broken: {",
            '  "defect:one": {echo: 1}\n  broken: {',
            (
                "suite.yaml:12:14: prove.defects[0].name: a target of the suite bears the name "
                "'defect:one' already (give one of them another name)"
            ),
        ),
        (
            "  defects:",
            "  null_may_pass: [b, c]\n  defects:",
            (
                "suite.yaml:10:22: prove.null_may_pass[1]: there is no case 'c' "
                "(see them with: probare list)"
            ),
        ),
        (
            "target: broken, must",
            "config: {k: '${a b}'}, must",
            (
                "suite.yaml:11:31: prove.defects[0].config.k: '${a b}' names no variable of the "
                "environment (as plain text it is written $${…})"
            ),
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    folder: Any, before: str, after: str, fault: str
) -> None:
    assert before in SUITE
    found = folder.suite(SUITE.replace(before, after, 1)).faults()
    assert fault in found
    assert len(found) <= 2  # a key misspelt is a key missing too


def test_all_is_told_at_once_with_the_suites_other_faults(folder: Any) -> None:
    text = SUITE.replace("oracle: right", "oracle: x").replace("[a, b]", "[q, people]")
    text = text.replace("suite: s", "suite: s\ntrails: 3").replace("[is_json]}", "[is_jso]}", 1)
    found = folder.suite(text).faults()
    paths = [line.split(": ")[1] for line in found]
    assert paths == [
        "trails",
        "prove.oracle",
        "prove.defects[0].must_fail[0]",
        "prove.defects[0].must_fail[1]",
        "cases[0].expect[0]",
    ]


def test_what_has_faults_of_its_own_is_not_also_unknown(folder: Any) -> None:
    text = SUITE.replace("right: {echo: right}", "right: {ecko: 1}")
    text = text.replace("{echo: own,", "{ecko: own,").replace("is_json]}", "is_jso]}", 1)
    defect = "    - {name: x, config: {k: 1}, must_fail: [a]}\n"
    found = folder.suite(text.replace(ONE, ONE + defect)).faults()
    assert [line.split(": ")[1] for line in found] == [
        "target.ecko",
        "targets.right.ecko",
        "cases[0].expect[0]",
    ]


def test_a_file_of_cases_that_cannot_be_read_makes_no_case_unknown(folder: Any) -> None:
    text = SUITE.replace("cases:\n", "cases:\n  - cases/lost.yaml\n").replace("[a, b]", "[far]")
    (found,) = folder.suite(text).faults()
    assert "cases/lost.yaml" in found


def test_a_config_needs_a_target_of_the_suite(folder: Any) -> None:
    text = SUITE.replace(SUITE.splitlines()[1], "description: d")
    text = text.replace("target: broken, must", "config: {k: 1}, must")
    (found,) = folder.suite(text).faults()
    assert found == (
        "suite.yaml:11:19: prove.defects[0].config: the suite has no target of its own that could "
        "be given this config (name the target that is to be given it, with `target`)"
    )


def test_an_exception_for_a_case_that_demands_nothing_is_odd(folder: Any) -> None:
    text = SUITE.replace("  defects:", "  null_may_pass: [b]\n  defects:")
    loaded = folder.suite(text).load()
    assert loaded.proof.null_may_pass == ("b",)
    (warning, *_) = loaded.warnings
    assert "case 'b' demands nothing" in warning
    assert "suite.yaml:10:19" in warning


@pytest.mark.parametrize("written", ["5", "[a]", "text", "{}"])
def test_another_shape_is_told(folder: Any, written: str) -> None:
    head, _, tail = SUITE.partition("prove:")
    text = f"{head}prove: {written}\ncases:{tail.partition('cases:')[2]}"
    assert all(": prove" in line for line in folder.suite(text).faults())


def test_a_suite_made_in_python(folder: Any, catalogue: Any) -> None:
    prove: Any = {"oracle": "r", "null": "n", "defects": [{"name": "d", "must_fail": ["a"]}]}
    shape = SuiteShape(
        "s",
        targets={"r": {"echo": 1}, "n": {"echo": 2}},
        cases=[CaseShape(id="a", expect=["is_json"])],
        prove=prove,
    )
    with pytest.raises(LoadError, match="neither a target nor a config"):
        from_shape(shape, folder.path, catalogue, {})
    prove["defects"][0]["target"] = "n"
    loaded = from_shape(shape, folder.path, catalogue, {})
    assert loaded.proof is not None
    assert loaded.proof.defects[0].target == "n"


JSON = st.recursive(
    st.integers() | st.lists(st.integers(), max_size=2),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
CONFIG = st.dictionaries(st.sampled_from("abc"), JSON, max_size=3)


@given(CONFIG, CONFIG)
def test_laying_over(base: dict[str, Any], over: dict[str, Any]) -> None:
    kept = repr(base), repr(over)
    found = merged(base, over)
    assert (repr(base), repr(over)) == kept
    assert found.keys() == base.keys() | over.keys()
    for key, value in found.items():
        if key not in over:
            assert value == base[key]
        elif isinstance(over[key], dict) and isinstance(base.get(key), dict):
            assert value == merged(base[key], over[key])
        else:
            assert value == over[key]
    assert merged(found, over) == found
    assert merged(base, {}) == base
