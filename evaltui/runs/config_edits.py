"""Edits of the criteria in a config: thresholds, options, rubrics, and the criteria of a trial.

Only the bytes of the edited values change. New text has the style of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaltui.document.document import Document
from evaltui.document.edits import Edit, Insert, Remove, Set, json_text
from evaltui.document.errors import DocumentError, EditError
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.case_data import get
from evaltui.evalset.editing.revision import Revision, add_item, like_sibling, put
from evaltui.evalset.keys import filled, items_of, key_for, member, text_of
from evaltui.printable import one_line
from evaltui.scoring.criteria import Criteria, criterion_of
from evaltui.scoring.eval_config import NAME, config_in, threshold_of
from evaltui.scoring.metrics.metric import Criterion, Metric
from evaltui.scoring.metrics.tool_trajectory import ToolTrajectory

JUDGE = "judge_model_options"


def criterion_nodes(root: Node | None) -> list[Node]:
    """The criteria of a config, in order."""
    criteria = member(root, "criteria")
    return criteria.items if criteria is not None and criteria.kind == "object" else []


# --- all criteria ----------------------------------------------------------------------------------------------------


def listed_criteria(criteria: Criteria) -> dict[str, Any]:
    """The criteria in the form of a config, by name."""
    return {criterion.name: _shortest(criterion) for criterion in criteria.judged}


def _shortest(criterion: Criterion) -> Any:
    """A criterion for a config: a number if it has no options, like google-adk's defaults."""
    has_options = isinstance(criterion.raw, dict) and criterion.raw.keys() != {"threshold"}
    return criterion.raw if has_options else criterion.threshold


def criteria_edits(document: Document, old: Criteria, new: Criteria) -> list[Edit]:
    """The edits that write the criteria of `new` into a config, where they differ from `old`.

    Raises `DocumentError`.
    """
    root = document.root
    assert root is not None
    loaded = config_in(document.to_bytes(), document.path or Path(NAME)).criteria
    changed = [criterion for criterion in new.judged if criterion != old.of(criterion.name)]
    for criterion in changed:
        if (refusal := criterion.refusal) is not None:
            where = f"{document.path}: {criterion.name}"
            raise DocumentError(f"{where}: {refusal}; correct it in the config first")
    criteria = member(root, "criteria")
    if criteria is None or criteria.kind != "object":
        missing = {criterion.name: _shortest(criterion) for criterion in changed}
        return [put(root, "criteria", missing)] if changed else []
    return [edit for criterion in changed for edit in _criterion_edits(criteria, criterion, loaded)]


def _criterion_edits(criteria: Node, criterion: Criterion, loaded: Mapping[str, Any]) -> Iterator[Edit]:
    if criterion.name not in loaded:
        yield Insert(f"{criteria.pointer()}/{escape(criterion.name)}", json_text(_shortest(criterion)))
        return
    raw, node = loaded[criterion.name], criteria.at(f"/{escape(criterion.name)}")
    options: dict[str, Any] = {}
    if isinstance(criterion, ToolTrajectory):
        # It is no ToolTrajectory if the file has an option that google-adk does not know.
        stated = criterion_of(criterion.name, threshold_of(raw), raw)
        valid = stated if isinstance(stated, ToolTrajectory) else None
        if valid is None or valid.match_type != criterion.match_type:
            options["match_type"] = criterion.match_type
        # The default needs no key: without one, google-adk compares the arguments.
        has_key = get(raw, "ignore_args") is not None
        if (valid is None or valid.ignore_args != criterion.ignore_args) and (criterion.ignore_args or has_key):
            options["ignore_args"] = criterion.ignore_args
    has_threshold = threshold_of(raw) == criterion.threshold
    if node.kind == "object":
        members = options if has_threshold else {"threshold": criterion.threshold, **options}
        yield from (put(node, name, value) for name, value in members.items())
    elif options:
        yield _as_object(node, options, node.source() if has_threshold else json_text(criterion.threshold))
    elif not has_threshold:
        yield Set(node.pointer(), json_text(criterion.threshold))


def _as_object(criterion: Node, options: Mapping[str, Any], threshold: bytes) -> Edit:
    """Turn a criterion that is a number into an object, which keeps the spelling of the number."""
    members = b"".join(b", %b: %b" % (json_text(name), json_text(value)) for name, value in options.items())
    return Set(criterion.pointer(), b'{"threshold": %b%b}' % (threshold, members))


def usual_threshold(metric: Metric) -> float:
    """The threshold of an added criterion: google-adk's default, else 0.8, or the lowest score where 0.8 is none."""
    if metric.default_threshold is not None:
        return metric.default_threshold
    return 0.8 if metric.range is None or metric.range[0] <= 0.8 <= metric.range[1] else metric.range[0]


def add_criterion(root: Node, name: str, threshold: float, rubric_id: str = "") -> Revision:
    """Add a criterion that is only a threshold, or with a `rubric_id` also a rubric without a text.

    google-adk's defaults apply to its options.
    """
    criteria = member(root, "criteria")
    label = f"add {one_line(name, 60)}"
    rubrics = [{"rubric_id": rubric_id, "rubric_content": {"text_property": ""}}]
    value = {"threshold": threshold, "rubrics": rubrics} if rubric_id else threshold
    if criteria is None or criteria.kind != "object":
        return Revision(label, [put(root, "criteria", {name: value})])
    if criteria.member(name) is not None:
        raise EditError(f"{one_line(name, 60)} is already in the criteria")
    return Revision(label, [Insert(f"{criteria.pointer()}/{escape(name)}", json_text(value))])


