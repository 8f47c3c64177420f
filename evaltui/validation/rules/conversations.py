"""Rules of conversations, their contents and what is expected in them."""

from __future__ import annotations

from evaltui.validation.rule import Rule, a_case, a_set, a_turn

_USER = '"user_content": {"parts": [{"text": "Hi"}]}'
_FINAL = '"final_response": {"parts": [{"text": "Hello"}]}'
_TURN = f"{{{_USER}, {_FINAL}}}"
_GOOD = a_turn(_TURN)

EMPTY_SET = Rule(
    "empty-set",
    "meaning",
    "warning",
    "The set has no cases.",
    "`adk eval` has nothing to run and does not say so: it ends with exit code 1 below an empty *Eval Run Summary* (0 "
    "before 2.13), and where other sets are run with it, nobody notices.",
    a_set('{"eval_set_id": "desk", "eval_cases": []}'),
    a_set(f'{{"eval_set_id": "desk", "eval_cases": [{{"eval_id": "greeting", "conversation": [{_TURN}]}}]}}'),
)
EMPTY_CONVERSATION = Rule(
    "empty-conversation",
    "meaning",
    "warning",
    "The conversation of a case has no turns.",
    "Nothing is sent to the agent, every metric is NOT_EVALUATED, and `adk eval` counts the case as failed.",
    a_case('{"eval_id": "greeting", "conversation": []}'),
    a_case(f'{{"eval_id": "greeting", "conversation": [{_TURN}]}}'),
)
NO_USER_TEXT = Rule(
    "no-user-text",
    "meaning",
    "warning",
    "The user says nothing in a turn.",
    "google-adk leaves a message without content out of what the model is sent (`_contains_empty_content` in "
    "google.adk.flows.llm_flows), so the agent answers to nothing; and a recording cannot be found by what the user "
    "said.",
    a_turn(f'{{"user_content": {{"parts": [{{"text": ""}}]}}, {_FINAL}}}'),
    _GOOD,
)
EMPTY_PART = Rule(
    "empty-part",
    "meaning",
    "warning",
    "A part of a content has nothing in it.",
    "google-genai's `Part` has only optional fields, so `{}` is accepted and sent to the model, whose API refuses "
    "such a message.",
    a_turn(f'{{"user_content": {{"parts": [{{"text": "Hi"}}, {{}}]}}, {_FINAL}}}'),
    _GOOD,
    "Takes the part out.",
)
TWO_PAYLOADS = Rule(
    "two-payloads",
    "meaning",
    "warning",
    "A part of a content holds two things at once.",
    "A part is one of text, data, a file, a call, a response, … (google-genai's `Part`: *Exactly one field within a "
    "Part should be set*); which of them is read depends on who reads, and the model API refuses such a message.",
    a_turn(
        '{"user_content": {"parts": [\n'
        '   {"text": "Hi", "file_data": {"file_uri": "gs://desk/card.png", "mime_type": "image/png"}}]},\n'
        f" {_FINAL}}}"
    ),
    a_turn(
        '{"user_content": {"parts": [{"text": "Hi"},\n'
        '   {"file_data": {"file_uri": "gs://desk/card.png", "mime_type": "image/png"}}]},\n'
        f" {_FINAL}}}"
    ),
    "Makes a part of each (not safe: order may matter).",
)
CALL_IN_FINAL_RESPONSE = Rule(
    "call-in-final-response",
    "meaning",
    "warning",
    "A tool call stands in the final response, where no metric reads it.",
    "`get_all_tool_calls` (google.adk.evaluation.eval_case) reads the intermediate data only, so the "
    "turn counts as one that expects no such call.",
    a_turn(
        f'{{{_USER}, "final_response": {{"parts": [\n'
        '   {"function_call": {"name": "get_fines", "args": {}}}, {"text": "Two euros"}]}}'
    ),
    a_turn(
        f'{{{_USER},\n "intermediate_data": {{"tool_uses": [{{"name": "get_fines", "args": {{}}}}]}},\n'
        ' "final_response": {"parts": [{"text": "Two euros"}]}}'
    ),
    "Moves the call behind the calls of the intermediate data (not safe: the trajectory is scored then).",
)
NO_EXPECTATION = Rule(
    "no-expectation",
    "meaning",
    "info",
    "Nothing is expected in any turn of a case: no tool call, no final response, no rubric.",
    "The trajectory metric scores such a turn as if no tool call were expected, and `response_match_score` gives it "
    "0.0 (`TrajectoryEvaluator` and `RougeEvaluator` in google.adk.evaluation). It is a warning "
    "where the loaded config has a metric that compares with what is expected.",
    a_turn(f"{{{_USER}}}"),
    _GOOD,
)
MISSING_ROLE = Rule(
    "missing-role",
    "meaning",
    "info",
    "A final response has no role, while other contents of its case have one.",
    "A content without a role counts as the user's (google-genai's `Content.role`), so in a transcript of the case the "
    "user says what is expected of the agent. What the user says needs none: `Runner` gives it the role itself.",
    a_turn(
        '{"user_content": {"role": "user", "parts": [{"text": "Hi"}]},\n'
        ' "final_response": {"parts": [{"text": "Hello"}]}}'
    ),
    a_turn(
        '{"user_content": {"role": "user", "parts": [{"text": "Hi"}]},\n'
        ' "final_response": {"role": "model", "parts": [{"text": "Hello"}]}}'
    ),
    "Adds the role `model`.",
)
