"""Rules about values and keys that google-adk's models reject. model_errors.py finds them, this module words them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.editing.case_parts import PERSONAS
from evaltui.evalset.keys import member, snake
from evaltui.printable import one_line, quoted
from evaltui.validation.rule_types import TURN, Diagnostic, Example, Fix, Rule, a_case, a_turn

if TYPE_CHECKING:
    from evaltui.validation.model_errors import ModelError

_WHY = "`EvalSet.model_validate_json` (google.adk.evaluation.eval_set) rejects the whole file with all its cases. "
_IN_DATASETS = (
    " If the file is a dataset, `EvaluationDataset.model_validate_json` (agentplatform.types) rejects it. Then "
    "`agents-cli eval grade` fails, and `eval generate` ends with *malformed eval case*."
)
_HIDDEN = (
    "`adk eval` does not show this error. It reads a rejected file as the old list format "
    "(`load_eval_set_from_file`), and ends with `TypeError: string indices must be integers`."
)
_GOOD = a_turn(TURN)


def _schema(code: str, summary: str, why: str, bad: Example, good: Example = _GOOD, fix: str = "") -> Rule:
    """A rule of group `schema`; `why` follows the sentence about google-adk."""
    return Rule(code, summary, _WHY + why, bad, good, fix, "error", "schema")


MISSING_FIELD = _schema(
    "missing-field",
    "A required field is missing.",
    _HIDDEN,
    a_turn("{}"),
    fix="Adds the field with the smallest valid value (not safe: you must enter the real value).",
)
MISSPELT_KEY = _schema(
    "misspelt-key",
    "google-adk rejects an unknown key that looks like a known key.",
    "Most models of google-adk forbid unknown keys. If a required key is misspelled, its field is missing. "
    + _HIDDEN
    + _IN_DATASETS
    + " The fix is not safe in sets that other programs read. These are in camelCase, are of trpc-agent-go, or have "
    "`id` without `eval_id`, `eval_mode` or `actual_conversation`.",
    a_turn('{"user_contents": {"parts": [{"text": "Hi"}]}}'),
    fix="Renames the key, in the style (snake_case or camelCase) of the keys around it.",
)
UNKNOWN_KEY = _schema(
    "unknown-key",
    "An object has an unknown key, and google-adk allows no unknown keys there.",
    "Cases and session inputs keep unknown keys. Eval sets and events ignore unknown keys. All other objects, also "
    'objects of google-genai, reject unknown keys (`extra="forbid"`).' + _IN_DATASETS,
    a_turn('{"user_content": {"parts": [{"text": "Hi"}]}, "category": "smoke"}'),
    fix="Deletes the key (not safe: somebody may need the value).",
)
WRONG_TYPE = _schema(
    "wrong-type",
    "A value has the wrong type.",
    "google-adk rejects a number in place of a string, and a list or string in place of an object. But it reads a "
    'string such as "2" as a number, and true as 1 (pydantic\'s lax mode).' + _IN_DATASETS,
    a_turn('{"user_content": "Hi"}'),
    fix="Writes a number as a string, replaces null with {} or [], or puts a string into a content object (not safe).",
)
TYPES = {
    "string_type": "a string",
    "float_type": "a number",
    "float_parsing": "a number",
    "int_type": "an integer",
    "int_parsing": "an integer",
    "int_from_float": "an integer",
    "int_parsing_size": "a smaller number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "tuple_type": "a list of an author and a list of parts",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "bytes_type": "a base64 string",
    "none_required": "null",
    "datetime_type": "a date and time",
    "datetime_parsing": "a date and time",
    "datetime_from_date_parsing": "a date and time",
}
"""pydantic's error types for a wrong type, each with the words for the expected type."""


WRONG_LENGTH = _schema(
    "wrong-length",
    "An intermediate response is not a pair of an author and a list of parts.",
    "`IntermediateData.intermediate_responses` is a list of `tuple[str, list[Part]]`.",
    a_turn(
        '{"user_content": {"parts": [{"text": "Hi"}]},\n "intermediate_data": {"intermediate_responses": [["desk"]]}}'
    ),
    a_turn(
        '{"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Hello"}]},\n'
        ' "intermediate_data": {"intermediate_responses": [["desk", [{"text": "One moment"}]]]}}'
    ),
)


