"""Scores, reviews and checks of eval sets from Python, as plain values. docs/python.md shows how to use it.

The names in `__all__` are public. All other modules of evaltui may change with any version.
"""

from evaltui.api.chosen_criteria import Criteria, criteria
from evaltui.api.eval_sets import EvalCase, EvalSet, read_eval_set
from evaltui.api.file_checks import FileReport, validate, validate_files
from evaltui.api.inputs import EvaltuiError
from evaltui.api.recording_files import Recordings, read_recordings
from evaltui.api.scores import Scores, review, score
from evaltui.report.problem_reports import ShownFix as Fix
from evaltui.report.problem_reports import ShownProblem as Diagnostic
from evaltui.report.run_json import ReportedConversation as UnmatchedConversation
from evaltui.report.run_json import ReportedRecording as RecordingFile
from evaltui.review.set_review import ExplainedChange as ReviewChange
from evaltui.review.set_review import ExplainedItem as ReviewItem
from evaltui.review.set_review import ReviewMetric
from evaltui.scoring.explained_case import ExplainedCall as ToolCall
from evaltui.scoring.explained_case import ExplainedCase as CaseResult
from evaltui.scoring.explained_case import ExplainedRun as RunResult
from evaltui.scoring.explained_case import ExplainedTurn as TurnResult
from evaltui.scoring.explained_case import MatchedRecording, TurnMetric, TurnSide
from evaltui.scoring.results import MetricScore as MetricResult

__all__ = [
    "CaseResult",
    "Criteria",
    "Diagnostic",
    "EvalCase",
    "EvalSet",
    "EvaltuiError",
    "FileReport",
    "Fix",
    "MatchedRecording",
    "MetricResult",
    "RecordingFile",
    "Recordings",
    "ReviewChange",
    "ReviewItem",
    "ReviewMetric",
    "RunResult",
    "Scores",
    "ToolCall",
    "TurnMetric",
    "TurnResult",
    "TurnSide",
    "UnmatchedConversation",
    "criteria",
    "read_eval_set",
    "read_recordings",
    "review",
    "score",
    "validate",
    "validate_files",
]
