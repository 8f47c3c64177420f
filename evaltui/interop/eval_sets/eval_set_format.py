"""The format of google-adk's eval sets: its names, and the fields that it holds."""

from __future__ import annotations

from evaltui.interop.eval_sets.reader import read_eval_set
from evaltui.interop.eval_sets.writer import write_eval_set
from evaltui.interop.fields import HELD, Holding, SetField
from evaltui.interop.format_type import FormatType

_EXTRA = "google-adk has no member for it and ignores it; it is kept in the case under its own name"

_HOLDINGS = {
    **dict.fromkeys(SetField, HELD),
    SetField.CASE_NAME: Holding("changed", _EXTRA),
    SetField.CASE_DESCRIPTION: Holding("changed", _EXTRA),
    SetField.CASE_TAGS: Holding("changed", _EXTRA),
    SetField.RUBRIC_DETAILS: Holding("no_place", "rubrics of google-adk have an id, a text, a description and a type"),
    SetField.SCENARIO_TITLE: Holding("no_place", "scenarios of google-adk have no title"),
    SetField.SCENARIO_OTHER: Holding("no_place", "scenarios of google-adk have a prompt, a plan and a persona"),
    SetField.TURN_OTHER: Holding("no_place", "google-adk rejects unknown members of an invocation"),
    SetField.EVENT_TIME: Holding("changed", "google-adk has none; events keep it, and a final response is no event"),
    SetField.STATE_CHANGES: Holding("no_place", "google-adk has state at the start and at the end of a case only"),
    SetField.AGENT_DETAILS: Holding("no_place", "agents of app_details have a name, instructions and tools"),
    SetField.SYSTEM_INSTRUCTION: Holding("no_place", "instructions belong to the agent's code in google-adk"),
    SetField.RECORDED: Holding(
        "no_place",
        "an eval set says what is expected, not what an agent answered",
        "Keep the source as a recording: `evaltui run SET -r SOURCE`.",
    ),
    SetField.ARGUMENT_RULES: Holding(
        "no_place",
        "google-adk compares all arguments exactly, or none with ignore_args",
        "Set ignore_args in the config if arguments vary.",
    ),
    SetField.EXPECTATION_OPTIONS: Holding("no_place", "expectations of google-adk have no notes, skips or thresholds"),
    SetField.CRITERIA: Holding("no_place", "google-adk has rubrics with texts, not criteria by resource name"),
}

EVAL_SET = FormatType(
    source_word="evalset",
    option="evalset",
    title="google-adk's EvalSet",
    ending=".evalset.json",
    holdings=_HOLDINGS,
    read=read_eval_set,
    write=write_eval_set,
    takes_camel=True,
)