BAD_BASE64 = _schema(
    "bad-base64",
    "A bytes field is not base64.",
    "`Blob.data` and `Part.thought_signature` are bytes. google-adk reads standard and URL-safe base64, with or "
    "without padding.",
    a_turn('{"user_content": {"parts": [{"inline_data": {"mime_type": "image/png", "data": "!!!"}}]}}'),
    a_turn(
        '{"user_content": {"parts": [{"inline_data": {"mime_type": "image/png", "data": "iVBORw0="}}]},\n'
        ' "final_response": {"parts": [{"text": "A card"}]}}'
    ),
)
BAD_VALUE = _schema(
    "bad-value",
    "A value is not one of the allowed values.",
    "The model of google-adk or google-genai lists the values that the field may have (`Literal`).",
    a_turn(
        '{"user_content": {"parts": [{"text": "Hi"}]}, "intermediate_data": {"tool_uses": [\n'
        '  {"id": "c1", "name": "f", "args": {}, "partial_args": [{"null_value": "NOTHING"}]}],\n'
        '  "tool_responses": [{"id": "c1", "name": "f", "response": {}}]}}'
    ),
)
TWO_SHAPES = _schema(
    "two-shapes",
    "The intermediate data mixes two forms.",
    "Intermediate data is either `IntermediateData` (`tool_uses`, `tool_responses`, `intermediate_responses`) or "
    "`InvocationEvents` (`invocation_events`). Each form forbids the keys of the other.",
    a_turn(
        '{"user_content": {"parts": [{"text": "Hi"}]},\n'
        ' "intermediate_data": {"tool_uses": [], "invocation_events": []}}'
    ),
)
UNKNOWN_PERSONA = _schema(
    "unknown-persona",
    "google-adk has no user persona with this id.",
    "`ConversationScenario` accepts the ids of the built-in personas: EXPERT, NOVICE, EVALUATOR. Any other id raises "
    "`NotFoundError`. Write your own persona as an object.",
    a_case(
        '{"eval_id": "a", "conversation_scenario": {\n'
        '  "starting_prompt": "Hi", "conversation_plan": "Ask for a refund.", "user_persona": "BEGINNER"}}'
    ),
    a_case(
        '{"eval_id": "a", "conversation_scenario": {\n'
        '  "starting_prompt": "Hi", "conversation_plan": "Ask for a refund.", "user_persona": "NOVICE"}}'
    ),
    fix="Writes the id in capitals, if a persona has this id.",
)
CONVERSATION_OR_SCENARIO = _schema(
    "conversation-or-scenario",
    "A case has no conversation and no scenario, or has both.",
    "`EvalCase` requires exactly one of `conversation` and `conversation_scenario`. An empty list counts as a "
    "conversation.",
    a_case('{"eval_id": "a"}'),
    fix="Deletes the scenario, or adds an empty conversation (not safe).",
)
INSTRUCTIONS = Rule(
    "custom-instructions",
    "The instructions of a simulated user must be a Jinja template with three placeholders.",
    "`EvalConfig.model_validate_json` (google.adk.evaluation.eval_config) rejects the whole config. Both simulated "
    "users need the placeholders `{{ stop_signal }}`, `{{ conversation_plan }}` and `{{ conversation_history }}`. "
    "A placeholder in a comment or a `raw` block does not count.",
    Example(
        "config",
        '{"criteria": {"safety_v1": 0.8}, "user_simulator_config": {\n'
        '  "custom_instructions": "Follow {conversation_plan}."}}',
    ),
    Example(
        "config",
        '{"criteria": {"safety_v1": 0.8}, "user_simulator_config": {"custom_instructions":\n'
        ' "{{ conversation_plan }} {{ conversation_history }} End with {{ stop_signal }}."}}',
    ),
    severity="error",
    group="schema",
)
REJECTED = _schema(
    "rejected",
    "google-adk rejects a value, and no other rule describes the reason.",
    "The message quotes the error type of pydantic.",
    _GOOD,
)


