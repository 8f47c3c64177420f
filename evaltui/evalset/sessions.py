"""The session in which a case is run."""

from __future__ import annotations

from typing import Any

from evaltui.document import Node
from evaltui.evalset.editing.member_edits import make
from evaltui.evalset.editing.revision import Revision, written_like
from evaltui.evalset.editing.templates import session_like
from evaltui.evalset.eval_set import EvalSet
from evaltui.evalset.keys import filled


def add_session(eval_set: EvalSet, case: Node) -> Revision:
    """A session input for a case, with the app and user of a case nearby."""
    at = case.index()
    nearby = [*reversed(eval_set.cases[max(0, at - 4) : at]), *eval_set.cases[at + 1 : at + 4]]
    model = next(filter(None, (filled(near, "session_input") for near in nearby)), None)
    empty: dict[str, Any] = {"app_name": "", "user_id": "user"}
    value = session_like(model) if model is not None else written_like(None, case, empty)
    return make(eval_set, case, "session_input", value)
