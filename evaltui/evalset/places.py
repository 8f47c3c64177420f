"""Kinds of values inside a case, told by their place: a rubric, a persona, a part; in either key case."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.keys import snake
from evaltui.evalset.set_views import EvalSetView

_TURN = ("conversation", "")
_DATA = (*_TURN, "intermediate_data")
_SCENARIO = ("conversation_scenario",)
_PERSONA = (*_SCENARIO, "user_persona")
_RESPONSE = (*_DATA, "intermediate_responses", "")
_CONTENTS = ((*_TURN, "user_content"), (*_TURN, "final_response"), (*_DATA, "invocation_events", "", "content"))

_PLACES: dict[tuple[str, ...], str] = {
    ("session_input",): "session",
    _SCENARIO: "scenario",
    _PERSONA: "persona",
    (*_PERSONA, "behaviors"): "behaviors",
    (*_PERSONA, "behaviors", ""): "behavior",
    (*_DATA, "invocation_events"): "events",
    (*_DATA, "invocation_events", ""): "event",
    (*_DATA, "intermediate_responses"): "responses",
    _RESPONSE: "response",
    (*_RESPONSE, ""): "parts",
    (*_RESPONSE, "", ""): "part",
}
for _owner in ((), _TURN):
    _PLACES[*_owner, "rubrics"] = "rubrics"
    _PLACES[*_owner, "rubrics", ""] = "rubric"
for _content in _CONTENTS:
    _PLACES[_content] = "content"
    _PLACES[*_content, "parts"] = "parts"
    _PLACES[*_content, "parts", ""] = "part"


def place_of(eval_set: EvalSetView, node: Node) -> str:
    """session, scenario, persona, behaviors, behavior, rubrics, rubric, events, event, responses, response, content,
    parts or part; "" for a value of free form and for one outside of any case.
    """
    names: list[str] = []
    for at in (node, *node.ancestors()):
        if eval_set.kind(at) == "case":
            return _PLACES.get(tuple(reversed(names)), "")
        names.append(snake(at.name) if at.key else "")
    return ""


def is_of_agents(node: Node | None) -> bool:
    """Whether `node` is the object that holds the agents of app details by name."""
    if node is None or node.kind != "object" or node.parent is None:
        return False
    return snake(node.name) == "agent_details" and snake(node.parent.name) == "app_details"
