"""Whatever a person types as a path gives a path, or a sentence."""

import errno
import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evaltui.files.typed_paths import PathError, completions, expanded, file_to_read, file_to_write
from tests.unreachable import ERRORS, Unreachable

REFUSED = [
    ("", "type the name of a file"),
    ("  ", "type the name of a file"),
    ("~nosuchuser/x.json", "there is no user nosuchuser"),
    ("~nosuchuser", "there is no user nosuchuser"),
    ("a\0b.json", "NUL"),
    ("\0", "NUL"),
    ("\ud800.json", "file names cannot have"),
    ("a" * 300 + ".json", "the name is too long: it has 305 bytes"),
    ("é" * 150, "the name is too long: it has 300 bytes"),
    ("a" * 300 + "/x.json", "the name is too long"),
    ("ab/" * 2000 + "x.json", "too long"),
    ("folder/", "folder/ is a folder"),
    ("folder", "is a folder"),
    (".", "is a folder"),
    ("folder/..", "is a folder"),
    ("~", "is a folder"),
    ("there.json/x.json", "there.json is a file, not a folder"),
    ("there.json/more/x.json", "there.json is a file, not a folder"),
    ("pipe", "is a device or pipe"),
    ("/dev/null", "is a device or pipe"),
]
NOT_WRITTEN = [
    ("there.json", "this file already exists"),
    ("dangling", "this file already exists"),
    ("nowhere/x.json", "nowhere does not exist"),
    ("a\x1b[31m.json", "invisible character"),
    ("a\u202e.json", "invisible character"),
    ("line\nbreak.json", "invisible character"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    (tmp_path / "there.json").write_text("{}")
    (tmp_path / "dangling").symlink_to("nowhere.json")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_what_is_no_file_is_refused_with_a_sentence(folder: Path, text: str, said: str) -> None:
    for take in (file_to_read, file_to_write):
        with pytest.raises(PathError, match=said.replace("[", r"\[")):
            take(text, folder)


@pytest.mark.parametrize(("text", "said"), NOT_WRITTEN)
def test_what_cannot_be_written_is_refused_with_a_sentence(folder: Path, text: str, said: str) -> None:
    with pytest.raises(PathError, match=said):
        file_to_write(text, folder)


def test_what_is_not_there_cannot_be_read(folder: Path) -> None:
    for text in ("nothing.json", "dangling", "nowhere/x.json"):
        with pytest.raises(PathError, match="there is no such file"):
            file_to_read(text, folder)


def test_home_and_the_folder_are_put_in_front(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder))
    assert file_to_read("~/there.json") == folder / "there.json"
    assert file_to_write("~/folder/new.json", Path("/")) == folder / "folder" / "new.json"
    assert file_to_write(" new.json ", folder) == folder / "new.json"
    assert file_to_write("a" * 255, folder) == folder / ("a" * 255)


@pytest.mark.parametrize("number", ERRORS, ids=errno.errorcode.get)
def test_an_unreachable_folder_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    Unreachable(monkeypatch, folder, number)
    for take in (file_to_read, file_to_write):
        with pytest.raises(PathError, match=f"cannot be reached: {os.strerror(number).lower()}"):
            take("there.json", folder)
    assert completions("the", folder=folder) == []


def test_a_folder_without_permission_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    with pytest.raises(PathError, match="you cannot write"):
        file_to_write("new.json", folder)


@given(st.text(st.characters(), max_size=40) | st.text("~/.\0a ", max_size=12))
def test_any_text_gives_a_path_or_a_sentence(text: str) -> None:
    for take in (expanded, file_to_read, file_to_write):
        try:
            path = take(text)
        except PathError as error:
            assert str(error)
        else:
            assert path.name
    assert isinstance(completions(text), list)


def test_completions_are_relative_to_a_folder_and_bounded(tmp_path: Path) -> None:
    (tmp_path / "sets").mkdir()
    for number in range(50):
        (tmp_path / "sets" / f"s{number:02}.json").touch()
    (tmp_path / "loop").symlink_to("loop")
    assert completions("s", folder=tmp_path) == ["ets/"]
    assert completions("sets/s0", folder=tmp_path) == [f"{number}.json" for number in range(8)]
    assert completions("l", folder=tmp_path) == ["oop"]
    assert completions("~nosuchuser/a", folder=tmp_path) == []


def test_a_file_or_a_folder_is_taken_for_recordings(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "a.json").write_text("{}")
    assert file_to_read("runs/", tmp_path, or_folder=True) == tmp_path / "runs"
    assert file_to_read(" runs/a.json ", tmp_path, or_folder=True) == tmp_path / "runs" / "a.json"
    assert file_to_read(".", tmp_path, or_folder=True).samefile(tmp_path)
    assert file_to_read("runs/..", tmp_path, or_folder=True).samefile(tmp_path)


@pytest.mark.parametrize(
    ("text", "why"),
    [("gone.json", "there is no such file or folder"), ("", "type the name"), ("a\0b", "NUL"), ("/dev/null", "device")],
)
def test_what_is_no_file_and_no_folder_is_refused(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(PathError, match=why):
        file_to_read(text, tmp_path, or_folder=True)


@example("~nosuchuser/..")
@given(st.text(alphabet=st.sampled_from("~/. a\0\ud800é\n"), max_size=8))
def test_any_text_gives_a_file_a_folder_or_a_sentence(text: str) -> None:
    try:
        assert file_to_read(text, Path("/tmp"), or_folder=True).exists()
    except PathError as error:
        assert str(error)


@pytest.mark.parametrize("text", ["a.json", "sub/new.json"])
def test_a_link_out_of_a_repository_is_said_at_once(folder: Path, text: str) -> None:
    clone = folder / "clone"
    (clone / ".git").mkdir(parents=True)
    (clone / "a.json").symlink_to(folder / "there.json")
    (clone / "sub").symlink_to(folder)
    with pytest.raises(PathError, match="a link leads to /"):
        file_to_write(text, clone, replaces=True)
