"""A file read case by case gives the same cases, places and rest as the document of the whole file."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document import json_stream
from evaltui.document.disk.file_content import is_large
from evaltui.document.document import Document
from evaltui.document.positions import line_and_column, spans_of
from evaltui.evalset.case_stream import CasePlace, CaseStream, NotPlainError
from evaltui.evalset.file_formats import format_of_document
from evaltui.evalset.keys import items_of, list_of_cases, without_cases
from tests.document.strategies import BLANKS, VALUES

CASES = '{"eval_set_id": "s", "eval_cases": [%s], "name": "n"}'


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("streamed") / "set.json"


def streamed(path: Path) -> CaseStream | None:
    """The stream after its last case; None if the file is not read case by case."""
    stream = CaseStream(path)
    try:
        stream.cases = list(stream)  # type: ignore[attr-defined]
    except NotPlainError:
        return None
    return stream


def by_document(data: bytes) -> list[tuple[CasePlace, bytes]]:
    root = Document(data).root
    assert root is not None
    found = []
    cases = items_of(root, "eval_cases")
    spans = spans_of(root, set(cases))
    for case in cases:
        start, _ = spans[case][1]
        found.append(((start, *line_and_column(data[:start])), case.source()))
    return found


def assert_same(path: Path) -> bool:
    """Compare, and tell whether the file was read case by case."""
    stream = streamed(path)
    data = path.read_bytes()
    root = Document(data).root
    cases = list_of_cases(root) if root is not None else None
    if stream is None:
        return False
    assert root is not None
    assert cases is not None
    assert stream.cases == by_document(data)  # type: ignore[attr-defined]
    assert all(data[place[0] :].startswith(source) for place, source in stream.cases)  # type: ignore[attr-defined]
    assert stream.rest == without_cases(root)
    start, end = spans_of(root, {cases})[cases][1]
    assert stream.head == data[: start + 1]
    assert stream.tail == data[end - 1 :]
    assert stream.closing == line_and_column(data[: end - 1])
    assert format_of_document(stream.sample) == format_of_document(root)
    return True


@pytest.fixture(params=[1, 7, 64, 1 << 20])
def window(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "WINDOW", request.param)


def test_public_files(shared_folder: Path, window: None) -> None:
    seen = [
        assert_same(path) for path in sorted((shared_folder / "corpus").glob("*.json")) if path.stat().st_size < 300_000
    ]
    assert sum(seen) > 40


KEYS = st.sampled_from(['"eval_set_id"', '"name"', '"eval_id"', '"é"', '"x/y"', r'"eval\u005fcases2"'])
LIST_KEYS = st.sampled_from(['"eval_cases"', '"evalCases"', r'"eval\u005fcases"'])
MEMBER = st.tuples(BLANKS, KEYS, BLANKS, BLANKS, VALUES, BLANKS).map(lambda m: f"{m[0]}{m[1]}{m[2]}:{m[3]}{m[4]}{m[5]}")
CASE = st.tuples(BLANKS, VALUES, BLANKS).map("".join)
LIST = st.tuples(BLANKS, LIST_KEYS, BLANKS, BLANKS, st.lists(CASE, max_size=5), BLANKS, BLANKS).map(
    lambda m: f"{m[0]}{m[1]}{m[2]}:{m[3]}[{','.join(m[4]) or m[5]}]{m[6]}"
)
SET = st.tuples(BLANKS, st.lists(MEMBER, max_size=3), LIST, st.lists(MEMBER | LIST, max_size=2), BLANKS).map(
    lambda m: f"{m[0]}{{{','.join([*m[1], m[2], *m[3]])}}}{m[4]}"
)


@given(SET, st.integers(1, 40))
def test_random_sets_in_any_layout(file: Path, text: str, window: int) -> None:
    file.write_bytes(text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_stream, "WINDOW", window)
        was_read = assert_same(file)
    root = Document(text.encode()).root
    assert root is not None
    lists = [item for item in root.items if item.name in ("eval_cases", "evalCases")]
    assert was_read == (len(lists) == 1)


@given(
    SET,
    st.integers(0, 400),
    st.sampled_from([b"", b",", b'"', b"}", b"\xff", b"\x00", b"\\", b"]]"]),
    st.integers(1, 40),
)
def test_broken_sets_are_left_to_the_document(file: Path, text: str, at: int, bad: bytes, window: int) -> None:
    data = text.encode()
    file.write_bytes(data[:at] + bad + data[at + 1 :])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_stream, "WINDOW", window)
        assert_same(file)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"  ",
        b"[]",
        b'[{"eval_id": "a"}]',
        b"{}",
        b'{"eval_set_id": "s"}',
        b'{"eval_cases": {}}',
        b'{"eval_cases": [], "eval_cases": []}',
        b'{"eval_cases": [], "evalCases": []}',
        b'{"eval_cases": [1 2]}',
        b'{"eval_cases": [1,]}',
        b'{"eval_cases": [1]',
        b'{"eval_cases": [1]} x',
        b'{"eval_cases": ["\xff"]}',
        b'{"eval_cases": [], "a": "\xed\xa0\x80"}',
        b"\xef\xbb\xbf" + CASES.encode() % b"",
        (CASES % "").encode("utf-16"),
        (CASES % ("[" * 100_000 + "]" * 100_000)).encode(),
    ],
)
def test_files_of_another_shape_are_not_read_case_by_case(file: Path, data: bytes, window: None) -> None:
    file.write_bytes(data)
    assert streamed(file) is None


@pytest.mark.parametrize("number", ["0", "-0", "12345678901234567890", "1.5", "-1e+30", "NaN", "-Infinity", "9" * 5000])
def test_a_number_at_the_end_of_a_window_is_whole(file: Path, number: str, window: None) -> None:
    file.write_text(CASES % f"{number},{number} , {number}")
    assert assert_same(file)


def test_what_is_no_file_is_left_to_the_document(tmp_path: Path) -> None:
    assert streamed(tmp_path) is None
    assert streamed(tmp_path / "missing") is None
    assert not is_large(tmp_path)
    assert not is_large(tmp_path / "missing")


def test_a_file_that_changes_while_it_is_read_is_not_plain(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "WINDOW", 8)
    file.write_text(CASES % ",".join(json.dumps({"eval_id": str(number)}) for number in range(20)))
    cases = iter(CaseStream(file))
    next(cases)
    with file.open("a") as other:
        other.write(" ")
    with pytest.raises(NotPlainError):
        list(cases)


def test_the_bytes_that_were_read_are_told(file: Path, window: None) -> None:
    file.write_text(CASES % "{}, {}")
    ticks: list[int] = []
    list(CaseStream(file, ticks.append))
    assert sum(ticks) == file.stat().st_size
