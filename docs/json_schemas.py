"""JSON Schemas of eval sets and configs, for text editors: keys in both spellings, as google-adk reads them.

They are made from the models, and `evaltui schema` prints them. Where a model also accepts a string as a number, the
schema asks for a number.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from evaltui.evalset.keys import camel
from evaltui.evalset.schema.config_models import (
    CRITERIA,
    EvalConfig,
    LlmAudioUserSimulatorConfig,
    LlmBackedUserSimulatorConfig,
)
from evaltui.evalset.schema.eval_case import PERSONAS, EvalSet
from evaltui.scoring.metrics.metric import Metric
from evaltui.scoring.metrics.registry import METRICS
from evaltui.scoring.metrics.tool_trajectory import MATCH_TYPES

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_Schema = dict[str, Any]
PROJECT = Path(__file__).parents[1]
STORED = {kind: PROJECT / "evaltui" / "evalset" / "schema" / f"{kind}.schema.json" for kind in ("evalset", "config")}
"""The files of the schemas."""


def schema_texts() -> dict[str, str]:
    """The text of each schema, a line for each definition, by its path in the project."""
    schemas = {"evalset": _schema_of(EvalSet, "Eval set of google-adk"), "config": _schema_of_config()}
    return {str(STORED[kind].relative_to(PROJECT)): _text(schema) for kind, schema in schemas.items()}


def _text(schema: _Schema) -> str:
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in schema["$defs"].items())
    return json.dumps(schema | {"$defs": {}})[: -len("{}}")] + "{\n" + lines + "\n}}\n"


def _schema_of(model: type[BaseModel], title: str) -> _Schema:
    """The schema of the files that `model` reads."""
    models = {inner.__name__: inner for inner in _models_in(model)}
    _, schema = models_json_schema([(model, "validation")], by_alias=False, ref_template="#/$defs/{model}", title=title)
    definitions: _Schema = schema["$defs"]
    for name, definition in definitions.items():
        if name in models:
            _in_both_spellings(definition, models[name])
    if model is EvalSet:
        _as_checked_by_hand(definitions)
    return {"$schema": _DIALECT, "title": title, "$ref": f"#/$defs/{model.__name__}", "$defs": definitions}


def _in_both_spellings(definition: _Schema, model: type[BaseModel]) -> None:
    if model.__doc__:
        definition["description"] = model.__doc__.strip().splitlines()[0]
    if not model.model_config.get("alias_generator"):
        return
    properties: _Schema = definition.get("properties", {})
    definition["properties"] = properties | {camel(name): value for name, value in properties.items()}
    required = definition.pop("required", [])
    single = [name for name in required if camel(name) == name]
    either = [{"anyOf": [{"required": [name]}, {"required": [camel(name)]}]} for name in required if name not in single]
    if single:
        definition["required"] = single
    if either:
        definition["allOf"] = either


def _as_checked_by_hand(definitions: _Schema) -> None:
    """Add what the models check in code: exactly one of conversation and scenario, and the ids of personas."""
    ways = [[name] for name in ("conversation", "conversation_scenario", "conversationScenario")]
    case = definitions["EvalCase"]
    case["anyOf"] = [{"required": way} for way in ways]
    case["allOf"] += [
        {
            "not": {
                "required": ["conversation", scenario],
                "properties": {"conversation": {"type": "array"}, scenario: {"type": "object"}},
            }
        }
        for scenario in ("conversation_scenario", "conversationScenario")
    ]
    properties: _Schema = definitions["ConversationScenario"]["properties"]
    for name in ("user_persona", "userPersona"):
        properties[name]["anyOf"] = [{"enum": list(PERSONAS)}, *properties[name]["anyOf"]]


def _schema_of_config() -> _Schema:
    """The schema of configs."""
    schema = _schema_of(EvalConfig, "Eval config of google-adk")
    definitions: _Schema = schema["$defs"]
    for model in CRITERIA.values():
        definitions |= _schema_of(model, model.__name__)["$defs"]
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
    """Both simulated users, distinguished by their type; without a type it is the text user."""
    spoken = {"required": ["type"], "properties": {"type": {"const": "llm_audio"}}}
    absent_too: _Schema = {"properties": {"type": {"enum": ["llm_backed", None]}}}
    return [
        absent_too | {"allOf": [_reference(LlmBackedUserSimulatorConfig)]},
        spoken | _reference(LlmAudioUserSimulatorConfig),
    ]


def _reference(model: type[Any]) -> _Schema:
    return {"$ref": f"#/$defs/{model.__name__}"}


def _models_in(model: type[BaseModel]) -> list[type[BaseModel]]:
    """A model and all models of its fields, recursively."""
    models: dict[type[BaseModel], None] = {}
    pending: list[Any] = [model]
    while pending:
        annotation = pending.pop()
        if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
            pending += get_args(annotation)
        elif annotation not in models:
            models[annotation] = None
            pending += [field.annotation for field in annotation.model_fields.values()]
    return list(models)
