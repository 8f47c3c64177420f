"""Messages in the form of `google.genai.types.Content`, which ADK's eval sets and EvaluationDatasets share."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of, member, snake
from evaltui.interop.cx_cases import as_object
from evaltui.interop.fields import SetField, SourceFields
from evaltui.interop.output_tree import OwnKey, Respelt, Tree
from evaltui.interop.portable_set import (
    CallPart,
    FilePart,
    Part,
    PortableContent,
    ResponsePart,
    TextPart,
    UnknownPart,
)

_THOUGHTS = ("thought", "thought_signature")
UNUSUAL_ROLE = "evaltui converts only the usual roles of messages"
CALL_NAMES = ("name", "tool_name")
CALL_ARGS = ("args", "tool_input", "arguments")
"""Keys for the name and the arguments of a tool call: of google-genai, of legacy lists and trajectories, of OpenAI."""
_FREE = frozenset(["args", "response", "state", "state_delta", "part_metadata", "final_session_state"])
"""Fields whose objects have free keys, chosen by the author of the file."""


def model_tree(node: Node) -> Tree:
    """A value of one of google's models with its keys in snake_case. Keys below free-form fields stay."""
    if node.kind == "object":
        members: Tree = {
            snake(item.name): item if snake(item.name) in _FREE else model_tree(item)
            for item in _read_members(node)
            if item.kind != "null"
        }
        return Respelt(node, members)
    return Respelt(node, [model_tree(item) for item in node.items]) if node.kind == "array" else node


def _read_members(node: Node) -> list[Node]:
    """The values that count: the last of a duplicate key, and the camelCase one of two spellings."""
    return [item for item in node.items if member(node, snake(item.name)) is item]


def read_members(node: Node, known: Sequence[str]) -> dict[str, Node]:
    """The values of an object except `known` keys and nulls, by their keys in snake_case."""
    return {
        snake(item.name): item for item in _read_members(node) if item.kind != "null" and snake(item.name) not in known
    }


class ContentReader:
    """Reads messages and notes the fields of their values."""

    def __init__(self, fields: SourceFields, *, is_of_eval_set: bool = False) -> None:
        self._fields, self._is_of_eval_set = fields, is_of_eval_set

    def content(self, node: Node | None, role: str, text: SetField, parts: SetField) -> PortableContent | None:
        """The message in a content; None for none.

        `role` is the default role here; `text` and `parts` are the fields for texts and for all other parts.
        A plain text is read as a content with one text, as in agentplatform's own tools.
        """
        if node is None or node.kind == "null":
            return None
        if node.kind == "string":
            return PortableContent([TextPart(self._fields.note(node, text))])
        found = PortableContent([self.part(part, text, parts) for part in items_of(node, "parts")])
        spoken = filled(node, "role")
        found.lacks_role = spoken is None and self._is_of_eval_set
        if spoken is not None and spoken.kind == "string" and spoken.text() in ("", role):
            self._fields.pass_over(spoken)
        elif spoken is not None:
            found.role = self._fields.note(spoken, parts, UNUSUAL_ROLE)
        return found

    def part(self, node: Node, text: SetField, parts: SetField) -> Part:
        """One part of a message."""
        others = read_members(node, ("text", "function_call", "function_response", "inline_data", "file_data"))
        for name, each in others.items():
            self._fields.note(each, SetField.THOUGHTS if name in _THOUGHTS else parts)
        if (call := filled(node, "function_call")) is not None and call.kind == "object":
            return self.call(call, others)
        if (response := filled(node, "function_response")) is not None and response.kind == "object":
            return self.response(response, others)
        said = filled(node, "text")
        if said is not None and filled(node, "inline_data") is None and filled(node, "file_data") is None:
            return TextPart(
                self._fields.note(said, SetField.THOUGHTS if _is_true(others.get("thought")) else text), others
            )
        for name in ("inline_data", "file_data"):
            if (file := filled(node, name)) is not None and file.kind == "object":
                return self._file(file, parts, others)
        members = read_members(node, ()) if node.kind == "object" else {}
        return UnknownPart(self._fields.note(node, parts), members)

    def call(
        self, node: Node, part_others: dict[str, Node] | None = None, *, besides: Collection[str] = ()
    ) -> CallPart:
        """A function call; the members of the part around it come along. Keys `besides` it are not its own.

        It may have the keys of a legacy list, or `arguments` as in OpenAI's calls, whose value may be a JSON text.
        """
        name = next((key for key in CALL_NAMES if filled(node, key) is not None), "name")
        args = next((key for key in CALL_ARGS if filled(node, key) is not None), "args")
        found = CallPart(node, part_others=part_others or {}, others=read_members(node, (name, args, "id", *besides)))
        found.name = self._noted(filled(node, name), SetField.CALL_NAME)
        given = self._noted(filled(node, args), SetField.CALL_ARGS)
        found.args = given if given is None or args == "args" else as_object(given)
        found.id = self._noted(filled(node, "id"), SetField.CALL_ID)
        for each in found.others.values():
            self._fields.note(each, SetField.CALL_OTHER)
        return found

    def response(self, node: Node, part_others: dict[str, Node] | None = None) -> ResponsePart:
        """A function response; the members of the part around it come along."""
        others = read_members(node, ("name", "response", "id"))
        found = ResponsePart(node, part_others=part_others or {}, others=others)
        found.name = self._noted(filled(node, "name"), SetField.TOOL_RESPONSE)
        found.response = self._noted(filled(node, "response"), SetField.TOOL_RESPONSE)
        found.id = self._noted(filled(node, "id"), SetField.CALL_ID)
        for each in found.others.values():
            self._fields.note(each, SetField.CALL_OTHER)
        return found

    def _file(self, node: Node, parts: SetField, part_others: dict[str, Node]) -> FilePart:
        found = FilePart(self._fields.note(node, parts), part_others=part_others)
        found.data, found.uri = filled(node, "data"), filled(node, "file_uri")
        found.mime_type = filled(node, "mime_type")
        found.others = read_members(node, ("data", "file_uri", "mime_type"))
        return found

    def _noted(self, node: Node | None, field: SetField) -> Node | None:
        return self._fields.note(node, field) if node is not None else None


