"""Work on small texts of strangers takes time in proportion to their length, not to its square."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaltui.document import node
from evaltui.document.document import Document
from evaltui.document.edits import Edit, Insert, Rename, Set
from evaltui.document.errors import JsonSyntaxError
from evaltui.document.node import Node, parse_value, read_document
from evaltui.document.scanner import is_deep
from evaltui.evalset.search.case_filter import letters_in_order
from evaltui.evalset.search.replacement import word_changes
from evaltui.evalset.turn import Turn, TurnCall
from evaltui.interop.loss_counts import place_in
from evaltui.json_repair.repair import apply_safe_fixes, syntax_faults
from evaltui.review.review_items import ComparedTurn
from evaltui.review.text_difference import text_difference
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import TurnScores
from evaltui.scoring.words import numbers_in_digits
from evaltui.settings.project_settings import project_settings, read_settings_again
from evaltui.validation.case_checks import check_document
from tests.expressions import growth

LENGTH, FAULTS, MANY = 8_000, 1_500, 1_500
"""The length of a text, of one with as many faults, and a number of items: tried at one, two and four times."""


def _set_of(*cases: Any) -> bytes:
    return json.dumps({"eval_set_id": "s", "eval_cases": cases}).encode()


def _checked(case: dict[str, Any]) -> object:
    return [*check_document(Document(_set_of(case)))]


def _repaired(text: str) -> object:
    return syntax_faults(text.encode(), None)


def _both_ways(count: int) -> tuple[range, range]:
    return range(count), range(count - 1, -1, -1)


def _changed(sides: list[list[TurnCall]]) -> object:
    expected, actual = (Turn("Hello", calls=tuple(calls)) for calls in sides)
    return ComparedTurn(TurnScores(1, expected, actual, ()), 0, "a", Criteria(()), has_calls=True).changes


def _pointers(root: Node) -> list[str]:
    return [item.pointer() for item in root.items]


def _members(root: Node) -> list[Node]:
    return [root.at(f"/{item.name}") for item in root.items if root.member(item.name) is item]


def _edited(count: int) -> tuple[Document, list[Edit]]:
    """A document whose cases were all edited, and the edit that puts as many others in their place."""
    document = Document(_set_of(*[1] * count))
    document.apply([Set(f"/eval_cases/{number}", b"2") for number in range(count)], "edit all")
    return document, [Set("/eval_cases", json.dumps([3] * count).encode())]


TEXTS: dict[str, tuple[Callable[[Any], object], Callable[[int], Any]]] = {
    "an id with blanks between signs": (_checked, lambda length: {"eval_id": f"a:b{' ' * length}b"}),
    "an id of signs": (_checked, lambda length: {"eval_id": " ,:\t" * length}),
    "an id of line breaks": (_checked, lambda length: {"eval_id": f"{chr(10) * length},"}),
    "the name of a tool in an object that is not closed": (is_deep, lambda length: b"[" * 901 + b'"\\' * length),
    "a name with the letters of a filter": (letters_in_order("ab"), lambda length: "a" * length),
    "names over lines with the letters of a filter": (
        letters_in_order("acb"),
        lambda length: "ac\n" + "ac" * length,
    ),
    "keys without an end": (_repaired, lambda length: '{"a":' + ':\\"' * length),
    "keys without an end on a line": (_repaired, lambda length: '{"a":' + ':\\"' * length + "\n}"),
    "many documents": (_repaired, lambda length: "{} " * length),
    "strings without an end": (_repaired, lambda length: '["' + "\n'" * length),
    "texts that differ in each separator": (
        lambda text: text_difference(text, f"{text[::-1]}z"),
        lambda length: "a:b " * (length // 4),
    ),
    "replacements in one word": (
        lambda text: word_changes(text, [(at, at + 1, "b") for at in range(len(text))]),
        lambda length: "a" * length,
    ),
    "quotes in quotes": (_repaired, lambda length: '{"a": "' + '" x' * length),
}


@pytest.mark.parametrize("name", TEXTS)
def test_time_does_not_grow_with_the_square_of_a_text(name: str) -> None:
    work, text = TEXTS[name]
    assert growth(work, text, [FAULTS if work is _repaired else LENGTH]) == 0.0


ITEMS: dict[str, tuple[Callable[[Any], object], Callable[[int], Any]]] = {
    "pointers of items": (_pointers, lambda count: parse_value(b"[%s]" % b",".join([b"1"] * count))),
    "edited items that go": (lambda edited: edited[0].apply(edited[1], "replace all"), _edited),
    "members by name": (
        _members,
        lambda count: parse_value(json.dumps(dict.fromkeys(map(str, range(count)))).encode()),
    ),
    "places of lost members": (
        lambda root: [place_in(root, f"/eval_cases/0/{item.name}") for item in root.at("/eval_cases/0").items],
        lambda count: read_document(_set_of({f"k{number}": 1 for number in range(count)})),
    ),
    "wrong parts of a text": (
        _checked,
        lambda count: {"eval_id": "a", "conversation": [{"user_content": {"parts": ["x"] * count}}]},
    ),
    "groups of digits": (numbers_in_digits, lambda count: ["555"] * (20 * count)),
    "calls that move": (
        _changed,
        lambda count: [[TurnCall("tool", {"n": number}) for number in numbers] for numbers in _both_ways(count)],
    ),
    "calls that are added": (
        _changed,
        lambda count: [[TurnCall("a", {})], [TurnCall("a", {}), *[TurnCall("b", {"n": n}) for n in range(count)]]],
    ),
    "keys that resemble one": (
        _checked,
        lambda count: {"eval_id": "a", **{f"conversatio{'n' * (number % 9)}{number}": 1 for number in range(count)}},
    ),
}


@pytest.mark.parametrize("name", ITEMS)
def test_time_does_not_grow_with_the_square_of_the_number_of_items(name: str) -> None:
    work, items = ITEMS[name]
    assert growth(work, items, [MANY]) == 0.0


SETTINGS = {
    "line breaks": lambda length: "# evaltui\n" + "\n" * length + "x",
    "blank lines": lambda length: "# evaltui\n" + " \t\n" * length + "x",
    "brackets": lambda length: "# evaltui\n" + "[ " * length + "x",
    "heads": lambda length: "# evaltui\n" + "[tool . \n" * length + "x",
}


@pytest.mark.parametrize("text", SETTINGS.values(), ids=SETTINGS)
def test_the_settings_of_a_project_are_read_in_linear_time(text: Callable[[int], str], tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"

    def read(data: str) -> object:
        path.write_text(data)
        read_settings_again()
        return project_settings(tmp_path)

    assert growth(read, text, [LENGTH]) == 0.0


# --- nodes know their places and members after every change ------------------------------------------------------


def test_places_and_members_follow_each_change() -> None:
    document = Document(json.dumps({f"k{number}": [number] * 3 for number in range(60)}).encode())
    root = document.root
    assert root is not None
    assert [item.index() for item in root.items] == [*range(60)]
    assert root.at("/k30") is root.items[30]
    document.apply([Insert("/k0/0", b"7"), Rename("/k30", "new"), Insert("/k60", b"1")], "change")
    assert (root.member("k30"), root.member("new"), root.at("/k60")) == (None, root.items[30], root.items[60])
    assert [item.index() for item in root.at("/k0").items] == [*range(4)]
    document.undo()
    assert (root.member("k30"), root.member("new"), root.member("k60")) == (root.items[30], None, None)
    assert [item.index() for item in root.at("/k0").items] == [*range(3)]


def test_the_last_of_many_equal_keys_counts_and_a_removed_node_has_no_place() -> None:
    root = parse_value(b"{%s}" % b",".join(b'"a": %d' % number for number in range(60)))
    assert root.member("a") is root.items[-1]
    removed = root.items[3]
    root.replace_items(3, 1, [])
    assert root.items[3].index() == 3
    with pytest.raises(ValueError, match="no longer in its object"):
        removed.index()


# --- depth ---------------------------------------------------------------------------------------------------------

DEEP: dict[str, Callable[[int], bytes]] = {
    "lists": lambda depth: b"[" * depth + b"]" * depth,
    "objects": lambda depth: b'{"a":' * depth + b"1" + b"}" * depth,
    "both": lambda depth: b'[{"a":' * depth + b"1" + b"}]" * depth,
    "not closed": lambda depth: b"[" * depth,
    "several": lambda depth: b"[" + b",".join([b"[" * (depth // 2) + b"]" * (depth // 2)] * 4) + b"]",
    "in a case": lambda depth: _set_of({"eval_id": "a"}).replace(b'"a"', b"[" * depth + b"]" * depth),
}
TOO_DEEP = "more than 2,000 values are nested too deeply to read"


@pytest.mark.parametrize("source", DEEP.values(), ids=DEEP)
def test_a_document_that_is_far_too_deep_is_refused(
    source: Callable[[int], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node, "_MOST_DEEP", 2_000)
    with pytest.raises(JsonSyntaxError, match=TOO_DEEP):
        read_document(source(4_000))
    assert [fault.message for fault in syntax_faults(source(4_000))] == [TOO_DEEP]
    assert apply_safe_fixes(source(4_000)) == (source(4_000), [])
    read_document(DEEP["lists"](2_000))


@pytest.mark.thorough
def test_a_hundred_thousand_values_are_deep_but_no_more() -> None:
    read_document(DEEP["lists"](100_000))
    with pytest.raises(JsonSyntaxError, match="more than 100,000 values"):
        read_document(DEEP["lists"](110_000))


def test_values_side_by_side_are_not_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node, "_MOST_DEEP", 2_000)
    source = b"[" + b"[1]," * 3_000 + b"1]"
    assert read_document(source).source() == source
