"""The next step for a newcomer, a new set, or an empty set, case or turn, as the status line names it."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, scenario_of, turns_of
from evaltui.evalset.editing.templates import untouched_case
from evaltui.evalset.keys import filled
from evaltui.tui.commands import key_of
from evaltui.tui.forms.form import Stop
from evaltui.tui.open_file.edited_document import EditedDocument

_USER_MESSAGE = ("user_content", 0)
"""The key of the line with the user message in the form of a turn."""


def next_step(session: EditedDocument, row: Node) -> str:
    """Missing parts at a row of the tree, and the keys that add them; "" if nothing is, or if it is read-only."""
    case_file = session.case_file
    if case_file is None or session.readonly or not row.is_in(case_file.root):
        return ""
    recorded = f"{key_of('tree.conversations')} for recorded conversations"
    if not case_file.cases:
        adds = f"No cases. Press {key_of('tree.add')} to add a case"
        return f"{adds}, or {recorded}." if session.eval_set is not None else f"{adds}."
    return _in_set(session.eval_set, row, recorded) if session.eval_set is not None else ""


def welcome() -> str:
    """The keys to begin with, for a person who starts evaltui for the first time."""
    opens, quits = f"{key_of('tree.enter')} to open a row", f"{key_of('quit')} to quit"
    return f"Welcome. Press {key_of('list.help')} to show all keys, {opens}, or {quits}."


def first_turn(session: EditedDocument) -> Node | None:
    """The empty turn of a new eval set, where editing begins; None for any other file."""
    if session.eval_set is None or session.readonly or not session.document.is_new:
        return None
    case = untouched_case(session.eval_set)
    return turns_of(case)[0] if case is not None else None


def first_words(session: EditedDocument, form: Node, stop: Stop) -> str:
    """The keys at the empty user message of a new eval set; "" anywhere else."""
    if stop.key != _USER_MESSAGE or first_turn(session) is not form:
        return ""
    writes, adds = f"Press {key_of('form.enter')} for the user message", key_of("list.conversations")
    return f"New set. {writes}, {adds} for recorded conversations."


def _in_set(eval_set: CaseFile, row: Node, recorded: str) -> str:
    kind, opens = eval_set.kind(row), f"Press {key_of('tree.enter')} to open it"
    is_untouched = kind in ("case", "turn") and untouched_case(eval_set) is not None
    also = f", or {recorded}." if is_untouched else "."
    if kind == "turn" and not _has_user_message(row):
        return f"No user message. Press {key_of('tree.enter')} to write one{also}"
    if kind == "case" and is_untouched:
        return f"Empty case. {opens}{also}"
    if kind == "case" and not (turns_of(row) or scenario_of(row)):
        return f"No turns. Press {key_of('tree.add_inside')} to add a turn."
    return ""


def _has_user_message(turn: Node) -> bool:
    """Whether a turn has a user message with any part that is not an empty text."""
    message = filled(turn, "user_content")
    parts = filled(message, "parts") if message is not None else None
    if parts is None or parts.kind != "array":
        return False
    return any(part.kind != "object" or any(item.source() != b'""' for item in part.items) for part in parts.items)
