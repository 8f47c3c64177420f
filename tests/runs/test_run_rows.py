"""Rows of a run: filter, order and totals of any list of cases; and the last runs."""

from evaltui.runs.run_history import RunHistory
from evaltui.runs.run_rows import ROW_ORDERS, RunCase, RunTotals, rows_of, totals_of
from evaltui.scoring.case_change import RunChange
from tests.runs.results import scored

CASES = [
    RunCase("passing", scored(0.9).result),
    RunCase("failing", scored(0.5).result),
    RunCase("silent", scored(None).result),
    RunCase("lost", scored(0.1).result),
    RunCase("better", scored(0.95).result),
    RunCase("unknown", None),
    RunCase("outdated", scored(0.2).result, is_outdated=True),
]
CHANGES = {
    "lost": RunChange("regressed", -0.8),
    "better": RunChange("improved", 0.3),
    "failing": RunChange("lower", -0.9),
    "passing": RunChange("same", None, ("text changed",)),
    "outdated": RunChange("regressed", -0.1),
    "gone": RunChange("new"),
}


def test_each_order_puts_first_what_it_is_called_after() -> None:
    assert [rows_of(CASES, CHANGES, "all", order) for order in ROW_ORDERS] == [
        ["failing", "lost", "outdated", "silent", "unknown", "passing", "better"],
        ["passing", "failing", "silent", "lost", "better", "unknown", "outdated"],
        ["failing", "lost", "outdated", "silent", "unknown", "passing", "better"],
        ["lost", "outdated", "failing", "better", "passing", "silent", "unknown"],
    ]


def test_a_filter_leaves_what_fails_or_changed() -> None:
    assert rows_of(CASES, CHANGES, "failing") == ["failing", "lost", "outdated"]
    assert rows_of(CASES, CHANGES, "changed", "file order") == ["passing", "failing", "lost", "better", "outdated"]
    assert rows_of(CASES, {}, "changed") == []


def test_totals_count_an_outdated_case_as_nothing_else() -> None:
    totals = totals_of(CASES, CHANGES)
    assert totals[:4] == (2, 2, 1, 1)
    assert (totals.scored, totals.rate) == (5, 0.4)
    assert (totals.risen, totals.fallen, totals.changes["same"], totals.changes["new"]) == (1, 2, 1, 0)
    assert RunTotals().rate == 0.0


def test_a_run_that_changed_nothing_takes_the_place_of_the_one_before() -> None:
    history = RunHistory()
    for at, (passed, is_other) in enumerate([(0, True), (1, True), (1, False), (2, True)]):
        history.add(at, RunTotals(passed, 2 - passed), is_other=is_other)
    assert history.rates == [0.0, 0.5, 1.0]
    assert [point.at for point in history.points] == [0, 2, 3]


def test_only_the_last_runs_are_remembered() -> None:
    history = RunHistory()
    for at in range(1_000):
        history.add(at, RunTotals(1), is_other=True)
    assert history.points[-1].at == 999
    assert len(history.points) < 100
