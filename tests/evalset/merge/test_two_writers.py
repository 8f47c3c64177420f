"""A file that is saved here and written by somebody else at the same time: no word of either side is lost unseen.

EVALTUI_ROUNDS sets how often; 1,000 take about a minute.
"""

import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Insert, json_text
from evaltui.document.errors import ChangedOnDiskError
from evaltui.evalset.merge.three_way import reread
from evaltui.files.file_changes import read_settled
from tests.evalset.merge import two_writers

ROUNDS = int(os.environ.get("EVALTUI_ROUNDS", "40"))
EMPTY = b'{\n  "eval_set_id": "words",\n  "eval_cases": [\n    {"eval_id": "first", "conversation": []}\n  ]\n}\n'


class Editor:
    """What the app does with a document, without its screen: edit, save, and read again what others wrote."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.document = Document.open(path)

    def add(self, word: str) -> None:
        case = json_text({"eval_id": word, "conversation": []})
        self.document.apply([Insert("/eval_cases/-", case)], f"add {word}")

    def save(self) -> bool:
        """Save, or be refused and merge; whether it was saved."""
        try:
            self.document.save()
        except ChangedOnDiskError:
            self.take_over()
            return False
        return True

    def save_at_last(self) -> None:
        while not self.save():
            pass

    def take_over(self) -> None:
        """Read the file again, as the watch of the app has it done."""
        found = read_settled(self.path)
        if not isinstance(found, bytes) or self.document.is_on_disk(found):
            return
        document = self.document
        result = reread(document.merge_base, document.to_bytes(), found, merging=document.is_dirty)
        if isinstance(result, str):  # half written; the watch looks again
            return
        assert isinstance(result, tuple)
        target, _, pair = result
        document.become(target, pair, "read again", found)

    def has_seen(self, word: str) -> bool:
        """Whether a word is in the text, or in what undo brings back."""
        while word.encode() not in self.document.to_bytes():
            if self.document.undo() is None:
                return False
        while self.document.redo() is not None:
            pass
        return True


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "words.evalset.json"
    path.write_bytes(EMPTY)
    return path


@pytest.fixture
def other(path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, two_writers.__file__, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def test_somebody_else_writes_while_it_is_saved(path: Path, other: subprocess.Popen[str]) -> None:
    chance = random.Random(20)
    editor = Editor(path)
    assert other.stdin is not None
    assert other.stdout is not None
    refused = 0
    for number in range(ROUNDS):
        mine, theirs = f"mine-{number}", f"theirs-{number}"
        editor.add(mine)
        other.stdin.write(f"{chance.choice(sorted(two_writers.MODES))} {theirs}\n")
        other.stdin.flush()
        for _ in range(chance.randrange(3000)):  # the moment varies with the time this takes
            pass
        refused += not editor.save()
        assert other.stdout.readline().strip() == theirs
        editor.take_over()
        assert editor.has_seen(mine)
        assert theirs.encode() in editor.document.to_bytes()
        editor.save_at_last()
        assert list(path.parent.iterdir()) == [path]
    assert path.read_bytes() == editor.document.to_bytes()


def test_two_editors_save_at_the_same_moment(path: Path) -> None:
    editors = [Editor(path), Editor(path)]
    together = threading.Barrier(2)
    failures: list[BaseException] = []

    def work(name: str, editor: Editor) -> None:
        try:
            for number in range(ROUNDS):
                editor.add(f"{name}-{number}")
                together.wait(30)
                editor.save_at_last()
        except BaseException as error:
            failures.append(error)
            together.abort()

    threads = [threading.Thread(target=work, args=pair) for pair in zip(("left", "right"), editors, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    text = path.read_bytes()
    words = [f"{name}-{number}" for name in ("left", "right") for number in range(ROUNDS)]
    missing = [word for word in words if f'"{word}"'.encode() not in text]
    assert not missing
