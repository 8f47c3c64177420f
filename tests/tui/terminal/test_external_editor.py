"""Which editor runs with which arguments, on what file, and what comes back."""

import asyncio
import os
import signal
import stat
import subprocess
from pathlib import Path

import pytest

from evaltui.tui.terminal import external_editor
from evaltui.tui.terminal.external_editor import EditorError, command_line, edit_text, editor_command

FILE = Path("/t/turn.json")


def script(folder: Path, body: str, name: str = "editor") -> str:
    """An editor that is a shell script; "$1" is the file."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


def bin_with(folder: Path, *names: str) -> str:
    for name in names:
        script(folder, "", name)
    return str(folder)


def test_visual_goes_before_editor_and_vi_comes_last(tmp_path: Path) -> None:
    path = bin_with(tmp_path, "one", "two", "vi")
    assert editor_command({"PATH": path, "VISUAL": "one -x", "EDITOR": "two"}) == ["one", "-x"]
    assert editor_command({"PATH": path, "VISUAL": " ", "EDITOR": "two 'a b'"}) == ["two", "a b"]
    assert editor_command({"PATH": path}) == ["vi"]


def test_a_path_with_blanks_needs_no_quotes(tmp_path: Path) -> None:
    folder = tmp_path / "my programs"
    folder.mkdir()
    editor = script(folder, "")
    assert editor_command({"PATH": "/bin", "EDITOR": editor}) == [editor]


@pytest.mark.parametrize(
    ("environ", "sentence"),
    [
        ({"EDITOR": "nosuch -w"}, "$EDITOR is nosuch -w, but there is no such program; set $EDITOR to your editor"),
        ({"VISUAL": "'nosuch"}, "$VISUAL is not a valid command (no closing quotation): 'nosuch"),
        ({}, "vi is not installed; set $VISUAL or $EDITOR to your editor"),
    ],
)
def test_an_editor_that_is_missing_is_named(tmp_path: Path, environ: dict[str, str], sentence: str) -> None:
    with pytest.raises(EditorError) as raised:
        editor_command({"PATH": str(tmp_path), **environ})
    assert str(raised.value) == sentence


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["vim"], ["vim", "+7", "/t/turn.json"]),
        (["/usr/bin/nvim", "-u", "x"], ["/usr/bin/nvim", "-u", "x", "+7", "/t/turn.json"]),
        (["nano"], ["nano", "+7", "/t/turn.json"]),
        (["code", "--wait"], ["code", "--wait", "--goto", "/t/turn.json:7:3"]),
        (["code"], ["code", "--wait", "--goto", "/t/turn.json:7:3"]),
        (["subl", "-w"], ["subl", "-w", "/t/turn.json:7:3"]),
        (["hx"], ["hx", "/t/turn.json:7:3"]),
        (["gvim"], ["gvim", "--nofork", "+7", "/t/turn.json"]),
        (["mystery", "-a"], ["mystery", "-a", "/t/turn.json"]),
    ],
)
def test_the_place_is_told_in_the_editors_own_way(command: list[str], words: list[str]) -> None:
    assert command_line(command, FILE, 7, 3) == words


def test_without_a_place_only_the_file_is_named() -> None:
    assert command_line(["vim"], FILE) == ["vim", "/t/turn.json"]
    assert command_line(["code"], FILE) == ["code", "--wait", "/t/turn.json"]


def test_the_file_is_private_has_the_suffix_and_goes_with_what_lies_beside_it(tmp_path: Path) -> None:
    record = tmp_path / "record"
    editor = script(tmp_path, f'stat -c %a "$1" > {record}; echo "$1" >> {record}; touch "$1~"; cat "$1" >> {record}')
    edited = edit_text(b"text", "turn.md", environ={"EDITOR": editor, "PATH": "/bin:/usr/bin"})
    mode, name, content = record.read_text().splitlines()
    assert stat.S_IMODE(int(mode, 8)) == 0o600
    assert Path(name).name == "turn.md"
    assert not Path(name).parent.exists()
    assert edited == (b"text", "editor", 0)
    assert content == "text"


@pytest.mark.parametrize("text", [b"", b"a", b"a\n", b"\n", b"a\r\nb", b"\xed\xa0\x80"])
@pytest.mark.parametrize("body", ["", 'printf "" >> "$1"'])
def test_what_is_not_touched_comes_back_as_it_was(tmp_path: Path, text: bytes, body: str) -> None:
    assert edit_text(text, "t.txt", environ={"EDITOR": script(tmp_path, body)})[0] == text


def test_the_newline_that_editors_add_is_no_part_of_the_text(tmp_path: Path) -> None:
    for body in ('echo new > "$1"', 'printf new > "$1"'):
        assert edit_text(b"old", "t.txt", environ={"EDITOR": script(tmp_path, body)})[0] == b"new"


def test_the_exit_status_comes_back(tmp_path: Path) -> None:
    assert edit_text(b"x", "t.txt", environ={"EDITOR": script(tmp_path, "exit 3")})[2] == 3


def test_a_file_removed_meanwhile_is_said(tmp_path: Path) -> None:
    editor = script(tmp_path, 'rm "$1"')
    with pytest.raises(EditorError, match="the file edited in editor was removed; nothing was changed"):
        edit_text(b"x", "t.txt", environ={"EDITOR": editor, "PATH": "/bin:/usr/bin"})
    with pytest.raises(EditorError, match="was removed; nothing"):
        edit_text(b"x", "t.txt", environ={"EDITOR": script(tmp_path, 'rm -r "$(dirname "$1")"')})


def test_an_editor_that_cannot_be_started_is_said(tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text("#!/no/such/shell\n")
    editor.chmod(0o755)
    with pytest.raises(EditorError, match="could not be started: no such file or directory"):
        edit_text(b"x", "t.txt", environ={"EDITOR": str(editor)})


async def test_a_ctrl_c_is_the_editors_own_and_other_signals_wait_for_the_loop(tmp_path: Path) -> None:
    loop, heard, other = asyncio.get_running_loop(), list[int](), asyncio.Event()
    loop.add_signal_handler(signal.SIGINT, heard.append, signal.SIGINT)
    loop.add_signal_handler(signal.SIGUSR2, other.set)
    try:
        editor = script(tmp_path, "kill -INT $PPID; kill -USR2 $PPID; exit 9")
        assert edit_text(b"text", "a.txt", environ={"EDITOR": editor})[2] == 9
        await other.wait()
        assert heard == []
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGUSR2)
        other.clear()
        await other.wait()
        assert heard == [signal.SIGINT]
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        loop.remove_signal_handler(signal.SIGUSR2)


def test_a_ctrl_c_before_the_wait_for_the_editor_is_the_editors_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = subprocess.Popen

    def started(*given: object, **options: object) -> object:
        process = start(*given, **options)  # type: ignore[call-overload]
        os.kill(os.getpid(), signal.SIGINT)
        return process

    monkeypatch.setattr(external_editor.subprocess, "Popen", started)
    assert edit_text(b"text", "a.txt", environ={"EDITOR": script(tmp_path, "exit 9")})[2] == 9
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_editor_itself_is_ended_by_a_ctrl_c(tmp_path: Path) -> None:
    status = edit_text(b"text", "a.txt", environ={"EDITOR": script(tmp_path, "kill -INT $$; exit 9")})[2]
    assert status == -signal.SIGINT
