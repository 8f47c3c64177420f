"""JSON Schema of configs, for editors: with the criteria that each metric reads, which google-adk reads only later."""

from __future__ import annotations

from typing import Any

from evaltui.evalset.schema.criteria import CRITERIA
from evaltui.evalset.schema.eval_config import EvalConfig, LlmAudioUserSimulatorConfig, LlmBackedUserSimulatorConfig
from evaltui.scoring.metrics.metric import Metric
from evaltui.scoring.metrics.registry import METRICS
from evaltui.scoring.metrics.tool_trajectory import MATCH_TYPES
from evaltui.validation.json_schema import schema_of

_Schema = dict[str, Any]


def schema_of_config() -> _Schema:
    """The schema of configs."""
    schema = schema_of(EvalConfig, "Eval config of google-adk")
    definitions: _Schema = schema["$defs"]
    for model in CRITERIA.values():
        definitions |= schema_of(model, model.__name__)["$defs"]
    properties: _Schema = definitions[EvalConfig.__name__]["properties"]
    properties["criteria"]["properties"] = {
        metric.name: _criterion(metric) for metric in METRICS.values() if not metric.informational
    }
    definitions["MatchType"] = {"enum": [*MATCH_TYPES, *range(len(MATCH_TYPES))]}
    for name in ("user_simulator_config", "userSimulatorConfig"):
        properties[name] = {"anyOf": [*_simulators(), {"type": "null"}]}
    return schema


def _criterion(metric: Metric) -> _Schema:
    number: _Schema = {"type": "number"}
    if metric.range is not None:
        number |= {"minimum": metric.range[0], "maximum": metric.range[1]}
    return {"anyOf": [number, _reference(CRITERIA[metric.criterion])]}


def _simulators() -> list[_Schema]:
    """Both users, told by their type; one without is a writing one."""
    spoken = {"required": ["type"], "properties": {"type": {"const": "llm_audio"}}}
    absent_too: _Schema = {"properties": {"type": {"enum": ["llm_backed", None]}}}
    return [
        absent_too | {"allOf": [_reference(LlmBackedUserSimulatorConfig)]},
        spoken | _reference(LlmAudioUserSimulatorConfig),
    ]


def _reference(model: type[Any]) -> _Schema:
    return {"$ref": f"#/$defs/{model.__name__}"}
