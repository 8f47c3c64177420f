"""Revisions that add recorded conversations or turns to the open set, with remarks for the status line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from evaltui.document.edits import Remove
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.templates import untouched_case
from evaltui.evalset.keys import filled
from evaltui.evalset.titles import case_title, title
from evaltui.printable import one_line
from evaltui.tui.lines import counted
from evaltui.tui.recordings.found_conversations import FoundConversation, Picks, why_no_case_turn

if TYPE_CHECKING:
    from evaltui.recordings.conversation import RecordedTurn


class AddTarget(NamedTuple):
    """The place to which recorded conversations are added."""

    case: Node | None = None
    """New cases go after this case, new turns into it. None for the end of the set."""
    turn: Node | None = None
    """New turns go after this turn; None to add whole cases."""

    def in_force(self, root: Node | None) -> AddTarget:
        """The place without nodes that are no longer in the document."""
        # The file may have been reloaded or edited in front of the list.
        case, turn = (node if root and node and node.is_in(root) else None for node in self)
        return AddTarget(case, turn if case is not None else None)

    def title(self, eval_set: CaseFile) -> str:
        """`after book_flight`."""
        if self.turn is not None:
            return f"after {title(eval_set, self.turn)}"
        return f"after {case_title(self.case)}" if self.case is not None else "at the end of the set"


def addition_of(eval_set: CaseFile, target: AddTarget, picks: Picks) -> Revision:
    """The revision that adds the picks as cases, or their turns to the case of the target. Raises `EditError`."""
    try:
        return _addition(eval_set, target, picks)
    except EditError:
        # The models of google-adk refuse all cases together, so each pick is tried alone to name the one at fault.
        for entry in picks if len(picks) > 1 else ():
            try:
                _addition(eval_set, target, {entry: picks[entry]})
            except EditError as error:
                name = f"{one_line(entry.words, 40) or 'no user message'} ({one_line(entry.conversation.id, 40)})"
                raise EditError(f"Nothing was added. Untick {name}: {error}") from error
        raise


def _addition(eval_set: CaseFile, target: AddTarget, picks: Picks) -> Revision:
    from evaltui.evalset.editing.recorded_cases import RecordedCase, add_recorded_cases, add_recorded_turns

    _refuse_what_no_case_can_have(picks)
    if target.turn is not None and target.case is not None:
        if filled(target.case, "conversation_scenario") is not None:
            name = case_title(target.case)
            raise EditError(f"{name} is a scenario: a simulated user writes its turns, so you cannot add any")
        invocations = [invocation for entry, turns in picks.items() for invocation in entry.invocations(turns)]
        revision = add_recorded_turns(eval_set, target.case, target.turn, invocations)
        revision.remark = _remarks(picks, is_whole=False)
        return revision
    cases = [
        RecordedCase(entry.invocations(turns), source.agent_names.app or None, source.user_id or None, source.own_id)
        for entry, turns in picks.items()
        for source in [entry.conversation]
    ]
    revision, empty = add_recorded_cases(eval_set, target.case, cases), untouched_case(eval_set)
    if empty is not None:
        revision.edits.append(Remove(empty.pointer()))  # edits apply in order: the new cases come after it
    revision.remark = _remarks(picks, is_whole=True, empty=empty)
    return revision


def replacement_of(eval_set: CaseFile, turn: Node, entry: FoundConversation, recorded: int) -> Revision:
    """The revision that replaces a turn of the set with a recorded one. Raises `EditError`."""
    from evaltui.evalset.editing.recorded_cases import replace_by_recorded_turn

    picks = {entry: [recorded]}
    _refuse_what_no_case_can_have(picks)
    # A new turn may lack what is not recorded, but a replacement would delete what the set has.
    if why := entry.turns[recorded].unrecorded_text:
        raise EditError(f"The recorded turn cannot replace {title(eval_set, turn)}: {why}. Edit the turn instead.")
    revision = replace_by_recorded_turn(eval_set, turn, entry.invocations([recorded])[0])
    revision.remark = _remarks(picks, is_whole=False)
    return revision


def _refuse_what_no_case_can_have(picks: Picks) -> None:
    for entry, turns in picks.items():
        why = next(filter(None, (why_no_case_turn(entry.turns[turn]) for turn in turns)), "")
        if why or not turns:
            raise EditError(why or entry.why_nothing_counts)


def _remarks(picks: Picks, *, is_whole: bool, empty: Node | None = None) -> str:
    """Clauses about the picks: equal cases, omitted turns, volatile values, and the `empty` case that they replace."""
    remarks: list[str] = []
    # Not refused: a second case with equal messages may be meant, with another expected answer.
    case_ids = list(dict.fromkeys(entry.known_as for entry in picks if entry.known_as))
    if case_ids and is_whole:
        more = f" and {len(case_ids) - 2} more" * (len(case_ids) > 2)
        names = ", ".join(one_line(name, 40) for name in case_ids[:2]) + more
        remarks.append(f"same user messages as {names}")
    # A turn without calls is usual; a missing response or argument is a gap that the person should fill.
    parts = {"response", "arguments"}
    picked = [entry.turns[turn].turn for entry, turns in picks.items() for turn in turns]
    if unrecorded := sum(bool(turn.unrecorded & parts) for turn in picked):
        remarks.append(f"{counted(unrecorded, 'turn')} without response or arguments, which are not recorded")
    if is_whole:
        # Turns are chosen one by one if they go into a case, so their remarks would say what the person did.
        chosen = [(entry.turns, {*turns}) for entry, turns in picks.items()]
        omitted = [turn for turns, ticked in chosen for number, turn in enumerate(turns) if number not in ticked]
        remarks += [f"left out: {omitted_turns(omitted)}"] * bool(omitted)
    if undecided := sum(len(entry.decided(turns, "undecided")) for entry, turns in picks.items()):
        remarks.append(f"{counted(undecided, 'value')} marked ≈ written as recorded")
    if dropped := sum(len(entry.decided(turns, "dropped")) for entry, turns in picks.items()):
        remarks.append(f"{counted(dropped, 'value')} dropped (the case fails unless the criterion sets ignore_args)")
    if case_ids and is_whole:  # the id decides, then the messages; both cases have the same
        remarks.append("a recording of the other case may belong to the new one now")
    if empty is not None:
        remarks.append(f"empty {case_title(empty)} deleted")
    return " · ".join(remarks)


def omitted_turns(turns: Iterable[RecordedTurn]) -> str:
    """Omitted turns, counted by reason: `1 turn rewound, 2 turns not ticked`."""
    reasons: Counter[str] = Counter()
    for turn in turns:
        if turn.is_rewound:
            reasons["rewound"] += 1
        elif why_no_case_turn(turn):
            reasons["without user message"] += 1
        else:
            reasons["in which the agent failed" if turn.has_failed else "not ticked"] += 1
    return ", ".join(f"{counted(count, 'turn')} {reason}" for reason, count in sorted(reasons.items()))
