"""Conversations, their contents and what is expected in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from evaltui.document.edits import Edit, Insert, Move, Remove
from evaltui.evalset.case_data import InvocationData, get, parts_of
from evaltui.evalset.keys import camel
from evaltui.validation.case_facts import CaseFacts, NumberedDiagnostic
from evaltui.validation.pointed_values import PointedCase, PointedValue
from evaltui.validation.rule import FINAL, TURN, USER, Diagnostic, Fix, Rule, a_case, a_set, a_turn

_GOOD = a_turn(TURN)
_PAYLOADS = (
    "text",
    "inline_data",
    "file_data",
    "function_call",
    "function_response",
    "executable_code",
    "code_execution_result",
    "tool_call",
    "tool_response",
)
"""The members of a part of which google-genai's `Part` wants exactly one; the others say something about them."""
_PAYLOAD_OF = {key: name for name in _PAYLOADS for key in (name, camel(name))}


def check_case(case: PointedCase) -> Iterator[Diagnostic]:
    """Turns without a word, parts that hold nothing or two things, calls that nobody reads, missing roles."""
    yield from _turns(case)
    for turn in case.turns:
        yield from _user_text(case, turn)
        for content in turn.contents:
            yield from check_parts(case.at(content))
        yield from _calls_in_final_response(case, turn)
    yield from _roles(case)
    yield from check_scenario(case.root.member("conversation_scenario"))


EMPTY_SET = Rule(
    "empty-set",
    "The set has no cases.",
    "`adk eval` has nothing to run and does not say so: it ends with exit code 1 below an empty *Eval Run Summary* (0 "
    "before 2.13), and where other sets are run with it, nobody notices.",
    a_set('{"eval_set_id": "desk", "eval_cases": []}'),
    a_set(f'{{"eval_set_id": "desk", "eval_cases": [{{"eval_id": "greeting", "conversation": [{TURN}]}}]}}'),
)


def check_set(rest: PointedValue, cases: Sequence[CaseFacts]) -> Iterator[Diagnostic]:
    """A set without cases; `rest` is the set with an empty list for them."""
    if not cases and isinstance(rest.data, dict) and rest.data.get("eval_cases") == []:
        yield EMPTY_SET.at(rest.below("eval_cases"), "the set has no cases, so nothing is evaluated")


EMPTY_CONVERSATION = Rule(
    "empty-conversation",
    "The conversation of a case has no turns.",
    "Nothing is sent to the agent, every metric is NOT_EVALUATED, and `adk eval` counts the case as failed.",
    a_case('{"eval_id": "greeting", "conversation": []}'),
    a_case(f'{{"eval_id": "greeting", "conversation": [{TURN}]}}'),
)


def _turns(case: PointedCase) -> Iterator[Diagnostic]:
    conversation = case.root.member("conversation")
    if conversation is not None and conversation.data == []:
        yield EMPTY_CONVERSATION.at(conversation, "the conversation has no turns, so every metric is not evaluated")


NO_USER_TEXT = Rule(
    "no-user-text",
    "The user says nothing in a turn.",
    "google-adk leaves a message without content out of what the model is sent (`_contains_empty_content` in "
    "google.adk.flows.llm_flows), so the agent answers to nothing; and a recording cannot be found by what the user "
    "said.",
    a_turn(f'{{"user_content": {{"parts": [{{"text": ""}}]}}, {FINAL}}}'),
    _GOOD,
)


def _user_text(case: PointedCase, turn: InvocationData) -> Iterator[Diagnostic]:
    content = get(turn.data, "user_content")
    if isinstance(content, dict) and is_silent(content):
        yield NO_USER_TEXT.at(case.at(content), "the user says nothing in this turn")


def is_silent(content: Any) -> bool:
    """Whether a content has neither a text nor data, a file, a call, …"""
    texts = [part.get("text") for part in parts_of(content)]
    has_text = any(isinstance(text, str) and text.strip() for text in texts)
    return not has_text and not any(_payloads(part) - {"text"} for part in parts_of(content))


def _payloads(part: dict[str, Any]) -> set[str]:
    return {_PAYLOAD_OF[key] for key, value in part.items() if value is not None and key in _PAYLOAD_OF}


