"""The formats of google-adk's eval sets and scenarios files: their names, and the fields that they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.interop.eval_sets.eval_set_notes import eval_set_notes
from evaltui.interop.eval_sets.reader import read_eval_set, read_scenarios
from evaltui.interop.eval_sets.writer import write_eval_set
from evaltui.interop.fields import HELD, Holding, SetField
from evaltui.interop.format_type import FormatType, TargetReader

if TYPE_CHECKING:
    from evaltui.evalset.schema.eval_case import EvalSet

_EXTRA = "kept as an extra field of the case, which google-adk ignores"

_HOLDINGS = {
    **dict.fromkeys(SetField, HELD),
    SetField.SET_OTHER: Holding("changed", "kept as an extra field of the set, which google-adk ignores"),
    SetField.CASE_OTHER: Holding("changed", _EXTRA),
    SetField.CASE_NAME: Holding("changed", _EXTRA),
    SetField.CASE_DESCRIPTION: Holding("changed", _EXTRA),
    SetField.CASE_TAGS: Holding("changed", _EXTRA),
    SetField.RUBRIC_DETAILS: Holding(
        "no_place", "rubrics in google-adk have only an id, a text, a description and a type"
    ),
    SetField.SCENARIO_TITLE: Holding("no_place", "scenarios in google-adk have no title"),
    SetField.SCENARIO_OTHER: Holding("no_place", "scenarios in google-adk have only a prompt, a plan and a persona"),
    SetField.TURN_OTHER: Holding("no_place", "google-adk rejects turns with unknown fields"),
    SetField.EVENT_TIME: Holding(
        "changed", "ids and times become extra fields of events, which google-adk ignores; a response cannot keep them"
    ),
    SetField.STATE_CHANGES: Holding(
        "no_place", "google-adk has session state only at the start and at the end of a case"
    ),
    SetField.AGENT_DETAILS: Holding("no_place", "agents in app_details have only a name, instructions and tools"),
    SetField.SYSTEM_INSTRUCTION: Holding("no_place", "in google-adk, instructions belong to the agent's code"),
    SetField.RECORDED: Holding(
        "no_place",
        "an eval set contains expected responses, not recorded ones",
        "Keep the source and use it as a recording: `evaltui run SET -r SOURCE`.",
    ),
    SetField.ARGUMENT_RULES: Holding(
        "no_place",
        "google-adk compares all arguments exactly, or no arguments with ignore_args",
        "If arguments vary, set ignore_args in the config.",
    ),
    SetField.EXPECTATION_OPTIONS: Holding("no_place", "expectations in google-adk have no notes, skips or thresholds"),
    SetField.CRITERIA: Holding("no_place", "google-adk has rubrics with texts, but no criteria with resource names"),
}


def _model() -> type[EvalSet]:
    from evaltui.evalset.schema.eval_case import EvalSet  # noqa: PLC0415 - loading it takes 0.1 s

    return EvalSet


GOOGLE_ADK = TargetReader("google-adk", _model)
"""google-adk as the reader of an eval set."""
EVAL_SET = FormatType(
    source_word="evalset",
    option="evalset",
    title="google-adk's EvalSet",
    ending=".evalset.json",
    holdings=_HOLDINGS,
    read=read_eval_set,
    write=write_eval_set,
    notes=eval_set_notes,
    keeps_extras=True,
    reader=GOOGLE_ADK,
    takes_camel=True,
)
SCENARIOS = FormatType(
    source_word="scenarios",
    option="",
    title="the scenarios file of `adk eval_set add_eval_case`",
    ending=".json",
    holdings=_HOLDINGS,
    read=read_scenarios,
)
