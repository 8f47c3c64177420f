"""Runs compared: which marks stay, which go, and what a baseline claims."""

from hypothesis import given
from hypothesis import strategies as st

from evaltui.runs.run_comparison import RunComparison
from evaltui.scoring.case_change import ScoredCase, change_since, is_alike
from evaltui.scoring.score_change import ScoreChange
from tests.runs.results import scored


class Runs:
    """A set of cases that is run again and again."""

    def __init__(self, **cases: ScoredCase) -> None:
        self.cases: dict[str, ScoredCase] = {}
        self.comparison: RunComparison[str] = RunComparison()
        self.run(**cases)

    def run(self, **changed: ScoredCase) -> bool:
        """Score all cases, some of them with other results; whether that changed anything."""
        self.cases.update(changed)
        for key, case in self.cases.items():
            again = case.result._replace(metrics=tuple(case.result.metrics))  # another result that says the same
            self.comparison.note(key, ScoredCase(bytes(case.source), again))
        return self.comparison.finish_run()

    def edit(self, key: str, now: ScoredCase) -> None:
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
    runs.comparison.keep_baseline(at=0.0)
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
    steps: list[tuple[str, ScoredCase] | dict[str, ScoredCase] | None],
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
