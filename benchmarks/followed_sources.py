"""Time from a change on disk to new scores on screen, in the editor and in `evaltui watch`."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.figures import Figure, MeasurementError
from benchmarks.key_latency import DOWN, ENTER, HOME, RIGHT
from benchmarks.large_set import CASES, FIRST_CASE, cache_folder, large_set
from benchmarks.live_problems import letters_typed
from benchmarks.live_scores import recording
from benchmarks.processes import evaltui, fresh_environment
from benchmarks.pty_session import PtySession

ROUNDS = 16
LETTERS = 10


def figures() -> Iterator[Figure]:
    """One after another, each as soon as it is measured."""
    for cases, all_changed, one_changed in ((1_000, 250, 100), (CASES, 1_500, None)):
        yield from _in_the_editor(cases, all_changed, one_changed)
    for cases in (1_000, CASES):
        yield _typing_meanwhile(cases)
    yield _alone("line", 1_000)
    yield _alone("jsonl", 1_000)


class FollowedFolder:
    """A set with a recording and a config. Each file has two states and can be switched between them."""

    def __init__(self, cases: int, name: str = "followed") -> None:
        self.path = cache_folder() / f"{name}-{cases}"
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir()
        self.set = self.path / "set.evalset.json"
        self.recording = self.path / "actual.json"
        self.config = self.path / "test_config.json"
        shutil.copyfile(large_set(cases), self.set)
        self.half = recording(cases).read_bytes()
        shutil.copyfile(recording(cases), self.recording)
        value = json.loads(self.half)
        value["eval_cases"][1]["conversation"][1]["final_response"]["parts"][0]["text"] = "Something else."
        self.one_worse = json.dumps(value).encode()
        for case in value["eval_cases"]:
            case["conversation"][1]["final_response"]["parts"][0]["text"] = "No idea."
        self.others = json.dumps(value).encode()
        golden = json.loads(self.set.read_bytes())
        golden["eval_cases"][1]["conversation"][1]["final_response"]["parts"][0]["text"] = "Something else."
        self.one_edited = json.dumps(golden, indent=2, ensure_ascii=False).encode() + b"\n"

    def put(self, path: Path, data: bytes) -> Callable[[], None]:
        """A function that replaces a file with its other state."""
        new = path.with_suffix(".new")
        new.write_bytes(data)
        return lambda: os.replace(new, path)  # noqa: PTH105


def _in_the_editor(cases: int, all_changed: int, one_changed: int | None) -> Iterator[Figure]:
    folder = FollowedFolder(cases)
    half = cases // 2
    passing = f"{half:,} ✓ {half:,} ✗"
    strict = b'{"criteria": {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.999}}'
    lenient = b'{"criteria": {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.0}}'
    with (
        fresh_environment() as env,
        PtySession(evaltui("edit", folder.set, "-r", folder.recording), env, (140, 40)) as session,
    ):
        session.wait_for(FIRST_CASE)
        session.wait_for(passing, 120)
        session.settle(1)

        def rounds(path: Path, states: tuple[tuple[bytes, str], tuple[bytes, str]]) -> list[float]:
            samples = []
            for number in range(ROUNDS):
                data, shown = states[number % 2]
                act = folder.put(path, data)
                session.settle(0.3)
                samples.append(1000 * session.do_until(act, shown, 60))
                session.settle(0.3)
            return samples

        one = ((folder.one_worse, f"{half - 1:,} ✓ {half + 1:,} ✗"), (folder.half, passing))
        samples = rounds(folder.recording, one)
        yield Figure(f"{cases:,} cases: one recorded otherwise → scores", samples, target=one_changed, judged="p95")
        every = ((folder.others, f"{cases:,} ✗"), (folder.half, passing))
        samples = rounds(folder.recording, every)
        yield Figure(f"{cases:,} cases: all recorded otherwise → scores", samples, target=all_changed, judged="p95")
        config = ((lenient, f"{cases:,} ✓"), (strict, passing))
        samples = rounds(folder.config, config)
        yield Figure(f"{cases:,} cases: another config → scores", samples, target=all_changed, judged="p95")
        session.settle(0.5)
        edits = ((folder.one_edited, f"{half - 1:,} ✓ {half + 1:,} ✗"), (folder.set.read_bytes(), passing))
        samples = rounds(folder.set, edits)
        yield Figure(f"{cases:,} cases: one edited in another program → scores", samples, judged="p95")


def _typing_meanwhile(cases: int) -> Figure:
    """Letters typed while changes of the recording cause all cases to be read and scored again."""
    folder, samples, half = FollowedFolder(cases, "typed"), list[float](), cases // 2
    states = f"{cases - 1:,} ✗ 1 outdated", f"{half:,} ✓ {half - 1:,} ✗ 1 outdated"  # the case that is typed into
    with (
        fresh_environment() as env,
        PtySession(evaltui("edit", folder.set, "-r", folder.recording), env, (140, 40)) as session,
    ):
        session.wait_for(FIRST_CASE)
        session.wait_for(f"{half:,} ✓", 120)
        session.settle(1)
        for key in (HOME, DOWN, RIGHT, DOWN, ENTER, ENTER):  # into the user message
            session.press(key)
            session.settle()
        letters_typed(session, 2)  # the first edit of a session takes longer than all others
        for number in range(ROUNDS // 2):
            data = folder.half if number % 2 else folder.others
            act, begun = folder.put(folder.recording, data), session.mark()
            act()
            samples += letters_typed(session, LETTERS)
            is_over = session.says_since(begun, states[number % 2], 0)
            if cases == CASES and is_over:
                raise MeasurementError("all cases were scored before the typing was over")
            if not session.says_since(begun, states[number % 2], 60):
                raise MeasurementError("the scores did not follow the recording")
            session.settle(0.5)
    return Figure(f"{cases:,} cases: a letter while all are read and scored anew", samples, target=16, judged="p95")


def _alone(form: str, cases: int) -> Figure:
    """`evaltui watch`: from the change of a recording to the line with all scores; with jsonl, a line is a document."""
    folder = FollowedFolder(cases)
    options = ["--format", form] if form == "jsonl" else []
    command = evaltui("watch", folder.set, "-r", folder.recording, *options)
    samples = []
    with (
        fresh_environment() as env,
        subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process,
    ):
        assert process.stdout is not None
        process.stdout.readline()
        for number in range(ROUNDS):
            act = folder.put(folder.recording, folder.half if number % 2 else folder.one_worse)
            act()
            samples.append(_seconds_to_line(process))
        process.kill()
    target = 250 if form == "jsonl" else None
    return Figure(f"{cases:,} cases: one recorded otherwise → {form} of watch", samples, target=target)


def _seconds_to_line(process: "subprocess.Popen[bytes]") -> float:
    began = time.perf_counter()
    assert process.stdout is not None
    process.stdout.readline()
    return 1000 * (time.perf_counter() - began)
