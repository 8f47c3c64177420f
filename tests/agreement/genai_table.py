"""`python -m tests.agreement.genai_table`: make `evalset/schema/genai_models.json` from the packages themselves.

EVALTUI_AGENTS_CLI_PYTHON names a Python with google-agents-cli, which also has google-genai and agentplatform.
"""

import json
import os
import subprocess
import sys

from evaltui.evalset.schema import genai_models

Table = dict[str, dict[str, str]]

_PROGRAM = """
import enum, json, sys, types, typing, warnings
warnings.simplefilter("ignore")
from google.genai import types as genai
from google.agents.cli._agent_platform_types import types as platform
from pydantic import BaseModel

table = {}
def spelled(annotation):
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return " | ".join(spelled(choice) for choice in arguments if choice is not type(None))
    if origin in (list, dict):
        return f"{origin.__name__}[{', '.join(map(spelled, arguments))}]"
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        add(annotation)
    is_enum = isinstance(annotation, type) and issubclass(annotation, enum.Enum)
    return "Word" if is_enum else getattr(annotation, "__name__", repr(annotation))
def add(model):
    if model.__name__ not in table:
        row = table[model.__name__] = {}
        for name, field in model.model_fields.items():
            row[name] = spelled(field.annotation) + (f" = {field.default}" if field.default is not None else "")
for model in (genai.Content, genai.GroundingMetadata, genai.GenerateContentResponseUsageMetadata):
    add(model)
add(genai.GenerateContentConfig)
add(genai.Tool)
add(platform.EvaluationDataset)
json.dump(table, sys.stdout)
"""
_OWN_NAMES = {
    "EvalCase": "DatasetCase",
    "Event": "IntermediateEvent",
    "Message": "HistoryMessage",
    "Rubric": "DatasetRubric",
    "RubricContent": "DatasetRubricContent",
    "RubricContentProperty": "RubricProperty",
}
"""Names of agentplatform that google-adk has, too, for other models."""
_OWN_TYPES = {
    ("EvaluationDataset", "eval_cases"): "list[DatasetCase]",
    ("EvaluationDataset", "eval_dataset_df"): "list[dict[str, Any]]",
    ("GenerateContentConfig", "system_instruction"): "Instruction",
    ("GenerateContentConfig", "response_schema"): "ResponseSchema",
    ("GenerateContentConfig", "tools"): "list[ToolOrFunction]",
    ("GenerateContentConfig", "speech_config"): "Speech",
    ("GenerationConfigRoutingConfigAutoRoutingMode", "model_routing_preference"): "RoutingPreference",
    ("HttpOptions", "httpx_client"): "None",
    ("HttpOptions", "httpx_async_client"): "None",
    ("HttpOptions", "aiohttp_client"): "None",
    ("PartialArg", "null_value"): "NullValue",
    ("RubricGroup", "rubrics"): "list[DatasetRubric]",
    ("DatasetRubric", "content"): "DatasetRubricContent",
    ("DatasetRubricContent", "property"): "RubricProperty",
    ("DatasetCase", "conversation_history"): "list[HistoryMessage]",
    ("DatasetCase", "intermediate_events"): "list[IntermediateEvent]",
}
"""Fields with a renamed model, with a type that JSON cannot have, or with a reader of their own in `genai_models`."""


def table_of_packages(python: str) -> Table:
    """The table as the packages of a Python have it."""
    table: Table = json.loads(subprocess.run([python, "-c", _PROGRAM], capture_output=True, check=True).stdout)
    named = {_OWN_NAMES.get(name, name): row for name, row in table.items()}
    return {
        name: {field: _OWN_TYPES.get((name, field), text) for field, text in named[name].items()}
        for name in sorted(named)
    }


def table_text(table: Table) -> str:
    """The text of the file: a line for each model."""
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in table.items()) + "\n}\n"


if __name__ == "__main__":
    agents_cli = os.environ.get("EVALTUI_AGENTS_CLI_PYTHON")
    if agents_cli is None:
        sys.exit("EVALTUI_AGENTS_CLI_PYTHON names no Python with google-agents-cli")
    genai_models.TABLE_FILE.write_text(table_text(table_of_packages(agents_cli)), encoding="utf-8")
