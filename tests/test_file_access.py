"""Checks for a file never raise: not for an unreachable folder, and not for a name that is too long."""

import ast
import errno
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaltui.file_access import exists, is_file, is_folder, open_regular, read_regular, size_of
from tests.package_source import trees
from tests.unreachable import ERRORS, Unreachable

RAISING = {
    "exists",
    "is_file",
    "is_dir",
    "is_symlink",
    "stat",
    "lstat",
    "iterdir",
    "scandir",
    "read_bytes",
    "read_text",
}
CATCHING = {"OSError", "Exception", "BaseException"}


@pytest.mark.parametrize("number", ERRORS, ids=errno.errorcode.get)
def test_a_folder_that_cannot_be_reached_is_no(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, number: int) -> None:
    file = tmp_path / "a.json"
    file.write_text("{}")
    assert exists(file)
    assert is_file(file)
    assert is_folder(tmp_path)
    assert size_of(file) == 2
    Unreachable(monkeypatch, tmp_path, number)
    assert not (exists(file) or is_file(file) or is_folder(file) or size_of(file))


@pytest.mark.parametrize("name", ["a" * 300, "a/" * 3000, "\0", "\ud800"])
def test_a_name_that_no_file_can_have_is_no(name: str) -> None:
    assert not (exists(Path(name)) or is_file(Path(name)) or is_folder(Path(name)) or size_of(Path(name)))


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "link to a device", "socket"])
def test_only_regular_files_are_read_and_nothing_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    path = tmp_path / "a.json"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "socket":
        monkeypatch.chdir(tmp_path)  # the name of a socket must be short
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    elif kind == "device":
        path = Path("/dev/zero")
    else:
        path.symlink_to("/dev/zero")
    with pytest.raises(OSError, match="not a regular file"):
        read_regular(path, 10)


def test_bytes_are_counted_while_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"12345")
    assert read_regular(path, 5) == b"12345"
    with pytest.raises(ValueError, match="more than 4 bytes"):
        read_regular(path, 4)
    endless = Path("/proc/self/maps")  # its status says that it has no bytes
    if is_file(endless):
        with pytest.raises(ValueError, match="more than 10 bytes"):
            read_regular(endless, 10)


def test_a_link_is_followed_only_where_it_may_be(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_bytes(b"{}")
    path = tmp_path / "a.json"
    path.symlink_to("b.json")
    assert read_regular(path, 5) == b"{}"
    with pytest.raises(OSError, match="symbolic links"):
        open_regular(path, follow=False)


def raising_calls(tree: ast.AST, *, guarded: bool = False) -> Iterator[ast.Call]:
    """Calls of methods that may raise `OSError`, outside of a block that catches it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Try):
            catches = guarded or any(_catches(handler) for handler in node.handlers)
            for child in node.body:
                yield from raising_calls(ast.Module([child], []), guarded=catches)
            for child in [*node.handlers, *node.orelse, *node.finalbody]:
                yield from raising_calls(child, guarded=guarded)
            continue
        inside = guarded or (isinstance(node, ast.With) and "suppress(" in ast.unparse(node.items[0]))
        if isinstance(node, ast.Call) and not guarded and _raises(node.func):
            yield node
        yield from raising_calls(node, guarded=inside)


def _raises(called: ast.expr) -> bool:
    is_method = isinstance(called, ast.Attribute) and called.attr in RAISING
    return is_method and ast.unparse(called) != f"os.path.{called.attr}"


def _catches(handler: ast.ExceptHandler) -> bool:
    named = {each.id for each in ast.walk(handler.type) if isinstance(each, ast.Name)} if handler.type else CATCHING
    return bool(named & CATCHING)


HANDLED_BY_CALLERS = {
    "evalset/set_files.py: path.stat()",
    "files/folder_search.py: os.scandir(folder)",
    "recordings/recording_bytes.py: path.is_dir()",
    "recordings/sessions/database_access.py: copy.stat()",
    "recordings/sessions/database_access.py: folder.iterdir()",
    "recordings/sessions/database_access.py: path.stat()",
    "recordings/sessions/database_copy.py: folder.iterdir()",
    "tui/remembered_files.py: path.read_bytes()",
    "tui/remembered_files.py: path.stat()",
}


def test_no_code_asks_the_system_without_expecting_an_error() -> None:
    found = {
        f"{path}: {ast.unparse(call)}"
        for path, tree in trees(*(f".{name}(" for name in RAISING))
        for call in raising_calls(tree)
    }
    assert found == HANDLED_BY_CALLERS
