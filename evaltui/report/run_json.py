"""A run as the JSON document of `evaltui run --format json` (docs/cli.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaltui.recordings.conversation import Recording
from evaltui.recordings.matching import Unmatched
from evaltui.report.json_text import items_of, json_text
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.explained_case import JsonRecord, explained_case
from evaltui.scoring.results import CaseResult, ScoreTotals, Status, mean_of
from evaltui.scoring.scored_set import ScoredSet

_VERSION = 1


@dataclass(frozen=True)
class ReportedRecording(JsonRecord):
    """A file of recorded conversations."""

    path: str
    format: str
    """`adk_result`, `jaeger`, `otlp`, `tempo`, `evaluation_dataset`, `eval_set`, `adk_session` or `adk_session_db`."""
    conversations: int
    """The number of its conversations."""
    warnings: tuple[str, ...]
    """A sentence for each part of the file that cannot be used."""


@dataclass(frozen=True)
class ReportedConversation(JsonRecord):
    """A recorded conversation that belongs to no case."""

    path: str
    id: str
    reason: str


def reported_recording(recording: Recording) -> ReportedRecording:
    """The item of `recordings` for a recording."""
    return ReportedRecording(
        str(recording.path), recording.format, len(recording.conversations), tuple(recording.warnings)
    )


def reported_conversation(unmatched: Unmatched) -> ReportedConversation:
    """The item of `unmatched_recordings` for a conversation without a case."""
    conversation = unmatched.conversation
    return ReportedConversation(str(conversation.path), conversation.id, unmatched.reason)


def runs_document(runs: Sequence[ScoredSet]) -> dict[str, Any]:
    """The JSON document of a set; for several sets, one document with the documents of all.

    Its long lists are `JsonItems`; `json_pieces` gives the text.
    """
    documents = [_run(run) for run in runs]
    if len(documents) == 1:
        return documents[0]
    totals = ScoreTotals()
    for run in runs:
        totals.add_totals(run.totals)
    return {"version": _VERSION, "runs": documents, "summary": _summarize(totals)}


def _run(run: ScoredSet) -> dict[str, Any]:
    changes = run.changes
    baseline = {"path": changes.name, "gone": list(changes.gone), "counts": changes.counts} if changes else {}
    return {
        "version": _VERSION,
        "set": set_as_data(run),
        "config": {
            "path": str(run.criteria.path) if run.criteria.path is not None else None,
            "criteria": run.criteria.to_json(),
        },
        "recordings": items_of(reported_recording(recording).as_dict() for recording in run.recordings),
        **({"baseline": baseline} if baseline else {}),
        "cases": lambda indent: (_case_text(case, run, indent) for case in run.cases),
        "unmatched_recordings": items_of(reported_conversation(unmatched).as_dict() for unmatched in run.unmatched),
        "summary": _summarize(run.totals),
    }


def _case_text(case: CaseResult, run: ScoredSet, indent: int | None) -> str:
    _, text = run.prepared(case) if run.prepared is not None else (None, None)
    # A watch prints lines, and may write a small report for people beside them.
    if text is None or ("\n" in text) != (indent is not None):
        text = case_text(case, run.criteria, indent)
    if run.changes is None:
        return text
    # The change since a baseline is put in here, behind `eval_id` and `status`: a baseline takes 600 bytes a case in
    # each process that would have it.
    head = json_text({"eval_id": case.eval_id, "status": case.status}, indent=indent).rstrip("}\n")
    gap = " " if indent is None else "\n" + " " * indent
    return f'{head},{gap}"change": "{run.changes.of(case).change}"{text[len(head) :]}'


def case_text(case: CaseResult, criteria: Criteria, indent: int | None) -> str:
    """A case of the document, with its scores and their explanations, without a change."""
    return json_text(explained_case(case, criteria).as_dict(), indent=indent)


def set_as_data(run: ScoredSet) -> dict[str, Any]:
    """The set that was scored."""
    return {"path": run.subject.name, "eval_set_id": run.subject.eval_set_id, "rejected": run.subject.fault}


def _summarize(totals: ScoreTotals) -> dict[str, Any]:
    return {
        "cases": totals.cases,
        **_count_verdicts(totals.counts),
        "metrics": [
            {"name": name, "mean": mean_of(scores), **_count_verdicts(counts)}
            for name, (scores, counts) in totals.by_metric.items()
        ],
    }


def _count_verdicts(counts: Mapping[Status, int]) -> dict[str, int]:
    verdicts: tuple[Status, ...] = ("passed", "failed", "not_evaluated")
    return {status: counts[status] for status in verdicts}
