"""Runs compared: which marks stay, which go, what a baseline claims; and the rows and counts of a run."""

from hypothesis import given
from hypothesis import strategies as st

from evaltui.runs.run_comparison import ROW_ORDERS, RunComparison, select_rows
from evaltui.scoring.results import CaseResult
from evaltui.scoring.score_change import RunChange, ScoreChange, change_since, is_alike
from tests.runs.results import scored


class Runs:
    """A set of cases that is run again and again."""

    def __init__(self, **cases: CaseResult) -> None:
        self.cases: dict[str, CaseResult] = {}
        self.comparison: RunComparison[str] = RunComparison()
        self.run(**cases)

    def run(self, **changed: CaseResult) -> bool:
        """Score all cases, some of them with other results; whether that changed anything."""
        self.cases.update(changed)
        for key, case in self.cases.items():
            again = case._replace(metrics=tuple(case.metrics))  # another result that says the same
            self.comparison.note(key, again)
        return self.comparison.finish_run()

    def edit(self, key: str, now: CaseResult) -> None:
        """Score one case between two runs, as live mode does."""
        self.cases[key] = now
        self.comparison.note(key, now)

    def marks(self) -> dict[str, ScoreChange]:
        """The changes, which are the same one by one and all together."""
        found = {key: change.change for key, change in self.comparison.changes().items()}
        assert found == {key: change.change for key in self.cases if (change := self.comparison.change(key))}
        return found


def test_the_first_run_has_nothing_to_compare_with() -> None:
    assert Runs(a=scored(0.5), b=scored(0.9)).marks() == {}


def test_a_run_marks_what_it_changed() -> None:
    runs = Runs(a=scored(0.5), b=scored(0.9), c=scored(0.9))
    assert runs.run(a=scored(0.9), b=scored(0.5), d=scored(0.9))
    assert runs.marks() == {"a": "improved", "b": "regressed", "d": "new"}


def test_a_run_that_changes_nothing_keeps_the_marks() -> None:
    runs = Runs(a=scored(0.5), b=scored(0.9))
    runs.run(a=scored(0.9))
    for _ in range(3):
        assert not runs.run()
        assert runs.marks() == {"a": "improved"}


def test_marks_go_with_the_next_run_that_changes_anything() -> None:
    runs = Runs(a=scored(0.5), b=scored(0.9))
    runs.run(a=scored(0.9))
    runs.run(b=scored(0.5))
    assert runs.marks() == {"b": "regressed"}
    runs.run(b=scored(0.5, golden="Hello"))
    assert runs.comparison.changes()["b"].words == ("case changed",)
    runs.run(b=scored(0.5, eval_id="renamed", golden="Hello"))
    assert runs.marks() == {}


def test_a_case_that_is_edited_between_two_runs_counts_against_the_last_one() -> None:
    runs = Runs(a=scored(0.5), b=scored(0.9))
    runs.run(b=scored(0.5))
    runs.edit("a", scored(0.9, golden="Hello"))
    assert runs.marks() == {"a": "improved", "b": "regressed"}
    runs.edit("a", scored(0.5))  # undone
    assert runs.marks() == {"b": "regressed"}
    runs.edit("a", scored(0.9, golden="Hello"))
    assert runs.run()
    assert runs.marks() == {"a": "improved"}
    assert not runs.run()
    assert runs.marks() == {"a": "improved"}


def test_an_edit_that_is_undone_brings_the_old_mark_back() -> None:
    runs = Runs(a=scored(0.5))
    runs.run(a=scored(0.9))
    runs.edit("a", scored(0.5, golden="Hello"))
    assert runs.marks() == {"a": "regressed"}
    runs.edit("a", scored(0.9))
    assert runs.marks() == {"a": "improved"}


def test_a_baseline_stays_what_runs_are_compared_with() -> None:
    runs = Runs(a=scored(0.5), b=scored(0.9), c=scored(0.9))
    runs.run(c=scored(0.5))
    runs.comparison.keep_baseline(0.0)
    assert runs.marks() == {}
    runs.run(a=scored(0.9))
    runs.run(b=scored(0.5), c=scored(0.9, golden="Hello"), d=scored(0.9))
    assert runs.marks() == {"a": "improved", "b": "regressed", "c": "edited", "d": "new"}
    runs.run(b=scored(0.9))
    runs.edit("c", scored(0.5))  # as it was in the baseline
    assert runs.marks() == {"a": "improved", "d": "new"}
    runs.comparison.drop_baseline()
    assert runs.marks() == {"b": "improved", "c": "regressed"}


