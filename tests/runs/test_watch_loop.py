"""The loop of a watch, with looks that come in the order a test says, and looks in a folder that is gone."""

import os
import re
import shlex
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from evaltui.commands.set_options import set_arguments
from evaltui.files.disk_watch import DiskWatch
from evaltui.runs.run_options import RunOptions
from evaltui.runs.score_sets import ScoredRun
from evaltui.runs.watch_loop import WatchedCommand, WatchLoop
from evaltui.runs.watched_sets import NO_FOLDER, Look, WatchedSets
from tests.commands.runs import case, eval_set, result, turn, write


def test_a_run_that_comes_while_a_file_goes_is_not_lost() -> None:
    gone = ("gone.json: this file is gone",)
    looks: list[Look] = [(ScoredRun(), ("set.json",), ()), (last := ScoredRun(), ("run.json",), gone)]

    def look(_: object) -> Look:
        if len(looks) > 1:
            loop.score_again()  # a change during the first run
        return looks.pop(0)

    loop = WatchLoop(SimpleNamespace(signs=None, look=look, is_settled=True), None)
    scored, *rest = loop._settled_look(frozenset())
    assert scored is last
    assert rest == [("set.json", "run.json"), gone]


@pytest.mark.parametrize("is_settled", [False, True])
def test_code_that_changes_during_a_look_runs_the_command_after_it(is_settled: bool) -> None:
    settled = [is_settled, True]

    def look(_: object) -> Look:
        if len(settled) > 1:
            loop._code_touched(frozenset([Path("agent.py")]))
        watched.is_settled = settled.pop(0)
        return ScoredRun(), (), ()

    watched = SimpleNamespace(signs=None, look=look)
    loop = WatchLoop(watched, None)
    loop._settled_look(frozenset())
    assert "code" in loop._next_event(0)


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
    watch = DiskWatch(watched.signs, touched.append)
    watch._signs = before = watched.signs()
    shutil.rmtree(folder)
    watch._compare()
    assert Path("trips.evalset.json") in touched[0]
    assert watch._signs == (dict.fromkeys(before[0]), before[1])
    assert watched.look(touched[0]) == (None, None, (NO_FOLDER,))
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
    advice = "put the file back, or start evaltui watch again"
    *_, troubles = watched.look([Path("set.json")])
    assert troubles == (f"set.json: this is a folder now, not an eval set; {advice}",)
    (tmp_path / "set.json").rmdir()
    write(tmp_path / "set.json", said)
    assert watched.look([Path("set.json")])[1] is not None


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
    monkeypatch.setattr("evaltui.files.file_changes.REST", 0.0)  # nobody is writing the file anew
    *_, troubles = watched.look([gone])
    assert watched.is_settled
    assert troubles == ("sets/a/a.evalset.json: this file is gone; the next scores do not use it",)


class NotedRuns:
    """Notes what a loop tells, without the progress."""

    def __init__(self) -> None:
        self.told: list[tuple[str, ...]] = []

    def write(self, scored: ScoredRun, trigger: object) -> None:
        passed = ("write", f"{scored.totals.counts['passed']} passed")
        self.told.append(passed if trigger is not None else ("keep",))

    def complain(self, troubles: tuple[str, ...]) -> None:
        self.told += [("complain", *troubles)] if troubles else []

    def say(self, sentences: list[str]) -> None:
        self.told += [("say", *sentences)] if sentences else []

    def begin(self, _: str = "") -> None: ...

    def rest(self) -> None: ...


GOOD = [case("hello", turn("Hi there", "Hello")), case("bye", turn("Bye", "See you soon"))]
Handled = Callable[[str], list[tuple[str, ...]]]
"""Lets the code change for a command, or with "" another file. Returns what the loop told."""


@pytest.fixture
def handled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Handled:
    """A watch of a set with two cases, which pass. `bad.json` is a recording in which one fails."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "set.json", eval_set(*GOOD))
    write(tmp_path / "run.json", result(*GOOD))
    write(tmp_path / "bad.json", result(GOOD[0], case("bye", turn("Bye", "What do you want?"))))
    watched = WatchedSets(set_arguments(["set.json"]), RunOptions(recordings=("run.json",)))
    watched.first()
    sink = NotedRuns()

    loop = WatchLoop(watched, sink)

    def handle(line: str) -> list[tuple[str, ...]]:
        sink.told.clear()
        loop._command = WatchedCommand(line, ["*.py"], watched.signs)
        loop._handle(frozenset({"code"} if line else ()))
        return list(sink.told)

    return handle


OUTDATED = ("complain", "the command failed, so the last scores are of earlier code")


def test_a_command_that_ran_and_failed_is_told_by_its_failed_cases(handled: Handled) -> None:
    assert handled("cp bad.json run.json; echo failed; exit 1") == [
        ("write", "1 passed"),
        ("say", "1 case failed; the command ended with exit code 1"),
    ]
    write(Path("good.json"), {**result(*GOOD), "extra": 1})
    assert handled("cp good.json run.json; exit 1")[-1] == ("say", "no case failed; the command ended with exit code 1")


def test_a_command_with_another_exit_code_has_failed_whatever_it_wrote(handled: Handled) -> None:
    assert handled("cp bad.json run.json; echo boom; exit 2") == [
        ("write", "1 passed"),
        ("say", "the command failed (exit code 2); its last lines:", "boom"),
    ]


def test_scores_are_outdated_from_a_failed_start_to_the_next_recording(handled: Handled) -> None:
    failed = ("say", "the command failed (exit code 1); its last lines:", "no module")
    assert handled("echo no module; exit 1") == [OUTDATED, failed]
    assert handled("") == [OUTDATED]
    write(Path("test_config.json"), {"criteria": {"response_match_score": 0.5}})
    assert handled("") == [("write", "2 passed"), OUTDATED]
    shutil.copy("bad.json", "run.json")
    assert handled("") == [("write", "1 passed")]
    assert handled("exit 3")[0] == OUTDATED
    assert handled("true") == [("keep",)]


def test_a_server_that_the_command_leaves_is_told(handled: Handled) -> None:
    server = 'import os, signal; print(os.fork() or os.setsid() or signal.pause() or "")'
    kept, (kind, said) = handled(f"{shlex.quote(sys.executable)} -c {shlex.quote(server)}")
    assert (kept, kind) == (("keep",), "say")
    found = re.fullmatch(r"still running: .*python.* \(pid (\d+)\)", said)
    assert found is not None, said
    os.kill(int(found[1]), signal.SIGKILL)


def test_what_ended_before_a_restart_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told: list[str] = []
    sleeper = shlex.quote("import os, time; os.setsid(); open('began', 'w').close(); time.sleep(1000)")
    line = f"[ -e again ] || {{ {shlex.quote(sys.executable)} -c {sleeper} & wait; }}"
    command = WatchedCommand(line, ["*.py"], lambda: ({}, frozenset()))

    def changes_once() -> bool:
        if not Path("began").exists() or Path("again").exists():
            return False
        Path("again").touch()
        return True

    assert command.run(changes_once, told.extend) == []
    (said,) = told
    assert said.startswith("the code changed, so the command starts again; ended with the command: ")
    assert " -c import os, time; " in said
