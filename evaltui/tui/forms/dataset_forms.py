"""The forms of a dataset and of its cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, dataset_turns_of
from evaltui.evalset.editing.case_parts import (
    add_agent,
    add_group,
    add_to_content,
    delete_reference,
    take_as_reference,
    write_reference,
)
from evaltui.evalset.editing.field_edits import fill_member
from evaltui.evalset.editing.row_moves import delete_rows, move_row
from evaltui.evalset.editing.templates import TEMPLATES, add_case, add_said, add_turn
from evaltui.evalset.keys import filled, items_of, key_for, member, text_of
from evaltui.evalset.titles import title
from evaltui.tui.forms.field_help import help_for
from evaltui.tui.forms.form import Choice, Field, Form, Heading, Item, Link, Note, empty_note
from evaltui.tui.forms.json_form import value_line
from evaltui.tui.forms.line_texts import (
    agent_line,
    case_line,
    dataset_rubric_line,
    event_line,
    longest_author,
    response_line,
    turn_line,
)
from evaltui.tui.forms.model_fields import another_key, item_link, offer_of, others, text_member, value_member
from evaltui.tui.forms.part_forms import WORDS, content_items, part_choices
from evaltui.tui.forms.value_text import editable
from evaltui.tui.lines import Line, dim, preview

_CASE_FIELDS = (
    "eval_case_id", "prompt", "responses", "reference", "system_instruction", "conversation_history",
    "rubric_groups", "intermediate_events", "agent_info", "agent_data", "user_scenario",
)  # fmt: skip
_SCENARIO_FIELDS = ("starting_prompt", "conversation_plan", "test_case_title")
_SOURCES = ("bigquery_source", "gcs_source", "eval_dataset_df")
MANY = 200
"""The most items of a list in a form; the tree has all cases and turns."""


def dataset_form(dataset: CaseFile) -> Form:
    """The candidate, references to cases stored elsewhere, and the cases."""
    root = dataset.root
    items: list[Item] = []
    choices: list[Choice] = []
    if member(root, "candidate_name") is not None:
        items.append(text_member(dataset, root, "candidate_name", "dataset"))
    else:
        choices.append(
            Choice("candidate name", "model or agent", revise=lambda: fill_member(dataset, root, "candidate_name", ""))
        )
    for name in _SOURCES:
        items += value_member(dataset, root, name, "dataset")
    cases = member(root, "eval_cases")
    if cases is not None and cases.kind != "array":
        items += value_member(dataset, root, "eval_cases", "dataset", ("list", "null"))
    else:
        items.append(Heading("Cases", str(len(dataset.cases))))
        items += [_row_link(dataset, node, case_line(dataset, node)) for node in dataset.cases[:MANY]]
        items += _rest(len(dataset.cases), "No cases.")
    items += others(dataset, root, ("candidate_name", *_SOURCES, "eval_cases"))
    items += offer_of(["candidate name"] if choices else [], choices, title(dataset, root))
    return Form(title(dataset, root), items, add=lambda _: add_case(dataset, None), adds="case")


def _row_link(dataset: CaseFile, node: Node, line: Line, help: str = "") -> Link:
    """A link to a row of the tree: a case, a turn or an event."""
    return Link(
        node,
        line,
        node,
        node=node,
        delete=lambda: delete_rows(dataset, [node]),
        move=lambda step: move_row(dataset, node, step),
        help=help,
    )


def _rest(count: int, empty: str = "") -> list[Item]:
    """A note that the list is empty, or that the form does not show all items."""
    if count > MANY:
        return [Note(dim(f"… {count - MANY:,} more"))]
    return [empty_note(empty, "Press a to add one.")] if empty and not count else []


def row_list(
    dataset: CaseFile, nodes: Sequence[Node], line: Callable[[Node], Line], empty: str, help: str
) -> list[Item]:
    """Links to rows of the tree; a note if there are none, or more than the form shows."""
    links: list[Item] = [_row_link(dataset, node, line(node), help) for node in nodes[:MANY]]
    return [*links, *_rest(len(nodes), empty)]


# --- a case ------------------------------------------------------------------------------------------------------


def dataset_case_form(dataset: CaseFile, node: Node) -> Form:
    """Id, scenario, prompt, turns, reference, recorded responses, rubrics, agents, and all other keys of a case."""
    items: list[Item] = [text_member(dataset, node, "eval_case_id", "dataset_case")]
    items += _scenario_items(dataset, node)
    items += _prompt_items(dataset, node)
    items += _said_items(dataset, node, "conversation_history", "Messages before the prompt")
    items += _turn_items(dataset, node)
    items += _said_items(dataset, node, "intermediate_events", _heading_of_events(node))
    items += _reference_items(dataset, node)
    items += _response_items(dataset, node)
    if member(node, "system_instruction") is not None:
        items += words_items(dataset, node, "system_instruction", "dataset_case")
    items += _rubric_items(dataset, node)
    items += _agent_items(dataset, node)
    if rest := others(dataset, node, _CASE_FIELDS, ""):
        items += [Heading("More"), *rest]
    named = title(dataset, node)
    items += offer_of(_absent(node), _choices(dataset, node), named)
    return Form(
        named, items, add=lambda _: add_turn(dataset, node, None), adds="turn", begins=("dataset_case", "eval_case_id")
    )


def words_items(dataset: CaseFile, owner: Node, name: str, of: str, heading: str = "") -> list[Item]:
    """A content as its parts; a bare text, which some tools write in place of a content, as that text."""
    node = filled(owner, name)
    if node is None or node.kind == "object":
        return content_items(dataset, owner, name, of, heading)
    if not editable(node):
        return [Heading(heading or WORDS[name][0]), value_line(node, title(dataset, owner))]
    field = text_member(dataset, owner, name, of, block=True)
    return [Heading(heading or WORDS[name][0]), replace(field, label="") if isinstance(field, Field) else field]


def _prompt_items(dataset: CaseFile, node: Node) -> list[Item]:
    has_other = bool(dataset_turns_of(node)) or filled(node, "user_scenario") is not None
    return [] if member(node, "prompt") is None and has_other else words_items(dataset, node, "prompt", "dataset_case")


def _scenario_items(dataset: CaseFile, node: Node) -> list[Item]:
    scenario = filled(node, "user_scenario")
    if scenario is None or scenario.kind != "object":
        return value_member(dataset, node, "user_scenario", "dataset_case")
    return [Heading("User scenario"), *scenario_members(dataset, scenario)]


def scenario_members(dataset: CaseFile, scenario: Node) -> list[Item]:
    """The texts of a user scenario, and all other keys."""
    texts = [text_member(dataset, scenario, name, "user_scenario", block=True) for name in _SCENARIO_FIELDS[:2]]
    last = text_member(dataset, scenario, "test_case_title", "user_scenario")
    return [*texts, last, *others(dataset, scenario, _SCENARIO_FIELDS, "")]


def _said_items(dataset: CaseFile, node: Node, name: str, heading: str) -> list[Item]:
    """The items of a list of messages or events that have no rows in the tree."""
    said = member(node, name)
    if said is None or said.kind != "array" or not said.items:
        items = value_member(dataset, node, name, "dataset_case", ("list", "null"))
        is_statement = name == "intermediate_events" and said is not None and said.kind == "array"
        return [Heading(heading, "none"), *items] if is_statement else items
    what = "message" if name == "conversation_history" else "event"
    help, of = help_for("dataset_case", name), title(dataset, node)
    events = said.items[:MANY]
    line = partial(event_line, longest=longest_author(events))
    links = [item_link(event, line(event), f"{what} {event.index() + 1} of {of}", help) for event in events]
    return [Heading(heading, str(len(said.items))), *links, *_rest(len(said.items))]


def _expects_calls(node: Node) -> bool:
    """Whether `intermediate_events` are an expectation: not in a case that only a simulated user plays."""
    return filled(node, "user_scenario") is None or filled(node, "reference") is not None


def _heading_of_events(node: Node) -> str:
    """A heading for `intermediate_events`. Beside `responses` alone, they also record what the agent did."""
    if not _expects_calls(node):
        return "Events before the response"
    is_recorded = items_of(node, "responses") and not dataset_turns_of(node)
    return "Expected tool calls, also recorded" if is_recorded else "Expected tool calls"


def _turn_items(dataset: CaseFile, node: Node) -> list[Item]:
    """The turns, or a line for a value that is not a list."""
    data = member(node, "agent_data")
    if data is None:
        return []
    if data.kind != "object":
        return value_member(dataset, node, "agent_data", "dataset_case")
    turns = member(data, "turns")
    help = help_for("dataset_case", "turns")
    if turns is None:
        return []
    if turns.kind != "array":
        return value_member(dataset, data, "turns", "dataset_case", ("list", "null"))
    links = row_list(dataset, turns.items, partial(turn_line, dataset), "No turns.", help)
    return [Heading("Turns", str(len(turns.items))), *links]


def _reference_items(dataset: CaseFile, node: Node) -> list[Item]:
    """The expected response as text; an empty field if there is none."""
    reference = filled(node, "reference")
    if reference is not None and reference.kind == "object":
        items = words_items(dataset, reference, "response", "dataset_case", "Reference")
        items = [_in_reference(dataset, node, reference, item) for item in items]
        return items + others(dataset, reference, ("response",), "")
    help = help_for("dataset_case", "reference")
    if reference is not None:
        return words_items(dataset, node, "reference", "dataset_case", "Reference")
    there = member(node, "reference")  # null
    absent = Field(
        ("response", 0),
        "",
        "",
        lambda text: write_reference(dataset, node, text),
        node=there,
        kind="absent",
        block=True,
        takes_text=True,
        placeholder=WORDS["response"][2],
        help=help,
        delete=(lambda: delete_reference(dataset, node, there)) if there is not None else None,
    )
    return [Heading("Reference"), absent]


def _in_reference(dataset: CaseFile, case: Node, reference: Node, item: Item) -> Item:
    """An item of the expected response. Deleting the whole response or its only part deletes the reference."""
    if not isinstance(item, Field | Link):
        return item
    response = member(reference, "response")
    parts = items_of(response, "parts")
    if item.node is response or parts == [item.node]:
        return replace(item, around=reference, delete=lambda: delete_reference(dataset, case, reference))
    return replace(item, around=reference)


def _response_items(dataset: CaseFile, node: Node) -> list[Item]:
    """The recorded responses, one line each."""
    responses = member(node, "responses")
    if responses is None or responses.kind != "array" or not responses.items:
        return value_member(dataset, node, "responses", "dataset_case", ("list", "null"))
    help, of = help_for("dataset_case", "responses"), title(dataset, node)
    count = len(responses.items)
    links = [
        item_link(each, response_line(each), f"response {each.index() + 1} of {of}", help)
        for each in responses.items[:MANY]
    ]
    return [Heading("Recorded responses", str(count)), *links, *_rest(count)]


def _rubric_items(dataset: CaseFile, node: Node) -> list[Item]:
    """Each rubric group with its rubrics; one line if `rubric_groups` has no groups."""
    groups = member(node, "rubric_groups")
    if groups is None or groups.kind != "object" or not groups.items:
        return value_member(dataset, node, "rubric_groups", "dataset_case")
    items: list[Item] = []
    for group in groups.items[:MANY]:
        rubrics = items_of(group, "rubrics")
        name = preview(group.name, 40)
        of = f"rubric group {name} of {title(dataset, node)}"
        items.append(Heading(f"Rubrics of {name or 'an unnamed group'}", str(len(rubrics))))
        line: Line = [("group  ", "name"), (preview(text_of(group, "display_name"), 60) or "no display name", "dim")]
        items.append(item_link(group, line, of, help_for("dataset_case", "rubric_groups")))
        help = help_for("rubric_group", "rubrics")
        items += [item_link(each, dataset_rubric_line(each), f"rubric of {of}", help) for each in rubrics[:MANY]]
    return items


def _agent_items(dataset: CaseFile, node: Node) -> list[Item]:
    """The agents of the recorded conversation, and all other keys of `agent_data` and `agent_info`."""
    items: list[Item] = []
    data = filled(node, "agent_data")
    if data is not None and data.kind == "object":
        agents = member(data, "agents")
        if agents is not None and agents.kind == "object" and agents.items:
            of, help = title(dataset, node), help_for("dataset_case", "agents")
            items.append(Heading("Agents", str(len(agents.items))))
            items += [
                item_link(each, agent_line(each), f"agent {preview(each.name, 40)} of {of}", help)
                for each in agents.items[:MANY]
            ]
        else:
            items += value_member(dataset, data, "agents", "dataset_case")
        items += others(dataset, data, ("agents", "turns"), "More in agent_data")
    return items + value_member(dataset, node, "agent_info", "dataset_case")


def _absent(node: Node) -> list[str]:
    words = {"prompt": "prompt", "responses": "responses", "rubric_groups": "rubrics", "user_scenario": "scenario"}
    if _expects_calls(node):
        words["intermediate_events"] = "expected tool calls"
    return [word for name, word in words.items() if member(node, name) is None]


def _expectation_choices(dataset: CaseFile, node: Node) -> list[Choice]:
    """The parts of a case that state what the agent should do."""
    choices = [
        Choice(
            f"reference from response {response.index() + 1}",
            "copies the recorded response",
            revise=partial(take_as_reference, dataset, node, response),
        )
        for response in items_of(node, "responses")[:3]
    ]
    if not _expects_calls(node):
        return choices
    if filled(node, "intermediate_events") is None:
        choices.append(
            Choice(
                "no tool calls",
                "expects that no tool is called",
                revise=lambda: fill_member(dataset, node, "intermediate_events", []),
            )
        )
    choices.append(
        Choice(
            "expected tool call",
            "intermediate_events",
            revise=lambda: add_said(dataset, node, "intermediate_events", "agent", "function call"),
        )
    )
    return choices


def _choices(dataset: CaseFile, node: Node) -> list[Choice]:
    found = _expectation_choices(dataset, node)
    found += [
        Choice("turn", "starts with a user message", revise=lambda: add_turn(dataset, node, None)),
        Choice(
            "rubric group",
            "with one rubric",
            write=lambda name: add_group(dataset, node, name),
            question="Name of the rubric group",
        ),
        Choice(
            "agent",
            "id, description and tools",
            write=lambda name: add_agent(dataset, node, name),
            question="Id of the agent",
        ),
        Choice(
            "message before the prompt",
            "conversation_history",
            revise=lambda: add_said(dataset, node, "conversation_history", "user"),
        ),
        Choice(
            "event before the response",
            "intermediate_events",
            revise=lambda: add_said(dataset, node, "intermediate_events", "agent"),
        ),
    ]
    if filled(node, "user_scenario") is None:
        empty = {key_for(node, name): "" for name in _SCENARIO_FIELDS[:2]}
        found.append(
            Choice(
                "user scenario", "a simulated user", revise=lambda: fill_member(dataset, node, "user_scenario", empty)
            )
        )
    if filled(node, "system_instruction") is None:
        text = TEMPLATES["text"]
        found.append(
            Choice(
                "system instruction",
                "for the model",
                revise=lambda: add_to_content(dataset, node, "system_instruction", text, "text"),
            )
        )
    found += part_choices(partial(add_to_content, dataset, node, "prompt"), "to the prompt", "prompt")
    return [*found, another_key(dataset, node, "custom metrics can read it")]
