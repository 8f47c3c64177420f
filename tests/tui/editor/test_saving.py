"""Saving: what is on disk afterwards, when it is refused, and what is said."""

import stat

import pytest

from tests.tui.scenario import NORMAL, SAMPLES, Scenario, scenario
from tests.tui.sets import SNAKE


async def changed(s: Scenario) -> bytes:
    await s.enter("Thanks", "Thanks")
    await s.type("!")
    await s.press("escape")
    return s.original.replace(b"Thanks", b"Thanks!")


async def test_an_untouched_file_is_not_written() -> None:
    async with scenario(SNAKE) as s:
        before = s.path.stat()
        await s.press("ctrl+s")
        assert "Nothing to save." in s.status
        assert s.path.stat() == before


@pytest.mark.thorough
async def test_marks_of_unsaved_changes_come_and_go() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await changed(s)
        assert s.is_dirty
        assert [line for line in s.screen()[1:] if "●" in line] == [s.line_with("▾ rain_in"), s.line_with("2 Thanks!")]
        await s.press("ctrl+s")
        assert "●" not in "".join(s.screen())
        await s.press("u")
        assert s.is_dirty
        await s.press("U")
        assert "●" not in "".join(s.screen())


@pytest.mark.thorough
async def test_undo_goes_back_past_a_save() -> None:
    async with scenario(SNAKE) as s:
        assert await changed(s) == await s.saved()
        await s.press("u")
        assert s.is_dirty
        assert await s.saved() == s.original


@pytest.mark.thorough
async def test_typing_goes_on_after_a_save_in_the_same_field() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Thanks", "Thanks")
        await s.type("!")
        await s.press("ctrl+s")
        assert s.focused == "field"
        await s.type("?")
        assert s.is_dirty
        assert await s.saved() == s.original.replace(b"Thanks", b"Thanks!?")
        await s.press("ctrl+z")
        assert s.bytes() == s.original.replace(b"Thanks", b"Thanks!")


async def test_a_file_that_another_program_changed_is_not_overwritten() -> None:
    async with scenario(SNAKE, (250, 30)) as s:
        wanted = await changed(s)
        s.path.write_bytes(b'{"theirs": true}')
        assert await s.saved() == b'{"theirs": true}'
        s.expect("changed here and on disk", "1 of 1 conflict to decide")
        await s.press("escape")
        assert "Nothing was merged or saved" in s.status
        assert s.file_bytes() == b'{"theirs": true}'
        assert s.bytes() == wanted
        assert s.is_dirty


async def test_a_read_only_file_is_refused_and_the_edits_stay() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        wanted = await changed(s)
        s.path.chmod(0o444)
        assert await s.saved() == s.original
        assert "NOT SAVED" in s.status
        assert s.bytes() == wanted
        s.path.chmod(0o644)
        assert await s.saved() == wanted


async def test_mode_and_symlink_stay() -> None:
    async with scenario(SNAKE) as s:
        real = s.path.rename(s.path.with_name("real.json"))
        s.path.symlink_to(real)
        real.chmod(0o640)
        wanted = await changed(s)
        assert await s.saved() == wanted
        assert s.path.is_symlink()
        assert real.read_bytes() == wanted
        assert stat.S_IMODE(real.stat().st_mode) == 0o640
        assert {path.name for path in s.path.parent.iterdir()} == {"real.json", s.path.name}


async def test_a_file_that_is_gone_is_written_anew_and_that_is_said() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        wanted = await changed(s)
        s.path.unlink()
        assert await s.saved() == wanted
        assert "was deleted, so evaltui created it again" in s.status


@pytest.mark.thorough
async def test_several_edits_of_a_long_set_give_just_their_differences() -> None:
    async with scenario(SAMPLES / "support_desk.evalset.json") as s:
        await s.enter("You charged me twice", "list_charges")
        await s.edit("ac_20417", "ac_1")
        await s.press("escape", "escape")
        await s.enter("it doesnt work anymore")
        await s.edit("it doesnt work anymore", "It does not work any more.")
        await s.press("escape")
        await s.to("unclear_request")
        await s.press("enter")
        await s.edit("eval_id", "unclear")
        before, after = s.original.split(b"\n"), (await s.saved()).split(b"\n")
        assert len(before) == len(after)
        assert sum(old != new for old, new in zip(before, after, strict=True)) == 3


async def test_why_nothing_was_saved_fits_on_a_narrow_screen() -> None:
    name = "a_rather_long_name_of_a_set_" * 3 + ".evalset.json"
    async with scenario(SNAKE, name=name) as s:
        await changed(s)
        s.path.unlink()
        s.path.mkdir()
        await s.press("ctrl+s")
        assert "NOT SAVED: this is a folder, not a file. Move it away and save again" in s.status


async def test_a_failure_of_our_own_while_writing_is_said_and_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async with scenario(SNAKE) as s:
        wanted = await changed(s)

        def fail(*_: object) -> None:
            raise RuntimeError("broken pump")

        monkeypatch.setattr(s.document, "write", fail)
        await s.press("ctrl+s")
        assert "NOT SAVED: writing failed (RuntimeError: broken pump)" in s.status
        monkeypatch.undo()
        assert await s.saved() == wanted
