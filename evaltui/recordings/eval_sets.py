"""An eval set taken as what an agent did: the turns of its conversations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evaltui.evalset.case_data import get
from evaltui.evalset.turn import turn_of
from evaltui.recordings.conversation import Conversation, ConversationsRead
from evaltui.recordings.json_members import items, moment, text, unread_turn


def conversations_of_set(eval_set: Any, path: Path) -> ConversationsRead:
    """A conversation for each case with turns.

    The id of the set is not kept: who takes a set for a recording of another one means it.
    """
    cases = eval_set if isinstance(eval_set, list) else get(eval_set, "eval_cases")
    found: list[Conversation] = []
    warnings: list[str] = []
    for index, case in enumerate(cases if isinstance(cases, list) else (), 1):
        name = text(case, "eval_id") or f"case {index}"
        turns = items(case, "conversation")
        if not turns:
            warnings.append(f"{name}: there are no turns in it")
            continue
        broken = [number for number, turn in enumerate(turns, 1) if not isinstance(turn, dict)]
        warnings += [f"{name}, turn {number}: there is nothing in it" for number in broken]
        recorded_at = moment(get(case, "creation_timestamp"))
        eval_id, unread = text(case, "eval_id"), unread_turn(turns)
        read = tuple(map(turn_of, turns))
        found.append(Conversation(path, name, read, eval_id=eval_id, recorded_at=recorded_at, unread=unread))
    return found, warnings or ([] if found else ["there are no cases in it"])
