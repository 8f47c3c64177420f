"""Rules about the rubrics of cases and turns, and about the rubric groups of datasets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evaltui.document.edits import Set, json_text
from evaltui.evalset.editing.case_parts import TYPES
from evaltui.evalset.editing.new_ids import fresh_id
from evaltui.printable import quoted
from evaltui.validation.checked_case import CheckedCase, PointedValue
from evaltui.validation.rule_types import TURN, Diagnostic, Example, Fix, Rule, a_case, a_dataset_case, renaming
from evaltui.validation.rules.dataset_cases import ANSWERED, ASKED, PROMPT

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


def check_case(case: CheckedCase) -> Iterator[Diagnostic]:
    """Duplicate ids in the lists that google-adk joins, and types that no metric reads."""
    own = [case.at(rubric) for rubric in case.rubrics]
    of_turns = [[case.at(rubric) for rubric in turn.rubrics] for turn in case.turns]
    rubrics = [*own, *(rubric for listed in of_turns for rubric in listed)]
    if not rubrics:  # as in most cases
        return
    all_ids = {rubric.text("rubric_id") for rubric in rubrics}
    case_ids = {rubric.text("rubric_id") for rubric in own}
    # google-adk joins the rubrics of the case with those of one turn, so that two turns may have the same id.
    for listed, earlier in ((own, set[str | None]()), *((listed, case_ids) for listed in of_turns)):
        for identifier, place, fix in duplicates(listed, earlier, all_ids):
            where = "its case" if identifier in earlier else "the same list"
            message = f"rubric_id {quoted(identifier, 40)} is a duplicate in {where}, so google-adk aborts the run"
            yield DUPLICATE_RUBRIC_ID.at(place, message, fix=fix)
    for rubric in rubrics:
        yield from _check_type(rubric)
        content = rubric.member("rubric_content")
        text = content.member("text_property") if content is not None else None
        is_blank = text is None or (isinstance(text.data, str) and not text.data.strip())
        if content is not None and isinstance(content.data, dict) and is_blank:
            yield EMPTY_RUBRIC.at(content.place_of("text_property"), _NO_TEXT)


DUPLICATE_RUBRIC_ID = Rule(
    "duplicate-rubric-id",
    "Two rubrics of a case, or of a case and one of its turns, have the same rubric_id.",
    "`LocalEvalService` joins the rubrics of a case with the rubrics of each of its turns. A duplicate id aborts "
    "the whole run with `ValueError: Rubric with rubric_id … already exists`, even if no metric reads rubrics.",
    _rubrics(f"{_TYPED},\n  {_TYPED}"),
    _GOOD,
    "Adds the next free number to the id of the later rubric.",
)


def duplicates(
    rubrics: Iterable[PointedValue], earlier: Iterable[str | None], all_ids: set[str | None]
) -> Iterator[tuple[str, str, Fix]]:
    """For each rubric whose id an earlier one has: the id, its place, and a fix to an id that is none of `all_ids`."""
    seen = {*earlier}
    for rubric in rubrics:
        identifier = rubric.text("rubric_id")
        if identifier is not None and identifier in seen:
            new_id = fresh_id([identifier], identifier, all_ids.__contains__)
            all_ids.add(new_id)
            place = rubric.place_of("rubric_id")
            yield identifier, place, renaming(place, new_id)
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
EMPTY_RUBRIC = Rule(
    "empty-rubric",
    "A rubric has no text.",
    "The judge gets `* [id: polite] None`, or no text after the id. The judge still gives a verdict, and this "
    "verdict counts. See `format_auto_rater_prompt` of the rubric metrics in google.adk.evaluation.",
    _rubrics(_TYPED.replace("It is polite.", "")),
    _GOOD,
)
_NO_TEXT = "the rubric has no text, so the judge has nothing to check"


UNKNOWN_RUBRIC_TYPE = Rule(
    "unknown-rubric-type",
    "A rubric has a type that no metric of google-adk reads.",
    _FILTER + " A rubric of another type is ignored without a message.",
    _rubrics(_TYPED.replace("FINAL_RESPONSE_QUALITY", "final_response_quality")),
    _GOOD,
    "Writes the type in capitals, if a metric reads this type.",
)


def _check_type(rubric: PointedValue) -> Iterator[Diagnostic]:
    if not isinstance(rubric.data, dict):
        return
    kind = rubric.text("type")
    if not kind and rubric.member("type") is None:
        place, default = f"{rubric.pointer}/type", next(iter(TYPES))
        fix = Fix(f"Set the type to {default}", False, (rubric.setting("type", json_text(default)),))
        yield RUBRIC_WITHOUT_TYPE.at(place, "the rubric has no type, so no metric reads it", fix=fix)
    elif kind is not None and kind not in TYPES:
        place = rubric.place_of("type")
        capitals = kind.strip().upper().replace("-", "_").replace(" ", "_")
        type_fix = Fix(f"Write {capitals}", True, (Set(place, json_text(capitals)),)) if capitals in TYPES else None
        message = f"no metric reads rubrics of type {quoted(kind, 40)}; google-adk knows {', '.join(TYPES)}"
        yield UNKNOWN_RUBRIC_TYPE.at(place, message, fix=type_fix)


# --- datasets --------------------------------------------------------------------------------------------------------

_RUBRIC = '{"rubric_id": "polite", "content": {"property": {"description": "It is polite."}}}'


_TURN = f'"agent_data": {{"turns": [{{"turn_index": 0, "events": [{ASKED}]}}]}}'
_TURNS = (
    f'"agent_data": {{"turns": [\n   {{"turn_index": 0, "events": [{ASKED},\n     {ANSWERED}]}},\n'
    f'   {{"turn_index": 1, "events": [{ASKED}]}}]}}'
)


def _with_rubrics(*texts: str, message: str = PROMPT) -> Example:
    listed = ",\n   ".join(texts)
    return a_dataset_case(
        f'{{"eval_case_id": "greeting", {message},\n "rubric_groups": {{"tone": {{"rubrics": [\n   {listed}]}}}}}}'
    )


def check_dataset_case(case: CheckedCase) -> Iterator[Diagnostic]:
    """Rubrics with the same id, without text, or in groups that the service refuses."""
    for rubrics in case.rubric_lists:
        named = [rubric for rubric in rubrics if rubric.text("rubric_id")]
        for identifier, place, fix in duplicates(named, (), {rubric.text("rubric_id") for rubric in rubrics}):
            message = f"rubric_id {quoted(identifier, 40)} is a duplicate in this group"
            yield SAME_RUBRIC_ID.at(place, message, fix=fix)
        for rubric in rubrics:
            content = rubric.member("content")
            text = content.member("property") if content is not None else None
            if text is None or not (text.text("description") or "").strip():
                absent = "description" if text is not None else "property" if content is not None else "content"
                yield EMPTY_RUBRIC.at(f"{(text or content or rubric).pointer}/{absent}", _NO_TEXT)
    groups = case.root.member("rubric_groups")
    if groups is not None and len(case.recorded_turns) > 1 and any(case.rubric_lists):
        message = "rubric groups are for a single turn, but this case has several"
        yield RUBRICS_OF_SEVERAL_TURNS.at(groups, message, at_key=True)


SAME_RUBRIC_ID = Rule(
    "same-rubric-id",
    "Two rubrics of a group have the same rubric_id.",
    "Results refer to rubrics by this id (`rubric_verdicts[].evaluated_rubric.rubric_id`). `eval optimize` joins the "
    "rubrics of all groups in one case. A duplicate id there aborts the whole run.",
    _with_rubrics(_RUBRIC, _RUBRIC),
    _with_rubrics(_RUBRIC),
    "Adds the next free number to the id of the later rubric.",
)
RUBRICS_OF_SEVERAL_TURNS = Rule(
    "rubrics-of-several-turns",
    "A case with several turns has rubric groups.",
    "Rubric groups are for a single turn. The evaluation service refuses a single-turn metric for several turns "
    "(*Single-turn metric received agent_eval_data with N turns*). `multi_turn_task_success` uses its own rubrics. "
    "Your own metric gets the rubrics in `instance['rubric_groups']` (see the skill of agents-cli).",
    _with_rubrics(_RUBRIC, message=_TURNS),
    _with_rubrics(_RUBRIC, message=_TURN),
    severity="info",
)
