"""A set scored again and again: what is as it was is neither read nor scored anew."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from evaltui.document.errors import DocumentError
from evaltui.evalset.expected_set import ExpectedSet
from evaltui.runs import editor_scores
from evaltui.runs.editor_scores import EditorRun
from evaltui.runs.run_options import RunOptions
from evaltui.scoring.results import CaseResult
from tests.read_sets import read_set, run_set
from tests.scored_sets import ACTUAL, EXPECTED, a_set, turn

ID = "trips"


@pytest.fixture
def scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The ids of the cases that were scored, and not taken from before."""
    (tmp_path / "actual.json").write_text(a_set(ACTUAL))
    ids: list[str] = []
    score = editor_scores.score_expected

    def noted(case, *rest, **options):  # type: ignore[no-untyped-def]
        ids.append(case.eval_id)
        return score(case, *rest, **options)

    monkeypatch.setattr(editor_scores, "score_expected", noted)
    return ids


REST = b'{"eval_set_id": "trips", "eval_cases": []}'
Snapshot = tuple[ExpectedSet, list[bytes], bytes]


def snapshot(cases: dict, folder: Path) -> Snapshot:  # type: ignore[type-arg]
    path = folder / "set.evalset.json"
    path.write_text(a_set(cases))
    sources = [case.source for case in read_set(str(path)).cases]
    return ExpectedSet(path.name, path, ID, ()), sources, REST


def results(run: EditorRun, of: Snapshot, *, anew: bool = False) -> list[CaseResult]:
    found = dict(step for step in run.steps(*of, anew=anew) if step is not None)
    return [found[number] for number in range(len(of[1]))]


def a_run(folder: Path) -> EditorRun:
    return EditorRun(RunOptions((str(folder / "actual.json"),)))


def test_the_results_are_those_of_a_run(scored: list[str], tmp_path: Path) -> None:
    run, cases = a_run(tmp_path), snapshot(EXPECTED, tmp_path)
    whole = run_set(str(cases[0].path), run.options)
    assert results(run, cases) == list(whole.cases)
    assert run.matching is not None
    assert [*run.matching.unmatched] == [*whole.unmatched]


def test_only_what_was_edited_is_scored_again(scored: list[str], tmp_path: Path) -> None:
    run = a_run(tmp_path)
    results(run, snapshot(EXPECTED, tmp_path))
    scored.clear()
    edited = {**EXPECTED, "greeting": [turn(1, "Hello", "Good day")]}
    found = results(run, snapshot(edited, tmp_path))
    assert scored == ["greeting"]
    assert [case.status for case in found] == ["failed", "failed", "not_evaluated", "failed"]


def test_cases_that_moved_keep_their_results_under_other_numbers(scored: list[str], tmp_path: Path) -> None:
    run = a_run(tmp_path)
    results(run, snapshot(EXPECTED, tmp_path))
    scored.clear()
    found = results(run, snapshot(dict(reversed(EXPECTED.items())), tmp_path))
    assert scored == []
    assert [(case.eval_id, case.number) for case in found] == [
        (eval_id, n) for n, eval_id in enumerate(reversed(EXPECTED))
    ]


def test_a_case_whose_recording_goes_to_another_is_scored_again(scored: list[str], tmp_path: Path) -> None:
    """Two cases with one id: neither gets the recording, though neither of them was edited."""
    run = a_run(tmp_path)
    results(run, snapshot(EXPECTED, tmp_path))
    scored.clear()
    subject, sources, rest = snapshot(EXPECTED, tmp_path)
    twin = next(source for source in sources if b"greeting" in source)
    found = results(run, (subject, [*sources, twin.replace(b"Hello", b"Hullo")], rest))
    assert scored == ["greeting", "greeting"]
    assert [case.status for case in found if case.eval_id == "greeting"] == ["not_evaluated", "not_evaluated"]


def test_recordings_are_read_again_only_when_that_is_asked_for(scored: list[str], tmp_path: Path) -> None:
    run, cases = a_run(tmp_path), snapshot(EXPECTED, tmp_path)
    before = results(run, cases)
    (tmp_path / "actual.json").write_text(a_set({**ACTUAL, "greeting": [turn(1, "Hello", "Other words")]}))
    assert results(run, cases) == before
    assert results(run, cases, anew=True)[0].status == "failed"


def test_a_run_that_was_broken_off_keeps_what_it_has_scored(scored: list[str], tmp_path: Path) -> None:
    run, cases = a_run(tmp_path), snapshot(EXPECTED, tmp_path)
    steps = run.steps(*cases, anew=True)
    next(step for step in steps if step is not None)
    del steps
    results(run, cases)
    assert sorted(scored) == sorted(EXPECTED)


def test_an_unreadable_recording_is_said_and_the_others_are_read(scored: list[str], tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{")
    names = [str(tmp_path / name) for name in ("broken.json", "actual.json", "gone.json", "actual.json")]
    run = EditorRun(RunOptions(names))
    assert results(run, snapshot(EXPECTED, tmp_path))[0].status == "passed"
    assert run.files is not None
    assert len(run.files.recordings) == 1
    assert [name in said for name, said in zip(("broken.json", "gone.json"), run.files.troubles, strict=True)] == [
        True,
        True,
    ]


def test_a_copy_under_another_name_counts_once_until_it_changes(scored: list[str], tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    copy.write_text(a_set(ACTUAL))
    run, cases = EditorRun(RunOptions((str(tmp_path / "actual.json"), str(copy)))), snapshot(EXPECTED, tmp_path)
    assert [result.recordings for result in results(run, cases)] == [1, 1, 0, 1]
    assert run.files is not None
    assert run.files.skipped == [f"{copy}: this is a copy of {tmp_path}/actual.json, so each session in it counts once"]
    copy.write_text(a_set({**ACTUAL, "greeting": EXPECTED["greeting"]}))
    assert [result.recordings for result in results(run, cases, anew=True)] == [2, 2, 0, 2]


def test_a_config_that_does_not_hold_ends_the_run(scored: list[str], tmp_path: Path) -> None:
    (tmp_path / "test_config.json").write_text('{"criteria": 1}')
    with pytest.raises(DocumentError, match="google-adk rejects this config"):
        results(a_run(tmp_path), snapshot(EXPECTED, tmp_path))


def test_why_google_adk_rejects_the_set_is_known(scored: list[str], tmp_path: Path) -> None:
    run, (subject, sources, _) = a_run(tmp_path), snapshot(EXPECTED, tmp_path)
    results(run, (subject, sources, b'{"eval_cases": []}'))
    assert run.fault is not None
    assert "eval_set_id" in run.fault