def _is_true(node: Node | None) -> bool:
    return node is not None and node.source() == b"true"


# --- writing -------------------------------------------------------------------------------------------------------


def content_tree(content: PortableContent, role: str) -> dict[str, Tree]:
    """A message as a content; `role` is written if the message has no role of its own."""
    return {"role": content.role if content.role is not None else role, **bare_content_tree(content)}


def bare_content_tree(content: PortableContent) -> dict[str, Tree]:
    """A message as a content without a role."""
    return {"parts": [part_tree(part) for part in content.parts]}


def part_tree(part: Part) -> dict[str, Tree]:
    """One part of a message."""
    match part:
        case TextPart():
            return {"text": part.text, **_models(part.others)}
        case CallPart():
            return {"function_call": call_tree(part), **_models(part.part_others)}
        case ResponsePart():
            return {"function_response": response_tree(part), **_models(part.part_others)}
        case FilePart():
            name = "file_data" if part.uri is not None else "inline_data"
            place = {"file_uri": part.uri} if part.uri is not None else {"data": part.data}
            return {
                name: _given({"mime_type": part.mime_type, **place, **_models(part.others)}),
                **_models(part.part_others),
            }
        case UnknownPart():
            return _models(part.members)


def call_tree(part: CallPart) -> dict[str, Tree]:
    """A call as `google.genai.types.FunctionCall`."""
    return _given({"id": part.id, "name": part.name, "args": part.args, **_models(part.others)})


def response_tree(part: ResponsePart) -> dict[str, Tree]:
    """A response as `google.genai.types.FunctionResponse`."""
    return _given({"id": part.id, "name": part.name, "response": part.response, **_models(part.others)})


def _models(members: Mapping[str, Node]) -> dict[str, Tree]:
    """Values of google's models."""
    return {name: each if name in _FREE else model_tree(each) for name, each in members.items()}


def _given(members: Mapping[str, Tree]) -> dict[str, Tree]:
    """The members that there are."""
    return {name: value for name, value in members.items() if value is not None}


def fair_members(
    members: Mapping[str, Node], known: Collection[str], fields: SourceFields, reason: str
) -> dict[str, Node]:
    """Values under free keys without those that the target's readers would take for `known` fields, which are lost."""
    for name, value in members.items():
        if snake(name) in known:
            fields.remark(value, "no_place", reason)
    return {name: value for name, value in members.items() if snake(name) not in known}


def own_members(members: Mapping[str, Node]) -> dict[str, Tree]:
    """Values under their free keys, which are never respelt."""
    return {OwnKey(name): each for name, each in members.items()}
