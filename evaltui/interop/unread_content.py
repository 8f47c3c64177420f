"""Content of cases that no reader of a format finds: under keys of another format, or under keys of none."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, snake
from evaltui.interop.evaluation_datasets.kept_details import CASE_MEMBERS, TRAJECTORY
from evaltui.interop.fields import Reason, SetField, SourceFields
from evaltui.interop.losses import says_something
from evaltui.interop.output_tree import Tree, added
from evaltui.interop.portable_set import FormatType, PortableCase, PortableSet, PortableTurn

_OF_DATASETS = (*CASE_MEMBERS, TRAJECTORY)
_OF_FORMATS = {
    "legacy-cases": (
        "a legacy list",
        ("data", "query", "expected_tool_use", "expected_intermediate_agent_responses", "initial_session"),
    ),
    "ces": ("an evaluation of CX Agent Studio", ("golden", "scenario")),
    "cxas-yaml": ("a file of cxas", ("turns", "steps", "task", "mocks", "session_parameters", "expectations")),
}
"""Keys with content in other formats by the word of `--to`, and the words for a file of the format."""
_CONVERSATIONS = (
    *("conversation", "conversation_scenario", "actual_conversation", "prompt", "reference", "agent_data"),
    *("responses", "intermediate_events", "user_scenario", "conversation_history", "reference_trajectory"),
    *("golden", "scenario", "turns", "steps", "task", "data"),
)
"""Keys of all formats for the messages or the scenario of a case."""
_ABOUT_CASES = frozenset(
    [
        *("id", "name", "title", "display_name", "description", "note", "notes", "comment", "comments", "tags"),
        *("labels", "category", "categories", "metadata", "priority", "author", "owner", "version", "etag"),
    ]
)
"""Keys that say something about a case, but never hold its messages."""
_CONVERT_APART = "Move the field to a case of a dataset, and convert the dataset."


def is_silent(case: PortableCase) -> bool:
    """Whether a case has fields, but no turn, scenario or recorded response, and its messages may be in its fields."""
    nodes = [turn.node for turn in case.turns or ()] + ([case.scenario.node] if case.scenario is not None else [])
    if case.recorded or any(map(says_something, nodes)):
        return False
    extras = [*case.extras.values(), *case.session_extras.values()]
    # Under a known key, an empty conversation is meant. Only unknown fields may then hold messages.
    if any(filled(case.node, name) is not None for name in _CONVERSATIONS):
        return any(map(_may_be_content, extras))
    return case.id is None or bool(extras)


def remark_on_foreign_content(portable: PortableSet, target: FormatType) -> None:
    """Report extra fields that may hold content, and that the readers of `target` ignore or take for something else."""
    remarks = portable.fields.remarks
    of_sets, of_cases = (target.holdings[field] for field in (SetField.SET_OTHER, SetField.CASE_OTHER))
    for value in portable.extras.values():
        if target.keeps_extras and of_sets.kind == "changed" and value.is_container and _may_be_content(value):
            remarks[value] = of_sets
    format_name, own_keys = _OF_FORMATS.get(target.option, ("", ()))
    for key, value in (item for case in portable.cases for item in case.extras.items()):
        name = snake(key)
        # The names of fields do not tell: any text, list or object may be content, except known facts about a case.
        if target.keeps_extras and _may_be_content(value):
            remarks[value] = Reason("changed", of_cases.text, _CONVERT_APART if name in _OF_DATASETS else "")
        elif name in own_keys and says_something(value):
            remarks[value] = Reason("no_place", f"evaltui reads a field with this name only in {format_name}")


def turns_tree(
    case: PortableCase, turns: list[Tree], fields: SourceFields, reader: str, own_turns: Node | None = None
) -> Tree:
    """The written turns of a case. An empty list is reported as added, unless the case is reported or has the list.

    `own_turns` is the value under the target's own key for turns, if the key is not `conversation`.
    """
    has_list = any(
        value is not None and value.kind == "array" for value in (own_turns, filled(case.node, "conversation"))
    )
    if turns or has_list or case.node in fields.remarks:
        return turns
    clause = f"required by {reader}, but evaltui finds no turns in the source"
    return added([], case.node, "/conversation", clause)


def user_tree(turn: PortableTurn, message: Tree, reader: str) -> Tree:
    """The written user message of a turn. An empty one is reported as added, unless the source has it."""
    if turn.user.parts or turn.user.role is not None or filled(turn.node, "user_content") is not None:
        return message
    clause = f"required by {reader}, but evaltui finds no message by the user"
    return added({"role": "user", "parts": []}, turn.node, "/user_content", clause)


def _may_be_content(value: Node) -> bool:
    is_fact = snake(value.name) in _ABOUT_CASES
    return not is_fact and (value.is_container or value.kind == "string") and says_something(value)
