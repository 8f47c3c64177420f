"""Values of cases for find and replace: texts, ids, tool names, and values and keys in free JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from evaltui.document.node import Node
from evaltui.evalset.call_views import tool_uses_of
from evaltui.evalset.case_file import EventView, dataset_turns_of, payloads_of, turns_of
from evaltui.evalset.content_parts import parts_of
from evaltui.evalset.keys import filled, items_of, member, text_of

KINDS = (
    *("messages", "responses", "tool names", "arguments", "ids"),
    *("tool responses", "state", "numbers, booleans", "keys"),
)
"""Kinds of values that can be replaced. Arguments, tool responses and states are free JSON: their texts have a kind
each, their numbers, booleans and nulls share one, and so do their keys.

Timestamps and other members of google-adk's own models are not included.
"""

_NUMBERS, _KEYS = KINDS[7:]
_TYPES = {"string": "text"}


@dataclass(frozen=True, slots=True)
class ReplaceableValue:
    """A replaceable value or key, with all nodes that must stay equal, such as the ids of a call and its response."""

    kind: str
    nodes: tuple[Node, ...]
    is_key: bool = False

    @property
    def text(self) -> str:
        """The text or key; for a number, boolean or null its spelling in the file."""
        node = self.nodes[0]
        if self.is_key:
            return node.name
        return node.text() if node.kind == "string" else node.source().decode("utf-8", "replace")

    @property
    def type(self) -> str:
        """key, text, number, boolean or null."""
        kind = self.nodes[0].kind
        return "key" if self.is_key else _TYPES.get(kind, kind)

    @property
    def is_word(self) -> bool:
        """Whether only the whole value matches: a search for `e` must not find the `e` of `true`."""
        return self.type in ("boolean", "null")


def values_of_case(case: Node) -> Iterator[ReplaceableValue]:
    """All replaceable values and keys of a case, roughly in the order of the form."""
    yield from equal_texts("ids", member(case, "eval_id"))
    scenario = filled(case, "conversation_scenario")
    for name in ("starting_prompt", "conversation_plan"):
        yield from equal_texts("messages", member(scenario, name))
    for turn in turns_of(case):
        yield from equal_texts("ids", member(turn, "invocation_id"))
        yield from texts_of_content("messages", filled(turn, "user_content"))
        yield from _calls(turn)
        yield from texts_of_content("responses", filled(turn, "final_response"))
    yield from free_values("state", member(filled(case, "session_input"), "state"))
    yield from free_values("state", member(case, "final_session_state"))


def values_in(
    cases: Iterable[Node],
    kinds: frozenset[str],
    values_of: Callable[[Node], Iterator[ReplaceableValue]] = values_of_case,
) -> list[ReplaceableValue]:
    """The values and keys of these kinds in these cases, in order; `values_of` gives all of one case."""
    return [place for case in cases for place in values_of(case) if place.kind in kinds]


def equal_texts(kind: str, *nodes: Node | None) -> Iterator[ReplaceableValue]:
    """One value for all nodes with the same text as the first."""
    texts = [node for node in nodes if node is not None and node.kind == "string"]
    if texts:
        first = texts[0].text()
        yield ReplaceableValue(kind, tuple(node for node in texts if node.text() == first))


def texts_of_content(kind: str, content: Node | None) -> Iterator[ReplaceableValue]:
    """The texts of a content, one value each."""
    for part in parts_of(content):
        if part.is_text:
            yield from equal_texts(kind, member(part.node, "text"))


def _calls(turn: Node) -> Iterator[ReplaceableValue]:
    uses = tool_uses_of(turn)
    for use in uses.calls:
        for kind, name in (("tool names", "name"), ("ids", "id")):
            yield from equal_texts(kind, member(use.node, name), member(use.response, name))
        yield from free_values("arguments", use.args)
        yield from free_values("tool responses", member(use.response, "response"))
    for orphan in uses.orphans:
        yield from equal_texts("tool names", member(orphan, "name"))
        yield from equal_texts("ids", member(orphan, "id"))
        yield from free_values("tool responses", member(orphan, "response"))


def free_values(kind: str, top: Node | None) -> Iterator[ReplaceableValue]:
    """The keys and scalars in free JSON below `top`; the key of `top` itself belongs to google-adk."""
    pending = [top] if top is not None else []
    while pending:
        at = pending.pop()
        if at.key and at is not top:
            yield ReplaceableValue(_KEYS, (at,), is_key=True)
        if at.is_container:
            pending += reversed(at.items)
        else:
            yield ReplaceableValue(kind if at.kind == "string" else _NUMBERS, (at,))


def values_of_dataset_case(case: Node) -> Iterator[ReplaceableValue]:
    """All replaceable values and keys of a case, roughly in the order of the form."""
    yield from equal_texts("ids", member(case, "eval_case_id"))
    for name in ("starting_prompt", "conversation_plan", "test_case_title"):
        yield from equal_texts("messages", member(filled(case, "user_scenario"), name))
    yield from _said("messages", filled(case, "prompt"))
    yield from _values_of_events(items_of(case, "conversation_history"))
    for turn in dataset_turns_of(case):
        yield from equal_texts("ids", member(turn, "turn_id"))
        yield from _values_of_events(items_of(turn, "events"))
    yield from _values_of_events(items_of(case, "intermediate_events"))
    for answer in (filled(case, "reference"), *items_of(case, "responses")):
        yield from _said("responses", filled(answer, "response"))


def _said(kind: str, content: Node | None) -> Iterator[ReplaceableValue]:
    """The texts of a content, or the bare text in its place."""
    return (
        equal_texts(kind, content)
        if content is not None and content.kind == "string"
        else texts_of_content(kind, content)
    )


def _values_of_events(events: Sequence[Node]) -> Iterator[ReplaceableValue]:
    answers = list(payloads_of(events, "function_response"))
    for event in map(EventView, events):
        yield from _said("messages" if event.is_of_user else "responses", event.content)
        for call in payloads_of([event.node], "function_call"):
            same = [each for each in answers if text_of(each, "id") and text_of(each, "id") == text_of(call, "id")]
            answer = same[0] if len(same) == 1 else None
            for kind, name in (("tool names", "name"), ("ids", "id")):
                yield from equal_texts(kind, member(call, name), member(answer, name))
            yield from free_values("arguments", member(call, "args"))
        for response in payloads_of([event.node], "function_response"):
            if not any(text_of(each, "id") == text_of(response, "id") for each in payloads_of(events, "function_call")):
                yield from equal_texts("tool names", member(response, "name"))
                yield from equal_texts("ids", member(response, "id"))
            yield from free_values("tool responses", member(response, "response"))
        yield from free_values("state", member(event.node, "state_delta"))