EMPTY_PART = Rule(
    "empty-part",
    "A part of a content has nothing in it.",
    "google-genai's `Part` has only optional fields, so `{}` is accepted and sent to the model, whose API refuses "
    "such a message.",
    a_turn(f'{{"user_content": {{"parts": [{{"text": "Hi"}}, {{}}]}}, {FINAL}}}'),
    _GOOD,
    "Takes the part out.",
)
TWO_PAYLOADS = Rule(
    "two-payloads",
    "A part of a content holds two things at once.",
    "A part is one of text, data, a file, a call, a response, … (google-genai's `Part`: *Exactly one field within a "
    "Part should be set*); which of them is read depends on who reads, and the model API refuses such a message.",
    a_turn(
        '{"user_content": {"parts": [\n'
        '   {"text": "Hi", "file_data": {"file_uri": "gs://desk/card.png", "mime_type": "image/png"}}]},\n'
        f" {FINAL}}}"
    ),
    a_turn(
        '{"user_content": {"parts": [{"text": "Hi"},\n'
        '   {"file_data": {"file_uri": "gs://desk/card.png", "mime_type": "image/png"}}]},\n'
        f" {FINAL}}}"
    ),
    "Makes a part of each (not safe: order may matter).",
)


def check_parts(content: PointedValue) -> Iterator[Diagnostic]:
    """Parts of a content that hold nothing, or two things."""
    for part in content.items("parts"):
        if not isinstance(part.data, dict):
            continue
        held = _payloads(part.data)
        if not any(value is not None for value in part.data.values()):
            fix = Fix("Take the part out", True, (Remove(part.pointer),))
            yield EMPTY_PART.at(part, "the part has nothing in it", fix=fix)
        elif len(held) > 1:
            names = [name for name in _PAYLOADS if name in held]
            said = f"the part holds {' and '.join(names)} at once"
            yield TWO_PAYLOADS.at(part, said, fix=_split(part, names))


def _split(part: PointedValue, names: list[str]) -> Fix:
    """Move all payloads but the first into parts of their own, behind this one."""
    container, _, index = part.pointer.rpartition("/")
    edits: list[Edit] = []
    for number, name in enumerate(names[1:], int(index) + 1):
        at = f"{container}/{number}"
        edits += [Insert(at, b"{}"), Move(f"{part.pointer}/{part.key(name)}", f"{at}/{part.key(name)}")]
    return Fix("Make a part of each", False, tuple(edits))


CALL_IN_FINAL_RESPONSE = Rule(
    "call-in-final-response",
    "A tool call stands in the final response, where no metric reads it.",
    "`get_all_tool_calls` (google.adk.evaluation.eval_case) reads the intermediate data only, so the "
    "turn counts as one that expects no such call.",
    a_turn(
        f'{{{USER}, "final_response": {{"parts": [\n'
        '   {"function_call": {"name": "get_fines", "args": {}}}, {"text": "Two euros"}]}}'
    ),
    a_turn(
        f'{{{USER},\n "intermediate_data": {{"tool_uses": [{{"name": "get_fines", "args": {{}}}}]}},\n'
        ' "final_response": {"parts": [{"text": "Two euros"}]}}'
    ),
    "Moves the call behind the calls of the intermediate data (not safe: the trajectory is scored then).",
)


def _calls_in_final_response(case: PointedCase, turn: InvocationData) -> Iterator[Diagnostic]:
    for part in parts_of(get(turn.data, "final_response")):
        call = get(part, "function_call")
        # google-adk writes the call of a long-running tool into both
        if isinstance(call, dict) and call not in turn.calls:
            said = "a tool call in the final response is read by no metric; it belongs into the intermediate data"
            fix = _moved(case.at(turn.data), case.at(part), case.at(call))
            yield CALL_IN_FINAL_RESPONSE.at(case.at(call), said, fix=fix)


