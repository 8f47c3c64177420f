"""Facts of a case that the checks of a whole eval set need, so that no case is read again for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from evaltui.evalset.case_data import get, text_of_parts
from evaltui.scoring.call_equality import kind_of
from evaltui.validation.pointed_values import PointedCase, PointedValue
from evaltui.validation.rule import Diagnostic

NumberedDiagnostic = tuple["int | None", Diagnostic]
"""A diagnostic with the number of its case (from 0); its pointers are relative to that case. None: the whole set."""


class StateValue(NamedTuple):
    """A value of the session state of a case."""

    key: str
    type: str
    """The type, in the words of `kind_of`."""
    pointer: str
    is_empty_text: bool


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """Facts of one case; pointers are relative to it."""

    eval_id: str | None = None
    eval_id_pointer: str = ""
    app_name: str | None = None
    app_name_pointer: str = ""
    state: tuple[StateValue, ...] = ()
    rubric_ids: tuple[tuple[str, str, str], ...] = ()
    """The id, the type and the pointer of the id, for each rubric of the case and its turns."""
    expects_calls: tuple[bool, ...] = ()
    """For each turn, whether it has expected tool calls."""
    expects_text: tuple[bool, ...] = ()
    """For each turn, whether it has a final response with text."""
    has_rubrics: bool = False
    is_scenario: bool = False
    """Whether a simulated user has the conversation, so that no turn is expected."""
    is_accepted: bool = False
    """Whether google-adk accepts the case (for a case of a dataset: agentplatform)."""
    first_key: str | None = None
    """The first key of a case of a dataset; a new id goes before it."""

    @property
    def rubric_types(self) -> frozenset[str]:
        """The types of all rubrics."""
        return frozenset(kind for _, kind, _ in self.rubric_ids)

    @property
    def expects_nothing(self) -> bool:
        """Whether no turn has anything to compare with."""
        return not (any(self.expects_calls) or any(self.expects_text) or self.has_rubrics)


def facts_of(case: PointedCase, *, is_accepted: bool) -> CaseFacts:
    """The facts of a case."""
    session = case.session or PointedValue({})
    rubrics = [case.at(rubric) for rubric in case.all_rubrics]
    return CaseFacts(
        eval_id=case.eval_id,
        eval_id_pointer=f"/{case.root.key('eval_id')}",
        app_name=session.text("app_name"),
        app_name_pointer=f"{session.pointer}/{session.key('app_name')}",
        state=tuple(_state(session)),
        rubric_ids=tuple(
            (identifier, rubric.text("type") or "", f"{rubric.pointer}/{rubric.key('rubric_id')}")
            for rubric in rubrics
            if (identifier := rubric.text("rubric_id"))
        ),
        expects_calls=tuple(bool(turn.calls) for turn in case.turns),
        expects_text=tuple(bool(text_of_parts(get(turn.data, "final_response"))) for turn in case.turns),
        has_rubrics=bool(rubrics),
        is_scenario=not case.turns and case.root.member("conversation_scenario") is not None,
        is_accepted=is_accepted,
    )


def _state(session: PointedValue) -> list[StateValue]:
    state = session.member("state")
    if state is None or not isinstance(state.data, dict):
        return []
    return [StateValue(key, kind_of(value), state.below(key).pointer, value == "") for key, value in state.data.items()]
