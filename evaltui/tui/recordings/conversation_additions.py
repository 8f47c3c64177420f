"""Revisions that add recorded conversations or turns to the open set, with remarks for the status line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evaltui.document.edits import Remove
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, scenario_of
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.templates import untouched_case
from evaltui.evalset.titles import case_title, title
from evaltui.printable import one_line
from evaltui.tui.recordings.found_conversations import FoundConversation, why_no_case_turn
from evaltui.tui.recordings.turn_ticks import omitted_turns, why_nothing_counts
from evaltui.tui.recordings.value_decisions import ValueDecisions


class AddTarget(NamedTuple):
    """The place to which recorded conversations are added."""

    case: Node | None = None
    """New cases go after this case, new turns into it. None for the end of the set."""
    turn: Node | None = None
    """New turns go after this turn; None to add whole cases."""

    def in_force(self, root: Node) -> AddTarget:
        """The place without nodes that are no longer in the document."""
        case = self.case if self.case is not None and self.case.is_in(root) else None
        turn = self.turn if case is not None and self.turn is not None and self.turn.is_in(root) else None
        return AddTarget(case, turn)

    def title(self, eval_set: CaseFile) -> str:
        """`after book_flight`."""
        if self.turn is not None:
            return f"after {title(eval_set, self.turn)}"
        return f"after {case_title(self.case)}" if self.case is not None else "at the end of the set"


class Pick(NamedTuple):
    """Turns of a conversation to add."""

    found: FoundConversation
    turns: Sequence[int]
    """Their places in the conversation, from 0, in order."""


class Addition(NamedTuple):
    """A revision that adds the picked turns, with remarks to show after its label."""

    revision: Revision
    remarks: tuple[str, ...] = ()


def target_at(eval_set: CaseFile, node: Node) -> AddTarget:
    """The place after a row: for cases the case around it, for turns the turn around it.

    In the empty case of a new set it is the case, because new cases replace it.
    """
    case, turn = eval_set.enclosing(node, "case"), eval_set.enclosing(node, "turn")
    return AddTarget(case, turn if case is not untouched_case(eval_set) else None)


def addition_of(eval_set: CaseFile, target: AddTarget, picks: Sequence[Pick], decided: ValueDecisions) -> Addition:
    """The revision that adds the picks as cases, or their turns to the case of the target. Raises `EditError`."""
    try:
        return _addition(eval_set, target, picks, decided)
    except EditError:
        for pick in picks if len(picks) > 1 else ():
            _refuse_alone(eval_set, target, pick, decided)
        raise


def _refuse_alone(eval_set: CaseFile, target: AddTarget, pick: Pick, decided: ValueDecisions) -> None:
    """Raise `EditError` that names a pick if this pick alone cannot be added."""
    try:
        _addition(eval_set, target, [pick], decided)
    except EditError as error:
        found = pick.found
        name = f"{one_line(found.words, 40) or 'no user message'} ({one_line(found.conversation.id, 40)})"
        raise EditError(f"Nothing was added. Untick {name}: {error}") from error


def _addition(eval_set: CaseFile, target: AddTarget, picks: Sequence[Pick], decided: ValueDecisions) -> Addition:
    _refuse_what_no_case_can_have(picks)
    if target.turn is not None and target.case is not None:
        from evaltui.evalset.editing.recorded_cases import add_recorded_turns

        _refuse_scenario(target.case)
        invocations = [each for pick in picks for each in decided.invocations(*pick)]
        revision = add_recorded_turns(eval_set, target.case, target.turn, invocations)
        return Addition(revision, _remarks(picks, decided, is_whole=False))
    from evaltui.evalset.editing.recorded_cases import RecordedCase, add_recorded_cases

    cases = [
        RecordedCase(decided.invocations(*pick), pick.found.app or None, pick.found.user or None, pick.found.eval_id)
        for pick in picks
    ]
    revision, remarks = add_recorded_cases(eval_set, target.case, cases), _remarks(picks, decided, is_whole=True)
    if (empty := untouched_case(eval_set)) is not None:
        revision.edits.append(Remove(empty.pointer()))  # edits apply in order: the new cases come after it
        remarks = (*remarks, f"empty {case_title(empty)} deleted")
    return Addition(revision, remarks)


def replacement_of(eval_set: CaseFile, turn: Node, pick: Pick, decided: ValueDecisions) -> Addition:
    """The revision that replaces a turn of the set with a recorded one. Raises `EditError`."""
    from evaltui.evalset.editing.recorded_cases import replace_by_recorded_turn

    _refuse_what_no_case_can_have([pick])
    if why := pick.found.turns[pick.turns[0]].unrecorded_text:
        raise EditError(f"The recorded turn cannot replace {title(eval_set, turn)}: {why}. Edit the turn instead.")
    revision = replace_by_recorded_turn(eval_set, turn, decided.invocations(*pick)[0])
    return Addition(revision, _remarks([pick], decided, is_whole=False))


def _refuse_what_no_case_can_have(picks: Sequence[Pick]) -> None:
    for pick in picks:
        why = next(filter(None, (why_no_case_turn(pick.found.turns[turn]) for turn in pick.turns)), "")
        if why:
            raise EditError(why)
        if not pick.turns:
            raise EditError(why_nothing_counts(pick.found))


def _refuse_scenario(case: Node) -> None:
    if scenario_of(case) is not None:
        raise EditError(f"{case_title(case)} is a scenario: a simulated user writes its turns, so you cannot add any")


def _remarks(picks: Sequence[Pick], decided: ValueDecisions, *, is_whole: bool) -> tuple[str, ...]:
    """Remarks about the picks: equal cases, omitted turns, volatile values."""
    said: list[str] = []
    known = list(dict.fromkeys(pick.found.known_as for pick in picks if pick.found.known_as))
    if known and is_whole:
        names = ", ".join(one_line(each, 40) for each in known[:2]) + (f" and {len(known) - 2} more" * (len(known) > 2))
        said.append(f"same user messages as {names}")
    parts = {"response", "arguments"}
    unrecorded = sum(bool(pick.found.turns[turn].turn.unrecorded & parts) for pick in picks for turn in pick.turns)
    if unrecorded:
        said.append(f"{_counted(unrecorded, 'turn')} without response or arguments, which are not recorded")
    said += _left_out(picks) if is_whole else []
    dropped = sum(len(decided.dropped(*pick)) for pick in picks)
    undecided = sum(decided.undecided(*pick) for pick in picks)
    if undecided:
        said.append(f"{_counted(undecided, 'value')} marked ≈ written as recorded")
    if dropped:
        said.append(f"{_counted(dropped, 'value')} dropped (the case fails unless the criterion sets ignore_args)")
    return tuple(said)


def _left_out(picks: Sequence[Pick]) -> list[str]:
    """The turns of the added conversations that were not added, counted by reason."""
    left = [turn for pick in picks for number, turn in enumerate(pick.found.turns) if number not in set(pick.turns)]
    return [f"left out: {omitted_turns(left)}"] if left else []


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"
