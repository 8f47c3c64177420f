"""Errors of the models of google-adk and agentplatform, each reported once and at its place, with a fix."""

from __future__ import annotations

import types
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeGuard, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from evaltui.document.edits import Edit, Insert, Remove, Rename, Set, json_text
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.keys import camel, key_for, member, snake
from evaltui.evalset.schema.eval_case import PERSONAS, EvalSet
from evaltui.evalset.schema.genai_models import Content
from evaltui.validation.misspellings import meant
from evaltui.validation.rule_types import Diagnostic, Fix
from evaltui.validation.rules.json_syntax import unreadable_values
from evaltui.validation.rules.model_rules import TYPES, diagnostic_of, misspelt, wrong_root

_AGENTS_CLI = "agents-cli"
_SHAPES = ("tool_uses", "invocation_events")
"""One key of each of the two models of intermediate data."""


Branch = tuple[Node, "str | int", Sequence[Any]]
"""A union member that pydantic tried: the value, pydantic's name for the member, and the types of the union."""


@dataclass(frozen=True, slots=True)
class ModelError:
    """An error of pydantic, with its place."""

    kind: str
    """pydantic's error type, or `two_shapes`."""
    node: Node
    """The wrong value; for a missing key, the object without it."""
    model: type[BaseModel] | None
    """The model of the object around the node, or of the object without the key."""
    missing: str = ""
    context: Mapping[str, Any] = field(default_factory=dict)
    branches: Sequence[Branch] = ()
    """The unions on the way to the node, outermost first."""
    reader: str = "google-adk"
    """The program that has the model."""

    @property
    def field_name(self) -> str:
        """The missing field, in snake_case."""
        return next((name for name in self.known if self.missing in (name, camel(name))), self.missing)

    @property
    def known(self) -> list[str]:
        """The fields of the model, in snake_case."""
        return list(self.model.model_fields) if self.model is not None else []

    @property
    def is_spelt_twice(self) -> bool:
        """Whether a key is rejected only because the object also has it in the other spelling, which wins."""
        return self.model is not None and _field_named(self.model, self.node.name) is not None

    @property
    def may_be_object(self) -> bool:
        """Whether the value belongs to a union that also has a model."""
        if not self.branches:
            return False
        node, _, options = self.branches[-1]
        return node is self.node and 0 < len(_models_of(options)) < len(options)

    def spelt(self, name: str, parent: Node | None = None) -> str:
        """A key for the object, in the spelling of the keys around it if the model reads both spellings."""
        reads_both = self.model is not None and self.model.model_config.get("alias_generator")
        return key_for(parent if parent is not None else self.node, name) if reads_both else name


def errors_in_case(source: bytes, reader: str = "google-adk") -> list[Diagnostic]:
    """The errors of one case, given as its JSON text, in a file for `reader`."""
    # As the only case of a file: limits of depth then count as in the file.
    head = b'{"eval_cases":' if reader == _AGENTS_CLI else b'{"eval_set_id":"","eval_cases":'
    return errors_by_model(b"%s[%s]}" % (head, source), Node(source), _model_of(reader), ("eval_cases", 0), reader)


def errors_in_set_without_cases(root: Node, reader: str = "google-adk") -> list[Diagnostic]:
    """The errors of a file for `reader` apart from its cases; `root` has an empty list of cases."""
    if root.kind != "object":
        return [wrong_root(root)]
    return errors_by_model(root.source(), root, _model_of(reader), (), reader)


def _model_of(reader: str) -> type[BaseModel]:
    if reader != _AGENTS_CLI:
        return EvalSet
    from evaltui.evalset.schema import genai_models  # noqa: PLC0415 - this model is built of many, for datasets only

    model: type[BaseModel] = genai_models.EvaluationDataset
    return model


