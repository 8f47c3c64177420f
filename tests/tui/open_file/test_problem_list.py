"""Problems stay with their values while these move, until the case is checked again."""

from evaltui.document.document import Document
from evaltui.document.edits import Remove
from evaltui.document.node import Node
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.open_file.pending_checks import check_cases
from evaltui.tui.open_file.problem_list import Problem

_CONTENT = b'{"role": "user", "parts": [{"text": "Hello"}]}'
_SET = b'{"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [%s]}]}' % b", ".join(
    b'{"invocation_id": "%d"%s}' % (number, b', "user_content": ' + _CONTENT if number != 1 else b"")
    for number in range(3)
)


def _check(edited: EditedDocument) -> None:
    cases = [*edited.problems.edited, *edited.problems.unedited]
    sources = [case.source() for case in cases]
    edited.problems.put(cases, sources, check_cases(sources, edited.format))
    edited.problems.arrange()


def _checked() -> tuple[EditedDocument, Node]:
    """A set that is checked, and its conversation."""
    edited = EditedDocument(Document(_SET))
    edited.problems.begin()
    _check(edited)
    assert edited.document.root is not None
    return edited, edited.document.root.at("/eval_cases/0/conversation")


def test_a_problem_stays_with_its_turn_when_a_turn_before_it_is_deleted() -> None:
    edited, conversation = _checked()
    problems, document = edited.problems, edited.document
    first, second, third = conversation.items
    assert [problems.mark(turn) for turn in (first, second, third)] == ["", "error", ""]
    problems.changed(document.apply([Remove(first.pointer())], "delete turn 1"))
    for _ in range(2):
        assert [problems.mark(turn) for turn in (second, third)] == ["error", ""]
        assert all(place is second for _, place, _ in problems.within(second))
        _check(edited)


def test_a_problem_is_found_in_the_value_that_takes_the_place_of_another() -> None:
    edited, conversation = _checked()
    problems, document = edited.problems, edited.document
    assert problems.mark(conversation.items[1]) == "error"
    source = conversation.source()
    document.apply([Remove(conversation.pointer())], "delete turns")
    change = document.undo()
    assert change is not None
    problems.changed(change)
    _check(edited)
    assert document.root is not None
    turns = document.root.at("/eval_cases/0/conversation")
    assert turns.source() == source
    assert problems.mark(turns.items[1]) == "error"


def test_a_missing_key_is_located_at_the_nearest_value() -> None:
    root = Document(b'{"a": [{"b": 1}]}').root
    assert root is not None
    for pointer, wanted in (("/a/0/b", ("/a/0/b", "")), ("/a/0/c/d", ("/a/0", "c"))):
        node, missing = Problem("error", "", root, pointer=pointer).locate()
        assert node is not None
        assert (node.pointer(), missing) == wanted
