from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec
import pytest

from probare.ports.target import SettingFault

CASES = "cases: [{id: a}]\n"


def test_the_suites_own_target(folder: Any) -> None:
    folder.suite("suite: s\ntarget: {echo: 'agent:Help', config: {k: 1}, trust: claimed}\n" + CASES)
    suite = folder.load().suite
    spec = suite.targets["default"]
    assert suite.target == "default"
    assert (spec.name, spec.kind, spec.settings) == ("default", "echo", {"echo": "agent:Help"})
    assert (spec.config, spec.trust, spec.isolation) == ({"k": 1}, "claimed", None)


def test_targets_by_name(folder: Any) -> None:
    folder.suite(
        "suite: s\ntarget: b\ntargets:\n  a: {echo: x, isolation: thread}\n"
        "  b: {web: 'http://h', headers: {X: '1'}, echo: true}\n" + CASES
    )
    suite = folder.load().suite
    assert suite.target == "b"
    assert suite.targets["a"].isolation == "thread"
    assert suite.targets["b"].kind == "web"
    assert suite.targets["b"].settings == {"web": "http://h", "headers": {"X": "1"}, "echo": True}


def test_one_target_alone_is_the_suites_own_and_of_several_none_is(folder: Any) -> None:
    folder.suite("suite: s\ntargets: {a: {echo: x}}\n" + CASES)
    assert folder.load().suite.target == "a"
    folder.suite("suite: s\ntargets: {a: {echo: x}, b: {echo: y}}\n" + CASES)
    assert folder.load().suite.target is None
    folder.suite("suite: s\n" + CASES)
    assert folder.load().suite.target is None


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("target: stagin\ntargets: {staging: {echo: x}}", "did you mean 'staging'?"),
        ("target: 'agent:Help'", 'write target: {python: "agent:Help"}'),
        ("target: {}", "the target names no adapter (one of: echo, web)"),
        ("target: {ecko: x}", "target.ecko: unknown target kind 'ecko' (did you mean 'echo'?)"),
        ("target: {echo: x, web: y, config: {}}", "target.echo: should be true or false"),
        ("target: {echo: x, bogus: y}", "target.bogus: unknown setting 'bogus'"),
        ("target: {web: x, hedaers: {}}", "unknown setting 'hedaers' (did you mean 'headers'?)"),
        ("target: {web: x, trsut: claimed}", "unknown setting 'trsut' (did you mean 'trust'?)"),
        ("target: {web: 5}", "target.web: should be a text, is 5"),
        ("target: {web: x, method: GET}", "target.method: should be one of POST, PUT"),
        ("target: {web: x, trust: blind}", "target.trust: should be one of claimed, observed"),
        ("target: {web: x, config: 5}", "target.config: should be a mapping, is 5"),
        ("target: {echo: true, web: y, bogus: 1}", "one target is both echo and web (choose one)"),
        ("targets: {'': {echo: x}}", "a target has an empty name"),
        ("target: 5", "target: should be a text or a mapping, is 5"),
        ("targets: {a: x}", "targets.a: should be a mapping, is the text 'x'"),
        ("target: {echo: x}\ntargets: {default: {echo: y}}", "give it another name"),
    ],
)
def test_what_is_wrong_is_said(folder: Any, written: str, fault: str) -> None:
    folder.suite(f"suite: s\n{written}\n{CASES}")
    (found,) = folder.faults()
    assert fault in found


def test_a_kind_that_takes_all_settings_is_meant(folder: Any) -> None:
    folder.suite("suite: s\ntarget: {echo: true, web: y}\n" + CASES)
    assert folder.load().suite.targets["default"].kind == "web"


def test_variables_are_read_in_targets_only(folder: Any) -> None:
    folder.suite(
        "suite: s\ndescription: ${TOKEN}\n"
        "target: {web: 'http://${HOST}/x',"
        " headers: {A: 'Bearer ${TOKEN}', B: '$${TOKEN} $5 $TOKEN'},"
        " config: {key: '${TOKEN}'}}\n"
        "cases: [{id: a, input: '${TOKEN}', expect: [contains: '${TOKEN}']}]\n"
    )
    suite = folder.load(environ={"TOKEN": "s3cret", "HOST": "${TOKEN}"}).suite
    spec = suite.targets["default"]
    assert spec.settings == {
        "web": "http://${TOKEN}/x",
        "headers": {"A": "Bearer s3cret", "B": "${TOKEN} $5 $TOKEN"},
    }
    assert spec.config == {"key": "s3cret"}
    assert spec.secrets == {"TOKEN": "s3cret", "HOST": "${TOKEN}"}
    assert suite.description == "${TOKEN}"
    assert suite.cases[0].input == "${TOKEN}"
    assert suite.cases[0].expect[0].args == {"text": "${TOKEN}"}


def test_a_variable_that_is_not_set_is_a_fault_of_the_suites_own_target(folder: Any) -> None:
    folder.suite(
        "suite: s\ntarget: {web: '${HELP_TOKEN}/${HELP_TOKEN}', headers: {a: '${B}'}}\n" + CASES
    )
    assert folder.faults(environ={"HELP_TOKN": "x"}) == [
        (
            "suite.yaml:2:15: target.web: the environment variable HELP_TOKEN is not set "
            "(did you mean 'HELP_TOKN'?)"
        ),
        (
            "suite.yaml:2:59: target.headers.a: the environment variable B is not set (export B=…, "
            "or write it into .env beside the suite)"
        ),
    ]


