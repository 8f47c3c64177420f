"""The format of EvaluationDatasets: its names, and the fields that it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.interop.evaluation_datasets.dataset_names import CHECK_KEYS, EXTRA, UNREAD_DETAIL
from evaltui.interop.evaluation_datasets.dataset_notes import dataset_notes
from evaltui.interop.evaluation_datasets.reader import read_dataset
from evaltui.interop.evaluation_datasets.writer import write_dataset
from evaltui.interop.fields import HELD, Holding, SetField
from evaltui.interop.format_type import FormatType, TargetReader

if TYPE_CHECKING:
    from pydantic import BaseModel

_ENVELOPE = Holding("no_place", "an EvaluationDataset contains only eval_cases")

_HOLDINGS = {
    **dict.fromkeys(SetField, HELD),
    SetField.SET_ID: _ENVELOPE,
    SetField.SET_NAME: _ENVELOPE,
    SetField.SET_DESCRIPTION: _ENVELOPE,
    SetField.SET_TIME: _ENVELOPE,
    SetField.SET_OTHER: _ENVELOPE,
    SetField.CASE_OTHER: Holding("changed", EXTRA),
    SetField.CASE_NAME: Holding("changed", EXTRA),
    SetField.CASE_DESCRIPTION: Holding("changed", EXTRA),
    SetField.CASE_TAGS: Holding("changed", EXTRA),
    SetField.FINAL_STATE: Holding("changed", EXTRA),
    SetField.RUBRIC_DESCRIPTION: Holding(
        "changed", "rubrics in a dataset have no description, so evaltui keeps it in rubric_descriptions of the case"
    ),
    SetField.TURN_RUBRICS: Holding(
        "changed", "a dataset has rubrics only for cases, so the rubrics of a turn become a group of the case"
    ),
    SetField.SCENARIO_PROMPT: Holding(
        "changed", "`agents-cli eval generate` rejects a file with a case that has only a scenario"
    ),
    SetField.SCENARIO_PERSONA: Holding("no_place", "scenarios in a dataset have only a prompt, a plan and a title"),
    SetField.SCENARIO_OTHER: Holding("no_place", "scenarios in a dataset have only a prompt, a plan and a title"),
    SetField.TURN_OTHER: Holding("changed", UNREAD_DETAIL, CHECK_KEYS),
    SetField.EVENT_TIME: Holding("changed", "events in agent_data have a time, but no id"),
    SetField.EVENT_OTHER: Holding(
        "no_place", "events in a dataset have only an author, a content, a time and state changes"
    ),
    SetField.RECORDED: Holding(
        reason="a dataset keeps only the recorded response, not the turns and tool calls before it"
    ),
    SetField.ARGUMENT_RULES: Holding("no_place", "a dataset has no comparison rules for arguments"),
    SetField.EXPECTATION_OPTIONS: Holding("no_place", "expectations in a dataset have no notes, skips or thresholds"),
    SetField.CRITERIA: Holding("no_place", "a dataset has rubrics with texts, but no criteria with resource names"),
}


def _model() -> type[BaseModel]:
    from evaltui.evalset.schema.genai_models import EvaluationDataset  # noqa: PLC0415 - loading it takes 0.1 s

    dataset: type[BaseModel] = EvaluationDataset
    return dataset


EVALUATION_DATASET = FormatType(
    source_word="evaluation_dataset",
    option="evaluation-dataset",
    title="EvaluationDataset",
    ending="-dataset.json",
    holdings=_HOLDINGS,
    read=read_dataset,
    write=write_dataset,
    notes=dataset_notes,
    keeps_extras=True,
    reader=TargetReader("agents-cli", _model),
)
"""EvaluationDatasets of the Agent Platform as a format of conversion."""
