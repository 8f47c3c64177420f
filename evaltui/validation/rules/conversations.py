"""Rules about conversations, their contents and their expected values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from evaltui.document.edits import Edit, Insert, Move, Remove
from evaltui.evalset.case_data import get, parts_of
from evaltui.evalset.keys import camel
from evaltui.validation.checked_case import CaseFacts, CheckedCase, PointedValue
from evaltui.validation.rule_types import FINAL, TURN, USER, Diagnostic, Fix, Rule, SetCheck, a_case, a_set, a_turn

_GOOD = a_turn(TURN)
_PAYLOADS = (
    *("text", "inline_data", "file_data", "function_call", "function_response", "executable_code"),
    *("code_execution_result", "tool_call", "tool_response"),
)
"""The fields of a part of which google-genai's `Part` allows exactly one; the other fields describe it."""
_PAYLOAD_OF = {key: name for name in _PAYLOADS for key in (name, camel(name))}


def check_case(case: CheckedCase) -> Iterator[Diagnostic]:
    """Empty user messages, parts with no value or two values, unread tool calls, and missing roles."""
    conversation = case.root.member("conversation")
    if conversation is not None and conversation.data == []:
        yield EMPTY_CONVERSATION.at(conversation, "the conversation has no turns, so no metric is evaluated")
    for turn in case.turns:
        user_content = get(turn.data, "user_content")
        if isinstance(user_content, dict) and is_silent(user_content):
            yield NO_USER_TEXT.at(case.at(user_content), "the user message is empty")
        for content in turn.contents:
            yield from check_parts(case.at(content))
        for part in parts_of(get(turn.data, "final_response")):
            call = get(part, "function_call")
            # google-adk writes the call of a long-running tool into both places.
            if isinstance(call, dict) and call not in turn.calls:
                message = "no metric reads a tool call in the final response; move it to the intermediate data"
                fix = _moving_call(case.at(turn.data), case.at(part), case.at(call))
                yield CALL_IN_FINAL_RESPONSE.at(case.at(call), message, fix=fix)
    yield from _missing_roles(case)
    yield from check_scenario(case.root.member("conversation_scenario"))


EMPTY_SET = Rule(
    "empty-set",
    "An eval set has no cases.",
    "`adk eval` runs nothing and prints no error, only an empty *Eval Run Summary*. The exit code is 1 (0 before "
    "2.13). If you run several eval sets together, an empty one is easy to miss.",
    a_set('{"eval_set_id": "desk", "eval_cases": []}'),
    a_set(f'{{"eval_set_id": "desk", "eval_cases": [{{"eval_id": "greeting", "conversation": [{TURN}]}}]}}'),
)


def check_set(rest: PointedValue, count: int) -> Iterator[Diagnostic]:
    """An eval set without cases; `rest` is the set with an empty list of its `count` cases."""
    if not count and isinstance(rest.data, dict) and rest.data.get("eval_cases") == []:
        yield EMPTY_SET.at(rest.below("eval_cases"), "the eval set has no cases, so nothing is evaluated")


EMPTY_CONVERSATION = Rule(
    "empty-conversation",
    "The conversation of a case has no turns.",
    "google-adk sends nothing to the agent. So every metric is NOT_EVALUATED, and `adk eval` counts the case as "
    "failed.",
    a_case('{"eval_id": "greeting", "conversation": []}'),
    a_case(f'{{"eval_id": "greeting", "conversation": [{TURN}]}}'),
)
NO_USER_TEXT = Rule(
    "no-user-text",
    "The user message of a turn is empty.",
    "google-adk does not send messages without content to the model (`_contains_empty_content` in "
    "google.adk.flows.llm_flows). So the agent responds to nothing. Also, evaltui cannot match a recording by this "
    "user message.",
    a_turn(f'{{"user_content": {{"parts": [{{"text": ""}}]}}, {FINAL}}}'),
    _GOOD,
)