def errors_by_model(
    source: bytes, node: Node, model: type[BaseModel], prefix: tuple[str | int, ...], reader: str = "google-adk"
) -> list[Diagnostic]:
    """The errors of `model` in a source.

    `node` is the part of the source below the steps `prefix`. `reader` is the program that has the model.
    """
    # As the programs read the file: in a validation of plain data, depth and bytes of the JSON would not count.
    try:
        model.model_validate_json(source)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
        if details[0]["type"] == "json_invalid":
            return unreadable_values(node, str(details[0]["ctx"]["error"]), reader)
        return list(_worded(_of_intended_members(_errors(details, node, model, prefix, reader))))
    return []


def _errors(
    details: Sequence[Any], root: Node, model: type[BaseModel], prefix: tuple[str | int, ...], reader: str
) -> Iterator[ModelError]:
    for detail in details:
        steps = tuple(detail["loc"])
        node, missing = root, ""
        branches: list[Branch] = []
        for number, step in enumerate(steps[len(prefix) :], len(prefix)):
            # At a union, pydantic's location has an extra step: the name of the member that it tried.
            if len(options := _options_at(model, steps[:number])) > 1:
                branches.append((node, step, options))
                continue
            below = node.below(step)
            if below is None:
                steps, missing = steps[: number + 1], str(step)
                break
            node = below
        owner = next(iter(_models_of(_options_at(model, steps[:-1])[:1])), None)
        context = detail.get("ctx", {}) if not missing else {}
        yield ModelError(detail["type"], node, owner, missing, context, branches, reader)


# --- the models and fields at a place of a file -----------------------------------------------------------------------

_ITEMS = 20
"""More items than any tuple of a model has."""


def _models_of(options: Sequence[Any]) -> list[type[BaseModel]]:
    return [option for option in options if _is_model(option)]


def _is_model(option: Any) -> TypeGuard[type[BaseModel]]:
    return isinstance(option, type) and issubclass(option, BaseModel)


def _options_at(model: type[BaseModel], steps: Sequence[str | int]) -> list[Any]:
    """The type at the end of `steps`, or the types of a union, of which pydantic's next step names one.

    Steps are keys in either spelling and names of union members.
    """
    # The items of a list have one type, so thousands of errors in a list share a few answers.
    return _options_below(model, tuple(min(step, _ITEMS) if isinstance(step, int) else step for step in steps))


@lru_cache(maxsize=1_000)
def _options_below(model: type[BaseModel], steps: tuple[str | int, ...]) -> list[Any]:
    annotation: Any = model
    for step in steps:
        annotation = _below(annotation, step)
    return _options(annotation)


def _type_named(options: Sequence[Any], step: str | int) -> Any:
    """The type that a step of an error names, by the name of the type or by the tag of the union."""
    for option in options:
        name = getattr(get_origin(option) or option, "__name__", "")
        if name == step or (get_origin(option) is not None and str(step).startswith(f"{name}[")):
            return option
    for option in filter(_is_model, options):
        annotations = [field.annotation for field in option.model_fields.values()]
        if any(get_origin(annotation) is Literal and step in get_args(annotation) for annotation in annotations):
            return option
    return None


def _field_named(model: type[BaseModel], key: str) -> str | None:
    """The field that reads a key; None for a key that the model does not know."""
    for name, info in model.model_fields.items():
        if key == info.alias or (key == name and (info.alias is None or model.model_config.get("populate_by_name"))):
            return name
    return None


def _below(annotation: Any, step: str | int) -> Any:
    options = _options(annotation)
    # In a union, pydantic's location has an extra step: the name of the member that it tried.
    if len(options) > 1 and (chosen := _type_named(options, step)) is not None:
        return chosen
    option = options[0] if options else None
    origin, arguments = get_origin(option), get_args(option)
    if _is_model(option):
        name = _field_named(option, str(step)) or str(step)
        return option.model_fields[name].annotation if name in option.model_fields else None
    if origin is dict:
        return arguments[1]
    if origin is tuple:
        return arguments[int(step)] if int(step) < len(arguments) else None
    return arguments[0] if arguments else None


