"""The forms of an EvaluationDataset: its cases, their turns, events, responses, rubrics and agents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from evaltui.document.node import Node
from evaltui.evalset.case_file import dataset_turns_of, user_event_of
from evaltui.evalset.content_parts import part_kind, part_payloads, parts_of
from evaltui.evalset.editing.call_edits import partner_of, write_in_pair
from evaltui.evalset.editing.case_parts import (
    add_agent,
    add_group,
    add_rubric,
    delete_reference,
    take_as_reference,
    write_reference,
)
from evaltui.evalset.editing.templates import add_case, add_event, add_said, add_turn
from evaltui.evalset.keys import filled, items_of, key_for, member, text_of
from evaltui.tui.forms.content_fields import (
    FREE,
    add_text,
    content,
    content_choices,
    content_form,
    part_form,
    payload_lines,
    role_field,
)
from evaltui.tui.forms.eval_set_places import rest_of_rubric, rubric_text
from evaltui.tui.forms.form import Choice, Field, Form, Heading, Item, Link
from evaltui.tui.forms.form_table import LIST, MANY, FormOwner, FormPlace, FormRow, block, inline, items, line, value
from evaltui.tui.forms.json_form import add_inside, value_line
from evaltui.tui.lines import preview
from evaltui.tui.outlines.row_texts import (
    agent_line,
    dataset_case_line,
    dataset_rubric_line,
    dataset_turn_line,
    event_line,
    response_line,
)

_SET = FormPlace(
    (
        FormRow("candidate_name", line, "Model or agent that gave the recorded responses.", is_optional=True),
        FormRow("bigquery_source", value, "Cases in BigQuery; evaltui does not show them."),
        FormRow("gcs_source", value, "Cases in Cloud Storage; evaltui does not show them."),
        FormRow("eval_dataset_df", value, "Cases as rows of a table."),
        FormRow("eval_cases", items("Cases", dataset_case_line, "Press a to add one."), types=LIST),
    ),
    adds="case",
    add=lambda owner: add_case(owner.case_file, None),
    offers=lambda owner: owner.offer(
        lambda: owner.filling("candidate_name", "", "candidate name", "model or agent"),
        {"candidate_name": "candidate name"},
    ),
)


_events = partial(items, line_of=event_line, is_aligned=True)

# --- a case ----------------------------------------------------------------------------------------------------------

_SCENARIO = (
    FormRow("starting_prompt", block, "First message of the simulated user."),
    FormRow("conversation_plan", block, "Instructions for the simulated user, step by step."),
    FormRow("test_case_title", line, "Title for people, three to five words."),
)


def _prompt(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    case = owner.node
    # agents-cli reads one of prompt, turns and scenario: an empty prompt beside another would invite a mistake.
    has_other = bool(dataset_turns_of(case)) or filled(case, "user_scenario") is not None
    return [] if member(case, row.key) is None and has_other else content(owner, row)


def _expected_events(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    """Events with expected calls, or before the response of a simulated conversation."""
    case, node = owner.node, member(owner.node, row.key)
    heading = "Events before the response"
    if _expects_calls(case):
        # Beside `responses` alone, they are also the only record of what the agent did.
        is_recorded = items_of(case, "responses") and not dataset_turns_of(case)
        heading = "Expected tool calls, also recorded" if is_recorded else "Expected tool calls"
    if node is not None and node.kind == "array" and not node.items:
        # An empty list is a statement: no tool is called.
        return [Heading(heading, "none"), *value(owner, row)]
    return _events(heading)(owner, row)


def _expects_calls(case: Node) -> bool:
    # Not in a case that only a simulated user plays, which has no expected answer.
    return filled(case, "user_scenario") is None or filled(case, "reference") is not None


def _turns(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    data = member(owner.node, row.key)
    if data is None or data.kind != "object":
        return value(owner, row)
    help = "User messages and agent events. agents-cli adds a missing last response."
    make = items("Turns", dataset_turn_line, "Press a to add one.") if member(data, "turns") is not None else value
    return make(owner._replace(node=data), FormRow("turns", value, help, LIST))


def _reference(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    """The expected response as text; an empty field if there is none."""
    dataset, case = owner.case_file, owner.node
    reference, node = filled(case, row.key), member(case, row.key)
    if reference is not None and reference.kind != "object":
        return content(owner, row)
    # Without a reference, the form is that of an empty one.
    holder = reference or Node(b"{}")
    response, lines = member(holder, "response"), list[Item]()
    for item in content(owner._replace(node=holder), row._replace(key="response")):
        if isinstance(item, Field | Link):
            item = replace(item, around=reference)  # noqa: PLW2901
            # Without its only part, or its response, the reference would be empty: it goes as a whole.
            if node is not None and (item.node is response or items_of(response, "parts") == [item.node]):
                item.delete = partial(delete_reference, dataset, case, node)
        if isinstance(item, Field) and reference is None:
            item.node, item.write = node, partial(write_reference, dataset, case)
        lines.append(item)
    return [*lines, *owner._replace(node=holder).other_keys(("response",))]


def _rubric_groups(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    groups = member(owner.node, row.key)
    if groups is None or groups.kind != "object" or not groups.items:
        return value(owner, row)
    lines: list[Item] = []
    for group in groups.items[:MANY]:
        rubrics, name = items_of(group, "rubrics"), preview(group.name, 40)
        display_name = preview(text_of(group, "display_name"), 60) or "no display name"
        lines += [
            Heading(f"Rubrics of {name or 'an unnamed group'}", str(len(rubrics))),
            owner.link(group, [("group  ", "name"), (display_name, "dim")], row.help),
            *(owner.link(node, dataset_rubric_line(node), _RUBRICS) for node in rubrics[:MANY]),
        ]
    return lines


def _agents(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    """The agents of the recorded conversation, and all other keys of `agent_data`."""
    data = filled(owner.node, row.key)
    if data is None or data.kind != "object":
        return []
    holder = owner._replace(node=data)
    lines = items("Agents", agent_line, kind="object")(holder, FormRow("agents", value, row.help))
    return [*lines, *holder.other_keys(("agents", "turns"), "More in agent_data")]


def _case_choices(owner: FormOwner) -> list[Choice]:
    dataset, case = owner.case_file, owner.node
    message = partial(add_said, dataset, case, "conversation_history", "user")
    event, expects_calls = partial(add_said, dataset, case, "intermediate_events", "agent"), _expects_calls(case)
    choices = list[Choice]()
    for response in items_of(case, "responses")[:3]:
        revise = partial(take_as_reference, dataset, case, response)
        label = f"reference from response {response.index() + 1}"
        choices.append(Choice(label, "copies the recorded response", revise=revise))
    if expects_calls:
        choices += owner.filling("intermediate_events", [], "no tool calls", "expects that no tool is called")
        choices.append(Choice("expected tool call", "intermediate_events", revise=partial(event, "function call")))
    group, agent = partial(add_group, dataset, case), partial(add_agent, dataset, case)
    choices += [
        Choice("turn", "starts with a user message", revise=partial(add_turn, dataset, case, None)),
        Choice("rubric group", "with one rubric", write=group, question="Name of the rubric group"),
        Choice("agent", "id, description and tools", write=agent, question="Id of the agent"),
        Choice("message before the prompt", "conversation_history", revise=message),
        Choice("event before the response", "intermediate_events", revise=event),
    ]
    empty = {key_for(case, name): "" for name in ("starting_prompt", "conversation_plan")}
    choices += owner.filling("user_scenario", empty, "user scenario", "a simulated user")
    if filled(case, "system_instruction") is None:
        instruction = partial(add_text, owner, "system_instruction")
        choices.append(Choice("system instruction", "for the model", revise=instruction))
    choices += [*content_choices(owner, "prompt", "to the prompt"), owner.another_key("custom metrics can read it")]
    return choices


def _case_offers(owner: FormOwner) -> Sequence[Item]:
    words = {"intermediate_events": "expected tool calls"} if _expects_calls(owner.node) else {}
    words |= {"rubric_groups": "rubrics", "user_scenario": "scenario", "prompt": "prompt"}
    return owner.offer(partial(_case_choices, owner), words)


_RUBRICS = "Each rubric is one property that a judge model checks."
_SCENARIO_HELP = "Plan of a simulated user (agents-cli eval dataset synthesize)."
_REFERENCE_HELP = "Expected response, for metrics such as final_response_match."
_CASE = FormPlace(
    (
        FormRow("eval_case_id", line, "Id of the case in results. Optional; use each id only once."),
        FormRow("user_scenario", inline("user_scenario", "User scenario", _SCENARIO), _SCENARIO_HELP),
        FormRow("prompt", _prompt, "Last user message; agents-cli sends it to the agent."),
        FormRow("conversation_history", _events("Messages before the prompt"), "Messages before the prompt.", LIST),
        FormRow("agent_data", _turns, "Agents and turns. To generate, agents-cli needs turns or a prompt, not both."),
        FormRow(
            "intermediate_events",
            _expected_events,
            "The expected calls before the response. An empty list: no tool is called.",
            LIST,
        ),
        FormRow("reference", _reference, _REFERENCE_HELP, heading="Reference"),
        FormRow(
            "responses",
            items("Recorded responses", response_line),
            "Recorded responses to the prompt, not expected. -r FILE scores recordings.",
            LIST,
        ),
        FormRow("system_instruction", content, "System instruction of the model.", is_optional=True),
        FormRow("rubric_groups", _rubric_groups, "Groups of rubrics by name; a rubric metric uses one group."),
        FormRow("agent_data", _agents, "Descriptions of the agents, for judge models."),
        FormRow("agent_info", value, "Agents, in an older form than agent_data.agents."),
    ),
    adds="turn",
    add=lambda owner: add_turn(owner.case_file, owner.node, None),
    begins="eval_case_id",
    offers=_case_offers,
)


# --- turns and events ------------------------------------------------------------------------------------------------

_EVENT_TEXT = "Text, tool call or tool response."
_EVENTS = "Messages, calls and tool responses in order; each is an event."


def _user_message(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    event = user_event_of(owner.node)
    if event is None:
        return []
    return content(owner._replace(node=event, table="event"), row._replace(key="content"))


_TURN = FormPlace(
    (
        FormRow("", _user_message, _EVENT_TEXT, heading="User"),
        FormRow("events", _events("Events", empty="Press a to add one."), _EVENTS, LIST),
        FormRow("turn_id", line, "Id of the turn. Optional.", section="Turn"),
        FormRow("turn_index", value, "Number of the turn, counted from 0.", ("number", "null")),
    ),
    adds="event",
    add=lambda owner: add_event(owner.case_file, owner.node, None),
)


def _event_form(owner: FormOwner) -> Form:
    """Author, content and state change of an event or message; a single call with its arguments."""
    form = _EVENT.form(owner._replace(table="event"))
    if (call := _only_call(owner.node)) is None:
        return form
    part, payload = call
    add = add_inside(payload, FREE[part_kind(part)], "argument", owner.named)
    return replace(form, add=add, adds="argument", asks_name=True)


def _only_call(event: Node) -> tuple[Node, Node] | None:
    """The part with the call or response of an event with nothing else in it, and the call or response."""
    # A text beside the call, or a second call, needs the form of parts: nothing is hidden.
    parts = parts_of(filled(event, "content"))
    if len(parts) != 1 or len(items_of(filled(event, "content"), "parts")) != 1:
        return None
    part = parts[0]
    payload = filled(part, kind) if (kind := part_kind(part)) in FREE and len(part_payloads(part)) == 1 else None
    return (part, payload) if payload is not None and payload.kind == "object" else None


def _event_content(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    """The parts of the content; in their place the fields of a single call, whose name and id its partner shares."""
    call, node = _only_call(owner.node), filled(owner.node, row.key)
    if call is None or node is None:
        return content(owner, row)
    part, payload = call
    kind = part_kind(part)
    partner = "tool response" if kind == "function_call" else "tool call"
    pairing = "⇄" if partner_of(owner.node, payload) is not None else "no"
    lines = payload_lines(owner._replace(node=payload, table=kind))
    for field in lines:
        # Name and id pair a call with its response, so both change together.
        if isinstance(field, Field) and field.label in ("name", "id") and field.key == (kind, field.label):
            field.write = partial(write_in_pair, owner.case_file, owner.node, payload, field.label)
            field.suggests = "tool" if field.label == "name" else ""
    holder = owner._replace(node=node, table=row.key)
    return [
        Heading(kind.replace("_", " ").capitalize(), f"{pairing} {partner}"),
        *lines,
        *owner._replace(node=part).other_keys((kind,)),
        role_field(holder),
        *holder.other_keys(("parts", "role")),
    ]


def _state_change(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    state = member(owner.node, row.key)
    if state is None or state.kind != "object" or not state.items:
        return value(owner, row)
    lines = [value_line(item, owner.named, "state", help=row.help) for item in state.items]
    return [Heading("State delta", str(len(lines))), *lines]


def _event_choices(owner: FormOwner) -> list[Choice]:
    choices, event = content_choices(owner, "content", "to the event"), owner.node
    state = filled(event, "state_delta")
    if state is None or state.kind == "object":
        add = add_inside(event, "state_delta", "state", owner.title)
        choices.append(Choice("state change", "a key and its value", write=add, question="Name of the key"))
    return choices


_EVENT = FormPlace(
    (
        FormRow("author", line, "user, or the id of an agent."),
        FormRow("content", _event_content, _EVENT_TEXT),
        FormRow("state_delta", _state_change, "Keys of the session state that the event sets."),
    ),
    adds="text",
    add=lambda owner: add_text(owner, "content"),
    offers=lambda owner: owner.offer(partial(_event_choices, owner)),
)


# --- responses, rubric groups, agents --------------------------------------------------------------------------------


def _answer(heading: str) -> FormPlace:
    return FormPlace(
        (FormRow("response", content, "Actual or expected response of the agent.", heading=heading),),
        adds="text",
        add=lambda owner: add_text(owner, "response"),
        offers=lambda owner: owner.offer(lambda: content_choices(owner, "response")),
    )


_GROUP = FormPlace(
    (
        FormRow("group_id", line, "Names the group. Optional."),
        FormRow("display_name", line, "For people."),
        FormRow("rubrics", items("Rubrics", dataset_rubric_line, "Press a to add a rubric."), _RUBRICS, LIST),
    ),
    adds="rubric",
    add=lambda owner: add_rubric(owner.case_file, owner.node),
)
_IMPORTANCE = {"HIGH": "highest weight", "MEDIUM": "", "LOW": "lowest weight"}
_RUBRIC = FormPlace(
    (
        FormRow("content", rubric_text, "The property of the response that the judge model checks.", heading="text"),
        FormRow("rubric_id", line, "Id of the rubric in verdicts."),
        FormRow("type", line, "Kind of rubric: one word in upper case, with _."),
        FormRow("importance", line, "HIGH, MEDIUM or LOW.", choices=_IMPORTANCE),
        FormRow("", rest_of_rubric),
    ),
)
_AGENT = FormPlace(
    (
        FormRow("agent_id", line, "Author of the agent's events; must be the same as the agent's key."),
        FormRow("agent_type", line, "Class of the agent, such as LlmAgent."),
        FormRow("description", block, "Purpose of the agent, for judge models."),
        FormRow("instruction", block, "Instruction of the agent."),
        FormRow("tools", value, "Declarations of the agent's tools.", LIST),
        FormRow("sub_agents", value, "Ids of the agents that this agent can hand over to.", LIST),
    ),
)
PLACES: Mapping[str, Callable[[FormOwner], Form]] = {
    "set": _SET.form,
    "case": _CASE.form,
    "turn": _TURN.form,
    "event": _event_form,
    "message": _event_form,
    "content": content_form,
    "part": part_form,
    "reference": _answer("Reference").form,
    "response": _answer("Recorded response").form,
    "rubric_group": _GROUP.form,
    "rubric": _RUBRIC.form,
    "user_scenario": FormPlace(_SCENARIO, others="").form,
    "agent": _AGENT.form,
}
