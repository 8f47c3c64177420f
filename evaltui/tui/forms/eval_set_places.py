"""The forms of an eval set and its cases, with their sessions, scenarios and rubrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, takes_turns, turns_of
from evaltui.evalset.editing.case_parts import (
    PERSONAS,
    TYPES,
    add_behavior,
    add_rubric,
    text_of_rubric,
    to_conversation,
    to_scenario,
    write_rubric_text,
)
from evaltui.evalset.editing.revision import Revision, add_item, put
from evaltui.evalset.editing.templates import add_case, add_session, add_turn
from evaltui.evalset.keys import filled, items_of, member, text_of
from evaltui.evalset.titles import case_title
from evaltui.tui.forms.form import Choice, Field, Form, Heading, Item, Link, empty_note
from evaltui.tui.forms.form_table import (
    CREATED,
    LIST,
    REQUIRED,
    FormOwner,
    FormPlace,
    FormRow,
    Maker,
    block,
    inline,
    items,
    line,
    text,
    value,
)
from evaltui.tui.forms.json_form import json_form, value_line
from evaltui.tui.lines import FILL, Line, counted, preview
from evaltui.tui.outlines.row_texts import case_line, turn_line

_UNREAD = "For people only; google-adk ignores this field."


_SET = FormPlace(
    (
        FormRow("eval_set_id", line, "Required. adk eval uses it in file names: letters, digits and _ only.", REQUIRED),
        FormRow("name", line, _UNREAD),
        FormRow("description", text, _UNREAD),
        CREATED,
        FormRow("eval_cases", items("Cases", lambda case: case_line(case)[:1], "Press a to add one.")),
    ),
    adds="case",
    add=lambda owner: add_case(owner.case_file, None),
    offers=lambda owner: owner.offer(owner.creation_time, {"creation_timestamp": "creation time"}),
)


# --- scenarios -------------------------------------------------------------------------------------------------------


def _persona(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    """A choice of the built-in personas; a link to a custom one."""
    persona = member(owner.node, row.key)
    if persona is not None and persona.kind == "object":
        name = preview(text_of(persona, "id"), 40) or "no id"
        behaviors = counted(len(items_of(persona, "behaviors")), "behavior")
        label: Line = [(name, ""), (f"  {behaviors}", "dim")]
        return [replace(item, line=label) if isinstance(item, Link) else item for item in value(owner, row)]
    [field] = line(owner, row)
    if isinstance(field, Field):
        # google-adk refuses to load a set with another id, so nobody can type one.
        field.choices, field.is_fixed = tuple(_persona_choices(owner.case_file, owner.node)), True
    return [field]


def _persona_choices(eval_set: CaseFile, scenario: Node, what: str = "") -> list[Choice]:
    act = f"set persona of {case_title(eval_set.enclosing(scenario, 'case') or eval_set.root)} to"

    def choice(label: str, remark: str, named: str, persona: object) -> Choice:
        return Choice(label, remark, lambda: Revision(f"{act} {named}", [put(scenario, "user_persona", persona)]))

    # google-adk reads these keys in snake_case only, so they are not spelled as around them.
    custom: dict[str, object] = {"id": "", "description": "", "behaviors": []}
    built_in = [choice(f"{what}{name}", remark, name, name) for name, remark in PERSONAS.items()]
    return [*built_in, choice("custom persona", "own behaviors", "a custom persona", custom)]


_SCENARIO = (
    FormRow("starting_prompt", block, "Required. First message of the simulated user, sent unchanged.", REQUIRED),
    FormRow("conversation_plan", block, "Required. Instructions for the simulated user, step by step.", REQUIRED),
    FormRow("user_persona", _persona, "EXPERT, NOVICE, EVALUATOR or a custom persona; google-adk rejects other ids."),
)


def _behavior_line(behavior: Node) -> Line:
    name = preview(text_of(behavior, "name"), 40) or "no name"
    return [(f"{name}  ", "name"), (preview(text_of(behavior, "description")), "dim")]


_PERSONA = FormPlace(
    (
        FormRow("id", line, "Required. Name of this persona.", REQUIRED),
        FormRow("description", block, "Required. Part of the simulated user's instructions.", REQUIRED),
        FormRow(
            "behaviors",
            items("Behaviors", _behavior_line, "Press a to add a behavior."),
            "Required, may be empty. Part of the simulated user's instructions.",
        ),
    ),
    adds="behavior",
    add=lambda owner: add_behavior(owner.case_file, owner.node),
)


def _texts(heading: str, key: str) -> Maker:
    """A maker of a field for each text of a list, which `key` adds; of one line for a value of another type."""

    def make(owner: FormOwner, row: FormRow) -> Sequence[Item]:
        texts = filled(owner.node, row.key)
        if texts is None or texts.kind != "array":
            # google-adk requires both lists, so null is no type of theirs.
            return value(owner, row._replace(types=("list",)))
        named = f"{owner.named} › {row.key}"
        fields: list[Item] = [value_line(item, named, help=row.help) for item in texts.items]
        return [Heading(heading, str(len(fields))), *(fields or [empty_note("None.", f"Press {key} to add one.")])]

    return make


def _add_text(owner: FormOwner, name: str) -> Revision:
    return Revision(f"add item to {owner.named} › {name}", [add_item(owner.node, name, "")])


_INSTRUCTS, _DESCRIBES = "tells the simulated user what to do", "describes a breach of the behavior"
_VIOLATIONS = "Required list. The metric for user simulators checks for these violations."
_BEHAVIOR = FormPlace(
    (
        FormRow("name", line, "Required. Name of this behavior.", REQUIRED),
        FormRow("description", block, "Required. Describes the behavior.", REQUIRED),
        FormRow(
            "behavior_instructions", _texts("Instructions", "a"), "Required list. Tells the simulated user what to do."
        ),
        FormRow("violation_rubrics", _texts("Violation rubrics", "A"), _VIOLATIONS),
    ),
    adds="instruction",
    add=lambda owner: _add_text(owner, "behavior_instructions"),
    begins="name",
    offers=lambda owner: owner.offer(
        lambda: [
            Choice("instruction", _INSTRUCTS, revise=partial(_add_text, owner, "behavior_instructions")),
            Choice("violation rubric", _DESCRIBES, revise=partial(_add_text, owner, "violation_rubrics")),
        ]
    ),
)


# --- rubrics ---------------------------------------------------------------------------------------------------------


def rubrics(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    """The rubrics of a case or turn, a line each; one line for any other value, none if it is absent."""
    # A line for each would hide the value of an item that is no rubric.
    if any(rubric.kind != "object" for rubric in items_of(owner.node, row.key)):
        return value(owner, row)
    return items("Rubrics", _rubric_line)(owner, row)


def _rubric_line(rubric: Node) -> Line:
    name, kind = preview(text_of(rubric, "rubric_id"), 40) or "no id", text_of(rubric, "type")
    missing = "no type" if filled(rubric, "type") is None else "no metric reads this type"
    mark = (f"  {kind} ", "dim") if kind in TYPES else (f"  {missing} ", "warning")
    return [(f"{name}  ", "name"), (preview(text_of_rubric(rubric)), ""), ("", FILL), mark, (" ", "")]


def rubric_text(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    """The text that the judge checks; in either format it is inside other objects."""
    case_file, rubric = owner.case_file, owner.node
    content = filled(rubric, row.key)
    holder, name = (content, "text_property")
    if case_file.is_dataset:
        holder, name = filled(content, "property"), "description"
        # Writing a text would replace what stands there.
        if any(node is not None and node.kind != "object" for node in (content, holder)):
            return value(owner, row)
    field = Field(
        (owner.table, name),
        row.heading,
        text_of_rubric(rubric),
        lambda typed: write_rubric_text(case_file, rubric, typed),
        node=member(holder, name) or member(rubric, row.key),
        block=True,
        takes_text=True,
        placeholder="no text · enter: write what the judge checks",
        help=row.help,
    )
    return [field]


def rest_of_rubric(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    """The keys beside the text in the object that holds it."""
    name, inner = ("content", "property") if owner.case_file.is_dataset else ("rubric_content", "text_property")
    content = filled(owner.node, name)
    if content is None or content.kind != "object":
        return []
    return owner._replace(node=content).other_keys((inner,), f"More in {name}")


_RUBRIC = FormPlace(
    (
        FormRow(
            "rubric_content",
            rubric_text,
            "The property of the response that the judge model checks.",
            heading="text_property",
        ),
        FormRow("rubric_id", line, "Required. A duplicate id in case, turn or config stops the whole run.", REQUIRED),
        FormRow("description", text, "For people only; the judge model does not see this text."),
        FormRow("type", line, "The type selects the metric; metrics ignore rubrics of unknown types.", choices=TYPES),
        FormRow("", rest_of_rubric),
    ),
)


# --- a case ----------------------------------------------------------------------------------------------------------

_SESSION = (
    FormRow("app_name", line, "Required. App of the agent; adk web shows only sessions of its own app.", REQUIRED),
    FormRow("user_id", line, 'Required. adk web lists only sessions of the user named "user".', REQUIRED),
    FormRow(
        "session_id", line, "Id of the session (google-adk 2.6 or later). If absent, one is created.", is_optional=True
    ),
    FormRow("state", value, "State at the start of the session. Absent means {}; null is rejected.", ("object",)),
)


def _turns(owner: FormOwner, row: FormRow) -> Sequence[Item]:
    # A scenario stands in the place of turns; turns beside it are shown, because google-adk rejects the case.
    is_replaced = filled(owner.node, "conversation_scenario") is not None and not turns_of(owner.node)
    return value(owner, row) if is_replaced else items("Turns", turn_line, "Press a to add one.")(owner, row)


def _of_session(owner: FormOwner) -> list[Choice]:
    session = filled(owner.node, "session_input")
    if session is None or session.kind != "object":
        return []
    holder = owner._replace(node=session)
    return [*holder.filling("session_id", "", "session id"), *holder.filling("state", {}, "session state")]


def _case_choices(owner: FormOwner) -> list[Choice]:
    eval_set, case, choices = owner.case_file, owner.node, _of_session(owner)
    scenario = filled(case, "conversation_scenario")
    if filled(case, "session_input") is None:
        add = partial(add_session, eval_set, case)
        choices.append(Choice("session input", "app, user and first state", revise=add))
    choices.append(Choice("rubric", "for every turn", revise=partial(add_rubric, eval_set, case)))
    choices += owner.filling("final_session_state", {}, "final session state", "google-adk ignores it")
    choices += owner.creation_time()
    if scenario is None:
        revise = partial(to_scenario, eval_set, case)
        choices.append(Choice("scenario instead of turns", "deletes the turns", revise=revise))
    elif scenario.kind == "object":
        choices += _persona_choices(eval_set, scenario, "persona ")
        revise = partial(to_conversation, eval_set, case)
        choices.append(Choice("turns instead of the scenario", "deletes the scenario", revise=revise))
    return [*choices, owner.another_key("google-adk ignores it")]


def _case_offers(owner: FormOwner) -> Sequence[Item]:
    words = {"session_input": "session input", "rubrics": "rubrics", "final_session_state": "final state"}
    words["creation_timestamp"] = "creation time"
    return owner.offer(partial(_case_choices, owner), words, [choice.label for choice in _of_session(owner)])


_CASE = FormPlace(
    (
        FormRow(
            "eval_id", line, "Required. adk eval stops if two cases have the same id. No commas or colons.", REQUIRED
        ),
        FormRow(
            "conversation_scenario",
            inline("scenario", "Scenario", _SCENARIO),
            "A simulated user talks to the agent, so offline metrics compare nothing.",
        ),
        FormRow("conversation", _turns, "Turns of the case. A case has turns or a scenario, never both.", LIST),
        FormRow(
            "session_input",
            inline("session", "Session input", _SESSION),
            "Session at the start of the case. If absent, adk eval creates one.",
        ),
        FormRow("rubrics", rubrics, "The rubric_based_… metrics check these rubrics in every turn of the case.", LIST),
        FormRow(
            "final_session_state",
            value,
            "google-adk ignores this field: no metric compares the final state.",
            section="More",
        ),
        CREATED,
    ),
    others="",
    adds="turn",
    add=lambda owner: add_turn(owner.case_file, owner.node, None),
    begins="eval_id",
    offers=_case_offers,
)


PLACES: Mapping[str, Callable[[FormOwner], Form]] = {
    "set": _SET.form,
    # google-adk rejects a case with a scenario and turns, so `a` is not offered; the edit explains it.
    "case": lambda owner: (_CASE if takes_turns(owner.node) else _CASE._replace(adds="")).form(owner),
    "session": FormPlace(_SESSION, others="").form,
    "state": lambda owner: json_form(owner.node, owner.named, inline=True),
    "scenario": FormPlace(_SCENARIO, others="").form,
    "persona": _PERSONA.form,
    "behavior": _BEHAVIOR.form,
    "rubric": _RUBRIC.form,
}
