"""`evaltui patch` as docs and scripts rely on it."""

import json
import os
from pathlib import Path

import pytest

from evaltui.document.disk.file_place import find_place
from evaltui.document.disk.temporary_file import TemporaryFile
from tests.commands.conftest import ADD, PATCHED, SOURCE, Evaltui


def test_a_file_is_patched_in_place(evaltui: Evaltui, file: Path, patch: Path) -> None:
    done = evaltui("patch", file, patch)
    assert (done.code, done.out, done.err) == (0, b"", f"evaltui: {file}: 1 operation applied\n")
    assert file.read_bytes() == PATCHED


def test_a_patch_comes_from_standard_input(evaltui: Evaltui, file: Path) -> None:
    assert evaltui("patch", file, "-", stdin=ADD).code == 0
    assert file.read_bytes() == PATCHED


def test_a_file_comes_from_standard_input_and_goes_to_standard_output(evaltui: Evaltui, patch: Path) -> None:
    done = evaltui("patch", "-", patch, "-o", "-", stdin=SOURCE)
    assert (done.code, done.out, done.err) == (0, PATCHED, "evaltui: -: 1 operation applied\n")


def test_the_result_goes_where_it_is_told_to(evaltui: Evaltui, file: Path, patch: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_bytes(b"old")
    assert evaltui("patch", file, patch, "-o", other).code == 0
    assert (file.read_bytes(), other.read_bytes()) == (SOURCE, PATCHED)
    assert evaltui("patch", "-", patch, "-o", tmp_path / "new.json", stdin=SOURCE).code == 0
    assert (tmp_path / "new.json").read_bytes() == PATCHED
    assert evaltui("patch", file, patch, "--output", file).code == 0
    assert file.read_bytes() == PATCHED


def test_the_number_of_operations_and_a_replaced_file_are_said(evaltui: Evaltui, file: Path, tmp_path: Path) -> None:
    two = b'[{"op": "test", "path": "/a", "value": 1.0}, {"op": "remove", "path": "/a"}]'
    other = tmp_path / "other set.json"
    assert evaltui("patch", file, "-", stdin=b"[]").err == f"evaltui: {file}: 0 operations applied\n"
    written = f"evaltui: {file}: 2 operations applied, written to {other}"
    assert evaltui("patch", file, "-", "-o", other, stdin=two).err == f"{written}\n"
    assert evaltui("patch", file, "-", "-o", other, stdin=two).err == f"{written}, which replaced the file there\n"
    assert evaltui("patch", file, "-", "-o", file, stdin=b"[]").err.endswith(
        f"0 operations applied, written to {file}\n"
    )


def test_a_difference_is_shown_and_nothing_written(evaltui: Evaltui, file: Path, patch: Path) -> None:
    done = evaltui("patch", "set.json", patch, "--diff")
    assert (done.code, done.err) == (0, "")
    assert done.out.decode().splitlines() == [
        "--- a/set.json",
        "+++ b/set.json",
        "@@ -1 +1 @@",
        '-{"a": 1.0, "b": "\\u00e9"}',
        '+{"a": 1.0, "b": "\\u00e9", "c": [2]}',
    ]
    assert file.read_bytes() == SOURCE


@pytest.mark.parametrize("codec", ["utf-16", "utf-8-sig"])
def test_a_difference_is_one_of_texts_whatever_the_encoding(evaltui: Evaltui, patch: Path, codec: str) -> None:
    done = evaltui("patch", "-", patch, "--diff", stdin='{"a": "é"}\r\n'.encode(codec))
    assert done.out.decode().splitlines()[3:] == ['-{"a": "é"}␍', '+{"a": "é", "c": [2]}␍']


def test_no_difference_shows_nothing(evaltui: Evaltui, file: Path) -> None:
    assert evaltui("patch", file, "-", "--diff", stdin=b"[]").out == b""


@pytest.mark.parametrize(
    "patch",
    [
        b"[]",
        b'[{"op": "replace", "path": "/a", "value": 1}]',
        b'[{"op":"test","path":"","value":{"b":"\xc3\xa9","a":1}}]',
    ],
)
def test_a_file_that_does_not_change_is_not_written(evaltui: Evaltui, file: Path, patch: bytes) -> None:
    before = file.stat()
    assert evaltui("patch", file, "-", stdin=patch).code == 0
    assert (file.stat().st_ino, file.stat().st_mtime_ns, file.read_bytes()) == (
        before.st_ino,
        before.st_mtime_ns,
        SOURCE,
    )
    assert evaltui("patch", file, "-", "-o", "-", stdin=patch).out == SOURCE


@pytest.mark.parametrize(
    "source",
    [
        b'\xef\xbb\xbf{"a": NaN, "b": [-Infinity]}',
        b'{"\\ud800": "\\udfff \xff"}',
        b'{"x": ' + b"[" * 1000 + b"]" * 1000 + b"}",
        b'{"x": 1, "x": 2}',
        '{"é": "😀"}'.encode(),
    ],
    ids=["mark and constants", "half pairs", "1000 levels", "duplicate keys", "emoji"],
)
def test_unusual_files_are_patched_like_any_other(evaltui: Evaltui, source: bytes) -> None:
    path = "-"
    done = evaltui("patch", path, _written_beside(ADD), "-o", "-", stdin=source)
    assert (done.code, done.out) == (0, source[:-1] + b', "c": [2]}')


def _written_beside(patch: bytes) -> Path:
    path = Path("beside.json")
    path.write_bytes(patch)
    return path


def test_a_difference_shows_control_characters_harmlessly(evaltui: Evaltui, patch: Path) -> None:
    source = '{"a": "\x7f\u202e\u2028\x9b31m\ufeff", "b": "\\u001b"}'.encode() + b"\n"
    done = evaltui("patch", "-", patch, "--diff", stdin=source)
    assert done.out.decode().splitlines()[3] == '-{"a": "␡⁞⁞�31m⁞", "b": "\\u001b"}'
    assert done.code == 0


def test_a_patch_of_texts_beyond_utf8_keeps_them_escaped(evaltui: Evaltui) -> None:
    patch = json.dumps([{"op": "add", "path": "/\ud800", "value": "\udfff\x1b"}]).encode()
    done = evaltui("patch", "-", _written_beside(patch), "-o", "-", stdin=b"{}")
    assert json.loads(done.out) == {"\ud800": "\udfff\x1b"}
    assert done.out.isascii()


def test_a_name_with_a_newline_does_not_split_the_lines_of_a_difference(
    evaltui: Evaltui, patch: Path, tmp_path: Path
) -> None:
    (tmp_path / "a\nb.json").write_bytes(SOURCE)
    done = evaltui("patch", "a\nb.json", patch, "--diff")
    assert done.out.decode().splitlines()[:3] == ["--- a/a␊b.json", "+++ b/a␊b.json", "@@ -1 +1 @@"]


def test_what_a_save_could_not_keep_is_said(evaltui: Evaltui, file: Path, patch: Path) -> None:
    file.with_name("other.json").hardlink_to(file)
    done = evaltui("patch", file, patch)
    assert (done.code, done.out) == (0, b"")
    said = f"evaltui: {file}: written; other hard links to the file keep the old content\n"
    assert done.err == f"{said}evaltui: {file}: 1 operation applied\n"


def test_what_a_killed_patch_left_is_removed(evaltui: Evaltui, file: Path, patch: Path) -> None:
    with find_place(file) as place:
        left = TemporaryFile(place, None)
    os.close(left.handle)
    assert evaltui("patch", file, patch).code == 0
    assert not file.with_name(left.entry.name).exists()
