"""Details of conversations in files with google-adk invocations: results and eval sets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaltui.evalset.case_data import get, items_in
from evaltui.recordings.conversation import ConversationDetails, RecordedTurn
from evaltui.recordings.json_members import moment, text
from evaltui.recordings.recorded_invocations import recorded_invocations


def details_of_case_result(result: Any, recorded_at: float | None) -> ConversationDetails:
    """The details of a case result (`EvalCaseResult`). Its session has the app and the user."""
    turns = (get(each, "actual_invocation") for each in items_in(result, "eval_metric_result_per_invocation"))
    session = get(result, "session_details")
    user = text(session, "user_id") or text(result, "user_id")
    return _details(turns, text(session, "app_name"), user, recorded_at)


def details_of_case(case: Any) -> ConversationDetails:
    """The details of a case of an eval set. Its `session_input` has the app and the user."""
    session = get(case, "session_input")
    started = moment(get(case, "creation_timestamp"))
    return _details(
        recorded_invocations(case).invocations, text(session, "app_name"), text(session, "user_id"), started
    )


def _details(
    invocations: Iterable[Any], app_name: str | None, user_id: str | None, otherwise: float | None
) -> ConversationDetails:
    """It began when its first turn was made, or else at `otherwise`."""
    turns = tuple(RecordedTurn(each if isinstance(each, dict) else {}) for each in invocations)
    started = moment(get(turns[0].invocation, "creation_timestamp")) if turns else None
    return ConversationDetails(turns, app_name, user_id, started if started is not None else otherwise)
