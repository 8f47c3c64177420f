"""Words that all reports use for losses: their groups, their numbers, and the places in a source."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from evaltui.document import pointer as pointers
from evaltui.document.node import Node
from evaltui.evalset.keys import snake, text_of
from evaltui.interop.fields import LossKind, SetField
from evaltui.interop.losses import Loss
from evaltui.printable import one_line

WORDS: dict[LossKind, str] = {"no_place": "lost", "changed": "changed", "merged": "merged", "invented": "added"}
"""The word for each kind, in the order of sentences."""
_MOST_NAMED = 3
_LONGEST_KEY = 40
_CASE = r"/(?:eval_cases|evalCases|conversations|evals|scenarios)/\d+"
_ITEMS = {
    SetField.CASE_RUBRICS: "rubrics of cases",
    SetField.TURN_RUBRICS: "rubrics of turns",
    SetField.TOOL_RESPONSE: "tool responses",
}
"""Fields of items that have several values, with their plural. Their losses are counted by item."""
_RUBRICS = {SetField.CASE_RUBRICS, SetField.TURN_RUBRICS}
_item = re.compile(r".*?/(?:rubrics|tool_responses|toolResponses|parts)/\d+").match
"""The pointer of such an item, at the beginning of the pointers of its values."""
_WHOLE = {
    re.compile(_CASE): ("a whole case", "whole cases"),
    re.compile(_CASE + r"/(?:conversation|data|turns)/\d+"): ("a whole turn", "whole turns"),
}
"""Pointers of values that have no key of their own, with their names."""

THE_SET = "the set"
"""The place of values outside of cases."""
_CASES = ("eval_cases", "conversations", "evals", "scenarios")
_TURNS = ("conversation", "data", "turns", "actual_conversation")
_IDS = ("eval_id", "eval_case_id", "id", "display_name", "name", "conversation")
"""The keys for ids of cases, in order of preference."""


def grouped(losses: Iterable[Loss]) -> list[list[Loss]]:
    """Losses grouped by kind, reason and advice, in the file order of the first loss of each group."""
    groups: dict[tuple[LossKind, str, str], list[Loss]] = defaultdict(list)
    for loss in losses:
        groups[loss.kind, loss.reason, loss.advice].append(loss)
    return list(groups.values())


def subject_of(losses: Sequence[Loss]) -> str:
    """The first fields of losses, or the keys of values without a field; safe to show."""
    names = _subjects(losses)
    return ", ".join(names[:_MOST_NAMED]) + (" …" if len(names) > _MOST_NAMED else "")


def counted_subject(group: Sequence[Loss]) -> str:
    """The subject of a group with its number, unless it names each value: "invocation id (4 values)"."""
    count, subject = count_items(group), subject_of(group)
    wholes, fields = {_whole_of(loss) for loss in group}, {loss.field for loss in group}
    plurals = [names[1] for names in wholes if names is not None and len(wholes) == 1]
    plurals += [plural for field, plural in _ITEMS.items() if fields == {field}]
    if count > 1 and plurals:
        return f"{count:,} {plurals[0]}"
    are_all_named = count == len(_subjects(group)) <= _MOST_NAMED
    return subject if are_all_named else f"{subject} ({count:,} {'rubrics' if fields <= _RUBRICS else 'values'})"


def count_items(group: Sequence[Loss]) -> int:
    """The number of lost items in a group."""
    # The id and the text of one rubric are one item. Other losses are not counted by their pointers, because the
    # losses of several files may have equal ones.
    rubrics = [loss for loss in group if loss.field in _ITEMS]
    items = {(loss.field, item[0] if (item := _item(loss.pointer)) else loss.pointer) for loss in rubrics}
    return len(items) + len(group) - len(rubrics)


def _subjects(losses: Iterable[Loss]) -> list[str]:
    """The fields of losses, or their keys where they have none; safe to show."""
    subjects: dict[str, None] = {}
    for loss in losses:
        names, field = _whole_of(loss), loss.field
        subjects[names[0] if names else field.value if field is not None else key_of_loss(loss) or "value"] = None
    return list(subjects)


def _whole_of(loss: Loss) -> tuple[str, str] | None:
    """The singular and plural name of a loss that is a whole case or turn; else None."""
    return next((names for pattern, names in _WHOLE.items() if pattern.fullmatch(loss.pointer)), None)


def key_of_loss(loss: Loss) -> str:
    """The nearest key around a loss; "" for the outermost value, and for a whole case or turn. Safe to show."""
    if _whole_of(loss):
        return ""
    # Numbers of items say nothing without their list.
    tokens = [token for token in pointers.parse_pointer(loss.pointer) if not token.isdecimal()]
    return one_line(tokens[-1], _LONGEST_KEY) if tokens else ""


def counted_losses(*losses_by_source: Iterable[Loss], notes: int = 0) -> str:
    """The number of losses of each kind, and of notes: "3 lost, 1 added"; "nothing is lost, 1 added, 2 notes"."""
    counts: Counter[LossKind] = Counter()
    # The groups of each source on its own: losses of two sources may have equal pointers.
    for group in (group for losses in losses_by_source for group in grouped(losses)):
        counts[group[0].kind] += count_items(group)
    numbers = [f"{counts[kind]:,} {word}" for kind, word in WORDS.items() if counts[kind]]
    numbers += [f"{notes:,} note{'s' * (notes != 1)}"] if notes else []
    return ", ".join(numbers if counts.keys() - {"invented"} else ["nothing is lost", *numbers])


def losses_in_short(losses: Sequence[Loss]) -> str:
    """The numbers of losses and their first fields: "3 lost, 1 changed: recorded responses, author".

    "" if nothing is lost. Added values do not count here.
    """
    losses = [loss for loss in losses if loss.kind != "invented"]
    names = _subjects(losses)
    more = [f"{len(names) - _MOST_NAMED} more"] if len(names) > _MOST_NAMED else []
    return f"{counted_losses(losses)}: {', '.join([*names[:_MOST_NAMED], *more])}" if losses else ""


# --- places: `book_flight › turn 2`, in every format ----------------------------------------------------------------


def place_in(root: Node, pointer: str) -> tuple[str, int, int]:
    """The case and turn of a pointer, whose value need not exist: the id of the case ("" for none), and both numbers.

    Numbers count from 1; 0 is outside of cases, or of turns.
    """
    case: Node | None = None
    if root.kind == "object" and (root.member("golden") or root.member("scenario")):
        case = root  # one evaluation of CES
    node: Node | None = root
    number = int(case is not None)
    turn = 0
    for token in pointers.parse_pointer(pointer):
        item: Node | None = None
        if node is not None and node.kind == "object":
            item = node.member(token)
        elif node is not None and node.kind == "array" and token.isdecimal() and int(token) < len(node.items):
            item = node.items[int(token)]
            name = snake(node.name)
            if (node is root and item.member("query") is not None) or (case is not None and name in _TURNS):
                turn = int(token) + 1
                break
            if case is None and (node is root or name in _CASES):
                case, number = item, int(token) + 1
        node = item
    eval_id = next(filter(None, (text_of(case, name) for name in _IDS)), "")
    return eval_id, number, turn


def place_text(root: Node, pointer: str) -> str:
    """The place of a pointer in words, not yet safe to show."""
    from evaltui.evalset.titles import STEP  # noqa: PLC0415 - reports name places in their own way

    eval_id, case, turn = place_in(root, pointer)
    steps = (eval_id or (f"case {case}" if case else ""), f"turn {turn}" if turn else "")
    return STEP.join(filter(None, steps)) or THE_SET
