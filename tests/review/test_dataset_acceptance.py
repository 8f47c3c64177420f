"""Accepting into datasets: the reference and the intermediate events become what was recorded, and nothing else."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.document.patch import apply_patch, read_patch
from evaltui.review.set_review import Operations, SetPatches
from tests.review.datasets import accepted, dataset, exchanges, scored, styles
from tests.review.reviews import all_of, items_of

cases = st.lists(exchanges, min_size=1, max_size=3)

_EXPECTATIONS = ("reference", "intermediate_events", "intermediateEvents")
Json = dict[str, Any]


def parts(data: bytes) -> tuple[list[Json], list[Json]]:
    """The expectations of the cases, and all else that they hold."""
    found = json.loads(data)["eval_cases"]
    told = [{name: each[name] for name in each if name in _EXPECTATIONS} for each in found]
    return told, [{name: each[name] for name in each if name not in _EXPECTATIONS} for each in found]


def patched(data: bytes, *patches: Operations | None) -> Any:
    document = Document(data)
    for patch in patches:
        assert patch is not None
        apply_patch(document, read_patch(json.dumps(patch).encode()))
    return json.loads(document.to_bytes())


@given(cases, styles)
def test_all_changes_make_every_case_pass_and_touch_expectations_alone(made: list[Any], style: Json) -> None:
    data = dataset(made, **style)
    after = accepted(data, all_of(items_of(scored(data), "differing")))
    assert [case.status for case in scored(after).cases] == ["passed"] * len(made)
    assert items_of(scored(after), "differing") == []
    assert parts(after)[1] == parts(data)[1]


@given(cases, styles, st.randoms())
def test_changes_one_by_one_in_any_order_lead_to_what_was_recorded(made: list[Any], style: Json, random: Any) -> None:
    data = dataset(made, **style)
    for _ in range(40):
        found = items_of(scored(data), "differing")
        if not found:
            break
        item = random.choice(found)
        data = accepted(data, [(item, [random.choice(item.changes)])])
    assert [case.status for case in scored(data).cases] == ["passed"] * len(made)


@given(cases, styles, st.randoms())
def test_patches_hold_in_any_order_and_alone(made: list[Any], style: Json, random: Any) -> None:
    data = dataset(made, **style)
    found = items_of(scored(data), "differing")
    patches = SetPatches(Document(data))
    shuffled = random.sample(found, len(found))
    together = patched(data, *(patches.of_item(item)[0] for item in shuffled))
    document = Document(data)
    document.apply(SetPatches(document).edits(all_of(found)), "accept")
    assert together == json.loads(document.to_bytes())
    for item in found:
        alone = patches.of_item(item)[1]
        for change in item.changes:
            assert patched(data, alone[change.id]) == json.loads(accepted(data, [(item, [change])]))


CALL: Json = {"name": "book", "args": {"to": "OSL"}, "response": None}
ACTUAL: Json = {"user": "Book it", "calls": [CALL], "response": "Booked."}


def changes(data: bytes) -> list[tuple[str, str]]:
    return [(change.kind, change.summary) for item in items_of(scored(data)) for change in item.changes]


def test_a_case_that_expects_nothing_is_filled() -> None:
    assert changes(dataset([(None, ACTUAL)])) == [
        ("fill", 'add call book(to="OSL")'),
        ("fill", 'response: nothing → "Booked."'),
    ]


def test_a_case_that_expects_no_calls_says_sequence() -> None:
    expected = {"user": "Book it", "calls": [], "response": "Booked."}
    assert changes(dataset([(expected, ACTUAL)])) == [("sequence", 'add call book(to="OSL")')]


def test_a_first_expectation_is_laid_out_as_the_case_and_names_its_agent() -> None:
    data = dataset([(None, ACTUAL)], ids=False)
    (told,), _ = parts(accepted(data, all_of(items_of(scored(data)))))
    call = {"function_call": {"name": "book", "args": {"to": "OSL"}}}
    assert told == {
        "intermediate_events": [{"author": "desk", "content": {"parts": [call], "role": "model"}}],
        "reference": {"response": {"parts": [{"text": "Booked."}], "role": "model"}},
    }


def test_an_expectation_is_laid_out_as_that_of_the_case_beside_it() -> None:
    case = {"eval_case_id": "a", "prompt": {"role": "user", "parts": [{"text": "Hi"}]}}
    answered = {"responses": [{"response": {"parts": [{"text": "Ho"}]}}]}
    beside = case | {"eval_case_id": "b", "reference": {"response": {"role": "agent", "parts": [{"text": "Yes"}]}}}
    data = json.dumps({"eval_cases": [case | answered, beside]}).encode()
    after = accepted(data, all_of(items_of(scored(data))))
    assert after == data.replace(
        b'"responses": [{"response": {"parts": [{"text": "Ho"}]}}]}',
        b'"responses": [{"response": {"parts": [{"text": "Ho"}]}}], '
        b'"reference": {"response": {"role": "agent", "parts": [{"text": "Ho"}]}}}',
    )


def test_a_reference_that_is_a_bare_text_or_has_other_parts_keeps_its_form() -> None:
    image = {"inline_data": {"mime_type": "image/png", "data": ""}}
    for reference, kept in (("No", "Ho"), ({"parts": [image]}, {"parts": [image, {"text": "Ho"}]})):
        case = {"prompt": "Hi", "reference": {"response": reference}, "responses": [{"response": "Ho"}]}
        data = json.dumps({"eval_cases": [case]}).encode()
        after = json.loads(accepted(data, all_of(items_of(scored(data)))))
        assert after["eval_cases"][0]["reference"] == {"response": kept}


def test_turns_that_are_given_are_not_compared() -> None:
    told = dataset([(ACTUAL, ACTUAL)], told=True)
    run = scored(told)
    assert [len(case.given_turns) for case in run.subject.cases] == [1]
    (result,) = run.cases
    assert result.run is not None
    assert [turn.expected.user_text for turn in result.run.turns] == ["Book it"]
