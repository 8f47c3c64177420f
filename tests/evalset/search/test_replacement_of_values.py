"""Find and replace in numbers, booleans, nulls and keys."""

from __future__ import annotations

from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.document.errors import EditError
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.search.replacement import Replacement, replacing
from evaltui.evalset.titles import field_title
from tests.evalset.search.test_replacement import hits, replaced
from tests.evalset.sets import EVENTS, LISTED


def with_args(args: str, response: str = "{}", state: str = "{}") -> str:
    """A set with one call of these arguments, its response and a session state, laid out as it is written here."""
    data = (
        f'{{"tool_uses": [{{"id": "c", "name": "f", "args": {args}}}], '
        f'"tool_responses": [{{"id": "c", "name": "f", "response": {response}}}]}}'
    )
    turn = f'{{"user_content": {{"parts": [{{"text": "Order 4712"}}]}}, "intermediate_data": {data}}}'
    session = f'{{"app_name": "a", "user_id": "u", "state": {state}}}'
    return f'{{"eval_cases": [{{"eval_id": "x", "conversation": [{turn}], "session_input": {session}}}]}}'


def opened(source: str) -> CaseFile:
    """The set in a file."""
    root = Document(source.encode()).root
    assert root is not None
    return CaseFile(root, EVAL_SET)


def arguments(source: str, *asked: str, **more: Any) -> str:
    """The arguments of the call, as they are spelt, after a replacement."""
    text = replaced(source, *asked, **more)
    return text[text.index('"args": ') + 8 : text.index('}], "tool_responses"')]


def test_a_number_changes_with_the_sentence_around_it() -> None:
    source = with_args('{"order": 4712}', '{"order": 4712, "note": "4712 is late"}', '{"last": 4712}')
    assert replaced(source, "4712", "9912") == source.replace("4712", "9912")


@pytest.mark.parametrize(
    ("before", "find", "by", "after"),
    [
        ("4712", "47", "99", "9912"),
        ("1e3", "3", "4", "1e4"),
        ("1.0", "1.0", "2.0", "2.0"),
        ("1.50", "1", "-1", "-1.50"),
        ("4712", "4712", "1e3", "1e3"),
        ("4712", "4712", "true", "true"),
        ("4712", "4712", "null", "null"),
        ("4712", "4712", "A-1", '"A-1"'),
        ("4712", "47", "0", '"012"'),
        ("4712", "4712", "", '""'),
        ("4712", "4712", "NaN", '"NaN"'),
        ("true", "true", "false", "false"),
        ("true", "tru", "fals", "true"),
        ("true", "e", "3", "true"),
        ("null", "null", "7", "7"),
        ("null", "l", "7", "null"),
        ('"null"', "null", "7", '"7"'),
        ('"47"', "47", "99", '"99"'),
    ],
)
def test_what_is_still_a_number_or_word_of_json_stays_one(before: str, find: str, by: str, after: str) -> None:
    kinds = frozenset(["arguments", "numbers, booleans"])
    source = with_args(f'{{"k": {before}}}')
    if before == after:
        with pytest.raises(EditError, match="nothing to replace"):
            replaced(source, find, by, kinds=kinds)
    else:
        assert arguments(source, find, by, kinds=kinds) == f'{{"k": {after}}}'


def test_expressions_find_numbers_words_and_keys_by_their_spelling() -> None:
    source = with_args('{"k1": [1.50, 2e3, true, null, NaN]}')
    assert arguments(source, r"^(\d)[.e](\d+)$", r"\g<2>", is_regex=True) == '{"k1": [50, 3, true, null, NaN]}'
    assert arguments(source, "true|null", "0", is_regex=True) == '{"k1": [1.50, 2e3, 0, 0, NaN]}'
    assert arguments(source, "NaN", "1", is_regex=True) == '{"k1": [1.50, 2e3, true, null, 1]}'
    assert arguments(source, r"k(\d)", r"key_\1", is_regex=True) == '{"key_1": [1.50, 2e3, true, null, NaN]}'


