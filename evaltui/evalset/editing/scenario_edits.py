"""Cases with a scenario: the simulated user, and the change between turns and a scenario."""

from __future__ import annotations

from typing import Any

from evaltui.document.edits import Edit, Insert, Remove, json_text
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.case_file import CaseFile, scenario_of, turns_of, user_text_of
from evaltui.evalset.editing.new_ids import fresh_id
from evaltui.evalset.editing.revision import Revision, add_item, put
from evaltui.evalset.editing.templates import text_content
from evaltui.evalset.keys import filled, items_of, key_for, member, text_of
from evaltui.evalset.titles import case_title

PERSONAS = {
    "EXPERT": "knows what it wants and says everything at once",
    "NOVICE": "gives little information at a time and needs help",
    "EVALUATOR": "tests the agent and only responds to its questions",
}
"""The persona ids that google-adk knows; it refuses to load a set with any other text."""


def own_persona() -> dict[str, Any]:
    """An empty custom persona; google-adk reads its keys in snake_case only."""
    return {"id": "", "description": "", "behaviors": []}


def write_persona(eval_set: CaseFile, scenario: Node, persona: Any) -> Revision:
    """Change the persona of a scenario: the id of a built-in persona, or an object."""
    what = persona if isinstance(persona, str) else "a custom persona"
    case = eval_set.enclosing(scenario, "case") or eval_set.root
    return Revision(f"set persona of {case_title(case)} to {what}", [put(scenario, "user_persona", persona)])


def add_behavior(eval_set: CaseFile, persona: Node, at: int | None = None) -> Revision:
    """A new behavior of a persona, with all required fields."""
    behaviors = items_of(persona, "behaviors")
    names = [text_of(behavior, "name") for behavior in behaviors]
    name = fresh_id(names, "behavior_1", names.__contains__)
    value = {"name": name, "description": "", "behavior_instructions": [], "violation_rubrics": []}
    return Revision(f"add behavior {name}", [add_item(persona, "behaviors", value, "-" if at is None else at)])


def to_scenario(eval_set: CaseFile, case: Node) -> Revision:
    """Replace the turns of a case with a scenario; the first user message becomes the starting prompt."""
    turns = turns_of(case)
    prompt = user_text_of(turns[0]) if turns else ""
    inner = key_for(case, "starting_prompt"), key_for(case, "conversation_plan")
    edits = _in_place_of(case, "conversation", "conversation_scenario", dict(zip(inner, (prompt, ""), strict=True)))
    count = len(turns)
    kept = f"{count} turn{'s' * (count != 1)} deleted" if turns else ""
    return Revision(f"change {case_title(case)} to a scenario", edits, kept)


def to_conversation(eval_set: CaseFile, case: Node) -> Revision:
    """Replace the scenario of a case with turns; the starting prompt becomes the first user message."""
    scenario = scenario_of(case)
    prompt = text_of(scenario, "starting_prompt")
    turn = {
        key_for(case, "invocation_id"): "inv-1",
        key_for(case, "user_content"): text_content(None, "user", prompt),
    }
    edits = _in_place_of(case, "conversation_scenario", "conversation", [turn])
    lost = [
        word
        for word, name in (("plan", "conversation_plan"), ("persona", "user_persona"))
        if text_of(scenario, name) or items_of(filled(scenario, name), "behaviors")
    ]
    remark = f"{' and '.join(lost)} deleted" if lost else ""
    return Revision(f"change {case_title(case)} to a conversation", edits, remark)


def _in_place_of(case: Node, old: str, new: str, value: Any) -> list[Edit]:
    """Replace key `old` with key `new` at the same place; a null under `new` is removed first."""
    gone, existing = member(case, old), member(case, new)
    edits: list[Edit] = [Remove(existing.pointer())] if existing is not None else []
    key = existing.name if existing is not None else key_for(case, new)
    before = gone.name if gone is not None else None
    edits.append(Insert(f"{case.pointer()}/{escape(key)}", json_text(value), before=before))
    if gone is not None:
        edits.append(Remove(gone.pointer()))
    return edits
