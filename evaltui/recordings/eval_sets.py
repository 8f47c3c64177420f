"""An eval set taken as what an agent did: the turns of its conversations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evaltui.evalset.turn import get, turn_of
from evaltui.recordings.conversation import Conversation
from evaltui.recordings.plain import moment, text, unread_turn
from evaltui.recordings.results import Found


def conversations_of_set(eval_set: Any, path: Path) -> Found:
    """A conversation for each case with turns.

    The id of the set is not kept: who takes a set for a recording of another one means it.
    """
    cases = eval_set if isinstance(eval_set, list) else get(eval_set, "eval_cases")
    found: list[Conversation] = []
    warnings: list[str] = []
    for index, case in enumerate(cases if isinstance(cases, list) else (), 1):
        name = text(case, "eval_id") or f"case {index}"
        conversation = get(case, "conversation")
        turns = (
            tuple(turn_of(each) for each in conversation or () if isinstance(each, dict))
            if isinstance(conversation, list)
            else ()
        )
        if not turns:
            warnings.append(f"{name}: there are no turns in it")
            continue
        if len(turns) < len(conversation):
            warnings.append(f"{name}: {len(conversation) - len(turns)} turns are no objects and were left out")
        recorded_at = moment(get(case, "creation_timestamp"))
        eval_id, unread = text(case, "eval_id"), unread_turn(conversation)
        found.append(Conversation(path, name, turns, eval_id=eval_id, recorded_at=recorded_at, unread=unread))
    return found, warnings or ([] if found else ["there are no cases in it"])
