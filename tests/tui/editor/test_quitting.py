"""Leaving: at once when nothing would be lost, else only by an answer."""

from pathlib import Path

import pytest
from textual.worker import WorkerCancelled

from evaltui.document.document import Document
from evaltui.document.errors import SaveError
from evaltui.tui.app import EvaltuiApp
from evaltui.tui.panes.form_pane import FormPane
from tests.tui.editor.test_disk_changes import others_write
from tests.tui.scenario import NARROW, NORMAL, Scenario, scenario
from tests.tui.sets import SNAKE


async def changed(s: Scenario) -> None:
    await s.enter("Thanks", "Thanks")
    await s.type("!")
    await s.press("escape")


async def test_an_untouched_file_is_left_at_once() -> None:
    async with scenario(SNAKE) as s:
        before = s.screen()
        await s.press("escape", "escape")
        assert not s.ended
        assert s.screen() == before
        await s.press("ctrl+c")
        assert not s.ended
        assert "Press ^q to quit" in s.status
        await s.press("ctrl+q")
        assert s.ended
        assert s.app.return_code == 0


async def test_no_work_begins_while_the_app_closes() -> None:
    """Its screens are gone: if ^q was pressed before the file was drawn, the first check ended the app with a fault."""
    begun: list[bool] = []

    async def work() -> None:
        begun.append(True)

    async with scenario(SNAKE) as s:
        await s.press("ctrl+q")
        assert s.ended
        worker = s.app.run_alone("check", work)
        with pytest.raises(WorkerCancelled):
            await worker.wait()
    assert not begun


async def test_a_saved_or_undone_change_is_no_reason_to_ask() -> None:
    for key in ("ctrl+s", "u"):
        async with scenario(SNAKE) as s:
            await s.press("c", key, "ctrl+q")
            assert s.ended


async def test_s_saves_and_quits() -> None:
    async with scenario(SNAKE) as s:
        await changed(s)
        await s.press("ctrl+q", "s")
        assert s.ended
        assert s.file_bytes() == s.original.replace(b"Thanks", b"Thanks!")


@pytest.mark.thorough
async def test_d_quits_and_leaves_the_file_as_it_was() -> None:
    async with scenario(SNAKE, NARROW) as s:
        await s.enter("Thanks", "Thanks")
        await s.type("!")
        await s.press("ctrl+q")
        s.expect("set.evalset.json has unsaved changes.", "save and quit", "quit without saving", "keep editing")
        await s.press("escape")
        assert s.focused == "field"
        await s.type("!")
        assert s.bytes() == s.original.replace(b"Thanks", b"Thanks!!")
        await s.press("ctrl+q", "d")
        assert s.ended
        assert s.file_bytes() == s.original


async def test_no_other_key_is_an_answer() -> None:
    async with scenario(SNAKE) as s:
        await changed(s)
        await s.press("ctrl+q")
        for key in ("q", "y", "n", "a", "u", "f5", "ctrl+z", "ctrl+c", "x", "ctrl+q", "ctrl+q"):
            await s.press(key)
            assert s.focused == "quit question"
            assert not s.ended
            assert s.bytes() == s.original.replace(b"Thanks", b"Thanks!")
        await s.press("escape")
        assert s.focused == "form"
        await s.press("ctrl+q", "tab", "tab", "enter")
        assert not s.ended
        assert s.focused == "form"


async def test_q_goes_back_before_it_quits() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "get_weather")
        await s.press("q")
        s.expect("Tool calls")
        await s.press("q")
        assert s.focused == "tree"
        await s.press("q")
        assert s.ended


async def test_a_conflict_on_the_way_out_does_not_quit() -> None:
    async with scenario(SNAKE) as s:
        await changed(s)
        s.path.write_bytes(b"{}")
        await s.press("ctrl+q", "s")
        assert not s.ended
        s.expect("1 of 1 conflict to decide")
        await s.press("escape", "f2")
        s.expect("Press M to", "merge: set.evalset.json")
        await s.press("escape")
        assert not s.ended
        assert "Nothing was merged or saved" in s.status
        assert s.is_dirty
        assert s.file_bytes() == b"{}"


async def test_who_answers_the_conflict_on_the_way_out_saves_and_quits() -> None:
    async with scenario(SNAKE) as s:
        await changed(s)
        s.path.write_bytes(s.original.replace(b"Thanks", b"Cheers"))
        await s.press("ctrl+q", "s")
        assert not s.ended
        s.expect("1 of 1 conflict to decide")
        await s.press("m")
        s.expect("Press enter to merge and save.")
        await s.press("enter")
        assert s.ended
        assert s.file_bytes() == s.original.replace(b"Thanks", b"Thanks!")


async def test_a_conflict_after_another_is_asked_before_the_way_out_goes_on() -> None:
    async with scenario(SNAKE) as s:
        await changed(s)
        s.path.write_bytes(s.original.replace(b"Thanks", b"Cheers"))
        await s.press("ctrl+q", "s")
        s.path.write_bytes(s.original.replace(b"Thanks", b"Bye"))
        await s.press("m", "enter")
        s.expect("1 of 1 conflict to decide", "Bye")
        assert not s.ended
        await s.press("escape")
        await others_write(s, s.original.decode())
        assert not s.ended


async def test_a_merge_without_a_question_does_not_quit() -> None:
    async with scenario(SNAKE) as s:
        await changed(s)
        s.path.write_bytes(s.original.replace(b"Is it raining", b"Does it rain"))
        await s.press("ctrl+q", "s")
        assert not s.ended
        assert "merged with the file on disk" in s.status
        await s.press("M")
        assert not s.ended


async def test_a_save_that_fails_on_the_way_out_does_not_quit(monkeypatch: pytest.MonkeyPatch) -> None:
    async with scenario(SNAKE) as s:
        await changed(s)

        def full(*_: object) -> None:
            raise SaveError(
                "set.json: cannot be saved: the disk is full", "the disk is full", "make room and save again"
            )

        monkeypatch.setattr(s.document, "write", full)
        await s.press("ctrl+q", "s")
        assert not s.ended
        assert "NOT SAVED: the disk is full" in s.status
        assert s.is_dirty


async def test_what_no_mark_tells_of_is_asked_about_and_saved_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Document, "is_dirty", property(lambda _: False))
    async with scenario(SNAKE) as s:
        await s.press("down", "d")
        await s.press("ctrl+q")
        s.expect("has unsaved changes")
        await s.press("escape")
        assert await s.saved() == s.bytes() != s.original
        monkeypatch.undo()


async def test_of_a_file_that_is_gone_the_question_says_so() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await others_write(s, None)
        await s.press("ctrl+q")
        s.expect("set.evalset.json: gone from disk")


async def test_who_quits_within_the_first_frame_gets_no_text_box_and_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "set.evalset.json"
    path.write_text(SNAKE)
    app = EvaltuiApp(Document.open(path))
    async with app.run_test():
        form = app.screen.query_one(FormPane)
        app.exit()
        form.prepare_box()
        assert form._box is None