def test_a_hit_says_what_its_value_becomes() -> None:
    eval_set = opened(with_args('{"order": 4712, "ok": true}'))
    found = hits(eval_set, Replacement("4712", "A-1", kinds=frozenset(["numbers, booleans"])))
    assert [(hit.type, hit.text, hit.becomes, hit.after) for hit in found] == [("number", "4712", "text", "A-1")]
    revision = replacing(eval_set, Replacement("4712", "A-1"), found)
    assert revision.remark == "1 number becomes text"


def test_keys_of_free_values_are_renamed_at_any_depth_together_with_what_is_in_them() -> None:
    source = with_args('{"order": {"order": ["order", {"order": 1}]}, "orders": 2}', '{"order": 3}', '{"order": 4}')
    after = source.replace("order", "trip").replace("Order", "trip")
    assert replaced(source, "order", "trip") == after


def test_keys_of_the_format_itself_stay() -> None:
    source = with_args('{"args": 1, "name": 2}')
    assert replaced(source, "args", "x") == source.replace('{"args": 1', '{"x": 1')
    assert replaced(source, "name", "x") == source.replace('"name": 2', '"x": 2')
    with pytest.raises(EditError, match="nothing to replace"):
        replaced(source, "eval_id", "x")


def test_a_key_that_would_stand_twice_is_refused_with_its_place() -> None:
    for source, find, by in [
        (with_args('{"from": 1, "origin": 2}'), "from", "origin"),
        (with_args('{"a1": 1, "a2": 2}'), "[12]", ""),
    ]:
        with pytest.raises(EditError) as raised:
            replaced(source, find, by, is_regex=True)
        assert "would be a duplicate: x › turn 1 › tool call 1 › args." in str(raised.value)


def test_a_key_that_stands_twice_already_is_refused_with_its_place() -> None:
    with pytest.raises(
        EditError,
        match=r'The key "k" is a duplicate in its object: x › turn 1 › tool call 1 › args.k. Leave this hit out.',
    ):
        replaced(with_args('{"k": 1, "k": 2}'), "2", "3")


def test_keys_can_change_places() -> None:
    source = with_args('{"ab": 1, "ba": 2, "x": 3}')
    swapped = arguments(source, "(a|b)(a|b)", r"\2\1", is_regex=True, kinds=frozenset(["keys"]))
    assert swapped == '{"ba": 1, "ab": 2, "x": 3}'
    chain = with_args('{"k": 1, "kk": 2, "kkk": 3}')
    assert arguments(chain, "^k", "kk", is_regex=True, kinds=frozenset(["keys"])) == '{"kk": 1, "kkk": 2, "kkkk": 3}'


@pytest.mark.parametrize("kind", ["numbers, booleans", "keys", "tool responses", "state"])
def test_each_new_kind_alone(kind: str) -> None:
    source = with_args('{"n7": 7, "t": "7"}', '{"r": "7"}', '{"s": "7"}')
    after = {
        "numbers, booleans": source.replace(": 7,", ": 8,"),
        "keys": source.replace("n7", "n8"),
        "tool responses": source.replace('"r": "7"', '"r": "8"'),
        "state": source.replace('"s": "7"', '"s": "8"'),
    }
    assert replaced(source, "7", "8", kinds=frozenset([kind])) == after[kind]


def test_every_hit_names_case_turn_and_field() -> None:
    source = with_args('{"p": [{"n": 4712}]}', '{"n": 4712}', '{"n": 4712}')
    eval_set = opened(source)
    assert [field_title(eval_set, hit.nodes[0]) for hit in hits(eval_set, Replacement("4712"))] == [
        "x › turn 1 › user message",
        "x › turn 1 › tool call 1 › args.p[0].n",
        "x › turn 1 › tool call 1 › response.n",
        "x › session_input.state.n",
    ]
    for text in (LISTED, EVENTS):
        eval_set = opened(text)
        named = [field_title(eval_set, hit.nodes[0]) for hit in hits(eval_set, Replacement("o"))]
        assert all(" › " in name for name in named)
        assert any("tool call" in name for name in named)
