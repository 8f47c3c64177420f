"""Rules of what google-adk's models reject; the checks are those of pydantic (validation/model_errors.py)."""

from __future__ import annotations

from evaltui.validation.rule import Example, Rule

_WHY = "`EvalSet.model_validate_json` (google.adk.evaluation.eval_set) rejects the whole file, every case of it. "
_HIDDEN = (
    "`adk eval` does not say so: `load_eval_set_from_file` takes any such file for the old list format and ends with "
    "`TypeError: string indices must be integers`."
)
_GOOD = '{"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Hello"}]}}'
_TURN = Example("turn", _GOOD)


def _schema(code: str, summary: str, why: str, bad: Example, good: Example = _TURN, fix: str = "") -> Rule:
    return Rule(code, "schema", "error", summary, _WHY + why, bad, good, fix)


MISSING_FIELD = _schema(
    "missing-field",
    "A field that google-adk requires is not there.",
    _HIDDEN,
    Example("turn", "{}"),
    fix="Adds it with as little in it as may be (not safe: a person must say what is meant).",
)
MISSPELT_KEY = _schema(
    "misspelt-key",
    "A key that google-adk does not know is near to one that it does.",
    "Most of its models forbid unknown keys, and a required key that is misspelt is missing. " + _HIDDEN,
    Example("turn", '{"user_contents": {"parts": [{"text": "Hi"}]}}'),
    fix="Renames the key, in the spelling (snake_case or camelCase) of the keys around it.",
)
UNKNOWN_KEY = _schema(
    "unknown-key",
    "A key stands in an object in which google-adk allows none but its own.",
    "Extra keys are kept in a case and in its session input, and let pass at the top of the set and in an event; "
    'everywhere else they are forbidden (`extra="forbid"`), for google-genai\'s content as well.',
    Example("turn", '{"user_content": {"parts": [{"text": "Hi"}]}, "category": "smoke"}'),
    fix="Takes it out (not safe: somebody wanted it there).",
)
WRONG_TYPE = _schema(
    "wrong-type",
    "A value has another type than google-adk reads there.",
    "Numbers are not taken for texts, and lists and texts not for objects; texts that hold a number are taken for "
    "one, and so is true (pydantic's lax mode).",
    Example("turn", '{"user_content": "Hi"}'),
    fix="Writes a number as a text where a text is wanted, {} or [] for null, and a content around a text (not safe).",
)
WRONG_LENGTH = _schema(
    "wrong-length",
    "An intermediate response is not a pair of an author and a list of parts.",
    "`IntermediateData.intermediate_responses` is a list of `tuple[str, list[Part]]`.",
    Example(
        "turn",
        '{"user_content": {"parts": [{"text": "Hi"}]},\n "intermediate_data": {"intermediate_responses": [["desk"]]}}',
    ),
    Example(
        "turn",
        '{"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Hello"}]},\n'
        ' "intermediate_data": {"intermediate_responses": [["desk", [{"text": "One moment"}]]]}}',
    ),
)
BAD_BASE64 = _schema(
    "bad-base64",
    "A field of bytes is not base64.",
    "`Blob.data` and `Part.thought_signature` are bytes; standard and URL-safe base64 are read, with padding or not.",
    Example("turn", '{"user_content": {"parts": [{"inline_data": {"mime_type": "image/png", "data": "!!!"}}]}}'),
    Example(
        "turn",
        '{"user_content": {"parts": [{"inline_data": {"mime_type": "image/png", "data": "iVBORw0="}}]},\n'
        ' "final_response": {"parts": [{"text": "A card"}]}}',
    ),
)
BAD_VALUE = _schema(
    "bad-value",
    "A value is not one of the few that google-adk reads there.",
    "The field is a `Literal` of its model.",
    Example(
        "turn",
        '{"user_content": {"parts": [{"text": "Hi"}]}, "intermediate_data": {"tool_uses": [\n'
        '  {"id": "c1", "name": "f", "args": {}, "partial_args": [{"null_value": "NOTHING"}]}],\n'
        '  "tool_responses": [{"id": "c1", "name": "f", "response": {}}]}}',
    ),
)
TWO_SHAPES = _schema(
    "two-shapes",
    "The intermediate data mixes the two shapes that google-adk knows.",
    "It is either `IntermediateData` (`tool_uses`, `tool_responses`, `intermediate_responses`) or `InvocationEvents` "
    "(`invocation_events`), and both forbid the keys of the other.",
    Example(
        "turn",
        '{"user_content": {"parts": [{"text": "Hi"}]},\n'
        ' "intermediate_data": {"tool_uses": [], "invocation_events": []}}',
    ),
)
UNKNOWN_PERSONA = _schema(
    "unknown-persona",
    "A user persona is given by an id that google-adk does not have.",
    "`ConversationScenario` looks a text up among the built-in personas (EXPERT, NOVICE, EVALUATOR) and raises "
    "`NotFoundError` for any other; a persona of your own is an object.",
    Example(
        "case",
        '{"eval_id": "a", "conversation_scenario": {\n'
        '  "starting_prompt": "Hi", "conversation_plan": "Ask for a refund.", "user_persona": "BEGINNER"}}',
    ),
    Example(
        "case",
        '{"eval_id": "a", "conversation_scenario": {\n'
        '  "starting_prompt": "Hi", "conversation_plan": "Ask for a refund.", "user_persona": "NOVICE"}}',
    ),
    fix="Writes the id in capitals where that makes it one of the three.",
)
CONVERSATION_OR_SCENARIO = _schema(
    "conversation-or-scenario",
    "A case has neither a conversation nor a scenario, or both.",
    "`EvalCase` asks for exactly one of `conversation` and `conversation_scenario`; an empty list counts as one.",
    Example("case", '{"eval_id": "a"}'),
    fix="Takes the scenario out, or adds an empty conversation (not safe).",
)
INSTRUCTIONS = Rule(
    "custom-instructions",
    "schema",
    "error",
    "The instructions of a simulated user are no Jinja template of the three texts that they must hold.",
    "`EvalConfig.model_validate_json` (google.adk.evaluation.eval_config) rejects the whole config: the "
    "configs of both simulated users parse them and ask for `{{ stop_signal }}`, `{{ conversation_plan }}` and "
    "`{{ conversation_history }}`, each used outside comments and `raw` blocks.",
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
)
REJECTED = _schema(
    "rejected",
    "A value is rejected for a reason that has no rule of its own.",
    "The message gives pydantic's word for it.",
    Example("turn", _GOOD),
)
