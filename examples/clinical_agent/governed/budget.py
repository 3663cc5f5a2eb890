"""The budget: what acts cost, in whole micro-dollars, and how much may be spent.

A micro-dollar is a millionth of a US dollar. Integers add up; a price in floating dollars does
not, and a cap that is passed by a rounding error is passed.
"""

from __future__ import annotations

from governed.action import Action, Ruling


class Meter:
    """Counts what was spent, against a cap in micro-dollars (None: no cap)."""

    def __init__(self, cap: int | None = None) -> None:
        if cap is not None and cap < 0:
            raise ValueError(f"a cap of {cap} micro-dollars cannot be")
        self.cap = cap
        self.spent = 0

    def would_pass(self, price: int) -> bool:
        """Whether an act of this price would take the spending past the cap."""
        return self.cap is not None and self.spent + price > self.cap

    def rule(self, action: Action, price: int) -> Ruling:
        """Return whether the budget allows an act of this price, or a person has to."""
        if not self.would_pass(price):
            return Ruling("allow", "budget/within-cap", f"{price} micro-dollars are within the cap")
        return Ruling(
            "require_approval",
            "budget/cap",
            f"'{action.name}' for {price} would take {self.spent} past {self.cap} micro-dollars",
        )

    def charge(self, price: int) -> dict[str, int]:
        """Count an act as paid; return the receipt for it, and what has been spent so far."""
        self.spent += price
        return {"cost_micro_usd": price, "spent_micro_usd": self.spent}
