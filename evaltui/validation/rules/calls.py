"""Rules of tool calls and their responses."""

from __future__ import annotations

from evaltui.validation.rule import Example, Rule, a_turn


def _tools(uses: str, responses: str = "") -> Example:
    members = f'"tool_uses": [{uses}]' + (f',\n  "tool_responses": [{responses}]' if responses else "")
    return a_turn(f'{{"user_content": {{"parts": [{{"text": "Hi"}}]}},\n "intermediate_data": {{\n  {members}}}}}')


_CALL = '{"id": "c1", "name": "get_fines", "args": {}}'
_ANSWER = '{"id": "c1", "name": "get_fines", "response": {"eur": 2}}'
_ID = '"id": "c1", '
_GOOD = _tools(_CALL, _ANSWER)
_PAIRING = (
    "google-adk pairs calls with responses by id (`get_all_tool_calls_with_responses` in "
    "google.adk.evaluation.eval_case): those that are expected for the optimizer (`extract_tool_call_data` in "
    "google.adk.optimization.local_eval_sampler), those of the agent for judges. The trajectory metric compares names "
    "and arguments only. Here"
)

CALL_WITHOUT_NAME = Rule(
    "call-without-name",
    "meaning",
    "warning",
    "An expected tool call has no name.",
    "`name` is optional in google-genai's `FunctionCall`, so the file is accepted, but no call of an agent can ever "
    "equal this one (`TrajectoryEvaluator` compares name and arguments).",
    _tools('{"id": "c1", "args": {}}', '{"id": "c1", "response": {"eur": 2}}'),
    _GOOD,
    "Takes the name of the response with its id (not safe).",
)
ARGS_ABSENT = Rule(
    "args-absent",
    "meaning",
    "warning",
    "An expected tool call has no args, which is not the same as none being given.",
    "`TrajectoryEvaluator` compares `args` with `==`, and absent or null is `None`: such a call never matches one with "
    "`{}`, which is what models give for a tool without arguments. Some leave them out, so among recorded events this "
    "is only an info, and its fix not safe.",
    _tools('{"id": "c1", "name": "get_fines"}', _ANSWER),
    _GOOD,
    "Adds `args: {}`.",
)
CALL_WITHOUT_ID = Rule(
    "call-without-id",
    "meaning",
    "warning",
    "A tool call has no id, while others of its turn, or its responses, have one.",
    _PAIRING + " this call stays without a response.",
    _tools('{"name": "get_fines", "args": {}}', _ANSWER),
    _GOOD,
    "Takes the id of its response where only one can be meant, else a fresh one.",
)
CALLS_WITHOUT_IDS = Rule(
    "calls-without-ids",
    "meaning",
    "info",
    "No tool call and no response of a turn has an id, though there are several calls.",
    _PAIRING + " every call gets the last response of its turn.",
    _tools(
        f'{_CALL.replace(_ID, "")},\n    {{"name": "get_loans", "args": {{}}}}',
        f'{_ANSWER.replace(_ID, "")},\n    {{"name": "get_loans", "response": {{}}}}',
    ),
    _GOOD,
    "Gives each call and its response an id, where they stand in the same order by name.",
)
DUPLICATE_CALL_ID = Rule(
    "duplicate-call-id",
    "meaning",
    "warning",
    "Two tool calls of a turn, or two of its responses, have the same id.",
    _PAIRING + " each call with the id gets the last response with it.",
    _tools(f'{_CALL},\n    {{"id": "c1", "name": "get_loans", "args": {{}}}}', _ANSWER),
    _GOOD,
    "Gives the later one another id; where a response of its name is left over, that of the response.",
)
CALL_WITHOUT_ANSWER = Rule(
    "call-without-answer",
    "meaning",
    "info",
    "A tool call has no response, while others of its turn have one.",
    _PAIRING + " the call stays without a result.",
    _tools(f'{_CALL},\n    {{"id": "c2", "name": "get_loans", "args": {{}}}}', _ANSWER),
    _GOOD,
)
ANSWER_WITHOUT_CALL = Rule(
    "answer-without-call",
    "meaning",
    "warning",
    "A tool response has an id that no call of its turn has, or none.",
    _PAIRING + " nobody reads this response.",
    _tools(_CALL, f'{_ANSWER},\n    {{"id": "c2", "name": "get_loans", "response": {{}}}}'),
    _GOOD,
    "Takes the id of the one call that has its name and no response.",
)
ANSWER_NAME_DIFFERS = Rule(
    "answer-name-differs",
    "meaning",
    "warning",
    "A tool response has another name than the call with its id.",
    _PAIRING + " the names are not compared, so a slip is not noticed.",
    _tools(_CALL, '{"id": "c1", "name": "get_fine", "response": {"eur": 2}}'),
    _GOOD,
    "Gives the response the name of its call.",
)
