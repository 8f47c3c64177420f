"""Content of cases that no reader of a format finds: under keys of another format, or under keys of none."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, snake
from evaltui.interop.evaluation_datasets.kept_details import CASE_MEMBERS, TRAJECTORY
from evaltui.interop.fields import SetField, SourceFields
from evaltui.interop.format_type import FormatType
from evaltui.interop.losses import says_something
from evaltui.interop.output_tree import Invented, Tree
from evaltui.interop.portable_set import PortableCase, PortableSet, PortableTurn

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
_NO_TURNS = (
    "the case has no message and no scenario under the keys of {}, so evaltui finds no turns in it",
    "Add a conversation, or delete the case.",
)
_ONLY_IN = "evaltui reads a field with this name only in {}"
_CONVERT_APART = "Move the field to a case of a dataset, and convert the dataset."


def is_silent(case: PortableCase) -> bool:
    """Whether a case has fields, but no turn, scenario or recorded response, and its messages may be in its fields."""
    read = [turn.node for turn in case.turns or ()] + ([case.scenario.node] if case.scenario is not None else [])
    if case.recorded or any(map(says_something, read)):
        return False
    extras = [*case.others.values(), *(case.session.others.values() if case.session is not None else ())]
    if any(filled(case.node, name) is not None for name in _CONVERSATIONS):
        return any(map(_may_be_content, extras))
    return case.id is None or bool(extras)


def remark_on_silent_cases(cases: list[PortableCase], fields: SourceFields, source: FormatType) -> None:
    """Report cases in which evaltui finds no turns as lost."""
    for case in cases:
        fields.remark(case.node, "no_place", _NO_TURNS[0].format(source.title), _NO_TURNS[1])


def remark_on_foreign_content(portable: PortableSet, target: FormatType) -> None:
    """Report extra fields that may hold content, and that the readers of `target` ignore or take for something else.

    The names of the fields do not matter: any text, list or object may be content, except known facts about a case.
    """
    of_sets, of_cases = (target.holdings[field] for field in (SetField.SET_OTHER, SetField.CASE_OTHER))
    for value in portable.others.values():
        if target.keeps_extras and of_sets.extent == "changed" and value.is_container and _may_be_content(value):
            portable.fields.remark(value, "changed", of_sets.reason)
    of_target, own = _OF_FORMATS.get(target.option, ("", ()))
    for key, value in (item for case in portable.cases for item in case.others.items()):
        name = snake(key)
        if target.keeps_extras and _may_be_content(value):
            advice = _CONVERT_APART if name in _OF_DATASETS else ""
            portable.fields.remark(value, "changed", of_cases.reason, advice)
        elif name in own and says_something(value):
            portable.fields.remark(value, "no_place", _ONLY_IN.format(of_target))


def turns_tree(case: PortableCase, turns: list[Tree], fields: SourceFields, by: str, own: Node | None = None) -> Tree:
    """The written turns of a case. An empty list is reported as added, unless the case is reported or has the list.

    `own` is the value of the source under the target's own key for turns, if the key is not `conversation`.
    """
    given = [each for each in (own, filled(case.node, "conversation")) if each is not None and each.kind == "array"]
    if turns or given or case.node in fields.remarks:
        return turns
    return Invented([], case.node, "/conversation", f"required by {by}, but evaltui finds no turns in the source")


def user_tree(turn: PortableTurn, message: Tree, by: str) -> Tree:
    """The written user message of a turn. An empty one is reported as added, unless the source has it."""
    if turn.user.parts or turn.user.role is not None or filled(turn.node, "user_content") is not None:
        return message
    empty = {"role": "user", "parts": []}
    return Invented(empty, turn.node, "/user_content", f"required by {by}, but evaltui finds no message by the user")


def _may_be_content(value: Node) -> bool:
    name = snake(value.name)
    return name not in _ABOUT_CASES and (value.is_container or value.kind == "string") and says_something(value)