def is_silent(content: Any) -> bool:
    """Whether a content has no text and no data, file or tool call."""
    # google-adk does not send a content that is empty in this sense.
    texts = [part.get("text") for part in parts_of(content)]
    has_text = any(isinstance(text, str) and text.strip() for text in texts)
    return not has_text and not any(_payloads(part) - {"text"} for part in parts_of(content))


def _payloads(part: dict[str, Any]) -> set[str]:
    return {_PAYLOAD_OF[key] for key, value in part.items() if value is not None and key in _PAYLOAD_OF}


EMPTY_PART = Rule(
    "empty-part",
    "A part of a message is empty.",
    "In google-genai's `Part` every field is optional, so `{}` is accepted and sent to the model. The model API "
    "refuses such a message.",
    a_turn(f'{{"user_content": {{"parts": [{{"text": "Hi"}}, {{}}]}}, {FINAL}}}'),
    _GOOD,
    "Deletes the part.",
)
TWO_PAYLOADS = Rule(
    "two-payloads",
    "A part of a message holds two values.",
    "A part holds one value: text, data, a file, a function call, a function response and so on. google-genai's `Part` "
    "says *Exactly one field within a Part should be set*. Programs read different values of such a part, and the "
    "model API refuses the message.",
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
    "Splits the part, one part for each value (not safe: the order may matter).",
)


def check_parts(content: PointedValue) -> Iterator[Diagnostic]:
    """Parts of a content that hold no value, or two values."""
    for part in content.objects("parts"):
        payloads = _payloads(part.data)
        if not any(value is not None for value in part.data.values()):
            fix = Fix("Delete the part", True, (Remove(part.pointer),))
            yield EMPTY_PART.at(part, "the part is empty", fix=fix)
        elif len(payloads) > 1:
            names = [name for name in _PAYLOADS if name in payloads]
            # All payloads but the first move into new parts after this one.
            container, _, index = part.pointer.rpartition("/")
            edits: list[Edit] = []
            for number, name in enumerate(names[1:], int(index) + 1):
                place, key = f"{container}/{number}", part.key(name)
                edits += [Insert(place, b"{}"), Move(f"{part.pointer}/{key}", f"{place}/{key}")]
            message = f"the part holds {' and '.join(names)}; only one is allowed"
            yield TWO_PAYLOADS.at(part, message, fix=Fix("Split the part", False, tuple(edits)))


CALL_IN_FINAL_RESPONSE = Rule(
    "call-in-final-response",
    "A tool call is in the final response, where no metric reads it.",
    "`get_all_tool_calls` (google.adk.evaluation.eval_case) reads only the intermediate data. So the turn does not "
    "expect the tool call.",
    a_turn(
        f'{{{USER}, "final_response": {{"parts": [\n'
        '   {"function_call": {"name": "get_fines", "args": {}}}, {"text": "Two euros"}]}}'
    ),
    a_turn(
        f'{{{USER},\n "intermediate_data": {{"tool_uses": [{{"name": "get_fines", "args": {{}}}}]}},\n'
        ' "final_response": {"parts": [{"text": "Two euros"}]}}'
    ),
    "Moves the tool call to the end of the intermediate data (not safe: then the trajectory metric scores it).",
)


def _moving_call(turn: PointedValue, part: PointedValue, call: PointedValue) -> Fix | None:
    """The fix that moves a tool call to the end of the intermediate data, which must have the form with lists."""
    data = turn.member("intermediate_data")
    inserts: list[Edit] = []
    if data is None:
        if turn.key("intermediate_data") is not None:
            return None
        place, key = turn.place_of("intermediate_data"), turn.spelt("tool_uses")
        inserts, calls = [Insert(place, b'{"%s": []}' % key.encode())], f"{place}/{key}"
    elif not isinstance(data.data, dict) or data.key("invocation_events") is not None:
        return None
    else:
        key, calls = data.key("tool_uses") or "", data.place_of("tool_uses")
        if not key:
            inserts = [Insert(calls, b"[]")]
        elif not isinstance(data.data[key], list):
            return None
    removal = [Remove(part.pointer)] if len(part.data) == 1 else []  # the part would be empty
    return Fix("Move it to the intermediate data", False, (*inserts, Move(call.pointer, f"{calls}/-"), *removal))