def test_a_case_that_was_deleted_and_comes_back_has_its_past() -> None:
    runs = Runs(a=scored(0.5), b=scored(0.9))
    gone = runs.cases.pop("a")
    runs.run(b=scored(0.5))
    assert runs.marks() == {"b": "regressed"}
    runs.run(a=gone)
    assert runs.marks() == {"b": "regressed"}


KEYS = st.sampled_from("abc")
RESULTS = st.builds(scored, st.sampled_from([None, 0.2, 0.5, 0.9]), golden=st.sampled_from(["Hi", "Hello"]))


@given(st.lists(st.one_of(st.tuples(KEYS, RESULTS), st.none(), st.dictionaries(KEYS, RESULTS)), max_size=12))
def test_marks_are_those_of_the_last_run_that_changed_anything(
    steps: list[tuple[str, CaseResult] | dict[str, CaseResult] | None],
) -> None:
    """Each step is an edit of one case, a run that finds nothing new, or a run with other results."""
    runs = Runs(a=scored(0.5), b=scored(0.9))
    before, last = dict(runs.cases), dict(runs.cases)
    for step in steps:
        if isinstance(step, tuple):
            runs.edit(*step)
        else:
            runs.run(**(step or {}))
            if any(key not in last or not is_alike(last[key], case) for key, case in runs.cases.items()):
                before, last = last, dict(runs.cases)
        wanted = {}
        for key, now in runs.cases.items():
            is_edited = key not in last or not is_alike(last[key], now)
            change = change_since(last.get(key) if is_edited else before.get(key), now)
            if change.is_any:
                wanted[key] = change.change
        assert runs.marks() == wanted


# --- rows -------------------------------------------------------------------------------------------------------------


CASES: dict[str, CaseResult | None] = {
    "passing": scored(0.9),
    "failing": scored(0.5),
    "silent": scored(None),
    "lost": scored(0.1),
    "better": scored(0.95),
    "unknown": None,
    "outdated": scored(0.2),
}
CHANGES = {
    "lost": RunChange("regressed", -0.8),
    "better": RunChange("improved", 0.3),
    "failing": RunChange("lower", -0.9),
    "passing": RunChange("same", None, ("text changed",)),
    "outdated": RunChange("regressed", -0.1),
    "gone": RunChange("new"),
}


def test_each_order_puts_first_what_it_is_called_after() -> None:
    assert [select_rows(CASES, CHANGES, "all", order) for order in ROW_ORDERS] == [
        ["failing", "lost", "outdated", "silent", "unknown", "passing", "better"],
        ["passing", "failing", "silent", "lost", "better", "unknown", "outdated"],
        ["failing", "lost", "outdated", "silent", "unknown", "passing", "better"],
        ["lost", "outdated", "failing", "better", "passing", "silent", "unknown"],
    ]


def test_a_filter_leaves_what_fails_or_changed() -> None:
    assert select_rows(CASES, CHANGES, "failing") == ["failing", "lost", "outdated"]
    assert select_rows(CASES, CHANGES, "changed", "file order") == ["passing", "failing", "lost", "better", "outdated"]
    assert select_rows(CASES, {}, "changed") == []


def test_a_run_that_changed_nothing_takes_the_place_of_the_one_before() -> None:
    comparison: RunComparison[str] = RunComparison()
    for passed, is_other in [(0, True), (1, True), (2, False), (4, True)]:
        comparison.add_rate(passed, 4, is_other=is_other)
    comparison.add_rate(0, 0, is_other=True)
    assert [*comparison.rates] == [0.0, 0.5, 1.0, 0.0]


def test_only_the_last_runs_are_remembered() -> None:
    comparison: RunComparison[str] = RunComparison()
    for number in range(1_000):
        comparison.add_rate(number, 1_000, is_other=True)
    assert comparison.rates[-1] == 0.999
    assert len(comparison.rates) < 100
