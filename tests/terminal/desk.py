"""A small eval set, `desk.evalset.json`, open in the editor in a real terminal."""

import sys
from pathlib import Path

from tests.terminal.terminal import EVALTUI, Terminal

SET = """{
  "eval_set_id": "desk",
  "eval_cases": [
    {"eval_id": "greeting", "conversation": [
      {"user_content": {"parts": [{"text": "Good morning"}]},
       "final_response": {"parts": [{"text": "Hello"}]}}
    ]},
    {"eval_id": "farewell", "conversation": []}
  ]
}"""


def opened(terminal: Terminal, *options: str, text: str = SET, **environment: str) -> Path:
    """The path of the set, once the editor shows it."""
    path = written(terminal, text)
    terminal.start([*EVALTUI, "edit", path.name, *options], environment)
    terminal.until("enter edit")
    return path


def written(terminal: Terminal, text: str = SET) -> Path:
    """The path of the set in the folder of the terminal."""
    path = terminal.work / "desk.evalset.json"
    path.write_bytes(text.encode())
    return path


def edit_user_text(terminal: Terminal, text: str) -> None:
    """Go to the first turn, append to the user's words, and stay in the field."""
    terminal.keys("Down")
    terminal.until("▌    1 Good morning")
    terminal.keys("Enter")
    terminal.until("▌  Good morning")
    terminal.keys("Enter")
    terminal.until("esc done")
    terminal.type(text)
    terminal.until(f"Good morning{text}")


def assert_f1_ends_it_with_a_sentence(terminal: Terminal, script: str, *arguments: str) -> dict[str, str]:
    """A script runs the editor with an error behind F1: it ends with a sentence and without a word of the error.

    Gives the texts of the files that it leaves in the state folder, by their ending, after the first case was deleted.
    """
    path = written(terminal)
    terminal.start([sys.executable, "-c", script, *arguments])
    terminal.until("enter edit")
    terminal.keys("d")
    terminal.until("1 case")
    terminal.keys("F1")
    assert terminal.until_exit() == 1
    terminal.until("evaltui stopped because of an internal error")
    assert not any("Traceback" in line or "secret" in line for line in terminal.screen())
    assert path.read_text() == SET
    return {path.suffix: path.read_text() for path in (terminal.home / "state").rglob("*") if path.is_file()}