NO_EXPECTATION = Rule(
    "no-expectation",
    "A case expects nothing: it has no tool call, no final response and no rubric.",
    "Without an expected response, `response_match_score` is 0.0 (`RougeEvaluator`). Without expected tool calls, the "
    "trajectory metric fails if the agent calls a tool (`TrajectoryEvaluator`). The severity is warning if the loaded "
    "config has such a metric.",
    a_turn(f"{{{USER}}}"),
    _GOOD,
    severity="info",
)


class Expectations(SetCheck):
    """Cases without expected values; one diagnostic for the set if it is all of them."""

    def __init__(self) -> None:
        self._conversations = self._without = 0
        """The number of cases with turns, and of those that expect nothing."""

    def note(self, cases: Iterable[tuple[int, CaseFacts]]) -> list[int]:
        """Cases that expect nothing."""
        conversations = [(number, facts) for number, facts in cases if facts.expects_text]
        # If google-adk rejects a case, a misspelled key may be the expectation.
        without = [number for number, facts in conversations if facts.expects_nothing and facts.is_accepted]
        self._conversations += len(conversations)
        self._without += len(without)
        return without

    @property
    def _none_expects(self) -> bool:
        return self._without == self._conversations > 1

    def of_set(self) -> Iterator[Diagnostic]:
        """One diagnostic in place of one for each case."""
        if self._none_expects:
            count = self._conversations
            message = f"none of the {count} cases expects anything: no tool call, no final response, no rubric"
            yield NO_EXPECTATION.at("/eval_cases", message)

    def of_case(self, number: int, facts: CaseFacts) -> Iterator[Diagnostic]:
        """The case expects nothing."""
        if not self._none_expects:
            yield NO_EXPECTATION.at("", "the case expects nothing: no tool call, no final response, no rubric")


MISSING_ROLE = Rule(
    "missing-role",
    "A final response has no role, but other messages of the case have a role.",
    "A message without a role counts as a user message (google-genai's `Content.role`). So a transcript of the case "
    "shows the expected response as a user message. User messages need no role: `Runner` adds the role.",
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


def _missing_roles(case: CheckedCase) -> Iterator[Diagnostic]:
    roles = (get(content, "role") for turn in case.turns for content in turn.contents)
    if not any(isinstance(role, str) and role for role in roles):
        return
    for turn in case.turns:
        response = get(turn.data, "final_response")
        if isinstance(response, dict) and "role" not in response:
            place = f"{case.at(response).pointer}/role"
            fix = Fix("Add the role model", True, (Insert(place, b'"model"'),))
            message = "the final response has no role, but other messages of the case have a role"
            yield MISSING_ROLE.at(place, message, fix=fix)


EMPTY_SCENARIO = Rule(
    "empty-scenario",
    "The starting prompt or the plan of a scenario is empty.",
    "`LlmBackedUserSimulator` (google.adk.evaluation.simulation) sends the starting prompt as the first message. The "
    "model of the simulated user gets the plan. Without a prompt, google-adk raises `RuntimeError: Failed to generate "
    "a user message`, and the case fails. Without a plan, the simulated user has no goal.",
    a_case('{"eval_id": "refund", "conversation_scenario": {"starting_prompt": "Hi", "conversation_plan": ""}}'),
    a_case(
        '{"eval_id": "refund", "conversation_scenario": {\n'
        '  "starting_prompt": "Hi", "conversation_plan": "Ask for a refund of order 12."}}'
    ),
)


def check_scenario(scenario: PointedValue | None) -> Iterator[Diagnostic]:
    """Scenarios with an empty field."""
    if scenario is None:
        return
    for name in ("starting_prompt", "conversation_plan"):
        text = scenario.text(name)
        if text is not None and not text.strip():
            yield EMPTY_SCENARIO.at(scenario.place_of(name), f"{name} is empty")
