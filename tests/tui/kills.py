"""kill -9 at a random moment of a random editing run: `python -m tests.tui.kills 200` prints how much was lost.

A child edits a file as the app does, with a journal and saves in a thread, and tells over a pipe which bytes it
stands at, and since when. The parent kills it and looks at what the journal gives back.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from evaltui.document.disk.file_content import fingerprint
from evaltui.document.disk.file_replacement import Saved
from evaltui.document.document import Document
from evaltui.document.edits import Insert, Move, Remove, Set, json_text
from evaltui.document.errors import DocumentError
from evaltui.document.journals.journal import Journal
from evaltui.document.journals.recovery import journals_of
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.open_file.journal_keeper import INTERVAL, JournalKeeper
from evaltui.tui.open_file.left_work import restore

CASES = 40


def eval_set() -> bytes:
    """A set of some cases in a layout of its own."""
    turn = '{"user_content": {"parts": [{"text": "Hello é %d"}]}, "intermediate_data": {"tool_uses": [ ]}}'
    cases = ",\r\n".join(f'  {{"eval_id": "case {n}", "conversation": [{turn % n}]}}' for n in range(CASES))
    return f'{{"eval_set_id": "kills", "eval_cases": [\r\n{cases}\r\n]}}'.encode()


class Author:
    """Edits at random, as fast as a person who types, and faster."""

    def __init__(self, path: Path, folder: Path, seed: int, told: int) -> None:
        self.file = EditedDocument(Document.open(path))
        self.journalling = JournalKeeper(self.file, _started(Journal(path, folder)))
        self._chance = random.Random(seed)
        self._told = told

    async def work(self) -> None:
        """For ever."""
        look = asyncio.get_running_loop().time() + INTERVAL
        told = handed_over = 0
        while True:
            await self._act()
            os.write(self._told, b"%r %b\n" % (time.monotonic(), self._state().encode()))
            told += 1
            await asyncio.sleep(self._chance.choice([0, 0, 0.01, 0.05]))
            if asyncio.get_running_loop().time() >= look:
                if self.journalling.is_idle:
                    os.write(self._told, b"kept %d\n" % handed_over)
                    handed_over = told
                self.journalling.look()
                look += INTERVAL
            assert not self.journalling.problem

    def _state(self) -> str:
        return fingerprint(self.file.document.to_bytes()).hex()

    async def _act(self) -> None:
        document, chance = self.file.document, self._chance
        act = chance.choices(["type", "undo", "redo", "move", "remove", "insert", "save"], [12, 3, 2, 2, 1, 2, 0.3])[0]
        with suppress(DocumentError):
            if act == "undo":
                document.undo()
            elif act == "redo":
                document.redo()
            elif act == "save":
                await self._save()
            else:
                self._edit(act, chance.randrange(len(document.root.at("/eval_cases").items)))  # type: ignore[union-attr]

    def _edit(self, act: str, number: int) -> None:
        document, case = self.file.document, f"/eval_cases/{number}"
        text = json_text("".join(self._chance.choices("abc é\n", k=self._chance.randrange(60))))
        if act == "type":
            place = f"{case}/conversation/0/user_content/parts/0/text"
            for end in range(1, len(text) - 1):
                with suppress(DocumentError):
                    document.apply([Set(place, text[:end] + b'"')], "type", place)
        elif act == "move":
            document.apply([Move(case, f"/eval_cases/{self._chance.randrange(3)}")], "move")
        elif act == "remove":
            document.apply([Remove(case)], "remove")
        else:
            document.apply([Insert(f"{case}/conversation/0/intermediate_data/tool_uses/0", text)], "insert")

    async def _save(self) -> None:
        """As the app does: the bytes are written in a thread, and edits go on meanwhile."""
        file, document = self.file, self.file.document
        if file.saving or not document.is_dirty:
            return
        document.history.seal()
        data, expected, point = document.to_bytes(), document.on_disk, document.history.point()
        file.saving = True
        announced = self.journalling.announce_save(data)

        def write() -> Saved:
            announced.exception()
            return document.write(data, expected)

        saved = asyncio.ensure_future(asyncio.to_thread(write))
        await asyncio.sleep(self._chance.choice([0, 0.01]))
        self._edit("type", 0)
        digest, _ = await saved
        document.mark_saved(data, point, digest)
        file.saving = False


def _started(journal: Journal) -> Journal:
    journal.start()
    return journal


@dataclass(frozen=True)
class Outcome:
    """What a kill cost: seconds of work; None where what came back is no state that ever was."""

    lost: float | None
    steps: int
    kept: int = 0
    """So many of the states were in the journal for certain when the child was killed."""
    found: int = 0
    """The number of the state that came back."""


def killed(seed: int, patience: float) -> Outcome:
    """Kill a child after `patience` seconds and take up what it left."""
    with tempfile.TemporaryDirectory() as name:
        folder, path = Path(name) / "state", Path(name) / "set.json"
        path.write_bytes(eval_set())
        out, told = os.pipe()
        command = [sys.executable, "-m", "tests.tui.kills", "child", str(path), str(folder), str(seed), str(told)]
        with subprocess.Popen(command, cwd=Path(__file__).parents[2], pass_fds=[told]) as child:
            os.close(told)
            with os.fdopen(out, "rb") as states:
                first = states.readline()
                with suppress(subprocess.TimeoutExpired):  # the moment is random; it does not end by itself
                    child.wait(patience)
                child.kill()
                killed_at = time.monotonic()
                rest = states.read()
        assert child.returncode == -signal.SIGKILL, "the child had ended before, with an error"
        lines = [line.split() for line in (first + rest).splitlines(keepends=True) if line.endswith(b"\n")]
        states = [(float(at), state.decode()) for at, state in lines if at != b"kept"]
        kept = max((int(number) for at, number in lines if at == b"kept"), default=0)
        return _outcome(path, folder, states, kept, killed_at)


def _outcome(path: Path, folder: Path, states: list[tuple[float, str]], kept: int, killed_at: float) -> Outcome:
    _, left = journals_of(path, folder)
    file = EditedDocument(Document.open(path))
    for journal in left:
        if (unsaved := journal.read(file.document.on_disk)) is not None:
            restore(file, unsaved)
        journal.release()
    state = fingerprint(file.document.to_bytes()).hex()
    known = [number for number, (_, told) in enumerate(states) if told == state]
    start = fingerprint(eval_set()).hex()
    if not known and state != start:
        return Outcome(None, len(states), kept)
    after = known[-1] + 1 if known else 0
    lost = max(0.0, killed_at - states[after][0]) if after < len(states) else 0.0
    return Outcome(lost, len(states), kept, after)


def main(count: int) -> int:
    """Kill so often; 1 where more than a second was lost."""
    chance = random.Random(1)
    worst, steps = 0.0, 0
    for number in range(count):
        outcome = killed(number, chance.uniform(0.0, 3.0))
        if outcome.lost is None or outcome.lost > 1:
            print(f"kill {number}: lost {outcome.lost} s of {outcome.steps} states")
            return 1
        worst, steps = max(worst, outcome.lost), steps + outcome.steps
    print(f"{count} kills in {steps} states: at most {worst:.2f} s lost")
    return 0


if __name__ == "__main__":
    if sys.argv[1] == "child":
        asyncio.run(Author(Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])).work())
    sys.exit(main(int(sys.argv[1])))
