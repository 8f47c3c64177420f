"""Values of cases for find and replace: texts, ids, tool names, and values and keys in free JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evaltui.document.edits import json_text
from evaltui.document.node import Node
from evaltui.evalset.call_views import calls_and_orphans
from evaltui.evalset.case_file import CaseFile, dataset_turns_of, is_of_user, payloads_of, turns_of
from evaltui.evalset.content_parts import is_text_part, parts_of
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
_TYPES_OF_WORDS = {"true": "boolean", "false": "boolean", "null": "null"}
_is_number = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?").fullmatch
"""Matches a number in JSON spelling."""


TextMatch = tuple[int, int, str]
"""The start and the end of a range of a text, and its replacement."""


@dataclass(frozen=True, slots=True)
class ReplaceableValue:
    """A replaceable value or key, with all nodes that must stay equal, such as the ids of a call and its response."""

    kind: str
    nodes: tuple[Node, ...]
    is_key: bool = False
    matches: tuple[TextMatch, ...] = ()
    """The ranges of the text to replace, in order; none before a search."""

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
        return "key" if self.is_key else "text" if kind == "string" else kind

    @property
    def is_word(self) -> bool:
        """Whether only the whole value matches: a search for `e` must not find the `e` of `true`."""
        return self.type in ("boolean", "null")

    @property
    def after(self) -> str:
        """The text, spelling or key after the replacement."""
        return apply_matches(self.text, self.matches)

    @property
    def becomes(self) -> str:
        """The type after the replacement: key, text, number, boolean or null. Any other spelling becomes a text."""
        if self.type in ("key", "text"):
            return self.type
        return _TYPES_OF_WORDS.get(self.after) or ("number" if _is_number(self.after) else "text")

    @property
    def source(self) -> bytes:
        """The new value as JSON text; a number keeps its typed spelling."""
        return json_text(self.after) if self.becomes in ("key", "text") else self.after.encode("ascii")


def apply_matches(text: str, matches: Iterable[TextMatch], start: int = 0, end: int | None = None) -> str:
    """The text from `start` up to `end` with each match replaced. Matches are in order and do not overlap."""
    pieces: list[str] = []
    for match_start, match_end, new in matches:
        pieces += [text[start:match_start], new]
        start = match_end
    return "".join([*pieces, text[start:end]])


def values_in(case_file: CaseFile, cases: Iterable[Node], kinds: frozenset[str]) -> list[ReplaceableValue]:
    """The values and keys of these kinds in these cases, roughly in the order of the form."""
    values_of = _values_of_dataset_case if case_file.is_dataset else _values_of_case
    return [value for case in cases for value in values_of(case) if value.kind in kinds]


def _values_of_case(case: Node) -> Iterator[ReplaceableValue]:
    yield from _equal_texts("ids", member(case, "eval_id"))
    scenario = filled(case, "conversation_scenario")
    for name in ("starting_prompt", "conversation_plan"):
        yield from _equal_texts("messages", member(scenario, name))
    for turn in turns_of(case):
        yield from _equal_texts("ids", member(turn, "invocation_id"))
        yield from _texts_of_content("messages", filled(turn, "user_content"))
        uses, orphans = calls_and_orphans(turn)
        for use in uses:
            yield from _names_and_ids(use.node, use.response)
            yield from _free_values("arguments", use.args)
            yield from _free_values("tool responses", member(use.response, "response"))
        for orphan in orphans:
            yield from _names_and_ids(orphan)
            yield from _free_values("tool responses", member(orphan, "response"))
        yield from _texts_of_content("responses", filled(turn, "final_response"))
    yield from _free_values("state", member(filled(case, "session_input"), "state"))
    yield from _free_values("state", member(case, "final_session_state"))


def _values_of_dataset_case(case: Node) -> Iterator[ReplaceableValue]:
    yield from _equal_texts("ids", member(case, "eval_case_id"))
    for name in ("starting_prompt", "conversation_plan", "test_case_title"):
        yield from _equal_texts("messages", member(filled(case, "user_scenario"), name))
    yield from _texts_of_content("messages", filled(case, "prompt"))
    yield from _values_of_events(items_of(case, "conversation_history"))
    for turn in dataset_turns_of(case):
        yield from _equal_texts("ids", member(turn, "turn_id"))
        yield from _values_of_events(items_of(turn, "events"))
    yield from _values_of_events(items_of(case, "intermediate_events"))
    for answer in (filled(case, "reference"), *items_of(case, "responses")):
        yield from _texts_of_content("responses", filled(answer, "response"))


def _values_of_events(events: Sequence[Node]) -> Iterator[ReplaceableValue]:
    calls, answers = (list(payloads_of(events, kind)) for kind in ("function_call", "function_response"))
    ids_of_calls = {text_of(call, "id") for call in calls}
    for event in events:
        yield from _texts_of_content("messages" if is_of_user(event) else "responses", filled(event, "content"))
        for call in payloads_of([event], "function_call"):
            identifier = text_of(call, "id")
            same = [answer for answer in answers if identifier and text_of(answer, "id") == identifier]
            # With two responses of one id, nobody knows which is that of the call.
            yield from _names_and_ids(call, *(same if len(same) == 1 else ()))
            yield from _free_values("arguments", member(call, "args"))
        for response in payloads_of([event], "function_response"):
            if text_of(response, "id") not in ids_of_calls:  # else its name and id change with those of the call
                yield from _names_and_ids(response)
            yield from _free_values("tool responses", member(response, "response"))
        yield from _free_values("state", member(event, "state_delta"))


def _equal_texts(kind: str, *nodes: Node | None) -> Iterator[ReplaceableValue]:
    """One value for all nodes with the same text as the first."""
    texts = [node for node in nodes if node is not None and node.kind == "string"]
    if texts:
        first = texts[0].text()
        yield ReplaceableValue(kind, tuple(node for node in texts if node.text() == first))


def _names_and_ids(*payloads: Node | None) -> Iterator[ReplaceableValue]:
    for kind, name in (("tool names", "name"), ("ids", "id")):
        yield from _equal_texts(kind, *(member(payload, name) for payload in payloads))


def _texts_of_content(kind: str, content: Node | None) -> Iterator[ReplaceableValue]:
    """The texts of a content, one value each; a bare text stands for a content, as in agents-cli."""
    if content is not None and content.kind == "string":
        yield from _equal_texts(kind, content)
    for part in parts_of(content):
        if is_text_part(part):
            yield from _equal_texts(kind, member(part, "text"))


def _free_values(kind: str, top: Node | None) -> Iterator[ReplaceableValue]:
    """The keys and scalars in free JSON below `top`; the key of `top` itself belongs to google-adk."""
    pending = [top] if top is not None else []
    while pending:  # a stack, because a generator that yields from itself takes the square of the depth
        node = pending.pop()
        if node.key and node is not top:
            yield ReplaceableValue(_KEYS, (node,), is_key=True)
        if node.is_container:
            pending += reversed(node.items)
        else:
            yield ReplaceableValue(kind if node.kind == "string" else _NUMBERS, (node,))
