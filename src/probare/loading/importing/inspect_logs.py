"""Inspect's evaluation logs, `.json` and `.eval` (github.com/UKGovernmentBEIS/inspect_ai).

Each sample's epoch is a trial; its scores come along as `$recorded.scores.<scorer>`, numbers
as they are and Inspect's letters as it counts them (C 1, P 0.5, I and N 0). Each scorer
becomes a required check that its score is 1. Where a score is missing, null or NaN (a sample
that ended in an error has none), that check is an error: it never counts as passed.
"""

from __future__ import annotations

import json
import math
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from msgspec import UNSET

from probare.encoding.narrow import mapping, sequence
from probare.errors import InputError
from probare.loading.importing.messages import events_of, last_reply, text_of
from probare.loading.importing.recording import (
    Recording,
    count,
    placeholder_name,
    read_json,
    trial_number,
)
from probare.model.event import ErrorEvent, Event, Usage
from probare.model.outcome import Outcome

_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_LARGEST_MEMBER = 512 * 1024 * 1024


def read_inspect(path: Path) -> Iterator[Recording]:
    """Yield each sample of a log. Raises InputError where the file is not such a log."""
    samples = _zipped(path) if zipfile.is_zipfile(path) else _plain(path)
    found = [_resolved(sample) for sample in samples]
    scorers = sorted({name for sample in found for name in _scores(sample)})
    for sample in found:
        yield _recording(sample, scorers)


def _plain(path: Path) -> Iterator[dict[str, Any]]:
    value = read_json(path)
    if not isinstance(value, dict) or "eval" not in value:
        raise InputError(f"{path} is not an Inspect log: it has no 'eval'")
    samples = sequence(cast("dict[str, Any]", value).get("samples"))
    if not samples:
        raise InputError(f"{path} holds no samples", hint="was it logged with log_samples?")
    for number, sample in enumerate(samples):
        yield _sample(sample, f"{path}: sample {number}")


def _zipped(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [
                member
                for member in archive.infolist()
                if member.filename.startswith("samples/") and member.filename.endswith(".json")
            ]
            if not members:
                raise InputError(f"{path} holds no samples", hint="is it an Inspect .eval log?")
            for member in sorted(members, key=lambda member: member.filename):
                if member.file_size > _LARGEST_MEMBER:
                    raise InputError(f"{path}: {member.filename} is too large to be read")
                value: Any = json.loads(archive.read(member))
                yield _sample(value, f"{path}: {member.filename}")
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        ValueError,
    ) as error:
        raise InputError(
            f"{path} cannot be read: {error}",
            hint="inspect log convert --to json makes a log that can",
        ) from error


def _sample(value: Any, what: str) -> dict[str, Any]:
    found = mapping(value)
    if "id" not in found:
        raise InputError(f"{what} is no Inspect sample: it has no 'id'")
    trial_number(found.get("epoch", 1), f"{what}: epoch")
    return found


def _resolved(sample: dict[str, Any]) -> dict[str, Any]:
    """Put attachments back where the log refers to them."""
    attachments = mapping(sample.get("attachments"))
    if not attachments:
        return sample

    def put_back(value: Any) -> Any:
        if isinstance(value, str) and value.startswith("attachment://"):
            return attachments.get(value.removeprefix("attachment://"), value)
        if isinstance(value, dict):
            items = cast("dict[str, Any]", value).items()
            return {key: put_back(item) for key, item in items}
        if isinstance(value, list):
            return [put_back(item) for item in cast("list[Any]", value)]
        return value

    wanted = ("input", "messages", "output", "target", "scores", "error")
    return {**sample, **{key: put_back(sample[key]) for key in wanted if key in sample}}


def _scores(sample: dict[str, Any]) -> dict[str, Any]:
    """A sample's scores by placeholder name; scores with several values are told apart."""
    found: dict[str, Any] = {}
    for name, score in mapping(sample.get("scores")).items():
        value = mapping(score).get("value", score)
        for part, item in mapping(value).items():
            found[placeholder_name(f"{name}_{part}")] = _number(item)
        if not isinstance(value, dict):
            found[placeholder_name(name)] = _number(value)
    return found


def _number(value: Any) -> Any:
    if isinstance(value, str):
        return _LETTERS.get(value, value)
    return float(value) if isinstance(value, bool) else value


def _is_known(score: Any) -> bool:
    return score is not None and not (isinstance(score, float) and math.isnan(score))


def _recording(sample: dict[str, Any], scorers: list[str]) -> Recording:
    messages = sequence(sample.get("messages"))
    known = {name: score for name, score in _scores(sample).items() if _is_known(score)}
    recorded = {"scores": known, "details": sample.get("scores")}
    output = _completion(sample, messages)
    outcome = Outcome(recorded=recorded)
    if output is not None:
        outcome = Outcome(output=output, recorded=recorded)
    return Recording(
        case=f"sample_{sample['id']}",
        trial=max(sample.get("epoch", 1) - 1, 0),
        input=_input(sample),
        events=(*events_of(messages), *_usage(sample), *_errors(sample)),
        outcome=outcome,
        checks=tuple(
            {"equals": 1.0, "in": f"$recorded.scores.{name}", "label": f"recorded {name}"}
            for name in scorers
        ),
        reference=sample.get("target", UNSET),
    )


def _input(sample: dict[str, Any]) -> Any:
    given: Any = sample.get("input")
    key = "messages" if isinstance(given, list) else "message"
    found: dict[str, Any] = {key: given}
    return found


def _completion(sample: dict[str, Any], messages: list[Any]) -> Any:
    choices = sequence(mapping(sample.get("output")).get("choices"))
    if choices:
        content: Any = mapping(mapping(choices[0]).get("message")).get("content")
        if content not in (None, ""):
            return text_of(content)
    return last_reply(messages)


def _usage(sample: dict[str, Any]) -> Iterator[Event]:
    """Usage by model. Inspect tells input without what was read from its cache, if its total
    says so; here cached tokens are inside the input, counted once.
    """
    for model, usage in mapping(sample.get("model_usage")).items():
        fields = mapping(usage)
        sent, got = count(fields.get("input_tokens")), count(fields.get("output_tokens"))
        cached = count(fields.get("input_tokens_cache_read"))
        total = count(fields.get("total_tokens"))
        if sent is not None and got is not None and cached and total == sent + got + cached:
            sent += cached
        yield Usage(input_tokens=sent, output_tokens=got, cached_tokens=cached, model=model)


def _errors(sample: dict[str, Any]) -> Iterator[Event]:
    error = mapping(sample.get("error"))
    if error:
        message = str(error.get("message", ""))
        trace = error.get("traceback")
        yield ErrorEvent(
            type="recorded", message=message, traceback=trace if isinstance(trace, str) else None
        )
