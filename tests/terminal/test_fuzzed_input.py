"""Whatever bytes come from the terminal: the editor lives, stays small, and leaves the terminal as it was.

`EVALTUI_FUZZED_CHUNKS=100000` tries that many; that takes a while.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from tests.sampling import Extent
from tests.terminal.pseudo_terminal import PseudoTerminal
from tests.terminal.random_input import chunks
from tests.terminal.server import environment
from tests.terminal.terminal import EVALTUI

COUNT = int(os.environ.get("EVALTUI_FUZZED_CHUNKS", "300" if Extent.is_thorough else "45"))
SEED = int(os.environ.get("EVALTUI_FUZZED_SEED", "3"))
EACH = 15
"""Chunks between two looks at whether the editor lives."""
SIZES = ((80, 24), (140, 40), (30, 8), (81, 25))
LARGEST_MB = 250
SAMPLE = Path(__file__).parents[2] / "sample_sets" / "trip_planner.evalset.json"
FENCE = Path(__file__).parent / "fence"
LEFT_ON = {b"25", b"7"}
"""The modes that a terminal has on when nothing runs: the cursor, and wrapping of lines."""


def fenced(folder: Path) -> dict[str, str]:
    """An environment in which nothing outside a folder is changed, and no clipboard but evaltui's own is there."""
    (temporary := folder / "tmp").mkdir()
    own = {"EDITOR": "true", "VISUAL": "true", "TMPDIR": str(temporary), "PYTHONDONTWRITEBYTECODE": "1"}
    fence = {"PYTHONPATH": str(FENCE), "EVALTUI_FENCE": str(folder)}
    kept = {name: value for name, value in environment(folder / "home").items() if not name.endswith("DISPLAY")}
    return kept | own | fence


class Editor:
    """evaltui on a copy of a sample set, started anew when it was quit by what is typed."""

    def __init__(self, folder: Path) -> None:
        self.starts = self.peak_mb = 0.0
        self._folder = folder
        self._work = folder / "work"
        self._work.mkdir()
        (folder / "home").mkdir()
        self._env = fenced(folder)
        self.terminal = self._start()

    def _start(self) -> PseudoTerminal:
        self.starts += 1
        shutil.copy(SAMPLE, self._work / "set.evalset.json")
        terminal = PseudoTerminal([*EVALTUI, "edit", "set.evalset.json"], self._env, self._work)
        terminal.until_written(2000)
        return terminal

    def send(self, pieces: Iterator[bytes]) -> None:
        for piece in pieces:
            if not self.terminal.send(piece):
                self.expect_good_end()
                self.terminal.__exit__(None, None, None)
                self.terminal = self._start()

    def expect_life(self, size: tuple[int, int]) -> None:
        """It draws anew in another size."""
        self.peak_mb = max(self.peak_mb, self.terminal.peak_mb())
        before = self.terminal.written
        self.terminal.resize(*size)
        if not self.terminal.until_written(before + 1):
            self.send(iter([b" "]))  # it was quit at this very moment: look at how, and start it again

    def quit(self) -> None:
        """Leaves a paste that has no end and whatever is open, and quits without saving."""
        for _ in range(500):  # until all that was typed has had its effect
            for key in (b"\x1b[201~", b"\x1b", b"\x11", b"d"):
                if not self.terminal.send(key) or self.terminal.ends_within(0.2):
                    return
        raise AssertionError("the keys that quit do not quit")

    def expect_good_end(self) -> None:
        """It was quit, and the terminal is as it was."""
        assert self.terminal.ends_within(30)
        assert self.terminal.process.returncode == 0, self.crash_reports()
        assert self.terminal.settings() == self.terminal.settings_before
        assert {mode for mode, is_on in self.terminal.modes.items() if is_on} <= LEFT_ON
        assert self.terminal.modes[b"25"]
        assert not self.terminal.modes[b"1049"]

    def crash_reports(self) -> str:
        return "\n".join(path.read_text("utf-8", "replace")[-4000:] for path in self._folder.rglob("crashes/*.txt"))


CHANGES = """
import os, sys
path = sys.argv[1]
os.rename("inside", "in")
os.rename("in", "inside")
for change in (
    lambda: open(path, "w"),
    lambda: os.mkdir(path),
    lambda: os.rename("inside", path),
    lambda: os.symlink("inside", path),
):
    try:
        change()
    except PermissionError:
        print("refused")
"""


def test_nothing_outside_the_folder_of_the_test_is_changed(tmp_path: Path) -> None:
    """Even as root: who types at random may type the name of any file."""
    folder, path = tmp_path / "fenced", tmp_path / "outside"
    folder.mkdir()
    (folder / "inside").touch()
    command = [sys.executable, "-c", CHANGES, path]
    done = subprocess.run(command, cwd=folder, env=fenced(folder), capture_output=True, check=True)
    assert done.stdout.split() == [b"refused"] * 4
    assert not path.exists()
    assert (folder / "inside").exists()


@pytest.mark.timeout(max(20, COUNT * 0.4))
def test_it_lives_through_any_input_and_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    with editor.terminal:
        fuzz = chunks(COUNT, SEED)
        for number in range(0, COUNT, EACH):
            editor.send(islice(fuzz, EACH))
            editor.expect_life(SIZES[number // EACH % len(SIZES)])
            print(f"{number + EACH} chunks, {editor.starts:.0f} starts, {editor.peak_mb:.0f} MB", file=sys.stderr)
        editor.quit()
        editor.expect_good_end()
    assert editor.crash_reports() == ""
    assert editor.peak_mb < LARGEST_MB
