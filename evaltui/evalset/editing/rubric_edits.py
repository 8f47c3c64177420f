"""Rubrics of cases and turns: sentences that a judge model checks."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, turns_of
from evaltui.evalset.editing.new_ids import fresh_id
from evaltui.evalset.editing.revision import Revision, add_item, in_order_of, put, written_like
from evaltui.evalset.keys import filled, items_of, key_for, text_of
from evaltui.evalset.titles import title

TYPES = {
    "FINAL_RESPONSE_QUALITY": "for rubric_based_final_response_quality_v1",
    "TOOL_USE_QUALITY": "for rubric_based_tool_use_quality_v1",
    "TRAJECTORY_QUALITY": "for rubric_based_multi_turn_trajectory_quality_v1",
}
"""The rubric types that google-adk reads, in upper case; it silently ignores all others."""


def text_of_rubric(rubric: Node) -> str:
    """The text of a rubric, which the judge model checks."""
    return text_of(filled(rubric, "rubric_content"), "text_property")


def add_rubric(eval_set: CaseFile, owner: Node, at: int | None = None) -> Revision:
    """A new rubric of a case or turn, at the end or `at` an index, with the type of the last rubric.

    No rubric of the case, its turns or the config has its id.
    """
    rubrics = items_of(owner, "rubrics")
    model = rubrics[-1] if rubrics else next(_rubrics_nearby(eval_set, owner), None)
    taken = {text_of(rubric, "rubric_id") for rubric in _rubrics_in_reach(eval_set, owner)}
    taken.update(eval_set.rubric_ids_of_config())
    identifier = fresh_id([text_of(rubrics[-1], "rubric_id")] if rubrics else [], "rubric_1", taken.__contains__)
    content = filled(model, "rubric_content")
    near = model or owner
    value = written_like(
        model,
        owner,
        {
            "rubric_id": identifier,
            "rubric_content": in_order_of(content, {key_for(content or near, "text_property"): ""}),
            "type": text_of(model, "type") or next(iter(TYPES)),
        },
    )
    label = f"add rubric {identifier} to {title(eval_set, owner)}"
    return Revision(label, [add_item(owner, "rubrics", value, "-" if at is None else at)])


def write_rubric_text(eval_set: CaseFile, rubric: Node, text: str) -> Revision:
    """Change the text of a rubric; add the object around it if it is missing."""
    owner = eval_set.enclosing(rubric, "turn") or eval_set.enclosing(rubric, "case") or eval_set.root
    label = f"edit text of rubric {text_of(rubric, 'rubric_id')} of {title(eval_set, owner)}"
    content = filled(rubric, "rubric_content")
    if content is not None and content.kind == "object":
        return Revision(label, [put(content, "text_property", text)])
    return Revision(label, [put(rubric, "rubric_content", {key_for(rubric, "text_property"): text})])


def _rubrics_in_reach(eval_set: CaseFile, owner: Node) -> Iterator[Node]:
    """The rubrics of the case around `owner` and of its turns: google-adk rejects duplicate ids among them."""
    case = eval_set.enclosing(owner, "case")
    for holder in [case, *(turns_of(case) if case is not None else [])]:
        yield from items_of(holder, "rubrics")


def _rubrics_nearby(eval_set: CaseFile, owner: Node) -> Iterator[Node]:
    yield from _rubrics_in_reach(eval_set, owner)
    case = eval_set.enclosing(owner, "case")
    at = case.index() if case is not None else 0
    for neighbour in eval_set.cases[max(0, at - 4) : at + 4]:
        yield from _rubrics_in_reach(eval_set, neighbour)
