"""A change on disk to new scores on screen, while the editor follows set, config and recordings; also a watch alone."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.large_set import CASES, FIRST_CASE, cache_folder, large_set
from benchmarks.live_scores import recording
from benchmarks.processes import evaltui, fresh_environment
from benchmarks.pty_session import PtySession

ROUNDS = 16


def figures() -> Iterator[Figure]:
    """One after another, each as soon as it is measured."""
    for cases, all_changed, one_changed in ((1_000, 250, 100), (CASES, 1_500, None)):
        yield from _in_the_editor(cases, all_changed, one_changed)
    yield _alone(1_000)


class FollowedFolder:
    """A set with a recording and a config; each can be put in the place of the other state that it has."""

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

    def put(self, path: Path, data: bytes) -> Callable[[], None]:
        """An act that puts a file in the place of another."""
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


def _alone(cases: int) -> Figure:
    """`evaltui watch`: from the change of a recording to the line, which has all of the scores."""
    folder = FollowedFolder(cases)
    command = evaltui("watch", folder.set, "-r", folder.recording)
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
    return Figure(f"{cases:,} cases: one recorded otherwise → line of watch", samples, judged="p95")


def _seconds_to_line(process: "subprocess.Popen[bytes]") -> float:
    began = time.perf_counter()
    assert process.stdout is not None
    process.stdout.readline()
    return 1000 * (time.perf_counter() - began)
