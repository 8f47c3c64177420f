"""The editor in a real terminal: open, edit, save, undo, quit."""

from tests.terminal.conftest import OpenTerminal
from tests.terminal.desk import SET, edit_user_text, opened
from tests.terminal.terminal import EVALTUI, Terminal


def test_an_edit_saved_changes_only_its_own_bytes(terminal: Terminal) -> None:
    path = opened(terminal)
    edit_user_text(terminal, ", all")
    terminal.keys("C-s")
    terminal.until("Saved desk.evalset.json")
    assert path.read_text() == SET.replace("Good morning", "Good morning, all")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


def test_undo_in_the_field_gives_the_old_text_back(terminal: Terminal) -> None:
    opened(terminal)
    edit_user_text(terminal, "!")
    terminal.keys("C-z")
    terminal.until("Undone: edit user message of greeting › turn 1")
    terminal.until(lambda lines: not any("Good morning!" in line for line in lines))
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


def test_quitting_with_unsaved_changes_asks_first(terminal: Terminal) -> None:
    path = opened(terminal)
    edit_user_text(terminal, "?")
    terminal.keys("C-q")
    terminal.until("has unsaved changes")
    terminal.keys("Escape")
    terminal.until("esc done")
    terminal.keys("C-q")
    terminal.until("has unsaved changes")
    terminal.keys("d")
    assert terminal.until_exit() == 0
    assert path.read_text() == SET


def test_save_and_quit_writes_before_leaving(terminal: Terminal) -> None:
    path = opened(terminal)
    edit_user_text(terminal, "?")
    terminal.keys("C-q")
    terminal.until("has unsaved changes")
    terminal.keys("s")
    assert terminal.until_exit() == 0
    assert "Good morning?" in path.read_text()


def test_resizing_while_editing_keeps_the_text(open_terminal: OpenTerminal) -> None:
    terminal = open_terminal(80, 24)
    path = opened(terminal)
    edit_user_text(terminal, " to you")
    terminal.resize(140, 40)
    terminal.until("farewell")
    terminal.type("!")
    terminal.until("Good morning to you!")
    terminal.resize(80, 24)
    terminal.until(lambda lines: not any("farewell" in line for line in lines))
    terminal.keys("C-s")
    terminal.until("Saved desk.evalset.json")
    assert "Good morning to you!" in path.read_text()


def test_a_pasted_text_of_several_lines_is_kept(terminal: Terminal) -> None:
    path = opened(terminal)
    edit_user_text(terminal, ":")
    terminal.paste(" one\ntwo [/nope]")
    terminal.until("two [/nope]")
    terminal.keys("C-s")
    terminal.until("Saved desk.evalset.json")
    assert r"Good morning: one\ntwo [/nope]" in path.read_text()


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


def test_a_read_only_file_is_not_written(terminal: Terminal) -> None:
    path = opened(terminal)
    path.chmod(0o444)
    edit_user_text(terminal, "!")
    terminal.keys("C-s")
    terminal.until("read-only")
    assert path.read_text() == SET
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_new_file_is_made_on_the_first_save(terminal: Terminal) -> None:
    terminal.start([*EVALTUI, "edit", "trips-2.evalset.json"])
    terminal.until("new")
    terminal.keys("C-s")
    terminal.until("Saved trips-2.evalset.json")
    assert '"eval_set_id": "trips_2"' in (terminal.work / "trips-2.evalset.json").read_text()


def test_a_new_file_with_the_name_of_a_dataset_is_a_dataset(terminal: Terminal) -> None:
    terminal.start([*EVALTUI, "edit", "trips-dataset.json"])
    terminal.until("new")
    terminal.keys("C-s")
    terminal.until("Saved trips-dataset.json")
    assert '"eval_case_id": "case_1"' in (terminal.work / "trips-dataset.json").read_text()
