"""The format of EvaluationDatasets: its names, and the fields that it holds."""

from __future__ import annotations

from evaltui.interop.evaluation_datasets.dataset_names import EXTRA
from evaltui.interop.evaluation_datasets.reader import read_dataset
from evaltui.interop.evaluation_datasets.writer import write_dataset
from evaltui.interop.fields import HELD, Field, Holding
from evaltui.interop.format_type import FormatType

_ENVELOPE = Holding("no_place", "an EvaluationDataset has nothing but eval_cases")
_EXTRA = Holding(reason="kept as an extra member of the case, which agents-cli and agentplatform ignore")
_DETAILS = Holding(reason="kept in invocation_details of the case, which agents-cli and agentplatform ignore")

_HOLDINGS = {
    **dict.fromkeys(Field, HELD),
    Field.SET_ID: _ENVELOPE,
    Field.SET_NAME: _ENVELOPE,
    Field.SET_DESCRIPTION: _ENVELOPE,
    Field.SET_TIME: _ENVELOPE,
    Field.SET_OTHER: _ENVELOPE,
    Field.CASE_NAME: Holding("changed", EXTRA),
    Field.CASE_DESCRIPTION: Holding("changed", EXTRA),
    Field.CASE_TAGS: Holding("changed", EXTRA),
    Field.CASE_TIME: _EXTRA,
    Field.CASE_OTHER: _EXTRA,
    Field.APP_NAME: _EXTRA,
    Field.USER_ID: _EXTRA,
    Field.SESSION_OTHER: _EXTRA,
    Field.FINAL_STATE: Holding("changed", EXTRA),
    Field.RUBRIC_DESCRIPTION: Holding("changed", "rubrics of a dataset have one text; it is kept in the case"),
    Field.TURN_RUBRICS: Holding("changed", "a dataset has rubrics of cases; a group of the case holds those of a turn"),
    Field.SCENARIO_PROMPT: Holding("changed", "agents-cli eval generate refuses cases without a prompt or agent_data"),
    Field.SCENARIO_PERSONA: Holding("no_place", "user_scenario has a prompt, a plan and a title"),
    Field.SCENARIO_OTHER: Holding("no_place", "user_scenario has a prompt, a plan and a title"),
    Field.TURN_ID: Holding(reason="turn_id in agent_data; of a single turn an extra member of the case"),
    Field.TURN_TIME: _DETAILS,
    Field.TURN_DURATIONS: _DETAILS,
    Field.TURN_OTHER: _DETAILS,
    Field.EVENT_TIME: Holding("changed", "events of agent_data have a time and no id"),
    Field.EVENT_OTHER: Holding(
        "no_place", "events of a dataset have an author, a content, a time and changes of state"
    ),
    Field.ARGUMENT_RULES: Holding("no_place", "a dataset has no rules to compare arguments by"),
    Field.EXPECTATION_OPTIONS: Holding("no_place", "expectations of a dataset have no notes, skips or thresholds"),
    Field.CRITERIA: Holding("no_place", "a dataset has rubrics with texts, not criteria by resource name"),
}

EVALUATION_DATASET = FormatType(
    source_word="evaluation_dataset",
    option="evaluation-dataset",
    title="EvaluationDataset",
    ending="-dataset.json",
    holdings=_HOLDINGS,
    read=read_dataset,
    write=write_dataset,
)
"""EvaluationDatasets of the Agent Platform as a format of conversion."""
