"""What the editor writes stays among the files of the repository: the set, its copies, its sidecar, its config."""

import json
import os
from pathlib import Path

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Set
from evaltui.document.errors import EditError, LeadsOutsideError
from evaltui.evalset.editing.field_edits import save_blob
from evaltui.review.decisions import Sidecar
from evaltui.runs.tried_config import TriedConfig
from tests.tui.review.reviewed import review


async def test_a_set_that_became_a_link_out_is_not_saved_and_nothing_is_lost(tmp_path: Path) -> None:
    async with review() as s:
        (s.path.parent / ".git").mkdir()
        outside = tmp_path / "outside.json"
        outside.write_bytes(s.file_bytes())
        await s.press("A", "escape")
        edited = s.bytes()
        s.path.unlink()
        s.path.symlink_to(outside)
        await s.press("ctrl+s")
        assert "NOT SAVED: this set is a link out of its folder. S saves it under" in s.status
        assert (outside.read_bytes(), s.bytes()) == (s.original, edited)


@pytest.mark.timeout(60)
async def test_a_sidecar_that_becomes_a_pipe_holds_up_neither_undo_nor_the_end(tmp_path: Path) -> None:
    async with review() as s:
        sidecar = Sidecar(s.path).path
        await s.press("r")
        sidecar.unlink()
        os.mkfifo(sidecar)
        await s.press("u")
        assert "Not saved yet: not a regular file" in " ".join(s.screen())
        await s.press("r", "u", "escape")
        assert s.bytes() == s.original


async def test_a_decision_is_not_written_through_a_link_out(tmp_path: Path) -> None:
    outside = tmp_path / "bashrc"
    outside.write_text("export A=1\n")
    async with review() as s:
        Sidecar(s.path).path.symlink_to(outside)
        await s.press("r")
        assert "Not saved yet: a link leads to" in " ".join(s.screen())
    assert outside.read_text() == "export A=1\n"


async def test_decisions_that_cannot_be_written_are_written_later_or_named_at_the_end() -> None:
    async with review() as s:
        sidecar = Sidecar(s.path).path
        await s.press("r")
        kept = sidecar.read_bytes()
        sidecar.unlink()
        os.mkfifo(sidecar)
        await s.press("r", "ctrl+q")
        assert "1 decision is not saved" in " ".join(s.screen())
        assert s.app.is_running
        sidecar.unlink()
        sidecar.write_bytes(kept)
        await s.press("ctrl+q")
        assert sidecar.read_bytes().startswith(kept)
        kinds = [json.loads(line)["decision"] for line in sidecar.read_text().splitlines()]
        assert kinds == ["agent is wrong", "agent is wrong"]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    clone = tmp_path / "clone"
    (clone / ".git").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "test_config.json").write_text('{"criteria": {}}')
    (clone / "sub").symlink_to("../outside")
    return clone


def test_a_config_is_not_written_through_a_link_out(clone: Path, tmp_path: Path) -> None:
    (clone / "test_config.json").symlink_to("../outside/test_config.json")
    for path in (clone / "test_config.json", clone / "sub" / "test_config.json"):
        config = TriedConfig(Document.open(path))
        config.document.apply([Set("/criteria", b'{"a": 1}')], "set")
        with pytest.raises(LeadsOutsideError):
            config.write()
    assert (tmp_path / "outside" / "test_config.json").read_text() == '{"criteria": {}}'


@pytest.mark.parametrize("name", ["part.png", "sub/part.png", "there.png"])
def test_inline_data_is_saved_to_a_new_file_of_the_repository_only(clone: Path, tmp_path: Path, name: str) -> None:
    blob = Document(b'{"data": "aGk=", "mime_type": "image/png"}').root
    assert blob is not None
    (clone / "part.png").symlink_to("../outside/part.png")
    (clone / "there.png").write_text("theirs")
    with pytest.raises(EditError, match=r"a link leads to|already exists"):
        save_blob(blob, clone / name)
    assert [path.name for path in (tmp_path / "outside").iterdir()] == ["test_config.json"]
    assert (clone / "there.png").read_text() == "theirs"
    save_blob(blob, clone / "new.png")
    assert (clone / "new.png").read_bytes() == b"hi"
