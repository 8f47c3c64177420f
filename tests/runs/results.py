"""Results of cases for tests of runs: made, not scored."""

import json
from pathlib import Path

from evaltui.evalset.turn import Turn, TurnCall
from evaltui.recordings.conversation import Conversation
from evaltui.scoring.results import CaseResult, CaseRun, MetricScore, Status

THRESHOLD = 0.8


def scored(
    score: float | None,
    *,
    golden: str = "Hi",
    eval_id: str = "a",
    response: str = "Hi",
    calls: tuple[TurnCall, ...] = (),
    reason: str | None = None,
) -> CaseResult:
    """A case with one metric; without a score it is not evaluated, or failed as a whole for a `reason`."""
    status: Status = "not_evaluated" if score is None else "passed" if score >= THRESHOLD else "failed"
    if reason is not None:
        status = "failed"
    metrics = (MetricScore("response_match_score", status, score, THRESHOLD),)
    conversation = Conversation(Path("actual.json"), "c", (Turn("Hello", calls, response),))
    run = CaseRun(conversation, "eval_id", status, metrics, (), reason) if score is not None or reason else None
    source = json.dumps({"eval_id": eval_id, "final_response": golden}).encode()
    return CaseResult(eval_id, 0, status, metrics, run, reason, source=source)
