"""Rules about the tool calls of a turn, and about pairing them with tool responses by id."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from evaltui.document.edits import Edit, Set, json_text
from evaltui.evalset.case_data import PlainTurn
from evaltui.evalset.editing.new_ids import fresh_id
from evaltui.printable import one_line, quoted
from evaltui.validation.checked_case import CheckedCase, PointedValue
from evaltui.validation.rule_types import Diagnostic, Example, Fix, Rule, Severity, a_turn


def _tools(uses: str, responses: str = "") -> Example:
    members = f'"tool_uses": [{uses}]' + (f',\n  "tool_responses": [{responses}]' if responses else "")
    return a_turn(f'{{"user_content": {{"parts": [{{"text": "Hi"}}]}},\n "intermediate_data": {{\n  {members}}}}}')


_CALL = '{"id": "c1", "name": "get_fines", "args": {}}'
_ANSWER = '{"id": "c1", "name": "get_fines", "response": {"eur": 2}}'
_ID = '"id": "c1", '
_GOOD = _tools(_CALL, _ANSWER)
_PAIRING = (
    "google-adk pairs a tool call with the tool response that has the same id (`get_all_tool_calls_with_responses` "
    "in google.adk.evaluation.eval_case). The optimizer reads the pairs of expected calls (`extract_tool_call_data` "
    "in google.adk.optimization.local_eval_sampler). Judges read the pairs of actual calls. The trajectory metric "
    "reads no pairs: it compares only names and arguments."
)


class _TurnTools:
    def __init__(self, case: CheckedCase, turn: PlainTurn) -> None:
        self.calls = [case.at(call) for call in turn.calls if isinstance(call, dict)]
        self.responses = [case.at(response) for response in turn.responses if isinstance(response, dict)]
        self.is_recorded = bool(turn.events)
        self.call_ids = {identifier for call in self.calls if (identifier := call.text("id"))}
        self.response_ids = {identifier for response in self.responses if (identifier := response.text("id"))}
        self.has_ids = bool(self.call_ids or self.response_ids)
        self.explained: set[str] = set()
        """Ids of tool responses that need no problem of their own: a fix gives their id to a tool call."""
        self._taken = self.call_ids | self.response_ids
        self._unpaired: defaultdict[str | None, list[PointedValue]] = defaultdict(list)
        """The tool responses that pair with no tool call, by name."""
        for response in self.responses:
            if (identifier := response.text("id")) and identifier not in self.call_ids:
                self._unpaired[response.text("name")].append(response)
        self._unanswered: defaultdict[str | None, list[PointedValue]] = defaultdict(list)
        """The tool calls without a tool response, by name."""
        for call in self.calls:
            if call.text("id") not in self.response_ids:
                self._unanswered[call.text("name")].append(call)

    def id_for_call(self, call: PointedValue, *, is_contested: bool = False) -> str:
        """The id of the only unpaired tool response with the name of `call`, which is then explained; else a new id.

        The id is new if other tool calls need that response too, unless `is_contested`: then the call may take it.
        """
        unpaired, rivals = self._unpaired[call.text("name")], self._unanswered[call.text("name")]
        if len(unpaired) == 1 and (is_contested or len(rivals) == 1):
            identifier = unpaired[0].text("id") or ""
            self.explained.add(identifier)
            return identifier
        return self.new_id()

    def id_for_response(self, response: PointedValue) -> str | None:
        """The id of the only tool call that has the name of `response` and no tool response."""
        name = response.text("name")
        calls = self._unanswered[name] if name else []
        return (calls[0].text("id") or None) if len(calls) == 1 else None

    def new_id(self) -> str:
        """A new id for the turn, in the style of its other ids."""
        sample = next((identifier for call in reversed(self.calls) if (identifier := call.text("id"))), None)
        identifier = fresh_id([sample] if sample else [], "call_1", self._taken.__contains__)
        self._taken.add(identifier)
        return identifier


def check_case(case: CheckedCase) -> Iterator[Diagnostic]:
    """Tool calls that can never match, and ids that do not pair."""
    for turn in case.turns:
        if turn.calls or turn.responses:
            tools = _TurnTools(case, turn)
            names = {response.text("id"): response.text("name") for response in tools.responses}
            for call in tools.calls:
                yield from _without_name(call, names)
                if call.member("args") is None and call.key("partial_args") is None:
                    message = "the tool call has no args; write {} if the tool has no arguments"
                    # A recorded call may have been without args: some models send none.
                    fix = Fix("Add args: {}", not tools.is_recorded, (call.setting("args", b"{}"),))
                    severity: Severity = "info" if tools.is_recorded else "warning"
                    yield ARGS_ABSENT.at(f"{call.pointer}/args", message, fix=fix, severity=severity)
            for call in tools.calls if tools.has_ids else ():
                if call.member("id") is None or call.text("id") == "":
                    fix = _setting_id(call, tools.id_for_call(call))
                    message = "the tool call has no id, so no tool response can pair with it"
                    yield CALL_WITHOUT_ID.at(f"{call.pointer}/id", message, fix=fix)
            if not tools.has_ids and len(tools.calls) > 1 and tools.responses:
                yield _without_ids(tools)
            yield from _duplicate_ids(tools)
            # Without any id, no single response is wrong: `calls-without-ids` reports the turn.
            if tools.has_ids or not tools.calls:
                yield from _check_responses(tools)
            for call in tools.calls if tools.responses else ():
                identifier = call.text("id")
                if identifier and identifier not in tools.response_ids:
                    name = one_line(call.text("name") or "", 40)
                    subject = f"the tool call {quoted(name)}" if name.strip() else "an unnamed tool call"
                    message = f"{subject} has no tool response, but other calls of the turn have one"
                    yield CALL_WITHOUT_ANSWER.at(call, message)


CALL_WITHOUT_NAME = Rule(
    "call-without-name",
    "An expected tool call has no name.",
    "`name` is optional in google-genai's `FunctionCall`, so google-adk accepts the file. But `TrajectoryEvaluator` "
    "compares names. So no actual tool call can match the expected tool call.",
    _tools('{"id": "c1", "args": {}}', '{"id": "c1", "response": {"eur": 2}}'),
    _GOOD,
    "Copies the name from the tool response with the same id (not safe).",
)


def _without_name(call: PointedValue, names: dict[str | None, str | None]) -> Iterator[Diagnostic]:
    """A call without a name; `names` has the names of tool responses by id."""
    if call.member("name") is not None and call.text("name") != "":
        return
    fault = "has an empty name" if call.key("name") is not None else "has no name"
    place, fix = f"{call.pointer}/name", None
    if name := names.get(call.text("id")) if call.text("id") else None:
        fix = Fix(f"Set the name to {one_line(name, 30)}", False, (call.setting("name", json_text(name)),))
    yield CALL_WITHOUT_NAME.at(place, f"the tool call {fault}, so no actual call can match it", fix=fix)


ARGS_ABSENT = Rule(
    "args-absent",
    "An expected tool call has no `args`. This is not the same as empty `args`.",
    "`TrajectoryEvaluator` compares `args` with `==` and reads absent or null `args` as `None`. Models usually send "
    "`{}` for a tool without arguments, so an expected call without `args` never matches. Some models send no "
    "`args`. So for recorded events, the severity is info, and the fix is not safe.",
    _tools('{"id": "c1", "name": "get_fines"}', _ANSWER),
    _GOOD,
    "Adds `args: {}`.",
)


CALL_WITHOUT_ID = Rule(
    "call-without-id",
    "A tool call has no id, but other tool calls or tool responses of the turn have ids.",
    "A tool call without an id gets no tool response. " + _PAIRING,
    _tools('{"name": "get_fines", "args": {}}', _ANSWER),
    _GOOD,
    "Sets an id: the id of the tool response if only one response is possible, else a new id.",
)


def _setting_id(tool: PointedValue, identifier: str) -> Fix:
    return Fix(f"Set the id to {one_line(identifier, 30)}", True, (_id_edit(tool, identifier),))


def _id_edit(tool: PointedValue, identifier: str) -> Edit:
    return tool.setting("id", json_text(identifier), is_first=True)


CALLS_WITHOUT_IDS = Rule(
    "calls-without-ids",
    "A turn has several tool calls, but no tool call or tool response has an id.",
    "Without ids, every tool call gets the last tool response of the turn. " + _PAIRING,
    _tools(
        f'{_CALL.replace(_ID, "")},\n    {{"name": "get_loans", "args": {{}}}}',
        f'{_ANSWER.replace(_ID, "")},\n    {{"name": "get_loans", "response": {{}}}}',
    ),
    _GOOD,
    "Adds ids to each tool call and its tool response, if both lists have the same tool names.",
    severity="info",
)


def _without_ids(tools: _TurnTools) -> Diagnostic:
    edits: list[Edit] = []
    if [call.text("name") for call in tools.calls] == [response.text("name") for response in tools.responses]:
        for pair in zip(tools.calls, tools.responses, strict=True):
            identifier = tools.new_id()
            edits += [_id_edit(tool, identifier) for tool in pair]
    fix = Fix("Add an id to each pair", True, tuple(edits)) if edits else None
    message = "no tool call of this turn has an id, so all pair with the last tool response"
    return CALLS_WITHOUT_IDS.at(f"{tools.calls[0].pointer}/id", message, fix=fix)


DUPLICATE_CALL_ID = Rule(
    "duplicate-call-id",
    "Two tool calls of a turn, or two tool responses of a turn, have the same id.",
    "All tool calls with the same id get the same tool response: the last one with this id. " + _PAIRING,
    _tools(f'{_CALL},\n    {{"id": "c1", "name": "get_loans", "args": {{}}}}', _ANSWER),
    _GOOD,
    "Replaces the second id with the id of an unpaired call or response of the same name. If there is none, adds a new "
    "id.",
)


def _duplicate_ids(tools: _TurnTools) -> Iterator[Diagnostic]:
    for call in _repeated(tools.calls):
        fix = _setting_id(call, tools.id_for_call(call, is_contested=True))
        message = f"two tool calls of this turn have the id {quoted(call.text('id') or '', 40)}"
        yield DUPLICATE_CALL_ID.at(call.below("id"), message, fix=fix)
    for response in _repeated(tools.responses):
        identifier = tools.id_for_response(response)
        tools.explained |= {identifier} if identifier else set()
        message = f"two responses of this turn have the id {quoted(response.text('id') or '', 40)}"
        response_fix = _setting_id(response, identifier) if identifier else None
        yield DUPLICATE_CALL_ID.at(response.below("id"), message, fix=response_fix)


def _repeated(tools: list[PointedValue]) -> Iterator[PointedValue]:
    earlier: set[str] = set()
    for tool in tools:
        identifier = tool.text("id")
        if identifier and identifier in earlier:
            yield tool
        elif identifier:
            earlier.add(identifier)


CALL_WITHOUT_ANSWER = Rule(
    "call-without-answer",
    "A tool call has no tool response, but other tool calls of the turn have one.",
    "google-adk reads the tool call without a tool response. " + _PAIRING,
    _tools(f'{_CALL},\n    {{"id": "c2", "name": "get_loans", "args": {{}}}}', _ANSWER),
    _GOOD,
    severity="info",
)


def _check_responses(tools: _TurnTools) -> Iterator[Diagnostic]:
    """Tool responses that pair with no tool call, or with one of another name."""
    names: defaultdict[str | None, list[str]] = defaultdict(list)
    for call in tools.calls:
        if name := call.text("name"):
            names[call.text("id")].append(name)
    for response in tools.responses:
        identifier = response.text("id")
        if identifier in tools.explained:
            continue
        if not identifier or identifier not in tools.call_ids:
            call_id = tools.id_for_response(response)
            message = "the tool response has no id, so it pairs with no tool call"
            if identifier:
                message = f"no tool call of this turn has the id {quoted(identifier, 40)} of this tool response"
            fix = _setting_id(response, call_id) if call_id else None
            yield ANSWER_WITHOUT_CALL.at(f"{response.pointer}/id", message, fix=fix)
        else:
            name, call_names = response.text("name"), names[identifier]
            if name and call_names and name not in call_names:
                place, call_name = response.below("name").pointer, call_names[0]
                fix = Fix(f"Set the name to {one_line(call_name, 30)}", False, (Set(place, json_text(call_name)),))
                message = f"the tool response is named {quoted(name, 30)}, but its tool call {quoted(call_name, 30)}"
                yield ANSWER_NAME_DIFFERS.at(place, message, fix=fix)


ANSWER_WITHOUT_CALL = Rule(
    "answer-without-call",
    "A tool response has no id, or an id that no tool call of its turn has.",
    "Without a tool call of the same id, nothing reads the tool response. " + _PAIRING,
    _tools(_CALL, f'{_ANSWER},\n    {{"id": "c2", "name": "get_loans", "response": {{}}}}'),
    _GOOD,
    "Copies the id from the only tool call with the same name and no tool response.",
)
ANSWER_NAME_DIFFERS = Rule(
    "answer-name-differs",
    "A tool response and the tool call with its id have different names.",
    "google-adk does not compare the two names of a pair. So it does not report a wrong pair. " + _PAIRING,
    _tools(_CALL, '{"id": "c1", "name": "get_fine", "response": {"eur": 2}}'),
    _GOOD,
    "Copies the name from the tool call to the tool response.",
)
