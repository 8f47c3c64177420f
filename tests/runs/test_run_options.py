"""Choices of a person about recordings: files added and dropped, matches by hand, and the run that counts."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from evaltui.evalset.expected_set import ExpectedSet
from evaltui.evalset.turn import Turn
from evaltui.recordings.conversation import Conversation, Recording
from evaltui.recordings.matching import Match
from evaltui.runs import editor_scores
from evaltui.runs.editor_scores import EditorRun
from evaltui.runs.run_options import RunChoices, RunOptions
from evaltui.scoring.results import CaseResult
from tests.read_sets import read_set, run_set
from tests.recordings.files import otlp, span
from tests.scored_sets import ACTUAL, EXPECTED, a_set, history, turn

GOOD = turn(1, "Hello", "Hi, how can I help you today?")
BAD = turn(1, "Hello", "Go away")


def result_file(at: float, *greetings: dict[str, Any], **others: dict[str, Any]) -> str:
    """A result file with several runs of the case `greeting`, made at a time."""
    cases = [("greeting", each) for each in greetings] + list(others.items())
    return json.dumps(
        {
            "eval_set_result_id": f"app_trips_{at}",
            "eval_set_id": "trips",
            "creation_timestamp": at,
            "eval_case_results": [
                {
                    "eval_id": eval_id,
                    "eval_set_id": "trips",
                    "session_id": f"session-{number}",
                    "eval_metric_result_per_invocation": [
                        {"actual_invocation": each, "expected_invocation": each, "eval_metric_results": []}
                    ],
                }
                for number, (eval_id, each) in enumerate(cases)
            ],
        }
    )


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were read, in that order."""
    names: list[str] = []
    opened = editor_scores.open_recording

    def noted(path: Path, **options: Any) -> Recording:
        names.append(path.name)
        return opened(path, **options)

    monkeypatch.setattr(editor_scores, "open_recording", noted)
    return names


class Runs:
    """A set in a folder, scored again and again."""

    def __init__(self, folder: Path, *named: str, **files: str) -> None:
        self.folder = folder
        for name, text in files.items():
            (folder / f"{name}.json").write_text(text)
            os.utime(folder / f"{name}.json", (1, 1))  # long at rest
        self.editor_run = EditorRun(RunOptions([str(folder / f"{name}.json") for name in named]))
        self.cases: dict[str, Any] = EXPECTED
        self._anew = True

    @property
    def choices(self) -> RunChoices:
        return self.editor_run.choices

    def path(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def key(self, name: str, id_: str) -> tuple[str, str]:
        return str(self.path(name)), id_

    def score(self, choices: RunChoices | None = None, *, anew: bool = False) -> dict[str, CaseResult]:
        self.editor_run.choices = choices if choices is not None else self.choices
        path = self.folder / "set.evalset.json"
        path.write_text(a_set(self.cases))
        sources = [case.source for case in read_set(str(path)).cases]
        subject, rest = ExpectedSet(path.name, path, "trips", ()), b'{"eval_set_id": "trips", "eval_cases": []}'
        steps = self.editor_run.steps(subject, sources, rest, anew=anew or self._anew)
        self._anew = False
        return {step[1].eval_id: step[1] for step in steps if step is not None}


def answer(result: CaseResult) -> str:
    """What the agent said in the run that counts."""
    assert result.run is not None
    return result.run.conversation.turns[0].response


# --- files ------------------------------------------------------------------------------------------------------


def test_a_dropped_file_counts_no_more_and_comes_back_without_being_read(tmp_path: Path, read: list[str]) -> None:
    runs = Runs(tmp_path, "actual", "later", actual=a_set(ACTUAL), later=result_file(5.0, BAD))
    assert answer(runs.score()["greeting"]) == "Go away"
    dropped = runs.choices.dropping(runs.path("later"))
    assert answer(runs.score(dropped)["greeting"]) == "Hi, how can I help you?"
    assert [each.path.name for each in runs.editor_run.recordings] == ["actual.json"]
    assert answer(runs.score(dropped.restoring(runs.path("later")))["greeting"]) == "Go away"
    assert read == ["actual.json", "later.json"]


def test_a_dropped_file_is_not_read_anew_until_it_comes_back(tmp_path: Path, read: list[str]) -> None:
    runs = Runs(tmp_path, "actual", "later", actual=a_set(ACTUAL), later=result_file(5.0, BAD))
    runs.score(runs.choices.dropping(runs.path("later")))
    runs.score(anew=True)
    assert read == ["actual.json"]
    assert answer(runs.score(RunChoices())["greeting"]) == "Go away"
    assert read == ["actual.json", "later.json"]


def test_an_added_file_is_read_alone(tmp_path: Path, read: list[str]) -> None:
    runs = Runs(tmp_path, "actual", actual=a_set(ACTUAL), later=result_file(5.0, BAD))
    runs.score()
    found = runs.score(runs.choices.adding(str(runs.path("later"))))
    assert answer(found["greeting"]) == "Go away"
    assert read == ["actual.json", "later.json"]
    assert runs.editor_run.files is not None
    origins = [each.origin for each in runs.editor_run.files.sources.values()]
    assert origins == ["named", "added"]


def test_an_added_folder_gives_all_recordings_in_it(tmp_path: Path, read: list[str]) -> None:
    (tmp_path / "more").mkdir()
    for number in range(3):
        (tmp_path / "more" / f"{number}.json").write_text(result_file(number, BAD))
    runs = Runs(tmp_path, "actual", actual=a_set(ACTUAL))
    assert runs.score(runs.choices.adding(str(tmp_path / "more")))["greeting"].recordings == 4


def test_a_file_that_was_found_stays_out(tmp_path: Path) -> None:
    for name, text in history(ACTUAL).items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)
    runs = Runs(tmp_path)
    assert answer(runs.score()["greeting"]) == "Hi, how can I help you?"
    assert runs.editor_run.files is not None
    (source,) = runs.editor_run.files.sources.values()
    assert source.origin == "history"
    assert runs.score(runs.choices.dropping(source.path), anew=True) == {}
    assert runs.editor_run.recordings == []


