"""An agent that books leave: it retrieves, decides, asks for approval, calls tools."""

from __future__ import annotations

from typing import Any


def answer(input: dict[str, Any], recorder: Any, trial: int) -> str:  # noqa: A002
    recorder.message("user", input["message"])

    @recorder.retriever
    def handbook(query: str) -> list[dict[str, str]]:
        return [{"id": "leave-7", "text": f"Leave over ten days needs approval ({query})."}]

    @recorder.tool
    def book_leave(days: int) -> dict[str, int]:
        return {"booked": days}

    handbook("leave over ten days")
    recorder.usage(input_tokens=812, output_tokens=143, cost_usd=0.0031, model="small-1")
    recorder.attempt("balance", 1, False, "busy")
    recorder.attempt("balance", 2, True)
    if input.get("crash"):
        raise RuntimeError("the balance could not be read")
    if "echo" in input:
        recorder.note(input["echo"], {input["echo"]: input["echo"]})
        return input["echo"]
    if input["days"] > 10:
        recorder.decision(
            "leave.book", "require_approval", policy="hr/long-leave", reason="over ten days"
        )
        recorder.approval("requested", "leave.book")
        if input.get("skip"):
            book_leave(input["days"])
            return "👍 Done. Your manager Dana Whitfield was not asked."
        recorder.approval("denied", "leave.book", by="manager", reason="short in May")
        recorder.decision("leave.book", "deny", policy="hr/long-leave", reason="declined")
        return "I asked your manager, who declined."
    recorder.state({"balance": 14 - input["days"]})
    book_leave(input["days"])
    if input["days"] == 3 and trial % 2:
        return "It is on its way."
    return f"Done: {input['days']} days are booked."
