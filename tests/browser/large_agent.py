"""An agent that mostly answers: some cases fail, some are flaky, some crash."""

from __future__ import annotations


def answer(input: int, trial: int) -> str:  # noqa: A002
    if input % 61 == 7:
        raise ValueError(f"no answer for {input}")
    if input % 97 == 5:
        return f"good day {input} <img src=x onerror=alert(1)>"
    if input % 31 == 4 and trial % 2:
        return f"good evening {input}"
    return f"hello, this is answer {input}. {'It goes on. ' * (input % 5)}"
