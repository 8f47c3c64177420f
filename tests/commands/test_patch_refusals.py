"""`evaltui patch` where it cannot: the exit code, one sentence, and nothing written."""

from pathlib import Path

import pytest

from tests.commands.conftest import ADD, SOURCE, Evaltui

FAILING = b'[{"op": "add", "path": "/c", "value": 1}, {"op": "test", "path": "/a", "value": 2}]'


def test_standard_input_cannot_be_changed_in_place(evaltui: Evaltui, patch: Path) -> None:
    done = evaltui("patch", "-", patch, stdin=SOURCE)
    assert (done.code, done.out) == (2, b"")
    assert done.err == "evaltui: standard input cannot be changed in place; give a file name, or use -o or --diff\n"


@pytest.mark.parametrize("arguments", [[], ["-o", "-"], ["--diff"]])
def test_standard_input_cannot_be_both_file_and_patch(evaltui: Evaltui, arguments: list[str]) -> None:
    done = evaltui("patch", "-", "-", *arguments, stdin=SOURCE)
    assert (done.code, done.out) == (2, b"")
    said = "standard input cannot be both the file and the patch; give a file name for one of them"
    assert done.err == f"evaltui: {said}\n"


@pytest.mark.parametrize("arguments", [[], ["-o", "-"], ["-o", "OTHER"], ["--diff"]])
def test_a_test_that_does_not_hold_is_exit_1(
    evaltui: Evaltui, file: Path, tmp_path: Path, arguments: list[str]
) -> None:
    other = tmp_path / "other.json"
    other.write_bytes(b"old")
    done = evaltui("patch", file, "-", *[str(other) if name == "OTHER" else name for name in arguments], stdin=FAILING)
    assert (done.code, done.out) == (1, b"")
    assert done.err == 'evaltui: -: operation 2 (test "/a"): the value is different; nothing was written\n'
    assert (file.read_bytes(), other.read_bytes()) == (SOURCE, b"old")


def test_a_test_of_what_is_not_there_is_exit_1(evaltui: Evaltui, file: Path) -> None:
    assert evaltui("patch", file, "-", stdin=b'[{"op": "test", "path": "/x/y", "value": null}]').code == 1


@pytest.mark.parametrize(
    ("source", "patch", "sentence"),
    [
        (SOURCE, b'[{"op": "remove", "path": "/x"}]',
         '-: operation 1 (remove "/x"): there is no "x" in this object'),
        (b"[1]", b'[{"op": "add", "path": "/2", "value": 1}]',
         '-: operation 1 (add "/2"): the list has only 1 item'),
        (SOURCE, b"{}", "-: a patch is a list of operations"),
        (SOURCE, b"[", "-: 1:2: the patch is not valid JSON: the text ends where a value is expected"),
        (SOURCE, b"", "-: 1:1: the patch is not valid JSON: the file is empty"),
        (SOURCE, b'[{"op": "add", "path": "/x", "value": NaN}]', "-: operation 1: NaN is not valid JSON"),
        (b'{"a": 1, "a": 2}', b'[{"op": "test", "path": "/a", "value": 2}]',
         '-: operation 1 (test "/a"): the object has the key "a" 2 times'),
        (b"{\n 'a': 1}", ADD, "FILE:2:2: invalid JSON: JSON requires double quotes"),
        (b"\xef\xbb\xbf", ADD, "FILE:1:1: invalid JSON: the file is empty"),
        (SOURCE, b'[{"op": "remove", "path": "/\\u001b[31m\\nevaltui: all is well\\u202e"}]',
         '-: operation 1 (remove "/␛[31m␊evaltui: all is well⁞"): '
         'there is no "␛[31m␊evaltui: all is well⁞" in this object'),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_exit_2_and_one_sentence(
    evaltui: Evaltui, file: Path, source: bytes, patch: bytes, sentence: str
) -> None:
    file.write_bytes(source)
    for arguments in ([], ["-o", "-"], ["--diff"]):
        done = evaltui("patch", file, "-", *arguments, stdin=patch)
        assert (done.code, done.out) == (2, b"")
        assert done.err == f"evaltui: {sentence.replace('FILE', str(file))}\n"
        assert file.read_bytes() == source


def test_files_that_cannot_be_read_are_exit_2(evaltui: Evaltui, file: Path, patch: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone.json"
    for arguments in ([gone, patch], [file, gone]):
        done = evaltui("patch", *arguments)
        assert (done.code, done.out, done.err) == (2, b"", f"evaltui: {gone}: there is no such file\n")
    assert evaltui("patch", tmp_path, patch).err == f"evaltui: {tmp_path}: this is a folder, not a file\n"
    assert evaltui("patch", "/dev/null", patch).err == "evaltui: /dev/null: this is a device or pipe, not a file\n"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("no/folder.json", "cannot be saved: no such file or directory"),
        ("set.json/x", "cannot be saved: not a directory"),
        (".", "this is a folder, not a file"),
        ("read_only.json", "cannot be saved: the file is read-only"),
        ("x" * 300, "cannot be saved: file name too long"),
    ],
)
def test_a_place_that_cannot_be_written_is_exit_2(
    evaltui: Evaltui, file: Path, patch: Path, tmp_path: Path, name: str, reason: str
) -> None:
    (tmp_path / "read_only.json").write_bytes(b"old")
    (tmp_path / "read_only.json").chmod(0o444)
    done = evaltui("patch", file, patch, "-o", tmp_path / name)
    assert (done.code, done.out, done.err) == (2, b"", f"evaltui: {tmp_path / name}: {reason}\n")
    assert (tmp_path / "read_only.json").read_bytes() == b"old"


def test_a_patch_that_is_not_utf8_is_refused_with_its_place(evaltui: Evaltui, file: Path) -> None:
    done = evaltui("patch", file, "-", stdin=b'[{"op": "add",\n "path": "/c", "value": "\xff"}]')
    assert (done.code, done.out) == (2, b"")
    assert done.err == "evaltui: -: 2:26: the patch is not valid UTF-8\n"
    assert file.read_bytes() == SOURCE


def test_a_working_folder_that_is_gone_is_said_with_the_file(
    evaltui: Evaltui, tmp_path: Path, patch: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    done = evaltui("patch", file, patch, "-o", "x.json")
    assert (done.code, done.err) == (2, "evaltui: x.json: cannot be saved: no such file or directory\n")
