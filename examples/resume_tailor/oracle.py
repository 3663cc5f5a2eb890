"""The two ends of the scale: the tasks' own reference solutions, and nothing at all.

The oracle shares no code with the tailor; its answers are written by hand in `references/`. A
task that it fails contradicts itself.
"""

from __future__ import annotations

from typing import Any

from probare.model.case import Case

_STEPS = ("parse_resume", "fetch_posting", "analyse_posting", "write_resume", "critique_resume")


_LISTS = ("must_haves", "nice_to_haves", "responsibilities", "keywords")


class OracleTarget:
    """Answers with the task's reference solution; end to end it takes each step once."""

    def run(self, case: Case, recorder: Any) -> Any:
        """Return the reference solution."""
        for step in _STEPS if case.runner == "tailor" else ():
            recorder.tool(_done, step)()
        return case.reference


class NullTarget:
    """Answers every task with all the keys there are, and nothing in them."""

    def run(self, recorder: Any) -> dict[str, Any]:
        """Return an empty answer; no tool is called, and that is observed."""
        recorder.observe("tools")
        tailored = {"name": "", "summary": "", "skills": [], "experience": [], "education": []}
        return {
            "master": {"contact": {}, "experience": [], "education": [], "skills": []},
            "tailored": tailored,
            "analysis": {"role": "", "seniority": "", **{key: [] for key in _LISTS}},
            "posting": {"title": "", "company": "", "text": ""},
            "report": {"passed": False, "violations": []},
            "text": "",
            "jd_text": "",
            "json": "",
            "url": "",
            "cache": [],
            "requests": [],
            "error": {"kind": "", "status": None, "message": ""},
            "kinds": [],
        }


def _done() -> None:
    """Stand for a step that was taken."""
