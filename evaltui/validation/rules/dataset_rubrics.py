"""Rules about the rubric groups of the cases of an EvaluationDataset."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.evalset.editing.new_ids import fresh_id
from evaltui.printable import quoted
from evaltui.validation.dataset_case import PointedDatasetCase
from evaltui.validation.pointed_values import PointedValue
from evaltui.validation.rule import Diagnostic, Example, Rule, a_dataset_case, renaming
from evaltui.validation.rules import rubrics
from evaltui.validation.rules.datasets import ASKED, PROMPT, SAID

_RUBRIC = '{"rubric_id": "polite", "content": {"property": {"description": "It is polite."}}}'


_TURN = f'"agent_data": {{"turns": [{{"turn_index": 0, "events": [{ASKED}]}}]}}'
_TURNS = (
    f'"agent_data": {{"turns": [\n   {{"turn_index": 0, "events": [{ASKED},\n     {SAID}]}},\n'
    f'   {{"turn_index": 1, "events": [{ASKED}]}}]}}'
)


def _with_rubrics(*texts: str, message: str = PROMPT) -> Example:
    listed = ",\n   ".join(texts)
    return a_dataset_case(
        f'{{"eval_case_id": "greeting", {message},\n "rubric_groups": {{"tone": {{"rubrics": [\n   {listed}]}}}}}}'
    )


def check_case(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    """Rubrics with the same id, without text, or in groups that the service refuses."""
    for listed in case.rubric_lists:
        yield from _doubled(listed)
        for rubric in listed:
            yield from _empty(rubric)
    yield from _of_several_turns(case)


SAME_RUBRIC_ID = Rule(
    "same-rubric-id",
    "Two rubrics of a group have the same rubric_id.",
    "Results refer to rubrics by this id (`rubric_verdicts[].evaluated_rubric.rubric_id`). `eval optimize` joins the "
    "rubrics of all groups in one case. A duplicate id there aborts the whole run.",
    _with_rubrics(_RUBRIC, _RUBRIC),
    _with_rubrics(_RUBRIC),
    "Adds the next free number to the id of the later rubric.",
)


def _doubled(listed: list[PointedValue]) -> Iterator[Diagnostic]:
    taken = {rubric.text("rubric_id") for rubric in listed}
    seen: set[str] = set()
    for rubric in listed:
        identifier = rubric.text("rubric_id")
        if identifier and identifier in seen:
            other = fresh_id([identifier], identifier, taken.__contains__)
            taken.add(other)
            place = rubric.below(rubric.key("rubric_id") or "rubric_id")
            said = f"rubric_id {quoted(identifier, 40)} is a duplicate in this group"
            yield SAME_RUBRIC_ID.at(place, said, fix=renaming(place.pointer, other))
        seen.add(identifier or "")


def _empty(rubric: PointedValue) -> Iterator[Diagnostic]:
    content = rubric.member("content")
    told = content.member("property") if content is not None else None
    if not (told.text("description") or "" if told is not None else "").strip():
        place = told or content or rubric
        missing = "description" if told is not None else "property" if content is not None else "content"
        yield rubrics.EMPTY_RUBRIC.at(
            f"{place.pointer}/{missing}", "the rubric has no text, so the judge has nothing to check"
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


def _of_several_turns(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    groups = case.root.member("rubric_groups")
    if groups is not None and len(case.turns) > 1 and any(case.rubric_lists):
        said = "rubric groups are for a single turn, but this case has several"
        yield RUBRICS_OF_SEVERAL_TURNS.at(groups, said, at_key=True)
