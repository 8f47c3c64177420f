"""Values of dataset cases for find and replace, in the same kinds as values of eval sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaltui.document.node import Node
from evaltui.evalset.case_file import EventView, dataset_turns_of
from evaltui.evalset.content_parts import parts_of
from evaltui.evalset.keys import filled, items_of, member, text_of
from evaltui.evalset.search.replaceable_values import ReplaceableValue, equal_texts, free_values, texts_of_content


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
    answers = list(_payloads(events, "function_response"))
    for event in map(EventView, events):
        yield from _said("messages" if event.is_of_user else "responses", event.content)
        for call in _payloads([event.node], "function_call"):
            same = [each for each in answers if text_of(each, "id") and text_of(each, "id") == text_of(call, "id")]
            answer = same[0] if len(same) == 1 else None
            for kind, name in (("tool names", "name"), ("ids", "id")):
                yield from equal_texts(kind, member(call, name), member(answer, name))
            yield from free_values("arguments", member(call, "args"))
        for response in _payloads([event.node], "function_response"):
            if not any(text_of(each, "id") == text_of(response, "id") for each in _payloads(events, "function_call")):
                yield from equal_texts("tool names", member(response, "name"))
                yield from equal_texts("ids", member(response, "id"))
            yield from free_values("tool responses", member(response, "response"))
        yield from free_values("state", member(event.node, "state_delta"))


def _payloads(events: Sequence[Node], kind: str) -> Iterator[Node]:
    for event in events:
        for part in parts_of(filled(event, "content")):
            found = filled(part.node, kind)
            if found is not None and found.kind == "object":
                yield found
