"""The forms of values inside a dataset case: turns, events, responses, rubrics and agents."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from evaltui.document.edits import Edit, Insert, Set
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, EventView, user_event_of
from evaltui.evalset.content_parts import PartView
from evaltui.evalset.editing.call_edits import partner_of, write_in_pair
from evaltui.evalset.editing.case_parts import add_rubric, add_to_content, text_of_rubric, write_rubric_text
from evaltui.evalset.editing.revision import put
from evaltui.evalset.editing.templates import TEMPLATES, add_event
from evaltui.evalset.keys import filled, items_of, member
from evaltui.evalset.titles import title
from evaltui.tui.forms.dataset_forms import MANY, row_list, scenario_members, words_items
from evaltui.tui.forms.field_help import help_for
from evaltui.tui.forms.form import Choice, Field, Form, Heading, Item, empty_note
from evaltui.tui.forms.json_form import add_member, value_line
from evaltui.tui.forms.line_texts import dataset_rubric_line, event_line, longest_author
from evaltui.tui.forms.model_fields import item_link, offer_of, others, text_member, value_member
from evaltui.tui.forms.part_forms import (
    FREE,
    part_choices,
    part_lines,
    payload_lines,
    role_field,
)

_CALLS = ("function_call", "function_response")
_IMPORTANCE = {"HIGH": "highest weight", "MEDIUM": "", "LOW": "lowest weight"}


def conversation_turn_form(dataset: CaseFile, node: Node) -> Form:
    """The user message as text, the events of the turn, its id and number."""
    named = title(dataset, node)
    events = member(node, "events")
    said = user_event_of(node)
    items = words_items(dataset, said, "content", "dataset_event", "User") if said is not None else []
    if events is not None and events.kind != "array":
        items += value_member(dataset, node, "events", "dataset_turn", ("list", "null"))
    else:
        there = items_of(node, "events")
        items.append(Heading("Events", str(len(there))))
        line = partial(event_line, longest=longest_author(there[:MANY]))
        items += row_list(dataset, there, line, "No events.", help_for("dataset_turn", "events"))
    items += [Heading("Turn"), text_member(dataset, node, "turn_id", "dataset_turn")]
    number = member(node, "turn_index")
    if number is not None:
        items.append(replace(value_line(number, named), help=help_for("dataset_turn", "turn_index")))
    items += others(dataset, node, ("turn_id", "turn_index", "events"))
    return Form(named, items, add=lambda _: add_event(dataset, node, None), adds="event")


def agent_event_form(dataset: CaseFile, node: Node, named: str = "") -> Form:
    """Author, content and state change of an event or message; a single call with its arguments."""
    named = named or title(dataset, node)
    items: list[Item] = [text_member(dataset, node, "author", "dataset_event")]
    call = _only_call(node)
    if call is None:
        items += words_items(dataset, node, "content", "dataset_event")
    else:
        payload = filled(call.node, call.kind)
        assert payload is not None
        items += _call_items(dataset, payload, call.kind, named)
        rest = others(dataset, call.node, (call.kind,), "")
        content = filled(node, "content")
        assert content is not None
        items += [*rest, role_field(dataset, node, "content"), *others(dataset, content, ("parts", "role"), "")]
    items += _state_items(dataset, node, named)
    items += others(dataset, node, ("author", "content", "state_delta"))
    form = Form(named, items)
    form.items += offer_of([], _event_choices(dataset, node), named)
    if call is None:
        form.add = lambda _: add_to_content(dataset, node, "content", TEMPLATES["text"], "text")
        form.adds = "text"
        return form
    payload, free = filled(call.node, call.kind), FREE[call.kind]
    assert payload is not None
    pointer = f"{payload.pointer()}/{free}"
    form.add = add_member(lambda: member(payload, free), "argument", named, lambda source: Set(pointer, source))
    form.adds, form.asks_name = "argument", True
    return form


def _call_items(dataset: CaseFile, payload: Node, kind: str, named: str) -> list[Item]:
    """The fields of a call or response; a new name or id is written to its partner, too."""
    partner = partner_of(dataset, payload)
    is_call = kind == "function_call"
    other = "tool response" if is_call else "tool call"
    items: list[Item] = [
        Heading(kind.replace("_", " ").capitalize(), f"⇄ {other}" if partner is not None else f"no {other}")
    ]
    for item in payload_lines(dataset, payload, kind, named):
        name = next((each for each in ("name", "id") if isinstance(item, Field) and item.key == (kind, each)), None)
        if name is not None and isinstance(item, Field):
            write = partial(write_in_pair, dataset, payload, name)
            item = replace(item, write=write, suggests="tool" if name == "name" else "")  # noqa: PLW2901
        items.append(item)
    return items


def _only_call(node: Node) -> PartView | None:
    """The call or response of an event with nothing else in it."""
    content = filled(node, "content")
    parts = EventView(node).parts
    if content is None or len(parts) != 1 or len(items_of(content, "parts")) != 1 or parts[0].kind not in _CALLS:
        return None
    payload = filled(parts[0].node, parts[0].kind)
    return parts[0] if payload is not None and payload.kind == "object" and len(parts[0].payloads) == 1 else None


def _state_items(dataset: CaseFile, node: Node, named: str) -> list[Item]:
    """The keys of a state change as fields; one line if it is empty or not an object."""
    state = member(node, "state_delta")
    if state is None or state.kind != "object" or not state.items:
        return value_member(dataset, node, "state_delta", "dataset_event")
    help = help_for("dataset_event", "state_delta")
    lines = [replace(value_line(item, named, "state"), help=help) for item in state.items]
    return [Heading("State delta", str(len(state.items))), *lines]


def _event_choices(dataset: CaseFile, node: Node) -> list[Choice]:
    found = part_choices(partial(add_to_content, dataset, node, "content"), "to the event", "content")
    state = filled(node, "state_delta")
    if state is None or state.kind == "object":

        def first(source: bytes) -> Edit:
            edit = put(node, "state_delta", None)
            assert isinstance(edit, (Insert, Set))
            return edit._replace(source=source)

        add = add_member(lambda: state, "state", title(dataset, node), first)
        found.append(Choice("state change", "a key and its value", write=add, question="Name of the key"))
    return found


# --- views of values that are no rows --------------------------------------------------------------------------------


def answer_form(dataset: CaseFile, node: Node, named: str) -> Form:
    """The content of a recorded response or reference."""
    heading = "Recorded response" if dataset.place(node) == "response" else "Reference"
    items = words_items(dataset, node, "response", "dataset_answer", heading)
    items += others(dataset, node, ("response",))
    add = partial(add_to_content, dataset, node, "response")
    items += offer_of([], part_choices(add), named)
    return Form(named, items, add=lambda _: add(TEMPLATES["text"], "text"), adds="text")


def any_content_form(dataset: CaseFile, content: Node, named: str) -> Form:
    """Role and parts of a content that is opened alone."""
    owner, name = content.parent, content.name
    assert owner is not None
    name = {"systemInstruction": "system_instruction"}.get(name, name)
    items: list[Item] = [role_field(dataset, owner, name), Heading("Parts", str(len(items_of(content, "parts"))))]
    found = [PartView(each) for each in items_of(content, "parts") if each.kind == "object"]
    items += part_lines(dataset, found, name, "text", "")
    items += others(dataset, content, ("parts", "role"))
    add = partial(add_to_content, dataset, owner, name)
    items += offer_of([], part_choices(add, "here", name), named)
    return Form(named, items, add=lambda _: add(TEMPLATES["text"], "text"), adds="text")


def user_scenario_form(dataset: CaseFile, scenario: Node, named: str) -> Form:
    """The texts of a user scenario."""
    return Form(named, scenario_members(dataset, scenario))


def rubric_group_form(dataset: CaseFile, group: Node, named: str) -> Form:
    """Id, name and rubrics of a group."""
    rubrics = items_of(group, "rubrics")
    items: list[Item] = [text_member(dataset, group, name, "rubric_group") for name in ("group_id", "display_name")]
    listed = member(group, "rubrics")
    if listed is not None and listed.kind != "array":
        items += value_member(dataset, group, "rubrics", "rubric_group", ("list", "null"))
    else:
        items.append(Heading("Rubrics", str(len(rubrics))))
        help = help_for("rubric_group", "rubrics")
        items += [item_link(each, dataset_rubric_line(each), f"rubric of {named}", help) for each in rubrics]
        items += [] if rubrics else [empty_note("No rubrics.", "Press a to add a rubric.")]
    items += others(dataset, group, ("group_id", "display_name", "rubrics"))
    return Form(named, items, add=lambda _: add_rubric(dataset, group), adds="rubric")


def dataset_rubric_form(dataset: CaseFile, rubric: Node, named: str) -> Form:
    """Text, id, type and importance of a rubric."""
    content = filled(rubric, "content")
    criterion = filled(content, "property")
    text = Field(
        ("dataset_rubric", "description"),
        "text",
        text_of_rubric(rubric),
        lambda typed: write_rubric_text(dataset, rubric, typed),
        node=member(criterion, "description") or member(rubric, "content"),
        block=True,
        takes_text=True,
        placeholder="no text · enter: write what the judge checks",
        help=help_for("dataset_rubric", "description"),
    )
    importance = text_member(dataset, rubric, "importance", "dataset_rubric")
    if isinstance(importance, Field):
        choices = [Choice(name, why, revise=partial(importance.write, name)) for name, why in _IMPORTANCE.items()]
        importance = replace(importance, choices=tuple(choices))
    is_odd = (content is not None and content.kind != "object") or (
        criterion is not None and criterion.kind != "object"
    )
    items: list[Item] = [*value_member(dataset, rubric, "content", "dataset_rubric")] if is_odd else [text]
    items += [text_member(dataset, rubric, "rubric_id", "dataset_rubric")]
    items += [text_member(dataset, rubric, "type", "dataset_rubric"), importance]
    items += others(dataset, rubric, ("rubric_id", "content", "type", "importance"))
    if content is not None and content.kind == "object":
        items += others(dataset, content, ("property",), "More in content")
    return Form(named, items)


def agent_form(dataset: CaseFile, agent: Node, named: str) -> Form:
    """Id, type, description and instruction of an agent, its tools and sub-agents."""
    items: list[Item] = [text_member(dataset, agent, name, "agent") for name in ("agent_id", "agent_type")]
    items += [text_member(dataset, agent, name, "agent", block=True) for name in ("description", "instruction")]
    items += value_member(dataset, agent, "tools", "agent", ("list", "null"))
    items += value_member(dataset, agent, "sub_agents", "agent", ("list", "null"))
    items += others(dataset, agent, ("agent_id", "agent_type", "description", "instruction", "tools", "sub_agents"))
    return Form(named, items)