def test_another_target_keeps_what_it_misses(folder: Any) -> None:
    folder.suite(
        "suite: s\ntarget: {echo: x}\ntargets: {staging: {web: 'http://${HOST}'}}\n" + CASES
    )
    suite = folder.load().suite
    assert suite.targets["staging"].missing == ("HOST",)
    assert folder.load(environ={"HOST": "h"}).suite.targets["staging"].missing == ()


def test_an_empty_variable_is_warned_of_and_is_no_secret(folder: Any) -> None:
    folder.suite("suite: s\ntarget: {web: 'http://h${X}'}\n" + CASES)
    loaded = folder.load(environ={"X": ""})
    assert loaded.suite.targets["default"].secrets == {}
    assert any("the environment variable X is empty" in warning for warning in loaded.warnings)


def test_what_is_no_variable_is_said(folder: Any) -> None:
    folder.suite("suite: s\ntarget: {web: '${A:-b} $${x-y}'}\n" + CASES)
    (fault,) = folder.faults()
    assert "'${A:-b}' names no variable of the environment" in fault


def test_secrets_do_not_stand_in_faults_nor_in_the_digest(folder: Any) -> None:
    folder.suite("suite: s\ntarget: {web: x, method: '${M}'}\n" + CASES)
    (fault,) = folder.faults(environ={"M": "s3cret"})
    assert "s3cret" not in fault
    assert "${M}" in fault
    folder.suite("suite: s\ntarget: {web: '${M}'}\n" + CASES)
    one, two = folder.load(environ={"M": "a"}), folder.load(environ={"M": "b"})
    assert one.digest == two.digest
    folder.suite("suite: s\ntarget: {web: '${N}'}\n" + CASES)
    assert folder.load(environ={"N": "a"}).digest != one.digest


class TalkSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    talk: str
    extra: int = 0


class TalkKind:
    """A kind that checks itself: the text of `talk` should name every case's input."""

    name: ClassVar[str] = "talk"
    settings: ClassVar[type[msgspec.Struct]] = TalkSettings
    text_files: ClassVar[tuple[str, ...]] = ("talk",)

    def build(self, spec: Any, settings: Any) -> Any:
        raise NotImplementedError

    def faults(self, spec: Any, settings: TalkSettings, cases: Any) -> Iterator[SettingFault]:
        if settings.extra > 5:
            yield SettingFault(("extra",), "is too much", "less")
        for case in cases:
            if str(case.input) not in settings.talk:
                yield SettingFault(("talk",), f"case '{case.id}' is not in it")


@pytest.fixture
def talking(folder: Any) -> Any:
    kinds = {**folder.catalogue.targets, "talk": TalkKind()}

    class Catalogue:
        graders = folder.catalogue.graders
        targets = kinds
        criteria = folder.catalogue.criteria

    folder.catalogue = Catalogue()
    return folder


def test_a_text_file_takes_the_place_of_a_setting_and_is_in_the_digest(talking: Any) -> None:
    talking.suite("suite: s\ntarget: {talk: prompt.md}\ncases: [{id: a, input: x}]")
    talking.write("prompt.md", "\ufeffsay x\n")
    loaded = talking.load()
    assert loaded.suite.targets["default"].settings == {"talk": "say x\n"}
    talking.write("prompt.md", "say x!\n")
    assert talking.load().digest != loaded.digest


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("promt.md", "suite.yaml:2:16: target.talk: promt.md does not exist (did you mean"),
        ("empty.txt", "suite.yaml:2:16: target.talk: 'empty.txt' is empty"),
        ("odd.md", "odd.md:1:4: is not UTF-8"),
    ],
)
def test_a_text_file_that_cannot_be_read_is_told(talking: Any, name: str, told: str) -> None:
    talking.write("prompt.md", "x")
    talking.write("empty.txt", " \n")
    talking.write("odd.md", b"abc\xff")
    talking.suite(f"suite: s\ntarget: {{talk: {name}}}\ncases: [{{id: a, input: x}}]")
    (fault,) = talking.faults()
    assert told in fault


def test_a_text_with_spaces_is_no_file(talking: Any) -> None:
    talking.suite("suite: s\ntarget: {talk: see x.md}\ncases: [{id: a, input: x}]")
    assert talking.load().suite.targets["default"].settings == {"talk": "see x.md"}


def test_what_a_kind_finds_wrong_is_told_for_the_suites_own_cases(talking: Any) -> None:
    talking.suite(
        "suite: s\ntarget: a\n"
        "targets:\n  a: {talk: x}\n  b: {talk: y, extra: 9}\n"
        "cases: [{id: c1, input: x}, {id: c2, input: z}]"
    )
    assert talking.faults() == [
        "suite.yaml:4:13: targets.a.talk: case 'c2' is not in it",
        "suite.yaml:5:23: targets.b.extra: is too much (less)",
    ]
