"""Tool calls of a turn with their responses, in both shapes of intermediate data.

Shape one lists `tool_uses` and `tool_responses` (`IntermediateData`); shape two holds them as `function_call` and
`function_response` parts of events (`InvocationEvents`). Both read the same here.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from enum import Enum
from typing import NamedTuple

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of, text_of


class Pairing(Enum):
    """The relation of a call to its response."""

    ANSWERED = "answered"
    BY_ORDER = "paired by order"
    """Neither has an id; they are paired by name and order."""
    NO_ANSWER = "no tool response"
    SHARED_ID = "duplicate id"


class ToolUse(NamedTuple):
    """A call (`node`, a FunctionCall object) with its response, if it has one."""

    node: Node
    pairing: Pairing
    response: Node | None = None
    author: str = ""
    """The author of the event that holds the call; "" in the shape of lists."""

    @property
    def name(self) -> str:
        """The name of the tool."""
        return text_of(self.node, "name")

    @property
    def id(self) -> str:
        """The id that pairs the call with its response; "" without one."""
        return text_of(self.node, "id")

    @property
    def args(self) -> Node | None:
        """The arguments; None if they are absent, which google-adk treats differently from an empty object."""
        return self.node.member("args")


def expected_uses(owner: Node) -> list[ToolUse]:
    """The expected tool calls of a turn of an eval set, or of a case of a dataset, with their responses."""
    return calls_and_orphans(owner)[0]


def use_of(turn: Node | None, call: Node) -> ToolUse | None:
    """The tool call of a turn at `call`; None for any other node."""
    return next((use for use in expected_uses(turn) if use.node is call), None) if turn is not None else None


def events_of(turn: Node) -> list[Node]:
    """The events of a turn of an eval set; none in the other shape."""
    return items_of(filled(turn, "intermediate_data"), "invocation_events")


def responses_of(turn: Node) -> list[Node]:
    """The intermediate responses; each is a list of an author and parts."""
    return items_of(filled(turn, "intermediate_data"), "intermediate_responses")


def calls_and_orphans(owner: Node) -> tuple[list[ToolUse], list[Node]]:
    """The expected tool calls of a turn or dataset case in order, and the responses without a call.

    Responses pair by id; without ids, by name and order. The calls in lists come first, then those of events.
    """
    data = filled(owner, "intermediate_data")
    calls = [(node, "") for node in items_of(data, "tool_uses") if node.kind == "object"]
    responses = [node for node in items_of(data, "tool_responses") if node.kind == "object"]
    for event in items_of(owner, "intermediate_events") or items_of(data, "invocation_events"):
        author = text_of(event, "author")
        for part in items_of(filled(event, "content"), "parts"):
            call, response = filled(part, "function_call"), filled(part, "function_response")
            if call is not None and call.kind == "object":
                calls.append((call, author))
            if response is not None and response.kind == "object":
                responses.append(response)
    keys = [_matching_key(node) for node, _ in calls]
    waiting: dict[tuple[str, str], deque[Node]] = defaultdict(deque)
    for response in responses:
        waiting[_matching_key(response)].append(response)
    # Most turns have one call or none, whose id cannot stand twice; this runs for each turn of a large set.
    uses_of_id = Counter(identifier for identifier, _ in keys) if len(keys) > 1 else Counter()
    paired: list[ToolUse] = []
    for key, (node, author) in zip(keys, calls, strict=True):
        answers = waiting[key]
        answer = answers.popleft() if answers else None
        pairing = (Pairing.ANSWERED if key[0] else Pairing.BY_ORDER) if answer is not None else Pairing.NO_ANSWER
        # A shared id is told before a missing answer: google-adk gives each of these calls the last response.
        pairing = Pairing.SHARED_ID if key[0] and uses_of_id[key[0]] > 1 else pairing
        paired.append(ToolUse(node, pairing, answer, author))
    # By identity: nodes of equal text are equal, and the responses stay in the order of the file.
    unanswered = {id(node) for nodes in waiting.values() for node in nodes}
    return paired, [node for node in responses if id(node) in unanswered]


def _matching_key(node: Node) -> tuple[str, str]:
    """The key that a call shares with its response: the id, or the name if there is no id."""
    identifier = text_of(node, "id")
    return (identifier, "") if identifier else ("", text_of(node, "name"))
