"""The invocations of a case of an eval set that an agent had, if the set is used as a recording."""

from __future__ import annotations

from typing import Any, NamedTuple

from evaltui.evalset.case_data import get, items_in
from evaltui.evalset.keys import spelled
from evaltui.evalset.unread_members import unread_in
from evaltui.printable import one_line

_READ = spelled("conversation", "actual_conversation")


class RecordedInvocations(NamedTuple):
    """The invocations, or the reason why there are none, as a clause."""

    invocations: list[Any]
    why_none: str = ""


def recorded_invocations(case: Any) -> RecordedInvocations:
    """The invocations of a case.

    In a case that trpc-agent-python does not run (`eval_mode`), `conversation` has only what is expected
    (`trpc_agent_sdk.evaluation._eval_case`).
    """
    if unread := _other_turns(case):
        said = f"{one_line(unread, 40)} has turns, too, and nobody knows which turns the agent had"
        return RecordedInvocations([], said)
    is_expected = get(case, "actual_conversation") is not None or get(case, "eval_mode") not in (None, "", "default")
    found = items_in(case, "actual_conversation" if is_expected else "conversation")
    where = " in actual_conversation" if is_expected else ""
    return RecordedInvocations(found, "" if found else f"the case has no turns{where}")


def _other_turns(case: Any) -> str:
    """The first unread key of a case that has turns; "" for none."""
    return next((key for key in unread_in(case, _READ) if any(map(_is_turn, items_in(case, key)))), "")


def _is_turn(value: Any) -> bool:
    return get(value, "user_content") is not None
