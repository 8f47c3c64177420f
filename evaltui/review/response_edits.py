"""Edits that write the recorded text into an expected response. Parts without text stay."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evaltui.document.edits import Edit, Remove
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.content_parts import PartView, parts_of
from evaltui.evalset.editing.field_edits import write_first_text
from evaltui.evalset.editing.revision import add_item, like_sibling, model_of, put
from evaltui.evalset.editing.templates import content, in_order_near
from evaltui.evalset.keys import filled, items_of, text_of


def write_response_text(eval_set: CaseFile, turn: Node, text: str) -> Iterator[Edit]:
    """Make `text` the text of the final response of a turn, as google-adk joins its parts (`get_text_from_content`).

    Text parts that already match the beginning or end of `text` stay. One part between them gets the rest.
    """
    parts = _texts_in(filled(turn, "final_response"))
    if not parts:
        yield from write_first_text(eval_set, turn, "final_response", text, "response").edits
        return
    yield from _rewritten(parts, text)


def write_reference_text(case: Node, text: str) -> Iterator[Edit]:
    """Write `text` into the `reference` of a dataset case. If missing, it is created in the style of neighbours."""
    reference = filled(case, "reference")
    response = filled(reference, "response")
    near = filled(model_of(case), "reference")
    if reference is None:
        yield put(case, "reference", like_sibling(near, case, {"response": _answer(case, near, text)}))
    elif response is None:
        yield put(reference, "response", _answer(case, near, text))
    elif response.kind == "string":
        yield put(reference, "response", text)
    elif parts := _texts_in(response):
        yield from _rewritten(parts, text)
    else:
        yield add_item(response, "parts", {"text": text})


def _answer(case: Node, near: Node | None, text: str) -> dict[str, Any]:
    """A response in the layout of the neighbour's `reference`, else of the prompt or a response of the case."""
    neighbour = filled(near, "response")
    own = (filled(case, "prompt"), *(filled(response, "response") for response in items_of(case, "responses")))
    model = next(
        (candidate for candidate in (neighbour, *own) if candidate is not None and candidate.kind == "object"), None
    )
    return in_order_near(
        model, case, content(model, text_of(neighbour, "role") or "model", {"text": text}), role_first=True
    )


def _texts_in(content: Node | None) -> list[PartView]:
    return [part for part in parts_of(content) if part.holds_text]


def _rewritten(parts: list[PartView], text: str) -> Iterator[Edit]:
    """Make `text` the text of parts together."""
    between, text = _without_shared(parts, text)
    target = next((part for part in between if part.kind == "text"), between[0])
    yield put(target.node, "text", text)
    for part in reversed(between):  # from the end, because a removal moves the parts after it
        if part.node is not target.node and part.text:
            yield Remove(part.node.pointer())


def _without_shared(parts: list[PartView], text: str) -> tuple[list[PartView], str]:
    """The parts that do not match the beginning or end of `text`, at least one, and the text for them."""
    remaining = list(parts)
    # google-adk joins the texts of parts with a line break.
    while len(remaining) > 1 and remaining[0].text and text.startswith(f"{remaining[0].text}\n"):
        text = text[len(remaining[0].text) + 1 :]
        del remaining[0]
    while len(remaining) > 1 and remaining[-1].text and text.endswith(f"\n{remaining[-1].text}"):
        text = text[: -len(remaining[-1].text) - 1]
        del remaining[-1]
    return remaining, text
