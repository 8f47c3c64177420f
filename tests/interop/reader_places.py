"""Checks that written values stand where the target's own readers look for them."""

from __future__ import annotations

import base64
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ValidationError

from evaltui.document import pointer as pointers
from evaltui.document.node import Node, read_document
from evaltui.evalset.keys import snake
from evaltui.evalset.schema.eval_case import EvalSet
from evaltui.evalset.schema.genai_models import EvaluationDataset
from evaltui.interop.conversion import Conversion
from evaltui.interop.fields import ConversionError, SetField, SourceFields
from evaltui.interop.portable_set import FormatType, PortableSet
from evaltui.interop.resource_mapping import ResourceNames
from tests.interop.completeness import Kept, is_under, unreported_leaves

_MODELS: dict[str, type[BaseModel]] = {"evalset": EvalSet, "evaluation-dataset": EvaluationDataset}
_OF_ADK = ("conversation", "conversation_scenario", "rubrics", "final_session_state", "session_input")
_CONTENT = {
    "evalset": _OF_ADK,
    "adk-rs": _OF_ADK,
    "scenarios": ("starting_prompt", "conversation_plan"),
    "trpc-agent-go": (*_OF_ADK, "context_messages", "actual_conversation"),
    "evaluation_dataset": (
        *_OF_ADK,
        *("prompt", "reference", "agent_data", "intermediate_events", "user_scenario", "rubric_groups"),
        *("conversation_history", "responses", "reference_trajectory", "system_instruction", "agent_info"),
    ),
    "legacy_cases": ("data",),
    "legacy_turns": ("query", "reference", "expected_tool_use"),
    "ces_evaluation": ("golden", "scenario"),
    "cxas-yaml": ("turns", "steps", "task", "session_parameters", "expectations", "mocks"),
}
"""Keys of cases with texts, calls, state, rubrics and scenarios by format. All others are extras."""
_ALL_CONTENT = frozenset(key for keys in _CONTENT.values() for key in keys) | {"messages"}
"""A reader that does not know such a key reads no content there."""
_anywhere = re.compile(r"(_id|/id|app_name|_time|timestamp|duration|/author|/role)$").search
"""Ids, times and names of speakers, which may stand anywhere."""
_ANY_FIELD = {
    SetField.ARGUMENT_RULES,  # the value of a rule becomes the argument
    SetField.CASE_OTHER,  # an extra field may be an id, a description or a tag
    SetField.SCENARIO_OTHER,
    SetField.SET_DESCRIPTION,
    SetField.SET_ID,
    SetField.THOUGHTS,
}


def unseen_leaves(value: Any, conversion: Conversion) -> list[tuple[str, Any]]:
    """Content of the source that no loss names and that google-adk or agentplatform do not see in the target."""
    model = _MODELS.get(conversion.target.option)
    if model is None:
        return []
    try:
        seen = Kept([_fields_of(model.model_validate(conversion.documents[0]))])
    except ValidationError:
        return []
    return [
        (pointer, leaf)
        for pointer, leaf in unreported_leaves(value, conversion)
        if not isinstance(leaf, bool)
        and not _anywhere(snake(pointer))
        and _key_of_case(pointer) in _ALL_CONTENT
        and not seen.count(leaf)
    ]


def _key_of_case(pointer: str) -> str:
    keys = [snake(token) for token in pointers.parse_pointer(pointer) if not token.isdecimal()]
    return next((key for key in keys if key not in ("eval_cases", "conversations", "evals", "scenarios")), "")


def _fields_of(value: Any) -> Any:
    """The values that a model has members for, without extra keys."""
    if isinstance(value, BaseModel):
        return {name: _fields_of(getattr(value, name)) for name in type(value).model_fields}
    if isinstance(value, dict):
        return {name: _fields_of(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_fields_of(item) for item in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value if isinstance(value, str | int | float | None) else str(getattr(value, "value", value))


def misplaced_values(value: Any, conversion: Conversion) -> list[tuple[str, SetField | None, list[SetField | None]]]:
    """Values that no loss names and that have another field when the target is read again."""
    source = read_document(json.dumps(value).encode())
    documents = list(conversion.documents)
    target = read_document(json.dumps(documents if conversion.target.option == "ces" else documents[0]).encode())
    try:
        written = _fields_by_value(target, read_by(conversion.target, target).fields)
    except ConversionError:
        return []
    lost = {loss.pointer for loss in conversion.losses if loss.kind != "invented"}
    found = []
    for leaf, places in _fields_by_value(source, read_by(conversion.source, source).fields).items():
        fields = [field for _, field in written.get(leaf, [])]
        for pointer, field in places:
            is_unique = " n" in leaf or leaf.startswith("7")
            if field is None and pointer.endswith(("/eval_id", "/eval_case_id", "/evalId", "/evalCaseId")):
                continue  # a case without an id of its own format takes this one
            if fields and is_unique and field not in (*fields, *_ANY_FIELD) and not is_under(pointer, lost):
                found.append((pointer, field, fields))
    return found


def read_by(form: FormatType, root: Node) -> PortableSet:
    """A document as the reader of its format reads it."""
    portable = PortableSet(root, "the_set", ResourceNames())
    form.read(portable)
    return portable


def _fields_by_value(root: Node, fields: SourceFields) -> dict[str, list[tuple[str, SetField | None]]]:
    found = defaultdict(list)
    for pointer, node, field in _fields_below(root, fields, "", None):
        found[json.dumps(node.value())].append((pointer, field))
    return found


def _fields_below(
    node: Node, fields: SourceFields, pointer: str, field: SetField | None
) -> Iterator[tuple[str, Node, SetField | None]]:
    if node in fields.noted and fields.noted[node] is None:
        return
    field = fields.noted.get(node) or field
    if not node.is_container:
        yield pointer, node, field
    for index, item in enumerate(node.items):
        name = item.name if node.kind == "object" else str(index)
        yield from _fields_below(item, fields, f"{pointer}/{pointers.escape(name)}", field)
