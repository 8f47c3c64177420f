"""A file read once more with what is known of its items says what it says when all of it is read."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document import json_stream
from evaltui.recordings.conversation import Recording
from evaltui.recordings.recording_cache import KnownItems
from evaltui.recordings.recording_file import open_recording
from tests.sampling import examples

PATH = Path("actual.json")
MANY = 30
"""More cases than those at the head, whose members are kept."""


@pytest.fixture(params=[50, 700, 1 << 20], autouse=True, scope="module")
def windows(request: pytest.FixtureRequest) -> Any:
    """Windows that are narrower than a case, hold a few, and hold all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_stream, "WINDOW", request.param)
        yield


def case(name: str | None, answer: str) -> dict[str, Any]:
    turn = {
        "user_content": {"parts": [{"text": f"Hello {name}"}]},
        "final_response": {"parts": [{"text": answer}]},
        "intermediate_data": {"tool_uses": [{"name": "look", "args": {"at": answer}, "id": "1"}]},
    }
    return {**({"eval_id": name} if name is not None else {}), "conversation": [turn]}


def written(cases: list[Any], indent: int | None = None) -> bytes:
    return json.dumps({"eval_set_id": "trip", "eval_cases": cases, "name": "x"}, indent=indent).encode()


def read(data: bytes, known: KnownItems | None = None) -> Recording:
    return open_recording(PATH, data=data, known_items=known)


NAMES = st.sampled_from(["a", "b", "c", "d", "e", None])
CASES = st.one_of(
    st.builds(case, NAMES, st.text(max_size=4)),
    st.sampled_from([{"eval_id": "empty"}, {"eval_id": "odd", "conversation": [1]}, 7, None, "text"]),
)


@examples(60)
@given(st.lists(st.tuples(st.lists(CASES, max_size=8), st.integers(0, MANY), st.sampled_from([None, 1])), min_size=2))
def test_a_file_read_again_and_again_says_what_it_says(states: list[tuple[list[Any], int, int | None]]) -> None:
    known = KnownItems()
    for cases, more, indent in states:
        data = written([case("first", "x"), *cases, *(case(f"n{number}", "y") for number in range(more))], indent)
        assert read(data, known) == read(data)


def test_only_what_is_another_is_read() -> None:
    known, cases = KnownItems(), [case(f"n{number}", "yes") for number in range(MANY)]
    before = {each.id: each for each in read(written(cases), known).conversations}
    cases[5] = case("n5", "no")
    del cases[7]
    cases.append(cases.pop(25))
    cases.insert(1, case("new", "yes"))
    cases.append(cases.pop(3))
    now = read(written(cases), known)
    other = [each.id for each in now.conversations if each is not before.get(each.id)]
    assert other == ["new", "n5"]


def test_items_of_a_file_that_becomes_one_of_another_format_are_read_anew() -> None:
    known = KnownItems()
    cases = [case(f"n{number}", "yes") for number in range(MANY)]
    read(written(cases), known)
    datum = {"prompt": {"parts": [{"text": "Hi"}]}, "responses": [{"response": {"parts": [{"text": "Ho"}]}}]}
    data = json.dumps({"candidate_name": "x", "eval_cases": [*([datum] * MANY), *cases]}).encode()
    assert read(data).format == "evaluation_dataset"
    assert read(data, known) == read(data)
    assert read(written(cases), known) == read(written(cases))


def test_cases_of_a_dataset_that_look_like_those_of_a_set_are_read_whole_at_the_first_time() -> None:
    answered = {"prompt": {"parts": [{"text": "Hi"}]}, "responses": [{"response": {"parts": [{"text": "Ho"}]}}]}
    later = [{**case(f"n{number}", "yes"), **answered} for number in range(MANY)]
    data = json.dumps({"eval_cases": [{"eval_case_id": "a", **answered}, *later]}).encode()
    assert read(data).format == "evaluation_dataset"
    assert read(data, KnownItems()) == read(data)


@pytest.mark.parametrize("name", ["eval_cases", "evalCases"])
def test_each_of_several_lists_tells_the_format_by_its_first_cases(name: str) -> None:
    cases = json.dumps([case(f"n{number}", "yes") for number in range(MANY)])
    for front in ('"candidate_name": "x", ', ""):
        data = f'{{{front}"eval_cases": {cases}, "{name}": {cases}}}'.encode()
        assert outcome(data, KnownItems()) == outcome(data)


def outcome(data: bytes, known: KnownItems | None = None) -> Recording | str:
    try:
        return read(data, known)
    except ValueError as error:
        return str(error)


def test_a_file_that_was_broken_in_between_is_known_as_it_was_before() -> None:
    known, data = KnownItems(), written([case(f"n{number}", "yes") for number in range(MANY)])
    before = read(data, known)
    with pytest.raises(ValueError, match="invalid JSON"):
        read(data[:-5], known)
    now = read(data, known)
    assert all(one is other for one, other in zip(before.conversations, now.conversations, strict=True))