def _moved(turn: PointedValue, part: PointedValue, call: PointedValue) -> Fix | None:
    """The call behind those of the intermediate data, which has to be of the shape with lists."""
    data = turn.member("intermediate_data")
    made: list[Edit] = []
    if data is None:
        if turn.key("intermediate_data") is not None:
            return None
        at, uses = f"{turn.pointer}/{turn.spelt('intermediate_data')}", turn.spelt("tool_uses")
        made, listed = [Insert(at, b'{"%s": []}' % uses.encode())], f"{at}/{uses}"
    elif not isinstance(data.data, dict) or data.key("invocation_events") is not None:
        return None
    elif (found := data.member("tool_uses")) is not None:
        if not isinstance(found.data, list):
            return None
        listed = found.pointer
    elif data.key("tool_uses") is None:
        listed = f"{data.pointer}/{data.spelt('tool_uses')}"
        made = [Insert(listed, b"[]")]
    else:
        return None
    emptied = [Remove(part.pointer)] if len(part.data) == 1 else []
    return Fix("Move it into the intermediate data", False, (*made, Move(call.pointer, f"{listed}/-"), *emptied))


NO_EXPECTATION = Rule(
    "no-expectation",
    "Nothing is expected in any turn of a case: no tool call, no final response, no rubric.",
    "The trajectory metric scores such a turn as if no tool call were expected, and `response_match_score` gives it "
    "0.0 (`TrajectoryEvaluator` and `RougeEvaluator` in google.adk.evaluation). It is a warning "
    "where the loaded config has a metric that compares with what is expected.",
    a_turn(f"{{{USER}}}"),
    _GOOD,
    severity="info",
)


def check_expectations(cases: Sequence[CaseFacts]) -> Iterator[NumberedDiagnostic]:
    """Cases with which nothing can be compared; said once where that is all of them."""
    talks = [facts for facts in cases if facts.expects_text]
    bare = [number for number, facts in enumerate(cases) if facts.expects_text and facts.expects_nothing]
    sound = [number for number in bare if cases[number].is_accepted]  # what is misspelt may be what is missed
    if len(sound) == len(talks) > 1:
        said = f"nothing is expected in any turn of the {len(talks)} cases: no tool call, no final response, no rubric"
        yield None, NO_EXPECTATION.at("/eval_cases", said)
        return
    for number in sound:
        said = "nothing is expected in any turn: no tool call, no final response, no rubric"
        yield number, NO_EXPECTATION.at("", said)


MISSING_ROLE = Rule(
    "missing-role",
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
    severity="info",
)


def _roles(case: PointedCase) -> Iterator[Diagnostic]:
    if not any(_has_role(content) for turn in case.turns for content in turn.contents):
        return
    for turn in case.turns:
        response = get(turn.data, "final_response")
        if isinstance(response, dict) and "role" not in response:
            at = f"{case.at(response).pointer}/role"
            fix = Fix("Add the role model", True, (Insert(at, b'"model"'),))
            said = "the final response has no role, unlike other contents of its case"
            yield MISSING_ROLE.at(at, said, fix=fix)


def _has_role(content: Any) -> bool:
    role = get(content, "role")
    return isinstance(role, str) and bool(role)


EMPTY_SCENARIO = Rule(
    "empty-scenario",
    "The starting prompt or the plan of a scenario is empty.",
    "`LlmBackedUserSimulator` (google.adk.evaluation.simulation) sends the starting prompt as the first message and "
    "gives the plan to the model that plays the user: without a prompt it raises `RuntimeError: Failed to generate a "
    "user message`, which fails the case, and without a plan the user does what he likes.",
    a_case('{"eval_id": "refund", "conversation_scenario": {"starting_prompt": "Hi", "conversation_plan": ""}}'),
    a_case(
        '{"eval_id": "refund", "conversation_scenario": {\n'
        '  "starting_prompt": "Hi", "conversation_plan": "Ask for a refund of order 12."}}'
    ),
)


def check_scenario(scenario: PointedValue | None) -> Iterator[Diagnostic]:
    """Scenarios that say nothing."""
    if scenario is None:
        return
    for name in ("starting_prompt", "conversation_plan"):
        text = scenario.text(name)
        if text is not None and not text.strip():
            yield EMPTY_SCENARIO.at(scenario.below(scenario.key(name) or ""), f"{name} is empty")