def test_files_that_cannot_be_read_are_sources_with_a_reason(tmp_path: Path) -> None:
    runs = Runs(tmp_path, "broken", "gone", "actual", actual=a_set(ACTUAL), broken="{")
    runs.score()
    assert runs.editor_run.files is not None
    sources = {each.path.name: each for each in runs.editor_run.files.sources.values()}
    assert [bool(each.trouble) for each in sources.values()] == [True, True, False]
    assert "invalid JSON" in sources["broken.json"].trouble
    assert sources["actual.json"].recording is not None


def test_traces_of_one_conversation_in_two_files_come_apart_when_one_is_dropped(tmp_path: Path) -> None:
    def trace(number: int, text: str) -> str:
        one = span(number, number, text)
        one["attributes"].append({"key": "gen_ai.conversation.id", "value": {"stringValue": "talk"}})
        return json.dumps(otlp(one))

    runs = Runs(tmp_path, "a", "b", a=trace(1, "Find me a flight"), b=trace(2, "Book the first"))
    assert len(runs.score()["book_flight"].run.turns) == 2  # type: ignore[union-attr]
    alone = runs.score(runs.choices.dropping(runs.path("b")))["book_flight"]
    assert alone.reason == "1 turn recorded, 2 expected"
    assert len(runs.score(RunChoices())["book_flight"].run.turns) == 2  # type: ignore[union-attr]


# --- matches by hand --------------------------------------------------------------------------------------------


def test_a_conversation_is_matched_by_hand_and_let_go_again(tmp_path: Path) -> None:
    runs = Runs(tmp_path, "actual", actual=a_set(ACTUAL))
    assert runs.score()["escalate"].run is None
    key = runs.key("actual", "nobody")
    matched = runs.score(runs.choices.matching(key, "escalate"))["escalate"]
    assert matched.run is not None
    assert (matched.run.conversation.id, matched.run.matched_by) == ("nobody", "by_hand")
    assert runs.editor_run.matching is not None
    assert not runs.editor_run.matching.unmatched
    assert runs.score(runs.choices.unmatching(key))["escalate"].run is None


def test_a_result_of_another_set_can_be_matched_by_hand(tmp_path: Path) -> None:
    other = result_file(5.0, BAD).replace('"trips"', '"desk"')
    runs = Runs(tmp_path, "other", other=other)
    assert runs.score()["greeting"].run is None
    found = runs.score(runs.choices.matching(runs.key("other", "session-0"), "greeting"))
    assert answer(found["greeting"]) == "Go away"


