"""The rows of a run: which cases are shown, in which order.

The key of a case is its node of the document in the editor, an eval_id elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from evaltui.runs.run_comparison import Key
from evaltui.scoring.results import STATUS_RANKS, CaseResult
from evaltui.scoring.score_change import REGRESSIONS_FIRST, RunChange

ShownCases = Literal["all", "failing", "changed"]
RowOrder = Literal["failing first", "file order", "biggest loss", "changed first"]
ROW_ORDERS: tuple[RowOrder, ...] = ("failing first", "file order", "biggest loss", "changed first")


def select_rows(
    cases: Mapping[Key, CaseResult | None],
    changes: Mapping[Key, RunChange],
    selection: ShownCases = "all",
    order: RowOrder = "failing first",
) -> list[Key]:
    """The cases to show, in order. Equal cases stay in the order of the set, which `cases` has.

    The result is None for a case that was not scored yet. An outdated case has its last one, so that no row jumps.
    """

    def rank(key: Key) -> int:
        result = cases[key]
        return STATUS_RANKS[result.status if result is not None else "not_evaluated"]

    def loss(key: Key) -> tuple[float, int]:
        # Rises count as no loss: the order is by what got worse, not by what moved.
        return min(changes[key].loss, 0.0) if key in changes else 0.0, rank(key)

    def place_of_change(key: Key) -> tuple[int, int]:
        place = REGRESSIONS_FIRST.index(changes[key].change) if key in changes else len(REGRESSIONS_FIRST)
        return place, rank(key)

    rows = [*cases]
    if selection == "failing":
        rows = [key for key, result in cases.items() if result is not None and result.status == "failed"]
    elif selection == "changed":
        rows = [key for key in cases if key in changes]
    sort_keys: dict[RowOrder, Callable[[Key], Any]] = {
        "failing first": rank,
        "biggest loss": loss,
        "changed first": place_of_change,
    }
    if order in sort_keys:
        rows.sort(key=sort_keys[order])
    return rows
