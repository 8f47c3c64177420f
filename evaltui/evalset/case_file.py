"""Files of cases in either format, and views of their nodes; nothing is copied, so nothing can be outdated."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from evaltui.document.node import Node
from evaltui.document.strings import decode
from evaltui.evalset.case_format import DATASET, EVAL_SET, CaseFormat
from evaltui.evalset.content_parts import part_kind, parts_of, plain_text, words_of
from evaltui.evalset.file_formats import is_dataset, is_eval_set
from evaltui.evalset.keys import camel, filled, items_of, member, snake, text_of


@dataclass(eq=False, repr=False)
class CaseFile:
    """An eval set or a dataset; `root` is its outermost object."""

    root: Node
    format: CaseFormat
    rubric_ids_of_config: Callable[[], Collection[str]] = tuple
    """Gives the ids of the rubrics of its config: a new rubric of a case or turn needs another."""

    @cached_property
    def ids(self) -> CaseIds:
        """The ids of its cases; a new id differs from all of them."""
        return CaseIds(self.format.case_id)  # late, because its expressions take 5 ms of a first frame

    @cached_property
    def turn_ids(self) -> CaseIds:
        """The ids of its turns."""
        return CaseIds(self.format.turn_id)

    @cached_property
    def is_dataset(self) -> bool:
        """Whether it is a dataset, and not an eval set."""
        return self.format is DATASET

    @property
    def cases(self) -> list[Node]:
        """The cases, in order; objects, unless the file is broken."""
        return items_of(self.root, "eval_cases")

    def case_id(self, case: Node) -> str:
        """The id of a case; "" without one."""
        return text_of(case, self.format.case_id)

    def turns(self, case: Node) -> list[Node]:
        """The turns of the conversation of a case, in order."""
        return dataset_turns_of(case) if self.is_dataset else turns_of(case)

    def kind(self, node: Node) -> str:
        """The kind of a node by its place: set, case, turn, call, event, or value for anything else (see `place`)."""
        if node.parent is None:
            return "set" if node is self.root else "value"
        way = self._way_to(node)
        kind = self.format.rows.get(way, "value") if way is not None else "value"
        return kind if kind != "call" or node.kind == "object" else "value"

    def _way_to(self, node: Node) -> tuple[str, ...] | None:
        """The place of a node inside its case; None outside of cases."""
        cases, free_keys = member(self.root, "eval_cases"), self.format.free_keys
        names: list[str] = []
        while (parent := node.parent) is not None:
            if parent is cases:
                return tuple(reversed(names))
            # A key that the author chose (the id of an agent) may look like one of the format, and is none.
            names.append("" if not node.key or snake(parent.name) in free_keys else snake(node.name))
            node = parent
        return None

    def enclosing(self, node: Node, kind: str) -> Node | None:
        """The nearest case, turn, call or event (`kind`) around `node`; may be `node` itself."""
        # One climb to the case serves all levels: `kind` of each outer node would climb again (27 µs instead of 15).
        if (way := self._way_to(node)) is None:
            return None
        for length, outer in zip(range(len(way), -1, -1), (node, *node.ancestors()), strict=False):
            if self.format.rows.get(way[:length]) == kind and (kind != "call" or outer.kind == "object"):
                return outer
        return None

    def place(self, node: Node) -> str:
        """The kind of a value inside a case, as the table of the format names it; "" for free JSON and elsewhere."""
        way = self._way_to(node)
        return self.format.places.get(way, "") if way is not None else ""


def case_file_of(root: Node | None) -> CaseFile | None:
    """The view of a document that has cases; None for any other JSON."""
    if root is None:
        return None
    if is_eval_set(root):
        return CaseFile(root, EVAL_SET)
    return CaseFile(root, DATASET) if is_dataset(root) else None


class CaseIds:
    """Reads the ids of cases from their JSON text; only new and changed cases are read again."""

    def __init__(self, name: str = "eval_id") -> None:
        """`name` is the key (in snake_case) with the id."""
        spelt = rb'"(?:%s|%s)"\s*:\s*' % (name.encode(), camel(name).encode())
        self._first = re.compile(rb"\{\s*" + spelt + rb'"([^"\\]*)"').match
        self._anywhere = re.compile(spelt + rb'("(?:[^"\\]|\\.)*")').findall
        self._ids: dict[bytes, Sequence[str]] = {}
        """By the text of the case."""

    def of(self, cases: Sequence[Node]) -> set[str]:
        """The ids of these cases, and perhaps other texts in them; a new id avoids all of these."""
        # To find the known texts takes a millisecond or two for 10,000 cases, and nobody must report changes.
        earlier, self._ids = self._ids, {}
        for source in map(Node.source, cases):
            if (ids := earlier.get(source)) is None:
                # Usually the id is the first key, spelled without escapes: no other text of the case is looked at.
                first = self._first(source)
                ids = [first[1].decode("utf-8", "surrogateescape")] if first else [*map(decode, self._anywhere(source))]
            self._ids[source] = ids
        return set(chain.from_iterable(self._ids.values()))


# --- cases and turns -----------------------------------------------------------------------------------------------


def turns_of(case: Node) -> list[Node]:
    """The turns of a case of an eval set, in order."""
    return items_of(case, "conversation")


def dataset_turns_of(case: Node) -> list[Node]:
    """The turns of the recorded conversation of a dataset case, in order."""
    return items_of(filled(case, "agent_data"), "turns")


def recorded_events_of(case: Node) -> list[Node]:
    """The events of the recorded conversation of a dataset case, in order."""
    return [event for turn in dataset_turns_of(case) for event in items_of(turn, "events")]


def takes_turns(case: Node) -> bool:
    """Whether a turn can be added: google-adk rejects a case with both turns and a scenario."""
    return filled(case, "conversation_scenario") is None or bool(turns_of(case))


def expected_rows(case: Node) -> list[Node]:
    """The nodes with expectations: the turns of a case, or a dataset case itself."""
    return turns_of(case) if member(case, "conversation") is not None else [case]


def user_text_of(turn: Node) -> str:
    """The user message of a turn of an eval set."""
    return plain_text(filled(turn, "user_content"))


def has_events(turn: Node) -> bool:
    """Whether the intermediate data of a turn of an eval set are events."""
    return member(filled(turn, "intermediate_data"), "invocation_events") is not None


def user_event_of(turn: Node) -> Node | None:
    """The event with the user message of a dataset turn; one that only sets the state counts if no other is there."""
    # agents-cli seeds the state of a session by an event of the user before the message.
    of_user = [event for event in items_of(turn, "events") if is_of_user(event)]
    with_content = (event for event in of_user if filled(event, "content") is not None)
    bare = (event for event in of_user if filled(event, "state_delta") is None)
    return next(with_content, None) or next(bare, None) or next(iter(of_user), None)


def user_text_of_events(turn: Node) -> str:
    """The text of the first user event of a dataset turn; "" without one."""
    texts = (words_of(filled(event, "content")) for event in items_of(turn, "events") if is_of_user(event))
    return next(filter(None, texts), "")


def is_of_user(event: Node) -> bool:
    """Whether the author of an event of either format is a user, and not the id of an agent."""
    author, content = text_of(event, "author"), filled(event, "content")
    # The role alone does not tell: a tool response has the role `user`, too.
    if any(part_kind(part) == "function_response" for part in parts_of(content)):
        return False
    return author.lower() == "user" if author else text_of(content, "role") == "user"


def payloads_of(events: Sequence[Node], kind: str) -> Iterator[Node]:
    """The calls (`function_call`) or responses (`function_response`) in the contents of events."""
    for event in events:
        for part in parts_of(filled(event, "content")):
            payload = filled(part, kind)
            if payload is not None and payload.kind == "object":
                yield payload
