"""The résumé tailor as a target: a runner for each of its steps, and one for all of them.

A case's runner (a task's `type`) names the method here that answers it. What each reads from
the input and gives back stands in its docstring; files are looked up in `fixtures/`.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from careers_site import FIXTURES, careers_site
from probare.errors import InfraError, InputError, TargetError, did_you_mean
from probare.model.case import Case
from probare.ports.chat import ChatReply
from probare.providers import Models
from tailor import description, writer
from tailor.draft_model import MODEL_VARIABLES, DraftModel, ModelStopped, name_of
from tailor.fetcher import Fetched, Fetcher, FetchError, PostingGone, find_urls
from tailor.model_writer import DraftRejected, ModelWriter
from tailor.page import posting_in
from tailor.parser import parse_resume
from tailor.pipeline import Tailored, Tools, tailor
from tailor.posting import Analysis, Posting
from tailor.resume import Bullet, MasterResume, TailoredResume

MASTER = "sample.tex"
SITE = "{site}/"

Given = Mapping[str, Any]
Answer = dict[str, Any]
Writer = Callable[[MasterResume, Analysis], TailoredResume]


class ResumeTailor:
    """Runs one step of the tailor, or the whole of it, with what a case gives it."""

    def __init__(self, variables: Mapping[str, str] | None = None) -> None:
        self._variables = os.environ if variables is None else variables
        self._models = Models(self._variables)
        self._masters: dict[str, MasterResume] = {}
        self.runners: dict[str, Callable[[Given, Tools], Answer]] = {
            "parser": self.run_parser,
            "fetcher": self.run_fetcher,
            "description": self.run_description,
            "writer": self.run_writer,
            "critic": self.run_critic,
            "tailor": self.run_tailor,
        }

    def set_up(self) -> None:
        """Parse the master résumé once for all trials; it is immutable, so they can share it."""
        self._variables = dict(self._variables)
        self._models = Models(self._variables)
        self._masters[MASTER] = parse_resume(_read(MASTER))

    def tear_down(self) -> None:
        """Close the connections to the model, if there were any."""
        self._models.close()

    def run(
        self,
        input: Given,  # noqa: A002 - the name that a target is called with
        case: Case,
        recorder: Any,
        model: str | None = None,
    ) -> Answer:
        """Return what the case's runner (without one, the whole tailor) makes of the input.

        With `deterministic: true` in the input no model is used, whatever `--model` and the
        variables say; no other trial notices.
        """
        name = case.runner or "tailor"
        runner = self.runners.get(name)
        if runner is None:
            near = did_you_mean(name, self.runners)
            known = f"there are: {', '.join(self.runners)}"
            raise TargetError(f"there is no runner '{name}'", hint=near or known)
        try:
            with tempfile.TemporaryDirectory() as cache:
                steps = self.steps(input, recorder, model, Path(cache))
                return runner(input, steps.wrapped(recorder.tool))
        except (ModelStopped, DraftRejected) as failure:
            raise TargetError(str(failure)) from failure

    def steps(self, given: Given, recorder: Any, model: str | None, cache: Path) -> Tools:
        """Return the tailor's steps for one trial. The site is near, so waits are short."""
        fetcher = Fetcher(
            cache,
            first_wait=0.01,
            longest_wait=0.1,
            on_attempt=lambda number, error: recorder.attempt(
                "fetch_posting", number, error is None, error
            ),
        )

        def write_resume(master: MasterResume, analysis: Analysis) -> TailoredResume:
            return self._writer(given, recorder, model)(master, analysis)

        return Tools(fetch_posting=fetcher.fetch, write_resume=write_resume)

    def run_parser(self, given: Given, tools: Tools) -> Answer:
        """`tex_path` or `tex` → `master`, `text`."""
        master = tools.parse_resume(_tex(given))
        return {"master": asdict(master), "text": master.text()}

    def run_fetcher(self, given: Given, tools: Tools) -> Answer:
        """`request`, where `{site}` is a careers site on this machine that first answers with
        each of `statuses`; fetched `times` times (1) → `posting`, `jd_text`, `text` (the error's
        or the posting's), `url`, `cache` (hit or miss, for each time), `requests` (paths, as the
        site saw them), `error`.
        """
        with careers_site(given.get("statuses", ())) as site:
            url = next(iter(find_urls(given["request"].replace(SITE, site.url))), "")
            fetched: list[Fetched] = []
            error = None
            for _ in range(given.get("times", 1)):
                try:
                    fetched.append(tools.fetch_posting(url))
                except FetchError as failure:
                    error = _told(failure, site.url)
            requests = [request.path for request in site.requests]
        posting = fetched[-1].posting if fetched else None
        if posting is not None:
            posting = replace(posting, url=posting.url.replace(site.url, SITE))
        return {
            "posting": asdict(posting) if posting else {},
            "jd_text": posting.text if posting else "",
            "text": error["message"] if error else posting.text if posting else "",
            "url": url.replace(site.url, SITE),
            "cache": [each.cache for each in fetched],
            "requests": requests,
            "error": error,
        }

    def run_description(self, given: Given, tools: Tools) -> Answer:
        """`posting` (a page) or `jd_text` → `analysis`, `jd_text`."""
        posting = _posting(given)
        return {"analysis": asdict(tools.analyse_posting(posting)), "jd_text": posting.text}

    def run_writer(self, given: Given, tools: Tools) -> Answer:
        """A résumé and a posting as above → `tailored`, `text`, `json` (as it would be stored),
        and what it was written from: `master`, `analysis`, `jd_text`.
        """
        master, posting = self._master(given), _posting(given)
        analysis = description.analyse(posting)
        tailored = tools.write_resume(master, analysis)
        return _written(tailored, master, analysis, posting)

    def run_critic(self, given: Given, tools: Tools) -> Answer:
        """A résumé and a posting as above; `change` replaces fields of the résumé that the
        writer makes of them → `report`, `kinds` (of violations, each once), `text`.
        """
        master, posting = self._master(given), _posting(given)
        analysis = description.analyse(posting)
        tailored = _changed(writer.write(master, analysis), given.get("change", {}))
        report = tools.critique_resume(tailored, master, analysis, posting.text)
        kinds = sorted({violation.kind for violation in report.violations})
        return {
            "report": {**asdict(report), "passed": report.passed},
            "kinds": kinds,
            "text": report.text(),
        }

    def run_tailor(self, given: Given, tools: Tools) -> Answer:
        """`request` as for the fetcher, and a résumé → what the writer's runner gives, and
        `report`, the critic's.
        """
        with careers_site(given.get("statuses", ())) as site:
            made = self.tailored(given["request"].replace(SITE, site.url), _tex(given), tools)
        report = {**asdict(made.report), "passed": made.report.passed}
        return {**_written(made.resume, made.master, made.analysis, made.posting), "report": report}

    def tailored(self, request: str, tex: str, tools: Tools) -> Tailored:
        """Run the whole tailor."""
        return tailor(request, tex, tools)

    def _master(self, given: Given) -> MasterResume:
        """Return the master résumé that a case names, parsed once."""
        if "tex" in given:
            return parse_resume(given["tex"])
        name = given.get("tex_path", MASTER)
        if name not in self._masters:
            self._masters[name] = parse_resume(_read(name))
        return self._masters[name]

    def _writer(self, given: Given, recorder: Any, model: str | None) -> Writer:
        """Return the writer for one trial: deterministic, or the model that is named."""
        draft_model = self._draft_model(given, model)
        recorder.note(
            f"the résumé is written by the {draft_model.name if draft_model else writer.NAME}",
            {
                "model": draft_model.name if draft_model else None,
                "temperature": draft_model.temperature if draft_model else None,
            },
        )
        if draft_model is None:
            return writer.write

        def record_usage(reply: ChatReply) -> None:
            usage = reply.usage
            if usage is not None:
                recorder.usage(
                    input_tokens=usage.input_tokens,
                    output_tokens=usage.output_tokens,
                    cached_tokens=usage.cached_tokens,
                    cost_usd=usage.cost_usd,
                    model=reply.model,
                )

        return ModelWriter(
            draft_model,
            on_reply=record_usage,
            on_replaced=lambda what: recorder.note(f"not grounded, so replaced: {what}"),
        )

    def _draft_model(self, given: Given, model: str | None) -> DraftModel | None:
        variables = self._variables
        if given.get("deterministic") is True:
            model = None
            variables = {k: v for k, v in variables.items() if k not in MODEL_VARIABLES}
        name = name_of(variables, model)
        if name is None:
            return None
        try:
            self._models.check(name)
        except InputError as error:
            hint = "set it, or unset MODEL and DRAFT_MODEL to run without a model"
            raise InfraError(error.message, hint=hint, retryable=False) from None
        return DraftModel(name, self._models)


