"""The session in which a case is run."""

from __future__ import annotations

from typing import Any

from evaltui.document.node import Node
from evaltui.evalset.keys import filled
from evaltui.evalset.members import make
from evaltui.evalset.revision import Revision, written_like
from evaltui.evalset.set_views import EvalSetView
from evaltui.evalset.templates import session_like


def add_session(eval_set: EvalSetView, case: Node) -> Revision:
    """A session input for a case, with the app and user of a case nearby."""
    at = case.index()
    nearby = [*reversed(eval_set.cases[max(0, at - 4) : at]), *eval_set.cases[at + 1 : at + 4]]
    model = next(filter(None, (filled(near, "session_input") for near in nearby)), None)
    empty: dict[str, Any] = {"app_name": "", "user_id": "user"}
    value = session_like(model) if model is not None else written_like(None, case, empty)
    return make(eval_set, case, "session_input", value)
