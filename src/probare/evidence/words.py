"""What a proof shows and what it does not, in plain words."""

from __future__ import annotations

from probare.evidence.examination import Signature

_AGREE = "the files agree with each other: none is missing, added or changed since the seal"
_NOT_WHEN = (
    "when it was signed: that needs an outside witness, such as an RFC 3161 time stamp over "
    "manifest.json"
)
_NOT_OTHERS = "that no other run was made and thrown away"
_NOT_TRUE = "that the agent, graders and machine were what the record says: its signer says so"
_FORGEABLE = (
    "who made them: whoever can change these files can change all of them and seal them again"
)


def of_bundle(signature: Signature, key_id: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return (what an intact bundle shows, what it does not show)."""
    rest = (_NOT_WHEN, _NOT_OTHERS, _NOT_TRUE)
    if signature == "good":
        return (_AGREE, f"the holder of the key {key_id} signed exactly these bytes"), rest
    if signature == "absent":
        return (f"not signed: shows only that {_AGREE}",), (_FORGEABLE, _NOT_OTHERS, _NOT_TRUE)
    word = "signature not checked" if signature == "not checked" else "signature not good"
    return (f"{word}: shows only that {_AGREE}",), (_FORGEABLE, *rest)


def of_excerpt(signature: Signature, key_id: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return (what an intact excerpt shows, what it does not show)."""
    rest = (
        "anything about the other trials of the run, nor its decision",
        _NOT_WHEN,
        _NOT_OTHERS,
        _NOT_TRUE,
    )
    if signature == "good":
        return (
            "these lines stand, as they are here, in the run whose roots are in the checkpoints",
            f"the holder of the key {key_id} signed these checkpoints",
        ), rest
    word = "not signed" if signature == "absent" else "signature not checked"
    if signature == "bad":
        word = "signature not good"
    return (f"{word}: shows only that lines, proofs and roots agree",), (_FORGEABLE, *rest)
