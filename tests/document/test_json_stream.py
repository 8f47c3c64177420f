"""A text in pieces says what it says as a whole."""

import json
import math
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evaltui.document import json_stream
from evaltui.document.json_stream import JsonStream, JsonTextError

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=30,
)


@pytest.fixture(params=[1, 5, 40], autouse=True, scope="module")
def small_windows(request: pytest.FixtureRequest) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_stream, "WINDOW", request.param)
        yield


def stream(text: str, size: int) -> JsonStream:
    data = text.encode("utf-8", "surrogatepass")
    return JsonStream(data[at : at + size] for at in range(0, len(data), size))


@given(VALUES, st.integers(1, 50), st.sampled_from([None, 1]), st.booleans())
def test_any_value_is_read(value: Any, size: int, indent: int | None, ascii_: bool) -> None:
    found = stream(f" {json.dumps(value, indent=indent, ensure_ascii=ascii_)}\n", size)
    assert found.value() == value
    assert found.next_character() == ""


@given(VALUES, st.integers(1, 50), st.integers(0), st.text(max_size=2))
def test_any_fault_is_found_where_python_finds_it(value: Any, size: int, at: int, put: str) -> None:
    text = json.dumps([value], indent=1)
    at %= len(text)
    broken = text[:at] + put + text[at + 1 :]
    assume("\0" not in broken[:4])  # NULs at the start announce UTF-16 or UTF-32 (`json.detect_encoding`)
    try:
        expected = json.loads(broken)
    except json.JSONDecodeError as error:
        with pytest.raises(JsonTextError) as caught:
            read_all(stream(broken, size))
        place = caught.value.line, caught.value.column
        # Python tells where a text begins that does not end, this where the file ends; of a comma too many, Python
        # tells the comma only from 3.13 on.
        may_differ = "ends before" in caught.value.message or caught.value.message == "extra comma"
        assert may_differ or place == (error.lineno, error.colno)
    else:
        assert read_all(stream(broken, size)) == expected or "NaN" in broken


def read_all(found: JsonStream) -> Any:
    value = found.value()
    if found.next_character():
        raise found.error("unexpected text after the end of the JSON")
    return value


@pytest.mark.parametrize("text", ["1", "-0.5e+10", "1" * 90, "true", "NaN", "-Infinity", '"\\ud83d\\ude00"'])
@pytest.mark.parametrize("size", [1, 3])
def test_what_ends_with_the_file_is_whole(text: str, size: int) -> None:
    found, expected = stream(text, size).value(), json.loads(text)
    assert found == expected or math.isnan(found)


@pytest.mark.parametrize("text", ["-", "tru", "[1,", '"abc', "[1", '{"a"', '{"a":', "", "[1e]"])
def test_what_is_cut_off_is_refused(text: str) -> None:
    with pytest.raises(JsonTextError):
        stream(text, 1).value()


def test_lines_follow_a_value() -> None:
    found = stream('{"a": [1, 2, 3]}\nsecond line\n\nlast', 4)
    assert found.value() == {"a": [1, 2, 3]}
    assert found.line_number == 1
    assert [found.read_line() for _ in range(5)] == ["", "second line", "", "last", None]
