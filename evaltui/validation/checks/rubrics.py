"""Checks of the rubrics of one case and its turns."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.document import Edit, Insert, Set, json_text
from evaltui.evalset.editing.fresh_ids import fresh_id
from evaltui.evalset.editing.rubric_edits import TYPES
from evaltui.printable import one_line
from evaltui.validation.case_data import Case
from evaltui.validation.diagnostic import Diagnostic, Fix
from evaltui.validation.place import Place
from evaltui.validation.rules import rubrics as rules


def check(case: Case) -> Iterator[Diagnostic]:
    """Ids that stand twice where google-adk puts rubrics together, and types that no metric reads."""
    rubrics = case.all_rubrics
    every = {rubric.text("rubric_id") for rubric in rubrics}
    ids = {rubric.text("rubric_id") for rubric in case.rubrics}
    yield from _doubled(case.rubrics, set(), every)
    for turn in case.turns:
        yield from _doubled(turn.rubrics, ids, every)
    for rubric in rubrics:
        yield from _type_of(rubric)
        yield from _empty(rubric)


def _empty(rubric: Place) -> Iterator[Diagnostic]:
    content = rubric.member("rubric_content")
    if content is not None and isinstance(content.data, dict):
        text = content.member("text_property")
        if text is None or (isinstance(text.data, str) and not text.data.strip()):
            key = content.key("text_property") or content.spelt("text_property")
            said = "the rubric does not say what is to be judged"
            yield rules.EMPTY_RUBRIC.at(f"{content.pointer}/{key}", said)


def _doubled(rubrics: list[Place], around: set[str | None], every: set[str | None]) -> Iterator[Diagnostic]:
    """Rubrics with an id that one before them has, or one of those `around`; `every` id of the case is taken."""
    seen = {*around}
    for rubric in rubrics:
        identifier = rubric.text("rubric_id")
        if identifier is not None and identifier in seen:
            other = fresh_id([identifier], identifier, every.__contains__)
            every.add(other)
            place = rubric.below(rubric.key("rubric_id") or "")
            fix = Fix(f"Rename it to {one_line(other, 30)}", True, (Set(place.pointer, json_text(other)),))
            where = "its case" if identifier in around else "the same list"
            said = f"rubric_id {one_line(identifier, 40)!r} stands in {where} already, so the whole run is aborted"
            yield rules.DUPLICATE_RUBRIC_ID.at(place, said, fix=fix)
        seen.add(identifier)


def _type_of(rubric: Place) -> Iterator[Diagnostic]:
    if not isinstance(rubric.data, dict):
        return
    kind = rubric.text("type")
    if not kind and rubric.member("type") is None:
        yield _untyped(rubric)
    elif kind is not None and kind not in TYPES:
        place = rubric.below("type")
        meant = kind.strip().upper().replace("-", "_").replace(" ", "_")
        fix = Fix(f"Write {meant}", True, (Set(place.pointer, json_text(meant)),)) if meant in TYPES else None
        said = f"no metric reads rubrics of type {one_line(kind, 40)!r}; google-adk knows {', '.join(TYPES)}"
        yield rules.UNKNOWN_RUBRIC_TYPE.at(place, said, fix=fix)


def _untyped(rubric: Place) -> Diagnostic:
    at, kind = f"{rubric.pointer}/type", next(iter(TYPES))
    edit: Edit = Insert(at, json_text(kind)) if rubric.key("type") is None else Set(at, json_text(kind))
    fix = Fix(f"Give it the type {kind}", False, (edit,))
    return rules.RUBRIC_WITHOUT_TYPE.at(at, "the rubric has no type, so no metric reads it", fix=fix)
