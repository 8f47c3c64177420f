"""The intermediate model, and the formats: every format is read into the model and written from it.

Its values are source values (`Node`), or made from them (`Made`). None means an absent value or a null of the source.
Default roles (user, model) are not kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from evaltui.document.node import Node
from evaltui.evalset.keys import filled
from evaltui.interop.fields import Holdings, SetField, SourceFields
from evaltui.interop.output_tree import Made, Tree, Value, added, text_in
from evaltui.interop.resource_mapping import ResourceNames


@dataclass(slots=True)
class TextPart:
    """A text in a message."""

    text: Value
    extras: dict[str, Node] = field(default_factory=dict)
    """Other members of the part (thought, thought_signature, part_metadata …) by their names in snake_case."""

    @property
    def is_thought(self) -> bool:
        """Whether it is a thought of the model."""
        thought = self.extras.get("thought")
        return thought is not None and thought.source() == b"true"


@dataclass(slots=True)
class CallPart:
    """A call of a tool (`google.genai.types.FunctionCall`)."""

    node: Node
    """The value that the call is read from."""
    name: Value | None = None
    args: Value | None = None
    """An object; None if absent."""
    # Formats with comparison rules write these arguments, all others write `args`.
    ruled_args: Node | None = None
    """The arguments together with their comparison rules (`$matchType`); None if they have no rules."""
    id: Value | None = None
    extras: dict[str, Node] = field(default_factory=dict)
    """Other members of the call by their names in snake_case."""
    part_extras: dict[str, Node] = field(default_factory=dict)
    """Other members of the part around it (thought_signature …)."""


@dataclass(slots=True)
class ResponsePart:
    """The response of a tool (`google.genai.types.FunctionResponse`)."""

    node: Node
    name: Value | None = None
    response: Value | None = None
    id: Value | None = None
    extras: dict[str, Node] = field(default_factory=dict)
    part_extras: dict[str, Node] = field(default_factory=dict)
    is_mock: bool | None = None
    """Whether the agent gets the response without a real call (CES); None if the source does not say."""


@dataclass(slots=True)
class FilePart:
    """Bytes or the address of a file (`inline_data`, `file_data`)."""

    node: Node
    data: Value | None = None
    """base64"""
    uri: Value | None = None
    mime_type: Value | None = None
    extras: dict[str, Node] = field(default_factory=dict)
    part_extras: dict[str, Node] = field(default_factory=dict)


Part: TypeAlias = TextPart | CallPart | ResponsePart | FilePart | dict[str, Node]
"""A part of a message. A dict has any other part, by the names of `google.genai.types.Part` in snake_case."""


@dataclass(slots=True)
class PortableContent:
    """A message."""

    parts: list[Part] = field(default_factory=list)
    role: Node | None = None
    """Only a role that is not the default."""
    # A set that only becomes a set again keeps its messages as the author wrote them.
    lacks_role: bool = False
    """Whether an eval set has the message without a role; then no role is invented in an eval set."""

    @property
    def tool_parts(self) -> list[CallPart | ResponsePart]:
        """The tool calls and tool responses."""
        return [part for part in self.parts if isinstance(part, CallPart | ResponsePart)]


@dataclass(slots=True)
class PortableEvent:
    """A message between the user message and the final response."""

    content: PortableContent | None
    """None for an event without content, as adk web keeps for the final response."""
    author: Value | None = None
    """None if the source does not say."""
    is_of_user: bool = False
    """Whether its role is "user", as the role of tool responses is."""
    keeps_calls: bool = False
    """Whether its calls are parts of an intermediate response, and so none of those in lists (`tool_uses`)."""
    extras: dict[str, Node] = field(default_factory=dict)
    """Token counts, model version, time and the like by their names in snake_case."""

    @property
    def parts(self) -> list[Part]:
        """The parts of the content; empty for an event without content."""
        return self.content.parts if self.content is not None else []

    @property
    def is_said_by_user(self) -> bool:
        """Whether it has texts by the user."""
        # Tool responses also have the role of a user, but no user says them.
        is_user = self.is_of_user or text_in(self.author).lower() == "user"
        return is_user and self.content is not None and bool(self.parts) and not self.content.tool_parts


@dataclass(slots=True)
class PortableRubric:
    """A sentence that a judge model checks."""

    node: Node
    id: Value | None = None
    text: Value | None = None
    description: Value | None = None
    type: Value | None = None
    group: Value | None = None
    """The name of the group it belongs to (EvaluationDataset)."""
    extras: dict[str, Node] = field(default_factory=dict)


@dataclass(slots=True)
class PortableAgent:
    """An agent of the app."""

    node: Node
    key: str = ""
    """The key in the map of agents; "" if the name is the key."""
    name: Value | None = None
    instruction: Value | None = None
    description: Value | None = None
    tools: Value | None = None
    """A list of `google.genai.types.Tool`."""
    extras: dict[str, Node] = field(default_factory=dict)


Shape = Literal["tool_uses", "events", "absent"]


@dataclass(slots=True)
class PortableTurn:
    """One turn: the user message, the events after it, and the final response."""

    node: Node
    user: PortableContent = field(default_factory=PortableContent)
    events: list[PortableEvent] = field(default_factory=list)
    """Calls, responses and texts before the final response, in order. A source that has lists of calls and responses
    (`tool_uses`) gives an event for each text, then for each call, followed by its response."""
    # google-adk expects no call of a turn without events, so the form tells something even for an empty turn.
    shape: Shape | None = None
    """The form of `events` in a source eval set; "absent" for a turn without `intermediate_data`. None for other
    sources, where the form does not matter."""
    expects_no_calls: bool | None = None
    """True if the source expects no tool call; None if it says nothing."""
    no_calls: Node | None = None
    """The value that expects no calls, if it is not an empty list of calls (CX Agent Studio)."""
    final: PortableContent | None = None
    id: Value | None = None
    time: Value | None = None
    """Seconds since 1970; None for google-adk's default 0.0 too."""
    durations: dict[str, Node] = field(default_factory=dict)
    rubrics: list[PortableRubric] = field(default_factory=list)
    agents: list[PortableAgent] = field(default_factory=list)
    extras: dict[str, Node] = field(default_factory=dict)

    def user_tree(self, message: Tree, reader: str) -> Tree:
        """The written user message. An empty one is reported as added, unless the source has it."""
        if self.user.parts or self.user.role is not None or filled(self.node, "user_content") is not None:
            return message
        clause = f"required by {reader}, but evaltui finds no message by the user"
        return added({"role": "user", "parts": []}, self.node, "/user_content", clause)


