"""Rules of keys that google-adk accepts and does not read."""

from __future__ import annotations

from evaltui.validation.rule import Rule, a_case, a_set

_TURN = '{"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Hello"}]}}'
_TALK = f'"conversation": [{_TURN}]'
_CASES = f'"eval_cases": [{{"eval_id": "greeting", {_TALK}}}]'
_GOOD = a_case(f'{{"eval_id": "greeting", {_TALK}}}')
_SESSION = '{"app_name": "desk", "user_id": "user"}'

MISSPELT_KEY_IGNORED = Rule(
    "misspelt-key-ignored",
    "meaning",
    "warning",
    "A key that google-adk lets pass looks like one that it would read, and which is not there.",
    "`EvalCase` and `SessionInput` (google.adk.evaluation.eval_case) keep unknown keys, `EvalSet` and "
    "`InvocationEvent` ignore them, so a misspelt key raises no error and its value counts as absent. The top of a set "
    "knows its keys in snake_case only, so `creationTimestamp` is misspelt there.",
    a_case(f'{{"eval_id": "greeting", {_TALK},\n "session_inputs": {_SESSION}}}'),
    a_case(f'{{"eval_id": "greeting", {_TALK},\n "session_input": {_SESSION}}}'),
    "Renames the key, in the spelling of the keys around it.",
)
BOTH_SPELLINGS = Rule(
    "both-spellings",
    "meaning",
    "warning",
    "An object has a key in snake_case and in camelCase.",
    "google-adk reads the camelCase one. `EvalCase` and `SessionInput` keep the other as an unknown key and write the "
    "key twice (`LocalEvalSetsManager._write_eval_set_to_path`), so that the next reader gets the other value. Where "
    "unknown keys are forbidden this is an error.",
    a_case(f'{{"eval_id": "greeting", "evalId": "welcome", {_TALK}}}'),
    _GOOD,
    "Takes out the one that is not read; safe where both have the same value.",
)
LEGACY_KEY = Rule(
    "legacy-key",
    "meaning",
    "warning",
    "A case has a key of the older list format, which is not read in an eval set.",
    "`EvalCase` keeps unknown keys and no metric reads them. `expected_tool_use`, `reference`, `query`, "
    "`initial_session` and their like are read only where the whole file is a list "
    "(`convert_eval_set_to_pydantic_schema` in google.adk.evaluation.local_eval_sets_manager), so what is expected "
    "here is never compared.",
    a_case(f'{{"eval_id": "greeting", {_TALK},\n "expected_tool_use": [{{"tool_name": "get_fines"}}]}}'),
    a_case(
        '{"eval_id": "greeting", "conversation": [\n'
        '  {"user_content": {"parts": [{"text": "Hi"}]},\n'
        '   "intermediate_data": {"tool_uses": [{"name": "get_fines", "args": {}}]}}]}'
    ),
)
DROPPED_KEY = Rule(
    "dropped-key",
    "meaning",
    "info",
    "A key at the top of the set is unknown to google-adk, which loses it when it writes the file.",
    "`EvalSet` (google.adk.evaluation.eval_set) is a plain pydantic model that ignores unknown keys, so `adk web` and "
    "`adk eval_set` write the file without them. Unknown keys of cases are kept.",
    a_set(f'{{"eval_set_id": "desk", "owner": "library", {_CASES}}}'),
    a_set(f'{{"eval_set_id": "desk", "description": "Owned by the library", {_CASES}}}'),
)
UNREAD_FINAL_STATE = Rule(
    "unread-final-state",
    "meaning",
    "info",
    "A case expects a final session state, which nothing reads.",
    "`EvalCase.final_session_state` is declared, and no evaluator of google-adk 2.13 reads it.",
    a_case(f'{{"eval_id": "greeting", {_TALK},\n "final_session_state": {{"fines": 0}}}}'),
    _GOOD,
)
