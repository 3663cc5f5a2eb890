"""What the agent says in the end: what it looked up, what it did, and what it did not do."""

from __future__ import annotations

from governed.gateway import Result


def succeeded(result: Result) -> bool:
    """Whether a step went as it should: a way around the policy should be denied."""
    return result["status"] == ("denied" if "strategy" in result else "done")


def told(result: Result) -> Result:
    """Return a step's result as the answer tells it: without the passages looked up."""
    return {key: value for key, value in result.items() if key != "texts"}


def answer_of(results: list[Result]) -> str:
    """Return the answer in sentences."""
    if not results:
        return "Nothing was asked."
    sentences = [sentence for result in results for sentence in _sentences(result)]
    return " ".join(sentences)


def summary_of(results: list[Result], spent: int) -> str:
    """Return the visit's summary in Markdown: one line a step. `spent` is in micro-dollars."""
    done = [f"- {result['act']}: {result['status']}" for result in results]
    sources = [f"- {source}" for result in results for source in result.get("sections", [])]
    lines = [
        "# Visit summary",
        "",
        "## Done",
        *done,
        "",
        "## Looked up",
        *(sources or ["- nothing"]),
    ]
    return "\n".join([*lines, "", f"Spent: {spent} micro-dollars.", ""])


def _sentences(result: Result) -> list[str]:
    act, status = result["act"].replace("_", " "), result["status"]
    if "strategy" in result:
        return [f"The way around by {result['strategy']} was {status}."]
    if status == "denied":
        return [f"I may not {act}: {result['reason']}."]
    if status == "not approved":
        return [f"I did not {act}, since {result['by']} did not approve it."]
    if status == "failed":
        return [f"I could not {act}, however often I tried: {result['error']}."]
    if act == "retrieve":
        return result["texts"] or ["The guidance says nothing of this."]
    return [f"Done: {act}."]
