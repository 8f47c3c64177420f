"""The folder of the open file cannot be reached for a while: no access, a network mount that went away."""

import errno
import os
import re
from pathlib import Path

import pytest

from tests.sampling import sampled
from tests.tui.editor.test_disk_changes import RENAMED, append, noticed
from tests.tui.scenario import NORMAL, WIDE, scenario
from tests.tui.sets import SNAKE
from tests.unreachable import ERRORS, Unreachable

EVERY_ERROR = pytest.mark.parametrize("number", sampled(ERRORS), ids=errno.errorcode.get)
CONFIG = '{"criteria": {"response_match_score": 0.8}}'


@EVERY_ERROR
async def test_the_title_says_so_until_the_folder_is_back(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    async with scenario(SNAKE, NORMAL) as s:
        folder = Unreachable(monkeypatch, s.path.parent, number)
        await noticed(s)
        assert "! folder unreachable" in s.title
        assert os.strerror(number).lower() in s.status
        assert "Your text" in s.status
        await s.press("down", "down", "f8")
        assert "! folder unreachable" in s.title
        await s.press("S")
        await s.type(str(s.path.parent / "o"))
        await s.press("enter")
        s.expect("cannot be reached")
        await s.press("escape")
        folder.back()
        await noticed(s)
        assert "unreachable" not in s.title
        assert "is unchanged again" in s.status
        assert s.bytes() == s.original


@EVERY_ERROR
async def test_editing_goes_on_and_a_save_works_when_it_is_back(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    beside = {"test_config.json": CONFIG, "evaltui.toml": "strict = true"}
    async with scenario(SNAKE, WIDE, beside=beside) as s:
        folder = Unreachable(monkeypatch, s.path.parent, number)
        await noticed(s)
        await append(s, "!")
        await s.press("escape", "f5", "ctrl+s")
        assert "NOT SAVED" in s.status
        assert "! folder unreachable" in s.title
        assert s.is_dirty
        folder.back()
        await noticed(s)
        assert "unreachable" not in s.title
        assert await s.saved() == s.original.replace(b'"Thanks"', b'"Thanks!"')
        assert not s.is_dirty


@pytest.mark.thorough
@EVERY_ERROR
async def test_what_others_wrote_meanwhile_is_merged(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    async with scenario(SNAKE, WIDE) as s:
        await append(s, "!")
        await s.press("escape")
        folder = Unreachable(monkeypatch, s.path.parent, number)
        await noticed(s)
        await s.press("M")
        assert "! folder unreachable" in s.title
        folder.back()
        s.path.write_text(RENAMED)
        await noticed(s)
        assert "merged with the file on disk: 1 case changed" in s.status
        assert await s.saved() == RENAMED.replace('"Thanks"', '"Thanks!"').encode()


async def test_a_file_in_the_place_of_the_folder_is_no_crash(tmp_path: Path) -> None:
    async with scenario(SNAKE, NORMAL) as s:
        away = tmp_path / "away"
        s.path.parent.rename(away)
        s.path.parent.write_text("a file now")
        await noticed(s)
        assert "! gone from disk" in s.title
        await s.press("ctrl+s")
        assert "NOT SAVED" in s.status
        s.path.parent.unlink()
        away.rename(s.path.parent)
        await noticed(s)
        assert "gone" not in s.title
        assert re.search(r"is unchanged again", s.status)


async def test_a_file_that_cannot_be_read_is_told_from_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    async with scenario(SNAKE, NORMAL) as s:
        s.path.unlink()
        s.path.mkdir()
        await noticed(s)
        assert "! unreadable on disk" in s.title
        s.path.rmdir()
        s.path.write_bytes(s.original)
        await noticed(s)
        assert "unreadable" not in s.title
