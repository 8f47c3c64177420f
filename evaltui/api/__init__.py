"""Scores, reviews and checks of eval sets from Python, as plain values. docs/python.md shows how to use it.

The names in `__all__` are public. All other modules of evaltui may change with any version.
"""

from evaltui.api.chosen_criteria import Criteria, criteria
from evaltui.api.errors import EvaltuiError
from evaltui.api.eval_sets import EvalCase, EvalSet, read_eval_set
from evaltui.api.problems import FileReport, validate, validate_files
from evaltui.api.recording_files import Recordings, read_recordings
from evaltui.api.reviews import review
from evaltui.api.scores import Scores, score
from evaltui.values.diagnostics import Diagnostic, Fix
from evaltui.values.inputs import RecordingFile, UnmatchedConversation
from evaltui.values.results import (
    CaseResult,
    MatchedRecording,
    MetricResult,
    RunResult,
    ToolCall,
    TurnMetric,
    TurnResult,
    TurnSide,
)
from evaltui.values.reviews import ReviewChange, ReviewItem, ReviewMetric

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
