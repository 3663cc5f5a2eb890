"""Who may do what."""

from __future__ import annotations

import unicodedata
from typing import Literal, TypeAlias, get_args

from probare.errors import Fault, InvalidReview, NotAllowed, Place
from probare.model.review import Person, Role

Action: TypeAlias = Literal[
    "read",
    "review",
    "adjudicate",
    "enqueue",
    "assign",
    "unblind",
    "handle_incidents",
    "import_reviews",
    "export",
    "read_log",
    "manage_users",
]
ACTIONS: tuple[Action, ...] = get_args(Action)
ROLES: tuple[Role, ...] = get_args(Role)

_LONGEST_NAME = 80
_MAY: dict[Role, frozenset[Action]] = {
    "reviewer": frozenset({"read", "review"}),
    "adjudicator": frozenset({"read", "review", "adjudicate"}),
    "lead": frozenset(ACTIONS),
    "auditor": frozenset({"read", "export", "read_log"}),
}
_DOES: dict[Action, str] = {
    "read": "read the queue",
    "review": "review",
    "adjudicate": "adjudicate",
    "enqueue": "put trials in the queue",
    "assign": "assign items to others",
    "unblind": "see an item before its reviews are in",
    "handle_incidents": "handle incidents",
    "import_reviews": "enter the reviews of others",
    "export": "export reviews",
    "read_log": "read the review log",
    "manage_users": "manage users",
}


def may(role: Role, action: Action) -> bool:
    """Whether a role allows an action. A role that is not known allows nothing."""
    return action in _MAY.get(role, frozenset())


def allow(person: Person, action: Action) -> None:
    """Raise NotAllowed where the person's role does not allow the action."""
    if not may(person.role, action):
        roles = [role for role in ROLES if may(role, action)]
        hint = f"this needs the role {' or '.join(roles)}"
        raise NotAllowed(f"the role {person.role} may not {_DOES[action]}", hint=hint)


def spelled(name: str) -> str:
    """Return a name in the one spelling that is kept: NFKC, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def person(name: str, role: str) -> Person:
    """Return a person, with the name in one spelling (NFKC, single spaces).

    Raises InvalidReview where the name is empty, longer than 80 characters or holds control
    characters, or where there is no such role.
    """
    faults: list[Fault] = []
    kept = spelled(name)
    if not kept:
        faults.append(Fault("the name is empty", Place(path="name")))
    if len(kept) > _LONGEST_NAME:
        message = f"the name has {len(kept)} characters; at most {_LONGEST_NAME} are kept"
        faults.append(Fault(message, Place(path="name")))
    if any(unicodedata.category(each) in ("Cc", "Cf", "Cs", "Co", "Cn") for each in kept):
        message = "the name holds invisible or control characters"
        faults.append(Fault(message, Place(path="name")))
    known: Role | None = next((each for each in ROLES if each == role), None)
    if known is None:
        faults.append(Fault(f"no role '{role}'", Place(path="role"), f"one of {', '.join(ROLES)}"))
    if faults or known is None:
        raise InvalidReview(faults)
    return Person(kept, known)
