"""What a value inside a case is by its place: a rubric, a persona, a part; in either key case."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.keys import snake, text_of
from evaltui.evalset.set_views import EvalSetView
from evaltui.evalset.titles import title
from evaltui.printable import one_line

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


_IDS = {"rubric": "rubric_id", "persona": "id", "behavior": "name", "event": ""}
"""Places whose values are named in sentences, with the member that holds their name."""


def called(eval_set: EvalSetView, node: Node) -> str:
    """What `node` is called in sentences: its title, and before that which rubric, persona, behavior or event it is."""
    place = place_of(eval_set, node)
    if place not in _IDS:
        return title(eval_set, node)
    name = one_line(text_of(node, _IDS[place]), 40) if _IDS[place] else ""
    name = name or ("" if place == "persona" else str(node.index() + 1))
    return f"{f'{place} {name}'.rstrip()} of {title(eval_set, node)}"


def item_name(node: Node) -> str:
    """An item of a list in titles: its id or name where it has one, else its number, from 1 as turns are numbered."""
    names = (text_of(node, name) for name in ("rubric_id", "name", "id", "author") if node.kind == "object")
    return next((shown for name in names if (shown := one_line(name, 40))), str(node.index() + 1))