def delete_criterion(criterion: Node) -> Revision:
    """Delete a criterion: runs no longer judge the metric."""
    return Revision(f"delete {one_line(criterion.name, 60)}", [Remove(criterion.pointer())])


# --- options of one criterion ----------------------------------------------------------------------------------------


def write_threshold(criterion: Node, source: bytes) -> Revision:
    """Give a criterion another threshold, as the JSON number that was typed."""
    label = f"edit threshold of {one_line(criterion.name, 60)}"
    if criterion.kind != "object":
        return Revision(label, [Set(criterion.pointer(), source)])
    # Put for its place only: 0.50 must stay 0.50.
    return Revision(label, [put(criterion, "threshold", 0)._replace(source=source)])


def write_option(criterion: Node, name: str, value: Any, inside: str = "") -> Revision:
    """Set an option of a criterion. `inside` names the object with the option; it is created if missing.

    A criterion that is a number becomes an object with this number as its threshold.
    """
    container = filled(criterion, inside) if inside else criterion
    if criterion.kind != "object":
        edit = _as_object(criterion, {inside: {name: value}} if inside else {name: value}, criterion.source())
    elif container is None or container.kind != "object":
        edit = put(criterion, inside, {key_for(criterion, name): value})
    else:
        edit = put(container, name, value)
    return Revision(f"edit {name} of {one_line(criterion.name, 60)}", [edit])


def delete_option(criterion: Node, name: str, inside: str = "") -> Revision:
    """Delete an option, so that google-adk's default applies. An object that becomes empty is deleted, too."""
    container = filled(criterion, inside) if inside else criterion
    option = member(container, name)
    label = f"delete {name} of {one_line(criterion.name, 60)}"
    if option is None or container is None:
        return Revision(label)
    return Revision(label, [Remove((container if inside and len(container.items) == 1 else option).pointer())])


# --- rubrics ---------------------------------------------------------------------------------------------------------


def rubrics_of(criterion: Node) -> list[Node]:
    """The rubrics of a criterion."""
    return items_of(criterion, "rubrics") if criterion.kind == "object" else []


def free_rubric_id(criteria: Sequence[Node], ids_of_set: Collection[str]) -> str:
    """An id that no rubric of the criteria or of the eval set (`ids_of_set`) has.

    google-adk evaluates the rubrics of both together, and raises an error for an id that is there twice.
    """
    used = {text_of(rubric, "rubric_id") for criterion in criteria for rubric in rubrics_of(criterion)}
    used.update(ids_of_set)
    return next(name for number in range(1, len(used) + 2) if (name := f"rubric_{number}") not in used)


def add_rubric(criterion: Node, ids_of_set: Callable[[], Collection[str]] = tuple) -> Revision:
    """Add a rubric without a text. No rubric of the config or the eval set has its id.

    `ids_of_set` gives the ids of the eval set: it may change while somebody chooses what to add.
    """
    rubrics = rubrics_of(criterion)
    criteria = criterion.parent.items if criterion.parent is not None else [criterion]
    model = rubrics[-1] if rubrics and rubrics[-1].kind == "object" else None
    near = filled(model, "rubric_content") or model or criterion
    text_key = key_for(near, "text_property") if near.kind == "object" else "text_property"
    rubric = {"rubric_id": free_rubric_id(criteria, ids_of_set()), "rubric_content": {text_key: ""}}
    label = f"add rubric to {one_line(criterion.name, 60)}"
    if criterion.kind != "object":
        return Revision(label, [_as_object(criterion, {"rubrics": [rubric]}, criterion.source())])
    return Revision(label, [add_item(criterion, "rubrics", like_sibling(model, criterion, rubric))])


def delete_rubric(rubric: Node) -> Revision:
    """Delete a rubric."""
    return Revision(f"delete rubric {one_line(text_of(rubric, 'rubric_id'), 40)}", [Remove(rubric.pointer())])


def write_rubric_id(rubric: Node, text: str) -> Revision:
    """Change the id of a rubric. Raises `EditError` for an empty id, or the id of another rubric of the criterion."""
    if not text.strip():
        raise EditError("a rubric needs an id")
    siblings = rubric.parent.items if rubric.parent is not None else []
    if text in {text_of(sibling, "rubric_id") for sibling in siblings if sibling is not rubric}:
        raise EditError("another rubric of this criterion has this id")
    return Revision(f"edit rubric_id {one_line(text, 40)}", [put(rubric, "rubric_id", text)])


def write_rubric_text(rubric: Node, text: str) -> Revision:
    """Change the text of a rubric. Raises `EditError` for an empty text: the judge model needs one."""
    if not text.strip():
        raise EditError("a rubric needs a text for the judge model")
    content = filled(rubric, "rubric_content")
    label = f"edit rubric {one_line(text_of(rubric, 'rubric_id'), 40)}"
    if content is None or content.kind != "object":
        return Revision(label, [put(rubric, "rubric_content", {key_for(rubric, "text_property"): text})])
    return Revision(label, [put(content, "text_property", text)])
