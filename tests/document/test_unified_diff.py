"""Unified diffs: what they look like, and that they lead from the old text to the new."""

import difflib
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.sequence_diff import unified_diff

TEXTS = st.text(alphabet="ab\n", max_size=40)
NUMBERED = b"".join(b"%d\n" % number for number in range(40))
_head = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\Z").match


def diff(old: bytes, new: bytes) -> list[str]:
    return list(unified_diff(old, new, "x.json"))


def applied(old: str, lines: list[str]) -> str:
    """`old` after the diff, with everything checked that the diff says of it."""
    before, after = old.splitlines(keepends=True), []
    at = 0
    for kind, text in with_ends(lines[2:]):
        if kind == "@":
            found = _head(text.rstrip("\n"))
            assert found
            start, length, new_start, new_length = (int(group or 1) for group in found.groups())
            place = start - 1 if length else start
            after += before[at:place]
            at = place
            assert len(after) == (new_start - 1 if new_length else new_start)
            continue
        if kind != "+":
            assert before[at] == text
            at += 1
        if kind != "-":
            after.append(text)
    return "".join([*after, *before[at:]])


def with_ends(lines: list[str]) -> list[tuple[str, str]]:
    """The first character of each line and the rest, with a newline where no remark takes it away."""
    result: list[tuple[str, str]] = []
    for line in lines:
        if line.startswith("\\"):
            kind, text = result.pop()
            result.append((kind, text.removesuffix("\n")))
        else:
            result.append((line[0], (line if line[0] == "@" else line[1:]) + "\n"))
    return result


def test_a_change_stands_among_three_lines_on_each_side() -> None:
    assert diff(NUMBERED, NUMBERED.replace(b"20\n", b"x\ny\n")) == [
        "--- a/x.json", "+++ b/x.json", "@@ -18,7 +18,8 @@",
        " 17", " 18", " 19", "-20", "+x", "+y", " 21", " 22", " 23",
    ]  # fmt: skip


def test_changes_with_six_lines_between_them_share_a_hunk() -> None:
    near = diff(NUMBERED, NUMBERED.replace(b"10\n", b"x\n").replace(b"17\n", b"y\n"))
    far = diff(NUMBERED, NUMBERED.replace(b"10\n", b"x\n").replace(b"18\n", b"y\n"))
    assert [line for line in near if line[0] == "@"] == ["@@ -8,14 +8,14 @@"]
    assert [line for line in far if line[0] == "@"] == ["@@ -8,7 +8,7 @@", "@@ -16,7 +16,7 @@"]


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        (b"a", b"a", []),
        (b"", b"a\n", ["@@ -0,0 +1 @@", "+a"]),
        (b"a\nb\n", b"", ["@@ -1,2 +0,0 @@", "-a", "-b"]),
        (b"a", b"b", ["@@ -1 +1 @@", "-a", "\\ No newline at end of file", "+b", "\\ No newline at end of file"]),
        (b"a\nb", b"c\nb", ["@@ -1,2 +1,2 @@", "-a", "+c", " b", "\\ No newline at end of file"]),
        (b"a\n", b"a", ["@@ -1 +1 @@", "-a", "+a", "\\ No newline at end of file"]),
        (b"\xff\r\n", b"\xe2\x80\xa8\x0b\n", ["@@ -1 +1 @@", "-\ufffd\r", "+\u2028\x0b"]),
    ],
)
def test_a_difference_looks_as_others_write_it(old: bytes, new: bytes, lines: list[str]) -> None:
    assert diff(old, new) == (["--- a/x.json", "+++ b/x.json", *lines] if lines else [])


@given(TEXTS, TEXTS)
def test_a_diff_leads_from_the_old_text_to_the_new(old: str, new: str) -> None:
    lines = diff(old.encode(), new.encode())
    assert applied(old, lines) == new
    assert bool(lines) == (old != new)


@given(st.lists(st.integers(0, 60), unique=True, max_size=8))
def test_changes_of_single_lines_look_as_difflib_writes_them(changed: list[int]) -> None:
    old = [f"line {number}\n" for number in range(60)]
    new = ["changed\n" if number in changed else line for number, line in enumerate(old)]
    expected = difflib.unified_diff(old, new, "a/x.json", "b/x.json")
    assert diff("".join(old).encode(), "".join(new).encode()) == [line.rstrip("\n") for line in expected]


def test_thousands_of_scattered_changes_are_shown_and_nothing_else() -> None:
    old = "".join(f'{{\n  "id": {number},\n  "same": [\n  ]\n}}\n' for number in range(10_000))
    new = re.sub(r'"id": (\d*)7,', r'"id": "\1 changed",', old)
    lines = diff(old.encode(), new.encode())
    assert applied(old, lines) == new
    assert sum(line[0] == "-" for line in lines[2:]) == sum(line[0] == "+" for line in lines[2:]) == 1000


@pytest.mark.skipif(shutil.which("patch") is None, reason="there is no patch(1)")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (NUMBERED, NUMBERED.replace(b"3", b"x") + b"end"),
        (NUMBERED + b"end", b"start\n" + NUMBERED.replace(b"1\n", b"") + b"end"),
        (b"[1]", b"[1,\n2]"),
        ("é\r\n\r\n".encode(), "ü\r\n\r\n".encode()),
    ],
)
def test_patch_takes_it(old: bytes, new: bytes, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(old)
    text = "".join(f"{line}\n" for line in diff(old, new)).encode()
    subprocess.run(["patch", "-s", "-p1", "--binary"], cwd=tmp_path, input=text, check=True, timeout=30)
    assert file.read_bytes() == new