def _options(annotation: Any) -> list[Any]:
    """The types that an annotation allows, without None."""
    if get_origin(annotation) is Annotated:
        return _options(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        return [option for argument in get_args(annotation) for option in _options(argument)]
    return [] if annotation is type(None) else [annotation]


# --- unions ----------------------------------------------------------------------------------------------------------


def _of_intended_members(errors: Iterable[ModelError]) -> list[ModelError]:
    """The errors without those of union members that the author evidently did not mean."""
    every = [*errors]
    # pydantic reports errors for every member of a union; those of unintended members are noise.
    # The step of the intended member; if that has no errors (a tag names the member), of the first one with errors.
    steps: dict[Node, str | int] = {}
    for node, step, options in (branch for error in every for branch in error.branches):
        if node not in steps or _type_named(options, step) is _intended(node, options):
            steps[node] = step
    chosen: list[ModelError] = []
    mixed: set[Node] = set()
    for error in every:
        nodes = [node for node, _, _ in error.branches if node.kind == "object"]
        data = next((node for node in nodes if all(member(node, key) is not None for key in _SHAPES)), None)
        if data is None:
            if all(step == steps[node] for node, step, _ in error.branches):
                chosen.append(error)
        elif data not in mixed:
            mixed.add(data)
            chosen.append(ModelError("two_shapes", data, None))
    return chosen or every[:1]  # a rejected file must have an error, even if no member looks intended


def _intended(node: Node, options: Sequence[Any]) -> Any:
    """The intended type of a union for a value, chosen by the kind of the value and its keys."""
    models = _models_of(options)
    lists = [option for option in options if get_origin(option) is list]
    if node.kind == "object" and models:
        return max(models, key=lambda model: _likeness(node, model))
    if node.kind == "array" and lists:
        return lists[0]
    plain = [option for option in options if option not in models and option not in lists]
    return [*plain, *options][0]


def _likeness(node: Node, model: type[BaseModel]) -> int:
    names = list(model.model_fields)
    # A known key says more than a similar one.
    return sum(2 if _field_named(model, item.name) else bool(meant(item.name, names)) for item in node.items)


# --- from errors to diagnostics ----------------------------------------------------------------------------------


def _worded(errors: list[ModelError]) -> Iterator[Diagnostic]:
    """One diagnostic for each error; a missing required key and a similar unknown key are one diagnostic."""
    # Missing keys first: they explain unknown ones, which then need no diagnostic.
    unknown: dict[Node, list[Node]] = defaultdict(list)
    for error in errors:
        if error.kind == "extra_forbidden" and error.node.parent is not None:
            unknown[error.node.parent].append(error.node)
    explained: set[Node] = set()
    for error in errors:
        if error.kind == "missing" and (key := _misspelt(error, unknown)) is not None:
            explained.add(key)
            yield _renaming(key, error, error.field_name)
        elif error.kind != "extra_forbidden":
            yield diagnostic_of(error, _fix_of(error))
    for error in errors:
        if error.kind == "extra_forbidden" and error.node not in explained:
            owner = error.node.parent
            absent = [name for name in error.known if owner is None or member(owner, name) is None]
            # The other spelling of a key that is there is no misspelling of another one.
            name = "" if error.is_spelt_twice else meant(error.node.name, absent)
            yield _renaming(error.node, error, name) if name else diagnostic_of(error, _fix_of(error))


def _misspelt(error: ModelError, unknown: dict[Node, list[Node]]) -> Node | None:
    """The unknown key that was meant to be the missing key."""
    candidates, model, name = [*unknown.get(error.node, [])], error.model, error.field_name
    # A model that forbids no keys reports no unknown ones.
    if model is not None and model.model_config.get("extra") != "forbid":
        if name in [_field_named(model, item.name) for item in error.node.items]:
            return None
        candidates += [item for item in error.node.items if _field_named(model, item.name) is None]
    return next((item for item in candidates if meant(item.name, [name]) == name), None)


def _renaming(key: Node, error: ModelError, name: str) -> Diagnostic:
    assert key.parent is not None
    edit = Rename(key.pointer(), error.spelt(name, key.parent))
    return misspelt(key, name, Fix(f"Rename it to {name}", True, (edit,)))


# --- fixes: only those that need no person ---------------------------------------------------------------------------


def _fix_of(error: ModelError) -> Fix | None:
    """The fix of an error; None if only a person can know the right value."""
    node = error.node
    match error.kind:
        case "missing" if node.kind != "array":
            name = error.field_name
            field = error.model.model_fields.get(name) if error.model is not None else None
            value = _least(field.annotation, node) if field is not None else None
            if value is not None:
                edit = Insert(f"{node.pointer()}/{escape(error.spelt(name))}", json_text(value))
                return Fix(f"Add {name} with an empty value", False, (edit,))
        case "extra_forbidden":
            return Fix("Delete it", False, (Remove(node.pointer()),))
        case "value_error" if node.kind == "string":
            # Only the ids of built-in personas have such a fix.
            persona = node.text().strip().upper()
            edits = (Set(node.pointer(), json_text(persona)),)
            return Fix(f"Write {persona}", True, edits) if persona in PERSONAS else None
        case "value_error":  # a case has one of conversation and scenario
            scenario = member(node, "conversation_scenario")
            if member(node, "conversation") is not None and scenario is not None and scenario.kind != "null":
                return Fix("Delete the scenario", False, (Remove(scenario.pointer()),))
            pointer = f"{node.pointer()}/conversation"
            is_absent = node.member("conversation") is None
            addition: Edit = Insert(pointer, b"[]") if is_absent else Set(pointer, b"[]")
            return Fix("Add an empty conversation", False, (addition,))
        case kind if kind in TYPES:
            return _as_another_type(node, kind, error.model, snake(node.name) if node.key else "")
    return None


def _least(annotation: Any, container: Node) -> Any:
    """The smallest valid value of a type; None if only a person can know it."""
    if get_origin(annotation) in (Union, types.UnionType):
        annotation = next((option for option in get_args(annotation) if option is not type(None)), None)
    if annotation is str:
        return ""
    if annotation is Content:
        return {"parts": [{"text": ""}]}
    if origin := get_origin(annotation):
        return {} if origin is dict else []
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        required = {name: field for name, field in annotation.model_fields.items() if field.is_required()}
        values = {key_for(container, name): _least(field.annotation, container) for name, field in required.items()}
        return None if None in values.values() else values
    return None


def _as_another_type(node: Node, kind: str, model: type[BaseModel] | None, name: str) -> Fix | None:
    """The fix that writes a value of the wrong type as the right type; `kind` is pydantic's error type."""
    pointer = node.pointer()
    if kind == "string_type" and node.kind in ("number", "boolean"):
        return Fix("Write it as a string", True, (Set(pointer, json_text(node.source().decode())),))
    if node.kind == "null" and kind in ("dict_type", "list_type"):
        empty = b"{}" if kind == "dict_type" else b"[]"
        return Fix(f"Write {empty.decode()}", True, (Set(pointer, empty),))
    if node.kind == "null" and node.parent is not None and node.parent.kind == "object":
        field = model.model_fields.get(name) if model is not None else None
        return Fix("Delete it", True, (Remove(pointer),)) if field is not None and not field.is_required() else None
    contents = ("prompt", "user_content", "final_response", "content", "system_instruction")
    if node.kind == "string" and name in contents:
        # A prompt is certainly a message of the user; the author of another content may be somebody else.
        role = b'"role": "user", ' if name == "prompt" else b""
        value = b'{%s"parts": [{"text": %s}]}' % (role, node.source())
        return Fix("Put it into a content object", name == "prompt", (Set(pointer, value),))
    return None
