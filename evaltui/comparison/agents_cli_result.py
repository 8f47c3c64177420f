"""Results of `agents-cli eval grade` (`EvaluationResult` of the GenAI Eval SDK) read as scores.

They have no thresholds and no verdicts. They refer to cases by index in the dataset in the same file. A case without
eval_case_id is identified by its first user message, because indexes change when a dataset is sorted or extended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evaltui.comparison.judged_result import JudgedCase, JudgedMetric, JudgedTurn
from evaltui.evalset.case_data import get, items_in
from evaltui.printable import one_line
from evaltui.recordings.evaluation_datasets import conversations_of_dataset, graded_cases
from evaltui.recordings.json_members import number, objects, text

_NAME = 80
"""The most characters of a user message as name of a case."""


def cases_of_agents_cli_result(result: Mapping[str, Any], path: Path) -> tuple[list[JudgedCase], list[str]]:
    """The cases, with a run for each graded response, and sentences about unusable parts."""
    dataset = next(graded_cases(result), [])
    judged: list[JudgedCase] = []
    warnings: list[str] = []
    names: dict[str, int] = {}
    for place, value in enumerate(items_in(result, "eval_case_results")):
        if not isinstance(value, dict):
            warnings.append(f"/eval_case_results/{place} is not an object; skipped")
            continue
        index = get(value, "eval_case_index")
        at = index if isinstance(index, int) and not isinstance(index, bool) and index >= 0 else place
        case = dataset[at] if at < len(dataset) else None
        turns = _turns(case, path)
        eval_id = text(case, "eval_case_id") or text(value, "eval_case_id") or _name(at, turns, names)
        judged += _runs(eval_id, value, turns)
    several = sum(count > 1 for count in Counter(case.eval_id for case in judged).values())
    if several:
        cases = "1 case has" if several == 1 else f"{several} cases have"
        warnings.append(f"{cases} several graded responses; evaltui compares their mean")
    return judged, warnings


def _name(at: int, turns: tuple[JudgedTurn, ...], names: dict[str, int]) -> str:
    """The name of a case without an id: its first user message; if it is absent or taken, its place from 1."""
    said = turns[0].actual.user_text if turns and turns[0].actual is not None else ""
    name = one_line(said, _NAME)
    return name if name and names.setdefault(name, at) == at else f"case {at + 1}"


def _runs(eval_id: str, value: Mapping[str, Any], turns: tuple[JudgedTurn, ...]) -> Iterator[JudgedCase]:
    for candidate in objects(value, "response_candidate_results"):
        results = get(candidate, "metric_results")
        metrics = (_metric(name, each) for name, each in results.items()) if isinstance(results, dict) else ()
        yield JudgedCase(eval_id, None, tuple(metrics), turns)
    if not items_in(value, "response_candidate_results"):
        yield JudgedCase(eval_id, "not_evaluated", reason="there is no graded response")


def _metric(name: str, result: Any) -> JudgedMetric:
    score, error = number(result, "score"), text(result, "error_message")
    if score is None:
        return JudgedMetric(name, "not_evaluated", note=error or "there is no score")
    return JudgedMetric(name, None, score, note=text(result, "explanation") or "")


def _turns(case: Any, path: Path) -> tuple[JudgedTurn, ...]:
    """The turns of the agent; none if the dataset does not have them."""
    if not isinstance(case, dict):
        return ()
    conversations, _ = conversations_of_dataset([case], path)
    if not conversations or conversations[0].unread is not None:
        return ()
    return tuple(JudgedTurn(turn) for turn in conversations[0].turns)