# --- the words for an error ------------------------------------------------------------------------------------------

_WORDS = {"object": "an object", "array": "a list", "null": "null"}


def diagnostic_of(error: ModelError, fix: Fix | None = None) -> Diagnostic:
    """The diagnostic of one error, with its fix if there is one."""
    node, name = error.node, _name(error.node)
    pointer, at_key = node.pointer(), False
    match error.kind:
        case kind if kind in TYPES:
            words = _WORDS.get(node.kind) or one_line(node.source().decode(), 20)
            if node.kind == "string":
                words = f"the string {quoted(node.text(), 20)}"
            expected = TYPES[kind] + (" or an object" if error.may_be_object else "")
            rule, message = WRONG_TYPE, f"{name} must be {expected}, not {words}"
        case "missing" if node.kind != "array":
            pointer += f"/{escape(error.spelt(error.field_name))}"
            rule, message = MISSING_FIELD, f"{error.field_name} is required"
        case "missing" | "too_long" | "too_short":  # only the tuples of intermediate responses have a length
            rule, message = WRONG_LENGTH, f"{name} must have two items: an author and a list of parts"
        case "extra_forbidden":
            fault = "also exists here in camelCase" if error.is_spelt_twice else "is not a known key here"
            rule, message, at_key = UNKNOWN_KEY, f"{name} {fault}, so {error.reader} rejects the file", True
        case "bytes_invalid_encoding":
            rule, message = BAD_BASE64, f"{name} must be base64"
        case "literal_error":
            rule, message = BAD_VALUE, f"{name} must be {error.context.get('expected', 'another')}"
        case "union_tag_invalid":
            tag = str(error.context.get("discriminator", "")).strip("'")
            tags = str(error.context.get("expected_tags", "")).split(",")
            pointer += f"/{tag}"
            rule, message = BAD_VALUE, f"{tag} must be {' or '.join(text.strip().strip(chr(39)) for text in tags)}"
        case "two_shapes":  # an error type of evaltui, not of pydantic
            fault = "a turn cannot have both tool_uses and invocation_events"
            rule, message = TWO_SHAPES, f"{fault}, so google-adk rejects the file"
        case "value_error":
            rule, message = _fault_of_validator(node, name)
        case kind:
            rule, message = REJECTED, f"{error.reader} cannot read {name} ({kind.replace('_', ' ')})"
    return rule.at(pointer, message, at_key=at_key, fix=fix)


def _fault_of_validator(node: Node, name: str) -> tuple[Rule, str]:
    """The rule and the words for a value that a validator of a model refuses."""
    if node.kind != "string":
        count = "both" if member(node, "conversation") is not None else "neither"
        message = f"a case must have either conversation or conversation_scenario; this case has {count}"
        return CONVERSATION_OR_SCENARIO, message
    if snake(name) == "custom_instructions":
        placeholders = "{{ stop_signal }}, {{ conversation_plan }} and {{ conversation_history }}"
        return INSTRUCTIONS, f"custom_instructions must be a Jinja template with {placeholders}"
    persona = quoted(node.text(), 40)
    return UNKNOWN_PERSONA, f"google-adk has no persona {persona}; it has {', '.join(PERSONAS)}"


def misspelt(key: Node, name: str, fix: Fix) -> Diagnostic:
    """The diagnostic of a key that should be `name`."""
    return MISSPELT_KEY.at(key.pointer(), f"{one_line(key.name, 40)} should be {name}", at_key=True, fix=fix)


def wrong_root(root: Node, noun: str = "an eval set", fix: Fix | None = None) -> Diagnostic:
    """The diagnostic of a file that is not an object; `noun` names what it should be."""
    return WRONG_TYPE.at(root.pointer(), f"{noun} must be an object", fix=fix)


def _name(node: Node) -> str:
    if node.parent is None:
        return "the value"  # cases are checked alone, so the outermost value may be a case
    if node.parent.kind == "array":
        return f"item {node.index() + 1} of {_name(node.parent)}"
    return one_line(node.name, 40)
