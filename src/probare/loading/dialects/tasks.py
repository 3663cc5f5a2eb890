"""Task YAML: one task a file, `task: {id, desc, type, input, graders: [{name, args}], …}`.

- `type` is the runner, `desc` the description; `reference_solution` is the reference: a value,
  or the name of a file that holds it (looked up in the suite's folder, beside the task, and in
  `references/` beside either).
- In a grader's `args`, `name` is the label; the argument that is looked at (`$master`, `$text`)
  is `in`; what has no `$` is literal. `weight` and `required` stand beside `args`.
- `tracked_metrics` are names of what every run records; nothing more is kept of them.
- Other keys are a case's own: `trials`, `timeout`, `split`, …
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from probare.errors import did_you_mean
from probare.loading.dialects.moved import MovedDocument
from probare.loading.dialects.taskchecks import TaskGrader
from probare.loading.documents import Origin, Steps
from probare.loading.faultlist import Faults
from probare.loading.files import as_text, read_bytes, shown_path, similar_name
from probare.loading.parsing import JSON, YAML, read_tree
from probare.loading.shapes import CaseShape
from probare.loading.vocabulary import Vocabulary
from probare.loading.words import shown

METRICS = (
    "duration_ms",
    "first_token_ms",
    "cost_usd",
    "tokens",
    "input_tokens",
    "output_tokens",
)
_RENAMED = {"type": "runner", "desc": "description", "reference_solution": "reference"}
_OWN = ("graders", "tracked_metrics", *_RENAMED)
_CASE_KEYS = tuple(
    key
    for key in CaseShape.__struct_encode_fields__
    if key not in ("expect", "forbid", *_RENAMED.values())
)
_KEYS = (*_CASE_KEYS, *_OWN)
_TEXTS = (".txt", ".md", ".tex")
_REFERENCES = "references"


def detect(value: Any) -> bool:
    """Whether a file's value is a task, or means to be one: its `task` misspelt or left out."""
    if not isinstance(value, dict) or "suite" in value or "cases" in value:
        return False
    given = cast("dict[str, Any]", value)
    inner = [*given.values()] if len(given) == 1 else []
    return (
        "task" in given
        or ("graders" in given and "expect" not in given)
        or any(isinstance(each, dict) and "graders" in each for each in inner)
    )


def translate(
    value: Any, origin: Origin, around: Vocabulary, faults: Faults
) -> Iterator[tuple[dict[str, Any], Origin]]:
    """Yield the task as a case in the shape of a suite file, placed where it stands."""
    given = cast("dict[str, Any]", value)
    if "task" not in given:
        hint = "write it under `task:`" if "graders" in given else "a task stands under `task:`"
        faults.add(origin.place(next(iter(given)), key=True), "this file is not a task", hint)
        return
    for key in given:
        if key != "task":
            hint = "what belongs to the task stands inside it" if key in _KEYS else ""
            place = origin.place(key, key=True)
            faults.add(place, f"unknown key '{key}' beside task", hint or "one task a file")
    task = given["task"]
    if not isinstance(task, dict):
        faults.add(origin.place("task"), f"a task should be a mapping, is {shown(task)}")
        return
    inner = cast("dict[str, Any]", task)
    yield _Translation(inner, origin.below("task"), around, faults).made()


class _Translation:
    """One task on its way."""

    def __init__(
        self,
        task: dict[str, Any],
        origin: Origin,
        around: Vocabulary,
        faults: Faults,
    ) -> None:
        self._task = task
        self._origin = origin
        self._graders = around.graders
        self._faults = faults
        self._folders = around.folders
        self._moves: dict[Steps, Steps] = {(new,): (old,) for old, new in _RENAMED.items()}

    def made(self) -> tuple[dict[str, Any], Origin]:
        self._check_keys()
        case = {key: value for key, value in self._task.items() if key in _CASE_KEYS}
        for old, new in _RENAMED.items():
            if old in self._task:
                case[new] = self._task[old]
        if "type" not in self._task:
            self._tell((), "the task has no type", "it names the runner")
        elif isinstance(case["runner"], str) and case["runner"].isspace():
            self._tell(("type",), "the type is blank")
        self._reference(case)
        self._metrics()
        self._checks(case)
        origin = self._origin
        return case, Origin(MovedDocument(origin.document, origin.base, self._moves))

    def _check_keys(self) -> None:
        for key in self._task:
            if key not in _KEYS:
                place = self._origin.place(key, key=True)
                self._faults.add(place, f"unknown key '{key}'", did_you_mean(key, _KEYS))

    def _metrics(self) -> None:
        names = self._task.get("tracked_metrics", [])
        if not isinstance(names, list):
            self._tell(("tracked_metrics",), f"should be a list of names, is {shown(names)}")
            return
        for index, name in enumerate(cast("list[Any]", names)):
            if name not in METRICS:
                hint = did_you_mean(str(name), METRICS) or f"there are: {', '.join(METRICS)}"
                self._tell(("tracked_metrics", index), f"unknown metric '{name}'", hint)

    def _reference(self, case: dict[str, Any]) -> None:
        """Put the content of the file that `reference_solution` names in its place."""
        name = case.get("reference")
        if "reference" in case and name is None:
            self._tell(("reference_solution",), "the reference solution is null")
        if not isinstance(name, str):
            return
        suffix = Path(name).suffix.lower()
        if suffix not in (*JSON, *YAML, *_TEXTS) or "\n" in name:
            return
        del case["reference"]
        tried = [folder / place / name for folder in self._folders for place in ("", _REFERENCES)]
        path = next((each for each in tried if each.is_file()), None)
        place = self._origin.place("reference_solution")
        if path is None:
            hint = next((near for near in map(similar_name, tried) if near), "")
            where = ", ".join(dict.fromkeys(shown_path(folder) for folder in self._folders))
            self._faults.add(place, f"there is no file '{name}'", hint or f"looked in {where}")
        elif suffix in _TEXTS:
            data = read_bytes(path, self._faults, place)
            text = as_text(data, shown_path(path), self._faults) if data is not None else None
            if text is not None:
                case["reference"] = text
        else:
            tree = read_tree(path, self._faults, place)
            if tree is not None:
                case["reference"] = tree[0]

    def _checks(self, case: dict[str, Any]) -> None:
        items = self._task.get("graders", [])
        if not isinstance(items, list):
            self._tell(("graders",), f"should be a list of graders, is {shown(items)}")
            return
        lists: dict[str, list[Any]] = {"expect": [], "forbid": []}
        for index, item in enumerate(cast("list[Any]", items)):
            at: Steps = ("graders", index)
            grader = TaskGrader(self._graders, self._origin.below(*at), self._faults)
            check = grader.read(item)
            if check is None:
                continue
            to = lists["forbid" if grader.forbidden else "expect"]
            base: Steps = ("forbid" if grader.forbidden else "expect", len(to))
            self._moves[base] = at
            self._moves |= {(*base, *new): (*at, *old) for new, old in grader.moves.items()}
            to.append(check)
        case.update({name: checks for name, checks in lists.items() if checks})

    def _tell(self, steps: Steps, message: str, hint: str = "") -> None:
        self._faults.add(self._origin.place(*steps), message, hint)
