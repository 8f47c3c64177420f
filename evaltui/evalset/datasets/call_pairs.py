"""Pairs function calls of a dataset with their responses: other events, same id."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.content_parts import parts_of
from evaltui.evalset.editing.revision import Revision, put
from evaltui.evalset.keys import filled, snake, text_of
from evaltui.evalset.titles import called

_OTHER = {"function_call": "function_response", "function_response": "function_call"}


def partner_of(dataset: CaseFile, payload: Node) -> Node | None:
    """The response of a call, or the call of a response; None unless exactly one in the turn has its id."""
    identifier, kind = text_of(payload, "id"), snake(payload.name)
    if not identifier or kind not in _OTHER:
        return None
    events = _events_around(dataset, payload)
    same = [each for each in _payloads(events, kind) if text_of(each, "id") == identifier]
    found = [each for each in _payloads(events, _OTHER[kind]) if text_of(each, "id") == identifier]
    return found[0] if len(found) == 1 and len(same) == 1 else None


def write_in_pair(dataset: CaseFile, payload: Node, name: str, text: str) -> Revision:
    """Change the name or id of a call or response; its partner changes too if it had the same."""
    partner, event = partner_of(dataset, payload), _event_around(dataset, payload)
    edits = [put(payload, name, text)]
    if partner is not None and text_of(partner, name) == text_of(payload, name):
        edits.append(put(partner, name, text))
    what = snake(payload.name).replace("_", " ")
    remark = f"also in its {_OTHER[snake(payload.name)].rpartition('_')[2]}" if len(edits) > 1 else ""
    return Revision(f"edit {name} of {what} of {called(dataset, event)}", edits, remark)


def _event_around(dataset: CaseFile, payload: Node) -> Node:
    """The event or message that holds a call."""
    found = (at for at in payload.ancestors() if dataset.place(at) in ("event", "message"))
    return next(found, payload)


def _events_around(dataset: CaseFile, payload: Node) -> list[Node]:
    around = _event_around(dataset, payload).parent
    return around.items if around is not None and around.kind == "array" else []


def _payloads(events: list[Node], kind: str) -> Iterator[Node]:
    for event in events:
        for part in parts_of(filled(event, "content")):
            found = filled(part.node, kind)
            if found is not None and found.kind == "object":
                yield found