def _read(name: str) -> str:
    return (FIXTURES / name).read_text(encoding="utf-8")


def _tex(given: Given) -> str:
    """Return the source of the master résumé that a case names."""
    return given["tex"] if "tex" in given else _read(given.get("tex_path", MASTER))


def _posting(given: Given) -> Posting:
    if "jd_text" in given:
        return Posting(text=given["jd_text"], title=given.get("title", ""))
    return posting_in(_read(given["posting"]))


def _written(
    tailored: TailoredResume, master: MasterResume, analysis: Analysis, posting: Posting
) -> Answer:
    return {
        "tailored": asdict(tailored),
        "text": tailored.text(),
        "json": json.dumps(asdict(tailored), ensure_ascii=False),
        "master": asdict(master),
        "analysis": asdict(analysis),
        "jd_text": posting.text,
    }


def _changed(tailored: TailoredResume, change: Given) -> TailoredResume:
    """Return a résumé with a fault planted: in its fields, or in those of its first position
    (`title`, `company`, `dates`, and `bullet`, the text of its first).
    """
    first, *others = tailored.experience
    of_position = {key: change[key] for key in ("title", "company", "dates") if key in change}
    if "bullet" in change:
        bullet = Bullet(change["bullet"], first.bullets[0].source)
        of_position["bullets"] = (bullet, *first.bullets[1:])
    fields = {key: change[key] for key in ("summary", "skills", "experience") if key in change}
    return replace(tailored, **{"experience": (replace(first, **of_position), *others), **fields})


def _told(failure: FetchError, site: str) -> Answer:
    return {
        "kind": "gone" if isinstance(failure, PostingGone) else "failed",
        "status": failure.status,
        "message": str(failure).replace(site, SITE),
    }
