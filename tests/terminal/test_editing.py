"""The editor in a real terminal: open, edit, save, undo, quit."""

import pytest

from tests.terminal.desk import SET, edit_user_text, opened
from tests.terminal.terminal import EVALTUI, Terminal


def test_a_text_is_typed_undone_pasted_and_saved_on_leaving_and_nothing_else_changes(
    terminal: Terminal,
) -> None:
    path = opened(terminal)
    edit_user_text(terminal, "!")
    terminal.keys("C-z")
    terminal.until("Undone: edit user message of greeting › turn 1")
    terminal.until(lambda lines: not any("Good morning!" in line for line in lines))
    terminal.type(":")
    terminal.until("Good morning:")
    terminal.paste(" one\ntwo [/nope]")
    terminal.until("two [/nope]")
    terminal.send(b"\x1b[200~\x1b[31mred\x1b[0m\x1b[A three\x1b[201~")
    terminal.until("three")
    terminal.resize(140, 40)
    terminal.until("farewell")
    terminal.type("!")
    terminal.until("three!")
    terminal.resize(80, 24)
    terminal.until(lambda lines: not any("farewell" in line for line in lines))
    terminal.keys("C-q")
    terminal.until("has unsaved changes")
    terminal.keys("Escape")
    terminal.until("esc done")
    terminal.keys("C-q")
    terminal.until("has unsaved changes")
    terminal.keys("s")
    assert terminal.until_exit() == 0
    pasted = r" one\ntwo [/nope]\u001b[31mred\u001b[0m\u001b[A three!"
    assert path.read_text() == SET.replace("Good morning", f"Good morning:{pasted}")
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.thorough
def test_a_file_changed_by_another_program_is_not_overwritten(terminal: Terminal) -> None:
    path = opened(terminal)
    edit_user_text(terminal, "!")
    path.write_text("{}")
    terminal.keys("C-s")
    terminal.until("1 of 1 conflict to decide")
    terminal.keys("Escape")
    terminal.until("Nothing was merged or saved")
    assert path.read_text() == "{}"
    terminal.until("Good morning!")


@pytest.mark.thorough
def test_a_read_only_file_is_not_written(terminal: Terminal) -> None:
    path = opened(terminal)
    path.chmod(0o444)
    edit_user_text(terminal, "!")
    terminal.keys("C-s")
    terminal.until("read-only")
    assert path.read_text() == SET
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.thorough
def test_a_new_file_is_made_on_the_first_save(terminal: Terminal) -> None:
    terminal.start([*EVALTUI, "edit", "trips-2.evalset.json"])
    terminal.until("new")
    terminal.keys("C-s")
    terminal.until("Saved trips-2.evalset.json")
    assert '"eval_set_id": "trips_2"' in (terminal.work / "trips-2.evalset.json").read_text()


@pytest.mark.thorough
def test_a_new_file_with_the_name_of_a_dataset_is_a_dataset(terminal: Terminal) -> None:
    terminal.start([*EVALTUI, "edit", "trips-dataset.json"])
    terminal.until("new")
    terminal.keys("C-s")
    terminal.until("Saved trips-dataset.json")
    assert '"eval_case_id": "case_1"' in (terminal.work / "trips-dataset.json").read_text()
