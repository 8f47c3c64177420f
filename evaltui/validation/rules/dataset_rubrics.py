"""Rubric groups of the cases of an EvaluationDataset."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.evalset.editing.fresh_ids import fresh_id
from evaltui.printable import one_line
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
    """Rubrics that cannot be told apart, that say nothing, or that the service refuses."""
    for listed in case.rubric_lists:
        yield from _doubled(listed)
        for rubric in listed:
            yield from _empty(rubric)
    yield from _of_several_turns(case)


SAME_RUBRIC_ID = Rule(
    "same-rubric-id",
    "Two rubrics of a group have the same rubric_id.",
    "Results tell the verdicts apart by it (`rubric_verdicts[].evaluated_rubric.rubric_id`). `eval optimize` puts the "
    "rubrics of all groups into a case of google-adk, which aborts the whole run for it.",
    _with_rubrics(_RUBRIC, _RUBRIC),
    _with_rubrics(_RUBRIC),
    "Gives the later one the next free number behind its id.",
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
            said = f"rubric_id {one_line(identifier, 40)!r} stands in this group already"
            yield SAME_RUBRIC_ID.at(place, said, fix=renaming(place.pointer, other))
        seen.add(identifier or "")


def _empty(rubric: PointedValue) -> Iterator[Diagnostic]:
    content = rubric.member("content")
    told = content.member("property") if content is not None else None
    if not (told.text("description") or "" if told is not None else "").strip():
        place = told or content or rubric
        missing = "description" if told is not None else "property" if content is not None else "content"
        yield rubrics.EMPTY_RUBRIC.at(f"{place.pointer}/{missing}", "the rubric does not say what is to be judged")


RUBRICS_OF_SEVERAL_TURNS = Rule(
    "rubrics-of-several-turns",
    "A case with several turns has rubric groups.",
    "Rubrics of a case are graded for a single turn: the evaluation service refuses a single-turn metric for a trace "
    "with several (*Single-turn metric received agent_eval_data with N turns*), and `multi_turn_task_success` grades "
    "its own rubrics. A metric of your own gets them in `instance['rubric_groups']` (the skill of agents-cli).",
    _with_rubrics(_RUBRIC, message=_TURNS),
    _with_rubrics(_RUBRIC, message=_TURN),
    severity="info",
)


def _of_several_turns(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    groups = case.root.member("rubric_groups")
    if groups is not None and len(case.turns) > 1 and any(case.rubric_lists):
        said = "rubric groups are graded for a single turn, and this case has several"
        yield RUBRICS_OF_SEVERAL_TURNS.at(groups, said, at_key=True)
