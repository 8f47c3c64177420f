"""Parts of cases in either format: rubrics, scenarios with their personas, agents and references."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from evaltui.document.edits import Edit, Insert, Remove, json_text
from evaltui.document.errors import EditError
from evaltui.document.layout import line_indent, model_of
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.case_file import CaseFile, turns_of, user_text_of
from evaltui.evalset.editing.field_edits import ROLES
from evaltui.evalset.editing.new_ids import fresh_id
from evaltui.evalset.editing.revision import (
    Revision,
    add_item,
    check_name,
    in_order_of,
    insert_key,
    like_sibling,
    put,
    refuse_other_kind,
)
from evaltui.evalset.editing.templates import in_order_near, spelt, text_content
from evaltui.evalset.keys import filled, items_of, key_for, key_in, member, text_of
from evaltui.evalset.titles import case_title, title
from evaltui.printable import one_line

TYPES = {
    "FINAL_RESPONSE_QUALITY": "for rubric_based_final_response_quality_v1",
    "TOOL_USE_QUALITY": "for rubric_based_tool_use_quality_v1",
    "TRAJECTORY_QUALITY": "for rubric_based_multi_turn_trajectory_quality_v1",
}
"""The rubric types that google-adk reads, in upper case; it silently ignores all others."""


def text_of_rubric(rubric: Node) -> str:
    """The text of a rubric, which the judge model checks."""
    if (content := filled(rubric, "rubric_content")) is not None:
        return text_of(content, "text_property")
    return text_of(filled(filled(rubric, "content"), "property"), "description")


def add_rubric(case_file: CaseFile, owner: Node, index: int | None = None) -> Revision:
    """A new rubric of a case, turn or rubric group, at the end or at an index, with the type of the last rubric."""
    refuse_other_kind(owner, "rubrics", "array")
    rubrics = items_of(owner, "rubrics")
    sibling = rubrics[-1] if rubrics else None
    # google-adk rejects duplicate ids among the rubrics of a case, its turns and the config.
    case = case_file.enclosing(owner, "case")
    rivals = rubrics if case_file.is_dataset else [*_rubrics_of([case] if case is not None else [])]
    used = {text_of(rubric, "rubric_id") for rubric in rivals} | {*case_file.rubric_ids_of_config()}
    identifier = fresh_id([text_of(sibling, "rubric_id")] if sibling else [], "rubric_1", used.__contains__)
    members: dict[str, Any] = {"rubric_id": identifier}
    if case_file.is_dataset:
        members |= {"content": {"property": {"description": ""}}, "type": text_of(sibling, "type") or None}
    else:
        index_of_case = case.index() if case is not None else 0
        nearby = _rubrics_of(case_file.cases[max(0, index_of_case - 4) : index_of_case + 4])
        sibling = next(chain(rubrics[-1:], rivals, nearby), None)
        content = filled(sibling, "rubric_content")
        members["rubric_content"] = in_order_of(content, {key_for(content or sibling or owner, "text_property"): ""})
        members["type"] = text_of(sibling, "type") or next(iter(TYPES))
    label = f"add rubric {one_line(identifier, 40)} to {title(case_file, owner)}"
    value = like_sibling(sibling, owner, members)
    return Revision(label, [add_item(owner, "rubrics", value, index)])


def write_rubric_text(case_file: CaseFile, rubric: Node, text: str) -> Revision:
    """Change the text of a rubric; add missing objects around it."""
    label = f"edit text of rubric {one_line(text_of(rubric, 'rubric_id'), 40)} of {title(case_file, rubric)}"
    names = ("content", "property", "description") if case_file.is_dataset else ("rubric_content", "text_property")
    holder = rubric
    for depth, name in enumerate(names[:-1], 1):
        refuse_other_kind(holder, name, "object")
        inner = filled(holder, name)
        if inner is None:
            value: Any = text
            for inner_name in reversed(names[depth:]):
                value = {key_for(rubric, inner_name): value}
            return Revision(label, [put(holder, name, value)])
        holder = inner
    return Revision(label, [put(holder, names[-1], text)])


def _rubrics_of(cases: list[Node]) -> Iterator[Node]:
    for case in cases:
        for holder in (case, *turns_of(case)):
            yield from items_of(holder, "rubrics")


PERSONAS = {
    "EXPERT": "knows what it wants and says everything at once",
    "NOVICE": "gives little information at a time and needs help",
    "EVALUATOR": "tests the agent and only responds to its questions",
}
"""The persona ids that google-adk knows; it refuses to load a set with any other text."""


def add_behavior(eval_set: CaseFile, persona: Node, index: int | None = None) -> Revision:
    """A new behavior of a persona."""
    behaviors = items_of(persona, "behaviors")
    names = [text_of(behavior, "name") for behavior in behaviors]
    name = fresh_id(names, "behavior_1", names.__contains__)
    # All four fields are required.
    value = {"name": name, "description": "", "behavior_instructions": [], "violation_rubrics": []}
    return Revision(f"add behavior {name}", [add_item(persona, "behaviors", value, index)])


def to_scenario(eval_set: CaseFile, case: Node) -> Revision:
    """Replace the turns of a case with a scenario; the first user message becomes the starting prompt."""
    turns = turns_of(case)
    prompt = user_text_of(turns[0]) if turns else ""
    scenario = spelt(case, {"starting_prompt": prompt, "conversation_plan": ""})
    edits = _in_place_of(case, "conversation", "conversation_scenario", scenario)
    remark = f"{len(turns)} turn{'s' * (len(turns) != 1)} deleted" if turns else ""
    return Revision(f"change {case_title(case)} to a scenario", edits, remark)


def to_conversation(eval_set: CaseFile, case: Node) -> Revision:
    """Replace the scenario of a case with turns; the starting prompt becomes the first user message."""
    scenario = filled(case, "conversation_scenario")
    prompt = text_of(scenario, "starting_prompt")
    members = {"invocation_id": "inv-1", "user_content": text_content(None, "user", prompt)}
    turn = like_sibling(None, case, members)
    edits = _in_place_of(case, "conversation_scenario", "conversation", [turn])
    persona = text_of(scenario, "user_persona") or items_of(filled(scenario, "user_persona"), "behaviors")
    lost = {"plan": text_of(scenario, "conversation_plan"), "persona": persona}
    words = " and ".join(word for word, value in lost.items() if value)
    remark = f"{words} deleted" if words else ""
    return Revision(f"change {case_title(case)} to a conversation", edits, remark)


def _in_place_of(case: Node, old: str, new: str, value: Any) -> list[Edit]:
    doomed, existing = member(case, old), member(case, new)
    # google-adk writes a null under the key that a case lacks: it would be a duplicate of the new key.
    edits: list[Edit] = [Remove(existing.pointer())] if existing is not None else []
    follower = doomed.name if doomed is not None else None
    edits.append(Insert(f"{case.pointer()}/{escape(key_in(case, new))}", json_text(value), before_key=follower))
    if doomed is not None:
        edits.append(Remove(doomed.pointer()))
    return edits


def add_app_agent(agents: Node, name: str, previous: Node | None = None) -> Revision:
    """A new agent of app details with empty instructions, after `previous` or last.

    Raises `EditError` for an empty or used name.
    """
    edit = insert_key(agents, name, {"name": name, "instructions": ""}, previous)
    if edit is None:  # its type has changed while the name was typed
        raise EditError("nothing can be added here")
    return Revision(f"add agent {one_line(name, 40)}", [edit])


def add_group(dataset: CaseFile, case: Node, name: str) -> Revision:
    """A new rubric group with one empty rubric. Raises `EditError` for an empty or used name."""
    refuse_other_kind(case, "rubric_groups", "object")
    rubric = {key_for(case, "rubric_id"): "rubric_1", "content": {"property": {"description": ""}}}
    group = {"rubrics": [rubric]}
    edit = insert_key(filled(case, "rubric_groups"), name, group) or put(case, "rubric_groups", {name: group})
    return Revision(f"add rubric group {one_line(name, 40)} to {title(dataset, case)}", [edit])


def add_agent(dataset: CaseFile, case: Node, name: str) -> Revision:
    """A new agent in `agent_data` with an empty instruction. Raises `EditError` for an empty or used name."""
    refuse_other_kind(case, "agent_data", "object")
    agent, data = {key_for(case, "agent_id"): name, "instruction": ""}, filled(case, "agent_data")
    if data is None:
        check_name(None, name)
        edit = put(case, "agent_data", {"agents": {name: agent}})
    else:
        refuse_other_kind(data, "agents", "object")
        edit = insert_key(filled(data, "agents"), name, agent) or put(data, "agents", {name: agent})
    return Revision(f"add agent {one_line(name, 40)} to {title(dataset, case)}", [edit])


def write_reference(dataset: CaseFile, case: Node, text: str) -> Revision:
    """Write the first reference text of a case, in the format of the neighbouring case."""
    sibling = filled(filled(model_of(case), "reference"), "response")
    is_bare = sibling is not None and sibling.kind == "string"  # a bare text stands for a content, as in agents-cli
    answer = text if is_bare else in_order_near(sibling, case, text_content(sibling, "model", text), role_first=True)
    label = f"edit reference of {title(dataset, case)}"
    refuse_other_kind(case, "reference", "object")
    reference = filled(case, "reference")
    if reference is None:
        return Revision(label, [put(case, "reference", {"response": answer})])
    return Revision(label, [put(reference, "response", answer)])


def delete_reference(dataset: CaseFile, case: Node, reference: Node) -> Revision:
    """Delete the reference of a case. If it has other keys than `response`, only `response` is deleted."""
    response = member(reference, "response")
    has_other_keys = any(item is not response for item in reference.items)
    doomed = response if response is not None and has_other_keys else reference
    return Revision(f"delete reference of {title(dataset, case)}", [Remove(doomed.pointer())])


def add_to_content(case_file: CaseFile, owner: Node, name: str, part: dict[str, Any], what: str) -> Revision:
    """A new last part of the content `name` of `owner`; a missing content is added, a bare text is its first part."""
    label = f"add {what} to {name} of {title(case_file, owner)}"
    content = filled(owner, name)
    if content is not None and content.kind == "object":
        return Revision(label, [add_item(content, "parts", spelt(content, part))])
    if content is not None and content.kind != "string":
        refuse_other_kind(owner, name, "object")
    texts = [{"text": content.text()}] if content is not None else []
    sibling = filled(model_of(owner), name) if content is None else None
    role = text_of(sibling, "role") or ROLES.get(name, "model")
    members = {"parts": [*texts, spelt(owner, part)], "role": role}
    members = in_order_near(sibling, owner, members, role_first=case_file.is_dataset or bool(texts))
    return Revision(label, [put(owner, name, members)])


def take_as_reference(dataset: CaseFile, case: Node, response: Node) -> Revision:
    """Replace the reference with a recorded response."""
    # The response keeps its spelling and layout: numbers and line breaks stay as an agent wrote them.
    edit = put(case, "reference", None)._replace(source=response.source(), origin_indent=line_indent(response))
    label = f"set reference of {title(dataset, case)} to response {response.index() + 1}"
    return Revision(label, [edit])
