"""Documents of `evaltui run --format json` read as verdicts and scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, cast

from evaltui.comparison.judged_result import JudgedCase, JudgedMetric, JudgedTurn
from evaltui.evalset.case_data import items_in, objects_in
from evaltui.evalset.turn import ALL_PARTS, Turn, TurnCall
from evaltui.recordings.json_members import number, objects, text
from evaltui.scoring.results import MetricScore, Status, TurnScores

_STATUSES = ("passed", "failed", "not_evaluated", "informational")


def is_run_document(value: Any) -> bool:
    """Whether a JSON value is a document of `evaltui run`, of one set or of several."""
    if not isinstance(value, dict) or "version" not in value:
        return False
    return isinstance(value.get("runs"), list) or ("set" in value and isinstance(value.get("cases"), list))


def set_of_run_document(document: Mapping[str, Any]) -> str | None:
    """The eval_set_id of a run."""
    return text(document.get("set"), "eval_set_id")


def cases_of_run_document(document: Mapping[str, Any]) -> tuple[list[JudgedCase], list[str]]:
    """The cases of a run, and sentences about skipped ones."""
    cases = [(text(each, "eval_id"), each) for each in objects(document, "cases")]
    counts = Counter(eval_id for eval_id, _ in cases)
    judged = [_case(eval_id, each) for eval_id, each in cases if eval_id is not None and counts[eval_id] == 1]
    left_out = len(items_in(document, "cases")) - len(judged)
    said = f"{left_out} case{'s' * (left_out != 1)} skipped: eval_id is missing or a duplicate"
    return judged, [said] if left_out else []


def _case(eval_id: str, case: Mapping[str, Any]) -> JudgedCase:
    metrics = tuple(
        JudgedMetric(name, status, number(each, "score"), number(each, "threshold"))
        for each, name, status in _metrics(case)
        if status != "informational"
    )
    status = _status(case.get("status"))
    turns = tuple(_turn(place, each) for place, each in enumerate(objects(case, "turns"), 1))
    return JudgedCase(eval_id, status, metrics, turns, text(case, "reason") or "")


def _metrics(value: Any) -> Iterator[tuple[dict[str, Any], str, Status]]:
    for each in objects(value, "metrics"):
        if (name := text(each, "name")) is not None:
            yield each, name, _status(each.get("status"))


def _status(value: Any) -> Status:
    return cast("Status", value) if value in _STATUSES else "not_evaluated"


def _turn(place: int, value: Mapping[str, Any]) -> JudgedTurn:
    expected, actual = _side(value.get("expected")), _side(value.get("actual"))
    sentences = {
        name: tuple(each for each in items_in(metric.get("explanation"), "sentences") if isinstance(each, str))
        for metric, name, _ in _metrics(value)
    }
    if expected is None or actual is None:
        return JudgedTurn(actual, expected, None, sentences)
    scores = tuple(
        MetricScore(name, status, number(metric, "score"), number(metric, "threshold"))
        for metric, name, status in _metrics(value)
    )
    return JudgedTurn(actual, expected, TurnScores(place, expected, actual, scores), sentences)


def _side(value: Any) -> Turn | None:
    """The calls and the response of one side; None if the document does not have it."""
    if not isinstance(value, dict):
        return None
    calls = tuple(_call(each) for each in objects_in(items_in(value, "calls")))
    unrecorded = frozenset(part for part in ALL_PARTS if part in items_in(value, "unrecorded"))
    return Turn("", calls, text(value, "response") or "", unrecorded=unrecorded)


def _call(value: Mapping[str, Any]) -> TurnCall:
    args = value.get("args")
    return TurnCall(text(value, "name"), args if isinstance(args, dict) else None)
