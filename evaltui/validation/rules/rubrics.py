"""Rules about the rubrics of cases and turns."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.document.edits import Edit, Insert, Set, json_text
from evaltui.evalset.editing.case_parts import TYPES
from evaltui.evalset.editing.new_ids import fresh_id
from evaltui.printable import quoted
from evaltui.validation.pointed_values import PointedCase, PointedValue
from evaltui.validation.rule import TURN, Diagnostic, Example, Fix, Rule, a_case, renaming

_TYPED = (
    '{"rubric_id": "polite", "type": "FINAL_RESPONSE_QUALITY",\n'
    '   "rubric_content": {"text_property": "It is polite."}}'
)


def _rubrics(rubrics: str) -> Example:
    return a_case(f'{{"eval_id": "greeting", "conversation": [{TURN}],\n "rubrics": [\n  {rubrics}]}}')


_GOOD = _rubrics(_TYPED)
_FILTER = (
    "`RubricBasedEvaluator` (google.adk.evaluation.rubric_based_evaluator) reads only rubrics of its own `type` "
    "from cases and turns. The types are FINAL_RESPONSE_QUALITY, TOOL_USE_QUALITY and TRAJECTORY_QUALITY, in "
    "capitals."
)


def check_case(case: PointedCase) -> Iterator[Diagnostic]:
    """Duplicate ids in the lists that google-adk joins, and types that no metric reads."""
    own = [case.at(rubric) for rubric in case.rubrics]
    of_turns = [[case.at(rubric) for rubric in turn.rubrics] for turn in case.turns]
    rubrics = [*own, *(rubric for inner in of_turns for rubric in inner)]
    every = {rubric.text("rubric_id") for rubric in rubrics}
    ids = {rubric.text("rubric_id") for rubric in own}
    yield from _doubled(own, set(), every)
    for inner in of_turns:
        yield from _doubled(inner, ids, every)
    for rubric in rubrics:
        yield from _type_of(rubric)
        yield from _empty(rubric)


DUPLICATE_RUBRIC_ID = Rule(
    "duplicate-rubric-id",
    "Two rubrics of a case, or of a case and one of its turns, have the same rubric_id.",
    "`LocalEvalService` joins the rubrics of a case with the rubrics of each of its turns. A duplicate id aborts "
    "the whole run with `ValueError: Rubric with rubric_id … already exists`, even if no metric reads rubrics.",
    _rubrics(f"{_TYPED},\n  {_TYPED}"),
    _GOOD,
    "Adds the next free number to the id of the later rubric.",
)


def _doubled(rubrics: list[PointedValue], around: set[str | None], every: set[str | None]) -> Iterator[Diagnostic]:
    """Rubrics whose id an earlier rubric or one of the ids `around` has; `every` holds all ids of the case."""
    seen = {*around}
    for rubric in rubrics:
        identifier = rubric.text("rubric_id")
        if identifier is not None and identifier in seen:
            other = fresh_id([identifier], identifier, every.__contains__)
            every.add(other)
            place = rubric.below(rubric.key("rubric_id") or "")
            where = "its case" if identifier in around else "the same list"
            said = f"rubric_id {quoted(identifier, 40)} is a duplicate in {where}, so google-adk aborts the run"
            yield DUPLICATE_RUBRIC_ID.at(place, said, fix=renaming(place.pointer, other))
        seen.add(identifier)


RUBRIC_WITHOUT_TYPE = Rule(
    "rubric-without-type",
    "A rubric of a case or turn has no type, so no metric reads it.",
    _FILTER + " A rubric without a type is ignored without a message. If no other rubric exists, the metric is not "
    "evaluated.",
    _rubrics('{"rubric_id": "polite", "rubric_content": {"text_property": "It is polite."}}'),
    _GOOD,
    "Adds the type of the only rubric metric of the loaded config. Otherwise adds FINAL_RESPONSE_QUALITY (not safe).",
)


def _untyped(rubric: PointedValue) -> Diagnostic:
    at, kind = f"{rubric.pointer}/type", next(iter(TYPES))
    edit: Edit = Insert(at, json_text(kind)) if rubric.key("type") is None else Set(at, json_text(kind))
    fix = Fix(f"Set the type to {kind}", False, (edit,))
    return RUBRIC_WITHOUT_TYPE.at(at, "the rubric has no type, so no metric reads it", fix=fix)


EMPTY_RUBRIC = Rule(
    "empty-rubric",
    "A rubric has no text.",
    "The judge gets `* [id: polite] None`, or no text after the id. The judge still gives a verdict, and this "
    "verdict counts. See `format_auto_rater_prompt` of the rubric metrics in google.adk.evaluation.",
    _rubrics(_TYPED.replace("It is polite.", "")),
    _GOOD,
)


def _empty(rubric: PointedValue) -> Iterator[Diagnostic]:
    content = rubric.member("rubric_content")
    if content is not None and isinstance(content.data, dict):
        text = content.member("text_property")
        if text is None or (isinstance(text.data, str) and not text.data.strip()):
            key = content.key("text_property") or content.spelt("text_property")
            yield EMPTY_RUBRIC.at(
                f"{content.pointer}/{key}", "the rubric has no text, so the judge has nothing to check"
            )


UNKNOWN_RUBRIC_TYPE = Rule(
    "unknown-rubric-type",
    "A rubric has a type that no metric of google-adk reads.",
    _FILTER + " A rubric of another type is ignored without a message.",
    _rubrics(_TYPED.replace("FINAL_RESPONSE_QUALITY", "final_response_quality")),
    _GOOD,
    "Writes the type in capitals, if a metric reads this type.",
)


def _type_of(rubric: PointedValue) -> Iterator[Diagnostic]:
    if not isinstance(rubric.data, dict):
        return
    kind = rubric.text("type")
    if not kind and rubric.member("type") is None:
        yield _untyped(rubric)
    elif kind is not None and kind not in TYPES:
        place = rubric.below("type")
        meant = kind.strip().upper().replace("-", "_").replace(" ", "_")
        fix = Fix(f"Write {meant}", True, (Set(place.pointer, json_text(meant)),)) if meant in TYPES else None
        said = f"no metric reads rubrics of type {quoted(kind, 40)}; google-adk knows {', '.join(TYPES)}"
        yield UNKNOWN_RUBRIC_TYPE.at(place, said, fix=fix)