@dataclass(slots=True)
class PortableScenario:
    """The plan of a simulated user."""

    node: Node
    prompt: Value | None = None
    plan: Value | None = None
    persona: Value | None = None
    title: Value | None = None
    extras: dict[str, Node] = field(default_factory=dict)


@dataclass(slots=True)
class PortableCase:
    """An eval case."""

    node: Node
    id: Value | None = None
    name: Value | None = None
    description: Value | None = None
    tags: list[Value] = field(default_factory=list)
    time: Value | None = None
    turns: list[PortableTurn] | None = None
    """None for a case without a conversation."""
    scenario: PortableScenario | None = None
    session: Node | None = None
    """The value that describes the session at the start of the case; None for a case without one."""
    app_name: Value | None = None
    user_id: Value | None = None
    state: dict[str, Value] = field(default_factory=dict)
    session_extras: dict[str, Node] = field(default_factory=dict)
    final_state: Value | None = None
    rubrics: list[PortableRubric] = field(default_factory=list)
    agents: list[PortableAgent] = field(default_factory=list)
    system_instruction: Value | None = None
    criteria: list[Value] = field(default_factory=list)
    """Resource names of the criteria of a judge (CX Agent Studio)."""
    recorded: list[Value] = field(default_factory=list)
    """Responses that agents gave, as contents (EvaluationDataset)."""
    extras: dict[str, Node] = field(default_factory=dict)
    """Values that no format knows, or only the source format, by their own keys."""

    def take_state(self, node: Node, fields: SourceFields) -> None:
        """Add the variables in an object to the session at the start of the case."""
        self.session = self.session or node
        fields.note(node, SetField.STATE)
        for item in node.items:
            # Formats list variables in several places: a later one replaces an earlier one with the same name.
            if isinstance(replaced := self.state.get(item.name), Node):
                fields.note(replaced, SetField.STATE, "a later value of the same variable replaces it")
            self.state[item.name] = fields.note(item, SetField.STATE)

    def turns_tree(self, turns: list[Tree], fields: SourceFields, reader: str, own_turns: Node | None = None) -> Tree:
        """The written turns. An empty list is reported as added, unless the case is reported or has the list.

        `own_turns` is the value under the target's own key for turns, if the key is not `conversation`.
        """
        lists = (own_turns, filled(self.node, "conversation"))
        if turns or self.node in fields.remarks or any(item is not None and item.kind == "array" for item in lists):
            return turns
        clause = f"required by {reader}, but evaltui finds no turns in the source"
        return added([], self.node, "/conversation", clause)


@dataclass(slots=True)
class PortableSet:
    """An eval set."""

    root: Node
    # google-adk requires an id, and most other formats have none.
    id: Value | str
    """A plain text (the file name) if the source has no id."""
    names: ResourceNames
    """The resources of the app in CX Agent Studio."""
    fields: SourceFields = field(default_factory=SourceFields)
    cases: list[PortableCase] = field(default_factory=list)
    name: Value | None = None
    description: Value | None = None
    time: Value | None = None
    extras: dict[str, Node] = field(default_factory=dict)
    invented: list[Made] = field(default_factory=list)
    """Values that every target requires and that the source has no place for (the id of its only case)."""


@dataclass(frozen=True, slots=True)
class FormatType:
    """A format: its names, its reader and writer, and the fields that it holds when it is written."""

    source_word: str
    """The word in reports (`from`): evalset, evaluation_dataset …"""
    title: str
    """The name in sentences and tables: "EvaluationDataset"."""
    ending: str
    """The end of a written file's name: ".evalset.json", "-dataset.json"."""
    read: Callable[[PortableSet], None]
    """Reads the document of a set, whose id is the name of its file so far. Raises `ConversionError`."""
    option: str = ""
    """The word of `--to`; "" for a format that is only read."""
    holdings: Holdings = field(default_factory=dict)
    """Empty for a format that is only read."""
    write: Callable[[PortableSet], Sequence[Tree]] | None = None
    """The trees of the documents: one for the set, or one for each case, in a format with a `case_key`."""
    case_key: str = ""
    """The key with the id of a case in its document; "" for a format that has whole sets."""
    notes: Callable[[PortableSet], Iterable[str]] | None = None
    """Sentences on a written set that loses nothing by them: its readers use a value otherwise than before."""
    keeps_extras: bool = False
    """Whether a written case keeps fields that no reader of the format knows."""
    reader: str = ""
    """The program that rejects a written file as a whole for one wrong value: google-adk, agents-cli; "" for none."""
    is_yaml: bool = False
    takes_camel: bool = False
    """Whether `--camel` means anything for it."""
