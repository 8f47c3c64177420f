"""The loop of a watch, with looks that come in the order a test says, and looks in a folder that is gone."""

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from evaltui.commands.scored_sets import ScoredSets
from evaltui.commands.set_arguments import set_arguments
from evaltui.commands.watch_loop import WatchLoop
from evaltui.commands.watched_command import WatchedCommand
from evaltui.commands.watched_sets import NO_FOLDER, Look, WatchedSets
from evaltui.files.source_watch import Signs, SourceWatch
from evaltui.runs.set_run import RunOptions
from tests.commands.runs import case, eval_set, turn, write


def test_a_run_that_comes_while_a_file_goes_is_not_lost() -> None:
    looks = [
        Look(ScoredSets(), trigger=("set.json",)),
        Look(last := ScoredSets(), trigger=("run.json",), troubles=("gone.json: this file is gone",)),
    ]

    def look(_: object) -> Look:
        if len(looks) > 1:
            loop.score_again()  # a change during the first run
        return looks.pop(0)

    loop = WatchLoop(SimpleNamespace(signs=None, look=look), None)
    outcome = loop._settled_look(frozenset())
    assert outcome.scored is last
    assert outcome.trigger == ("set.json", "run.json")


@pytest.mark.parametrize("name", ["trips.evalset.json", "."])
@pytest.mark.parametrize("recordings", [(), (".",), ("run.json",)])
def test_a_working_directory_that_is_removed_gives_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, recordings: tuple[str, ...]
) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    for file in ("trips.evalset.json", "run.json"):
        write(folder / file, eval_set(case("hello", turn("Hi there", "Hello"))))
    monkeypatch.chdir(folder)
    watched = WatchedSets(set_arguments([name]), RunOptions(recordings=recordings))
    command = WatchedCommand("true", ["*.py"], watched.signs)
    watched.first()
    touched: list[frozenset[Path]] = []
    watch = SourceWatch(watched.signs, touched.append)
    watch._signs = before = watched.signs()
    shutil.rmtree(folder)
    watch._compare()
    assert Path("trips.evalset.json") in touched[0]
    assert watch._signs == Signs(dict.fromkeys(before.files), before.folders)
    assert watched.look(touched[0]).troubles == (NO_FOLDER,)
    assert command.run(lambda: False, print) == [NO_FOLDER]


def test_a_set_that_becomes_a_folder_is_named_and_not_its_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = eval_set(case("hello", turn("Hi there", "Hello")))
    monkeypatch.chdir(tmp_path)
    for name in ("set.json", "run.json"):
        write(tmp_path / name, said)
    watched = WatchedSets(set_arguments(["set.json"]), RunOptions(recordings=("run.json",)))
    watched.first()
    (tmp_path / "set.json").unlink()
    (tmp_path / "set.json").mkdir()
    assert watched.look([Path("set.json")]).troubles == (
        "set.json: this is a folder now, not an eval set; put the file back, or start evaltui watch again",
    )
    (tmp_path / "set.json").rmdir()
    write(tmp_path / "set.json", said)
    assert watched.look([Path("set.json")]).scored is not None


def test_the_config_of_a_set_that_is_gone_is_not_called_unreadable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("sets/a/a.evalset.json", "sets/b/b.evalset.json", "run.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        write(tmp_path / name, eval_set(case("hello", turn("Hi there", "Hello"))))
    write(tmp_path / "sets/a/test_config.json", {"criteria": {"response_match_score": 0.5}})
    watched = WatchedSets(set_arguments(["sets"]), RunOptions(recordings=("run.json",)))
    watched.first()
    (gone := tmp_path / "sets/a/a.evalset.json").unlink()
    monkeypatch.setattr("evaltui.files.file_rest.REST", 0.0)  # nobody is writing the file anew
    look = watched.look([gone])
    assert look.is_settled
    assert look.troubles == ("sets/a/a.evalset.json: this file is gone; the next scores do not use it",)
