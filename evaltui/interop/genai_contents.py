"""Messages in the form of `google.genai.types.Content`, which ADK's eval sets and EvaluationDatasets share."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress

from evaltui.document.errors import EditError
from evaltui.document.node import Node, parse_value
from evaltui.evalset.keys import filled, items_of, member, snake
from evaltui.interop.fields import SetField, SourceFields, changed, no_place
from evaltui.interop.output_tree import Made, Respelt, Tree, Value, present, with_finite_numbers
from evaltui.interop.portable_set import CallPart, FilePart, Part, PortableContent, ResponsePart, TextPart

_THOUGHTS = ("thought", "thought_signature")
UNUSUAL_ROLE = "evaltui converts only the usual roles of messages"
CALL_NAMES = ("name", "tool_name")
CALL_ARGS = ("args", "tool_input", "arguments")
"""Keys for the name and the arguments of a tool call: of google-genai, of legacy lists and trajectories, of OpenAI."""
_FREE = frozenset(["args", "response", "state", "state_delta", "part_metadata", "final_session_state"])
"""Fields whose objects have free keys, chosen by the author of the file."""
_JSON_TEXT = changed("other formats require an object as arguments, so evaltui reads the JSON text")
_NO_OBJECT = changed('other formats require an object as arguments, so evaltui puts the value under the key "value"')


def read_members(node: Node, known_keys: Collection[str] = ()) -> dict[str, Node]:
    """The values of an object except `known_keys` and nulls, by their keys in snake_case."""
    return {
        name: item
        for item in node.items
        # The last of a duplicate key counts, and the camelCase one of two spellings.
        if (name := snake(item.name)) not in known_keys and item.kind != "null" and member(node, name) is item
    }


# --- reading -------------------------------------------------------------------------------------------------------


class ContentReader:
    """Reads messages and notes the fields of their values."""

    _is_of_eval_set = False

    def __init__(self, fields: SourceFields) -> None:
        self._fields = fields

    def content(self, node: Node | None, role: str, text: SetField, parts: SetField) -> PortableContent | None:
        """The message in a content; None for none.

        `role` is the default role here; `text` and `parts` are the fields for texts and for all other parts.
        """
        if node is None or node.kind == "null":
            return None
        # agentplatform's own tools also take a plain text for a content with one text.
        if node.kind == "string":
            return PortableContent([TextPart(self._fields.note(node, text))])
        content = PortableContent([self.part(part, text, parts) for part in items_of(node, "parts")])
        own_role = filled(node, "role")
        content.lacks_role = own_role is None and self._is_of_eval_set
        if own_role is not None and own_role.kind == "string" and own_role.text() in ("", role):
            self._fields.pass_over(own_role)
        elif own_role is not None:
            content.role = self._fields.note(own_role, parts, UNUSUAL_ROLE)
        return content

    def part(self, node: Node, text: SetField, parts: SetField) -> Part:
        """One part of a message."""
        extras = read_members(node, ("text", "function_call", "function_response", "inline_data", "file_data"))
        for name, value in extras.items():
            self._fields.note(value, SetField.THOUGHTS if name in _THOUGHTS else parts)
        if (call := filled(node, "function_call")) is not None and call.kind == "object":
            return self.call(call, extras)
        if (response := filled(node, "function_response")) is not None and response.kind == "object":
            return self.response(response, extras)
        own_text = filled(node, "text")
        if own_text is not None and filled(node, "inline_data") is None and filled(node, "file_data") is None:
            text_part = TextPart(own_text, extras)
            self._fields.note(own_text, SetField.THOUGHTS if text_part.is_thought else text)
            return text_part
        for name in ("inline_data", "file_data"):
            if (file := filled(node, name)) is not None and file.kind == "object":
                file_part = FilePart(self._fields.note(file, parts), part_extras=extras)
                file_part.data, file_part.uri = filled(file, "data"), filled(file, "file_uri")
                file_part.mime_type = filled(file, "mime_type")
                file_part.extras = read_members(file, ("data", "file_uri", "mime_type"))
                return file_part
        self._fields.note(node, parts)
        return read_members(node) if node.kind == "object" else {}

    def call(
        self, node: Node, part_extras: dict[str, Node] | None = None, *, besides: Collection[str] = ()
    ) -> CallPart:
        """A function call; the members of the part around it come along. Keys `besides` it are not its own."""
        name = next((key for key in CALL_NAMES if filled(node, key) is not None), "name")
        args = next((key for key in CALL_ARGS if filled(node, key) is not None), "args")
        call = CallPart(node, part_extras=part_extras or {}, extras=read_members(node, (name, args, "id", *besides)))
        call.name = self._fields.read(node, name, SetField.CALL_NAME)
        own_args = self._fields.read(node, args, SetField.CALL_ARGS)
        # OpenAI's `arguments` may be a JSON text. google-adk refuses other values than objects under its own key.
        call.args = own_args if own_args is None or args == "args" else args_as_object(own_args)
        call.id = self._fields.read(node, "id", SetField.CALL_ID)
        self._fields.note_all(call.extras.values(), SetField.CALL_OTHER)
        return call

    def response(self, node: Node, part_extras: dict[str, Node] | None = None) -> ResponsePart:
        """A function response; the members of the part around it come along."""
        extras = read_members(node, ("name", "response", "id"))
        response = ResponsePart(node, part_extras=part_extras or {}, extras=extras)
        response.name = self._fields.read(node, "name", SetField.TOOL_RESPONSE)
        response.response = self._fields.read(node, "response", SetField.TOOL_RESPONSE)
        response.id = self._fields.read(node, "id", SetField.CALL_ID)
        self._fields.note_all(extras.values(), SetField.CALL_OTHER)
        return response


def args_as_object(args: Node) -> Value:
    """Arguments as an object, which google-adk requires. A text may be the JSON of one."""
    if args.kind == "object":
        return args
    # OpenAI's format has arguments as JSON text.
    if args.kind == "string":
        with suppress(EditError):
            parsed = parse_value(args.text().encode("utf-8", "surrogatepass"))
            if parsed.kind == "object":
                return Made(with_finite_numbers(parsed.value()), (args,), _JSON_TEXT)
    return args_in_object(args)


def args_in_object(args: Node) -> Value:
    """Arguments as an object, with those of another kind under `value`."""
    return args if args.kind == "object" else Made({"value": args.value()}, (args,), _NO_OBJECT)


def response_as_object(response: Node | None, key: str) -> Value | None:
    """A tool response as an object, with a value of another kind under `key`."""
    if response is None or response.kind == "object":
        return response
    return Made({key: response.value()}, (response,))


# --- writing -------------------------------------------------------------------------------------------------------


def content_tree(content: PortableContent, role: str | None) -> dict[str, Tree]:
    """A message as a content; `role` is written if the message has no role of its own, None for none at all."""
    own_role = content.role if content.role is not None else role
    return present({"role": own_role, "parts": [part_tree(part) for part in content.parts]})


def part_tree(part: Part) -> dict[str, Tree]:
    """One part of a message."""
    match part:
        case TextPart():
            return {"text": part.text, **_member_trees(part.extras)}
        case CallPart():
            return {"function_call": call_tree(part), **_member_trees(part.part_extras)}
        case ResponsePart():
            return {"function_response": response_tree(part), **_member_trees(part.part_extras)}
        case FilePart():
            name = "file_data" if part.uri is not None else "inline_data"
            place = {"file_uri": part.uri} if part.uri is not None else {"data": part.data}
            file = present({"mime_type": part.mime_type, **place, **_member_trees(part.extras)})
            return {name: file, **_member_trees(part.part_extras)}
        case dict():
            return _member_trees(part)


def call_tree(part: CallPart) -> dict[str, Tree]:
    """A call as `google.genai.types.FunctionCall`."""
    return present({"id": part.id, "name": part.name, "args": part.args, **_member_trees(part.extras)})


def response_tree(part: ResponsePart) -> dict[str, Tree]:
    """A response as `google.genai.types.FunctionResponse`."""
    return present({"id": part.id, "name": part.name, "response": part.response, **_member_trees(part.extras)})


def model_tree(node: Node) -> Tree:
    """A value of one of google's models with its keys in snake_case. Keys below free-form fields stay."""
    if node.kind == "object":
        return Respelt(node, _member_trees(read_members(node)))
    return Respelt(node, [model_tree(item) for item in node.items]) if node.kind == "array" else node


def _member_trees(members: Mapping[str, Node]) -> dict[str, Tree]:
    return {name: value if name in _FREE else model_tree(value) for name, value in members.items()}


def fair_members(
    members: Mapping[str, Node], known_keys: Collection[str], fields: SourceFields, reason: str
) -> dict[str, Node]:
    """Values under free keys without those that the target's readers would take for known fields, which are lost."""
    # Under such a key, a reader of the target would read a value that its author never meant.
    for name, value in members.items():
        if snake(name) in known_keys:
            fields.remarks[value] = no_place(reason)
    return {name: value for name, value in members.items() if snake(name) not in known_keys}
