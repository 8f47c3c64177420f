"""Tried criteria as edits of the config. Only the bytes of their values change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaltui.document.document import Document
from evaltui.document.edits import Edit, Insert, Set, json_text
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.case_data import get
from evaltui.evalset.editing.revision import put
from evaltui.evalset.keys import member
from evaltui.runs.config import ConfigError
from evaltui.scoring.criteria import Criteria, criterion_of
from evaltui.scoring.eval_config import NAME, LoadedCriterion, config_in
from evaltui.scoring.metrics.metric import Criterion
from evaltui.scoring.metrics.tool_trajectory import ToolTrajectory
from evaltui.scoring.what_if import WhatIf, needed_options


def listed_criteria(criteria: Criteria) -> dict[str, Any]:
    """The criteria in the form of a config: by name, a number if there are no options."""
    return {asked.name: _shortest(asked) for asked in criteria.judged}


def _shortest(asked: Criterion) -> Any:
    """A criterion for a config: a number if it has no options, like google-adk's defaults."""
    has_options = isinstance(asked.raw, dict) and asked.raw.keys() != {"threshold"}
    return asked.raw if has_options else asked.threshold


def criteria_edits(document: Document, before: Criteria, after: Criteria) -> list[Edit]:
    """The edits that write the criteria of `after` into a config, where they differ from `before`.

    Raises `DocumentError`.
    """
    root = document.root
    assert root is not None
    loaded = config_in(document.to_bytes(), document.path or Path(NAME)).criteria
    changed = [asked for asked in after.judged if asked != before.of(asked.name)]
    for asked in changed:
        if asked.refusal is not None:
            raise ConfigError(f"{document.path}: {asked.name}: {asked.refusal}; correct it in the config first")
    criteria = member(root, "criteria")
    if criteria is None or criteria.kind != "object":
        return [put(root, "criteria", {asked.name: _shortest(asked) for asked in changed})] if changed else []
    return [edit for asked in changed for edit in _criterion_edits(criteria, asked, loaded.get(asked.name))]


def _criterion_edits(criteria: Node, asked: Criterion, loaded: LoadedCriterion | None) -> Iterator[Edit]:
    if loaded is None:
        yield Insert(f"{criteria.pointer()}/{escape(asked.name)}", json_text(_shortest(asked)))
        return
    node = criteria.at(f"/{escape(asked.name)}")
    options = _missing_options(asked, loaded)
    has_threshold = loaded.threshold == asked.threshold
    if node.kind == "object":
        members = options if has_threshold else {"threshold": asked.threshold, **options}
        yield from (put(node, name, value) for name, value in members.items())
    elif options:
        threshold = node.source() if has_threshold else json_text(asked.threshold)
        added = b"".join(b", %b: %b" % (json_text(name), json_text(value)) for name, value in options.items())
        yield Set(node.pointer(), b'{"threshold": %b%b}' % (threshold, added))
    elif not has_threshold:
        yield Set(node.pointer(), json_text(asked.threshold))


def _missing_options(asked: Criterion, loaded: LoadedCriterion) -> dict[str, Any]:
    """The options of a criterion that differ from the config. A default needs no key."""
    if not isinstance(asked, ToolTrajectory):
        return {}
    kind, ignore_args = needed_options(criterion_of(loaded), WhatIf(asked.match_type, asked.ignore_args))
    if ignore_args is False and get(loaded.raw, "ignore_args") is None:
        ignore_args = None
    options = {"match_type": kind, "ignore_args": ignore_args}
    return {name: value for name, value in options.items() if value is not None}