def test_a_case_that_is_gone_leaves_its_match_by_hand_without_a_case(tmp_path: Path) -> None:
    runs = Runs(tmp_path, "actual", actual=a_set(ACTUAL))
    runs.score(runs.choices.matching(runs.key("actual", "nobody"), "no_more"))
    assert runs.editor_run.matching is not None
    (unmatched,) = runs.editor_run.matching.unmatched
    assert unmatched.reason == 'matched by hand with case "no_more", which is not in this eval set'


# --- several runs of a case -------------------------------------------------------------------------------------


def several(folder: Path) -> Runs:
    """Three runs of `greeting`: a good one, then two bad ones."""
    return Runs(folder, "old", "new", new=result_file(9.0, BAD, BAD), old=result_file(3.0, GOOD))


def test_the_latest_run_counts_until_another_is_chosen(tmp_path: Path) -> None:
    runs = several(tmp_path)
    first = runs.score()["greeting"]
    assert (first.status, first.run_number, first.recordings) == ("failed", 3, 3)
    key = runs.key("old", "session-0")
    chosen = runs.score(runs.choices.counting_on(key, [key], "greeting"))["greeting"]
    assert (chosen.status, chosen.run_number, chosen.recordings) == ("passed", 1, 3)
    assert runs.score(anew=True)["greeting"] == chosen
    assert runs.score(runs.choices.latest_of([key]))["greeting"] == first


def test_a_chosen_run_stands_when_newer_ones_come(tmp_path: Path) -> None:
    runs = several(tmp_path)
    key = runs.key("old", "session-0")
    runs.score(RunChoices().counting_on(key, [key], "greeting"))
    (tmp_path / "new.json").write_text(result_file(11.0, BAD, BAD, BAD))
    found = runs.score(anew=True)["greeting"]
    assert (found.status, found.run_number, found.recordings) == ("passed", 1, 4)


def test_when_the_chosen_run_is_gone_the_latest_counts_and_that_is_said(tmp_path: Path) -> None:
    runs = several(tmp_path)
    key = runs.key("old", "session-0")
    choices = RunChoices().counting_on(key, [key], "greeting")
    runs.score(choices)
    assert runs.editor_run.matching is not None
    assert choices.lost(runs.editor_run.matching) == []
    (tmp_path / "old.json").write_text(result_file(3.0, escalate=BAD).replace("session-0", "another"))
    assert runs.score(anew=True)["greeting"].run_number == 2
    assert choices.lost(runs.editor_run.matching) == [
        'greeting: the chosen run "session-0" of old.json is gone; the latest run is used'
    ]


def test_only_the_last_choice_of_a_case_holds() -> None:
    keys = [("a", "1"), ("a", "2"), ("b", "1")]
    choices = RunChoices().counting_on(keys[0], keys, "x").counting_on(keys[2], keys, "x")
    assert list(choices.counting) == [keys[2]]
    matches = [Match(Conversation(Path(path), id_, (Turn("", "", ()),)), "eval_id") for path, id_ in keys]
    assert [choices.place_in(matches), choices.place_in(matches[:2]), choices.place_in(())] == [2, 1, -1]
    assert choices.counting_on(keys[0], keys, "x").place_in(matches) == 0


def test_all_runs_are_those_of_the_command_line_and_change_back(tmp_path: Path) -> None:
    runs = several(tmp_path)
    latest = runs.score()
    each = runs.score(RunChoices(all_runs=True))
    assert (each["greeting"].passed_runs, len(each["greeting"].runs or ())) == (1, 3)
    options = RunOptions(runs.editor_run.options.recordings, all_runs=True)
    whole = run_set(tmp_path / "set.evalset.json", options)
    assert list(each.values()) == list(whole.cases)
    assert runs.score(RunChoices()) == latest


def test_with_all_runs_the_chosen_one_is_the_one_whose_turns_are_shown(tmp_path: Path) -> None:
    runs = several(tmp_path)
    key = runs.key("old", "session-0")
    found = runs.score(RunChoices(all_runs=True).counting_on(key, [key], "greeting"))["greeting"]
    assert found.run is (found.runs or ())[0]
    assert found.run_number == 1
    assert found.status == "failed"
