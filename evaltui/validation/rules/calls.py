"""Rules about the tool calls of a turn, and about pairing them with tool responses by id."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from evaltui.document.edits import Edit, Insert, Set, json_text
from evaltui.evalset.case_data import InvocationData
from evaltui.evalset.editing.new_ids import fresh_id
from evaltui.printable import one_line, quoted
from evaltui.validation.pointed_values import PointedCase, PointedValue
from evaltui.validation.rule import Diagnostic, Example, Fix, Rule, Severity, a_turn


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
    """The tool calls and tool responses of one turn, by id and by name."""

    def __init__(self, case: PointedCase, turn: InvocationData) -> None:
        self.calls = [case.at(call) for call in turn.calls if isinstance(call, dict)]
        self.responses = [case.at(response) for response in turn.responses if isinstance(response, dict)]
        self.is_recorded = bool(turn.events)
        self.called = _ids(self.calls)
        self.answered = _ids(self.responses)
        self.has_ids = bool(self.called or self.answered)
        self.explained: set[str] = set()
        """Ids of tool responses that need no problem of their own: a fix gives their id to a tool call."""
        self._taken: set[str] = self.called | self.answered
        self._free = _by_name(each for each in self.responses if (id := each.text("id")) and id not in self.called)
        """The tool responses that pair with no tool call, by name."""
        self._open = _by_name(each for each in self.calls if each.text("id") not in self.answered)
        """The tool calls without a tool response, by name."""
        self._example = next((identifier for call in reversed(self.calls) if (identifier := call.text("id"))), None)

    def left_over(self, call: PointedValue, *, is_contested: bool = False) -> str | None:
        """The id of the only unpaired tool response with the name of `call`.

        None if other tool calls need it too, unless `is_contested`: then the call may take it from them.
        """
        free, rivals = self._free[call.text("name")], self._open[call.text("name")]
        return free[0].text("id") if len(free) == 1 and (is_contested or len(rivals) == 1) else None

    def call_left_over(self, response: PointedValue) -> str | None:
        """The id of the only tool call that has the name of `response` and no tool response."""
        name = response.text("name")
        open_calls = self._open[name] if name else []
        return (open_calls[0].text("id") or None) if len(open_calls) == 1 else None

    def fresh_id(self) -> str:
        """A new id for the turn, in the style of its other ids."""
        made = fresh_id([self._example] if self._example else [], "call_1", self._taken.__contains__)
        self._taken.add(made)
        return made


def _ids(tools: Iterable[PointedValue]) -> set[str]:
    return {identifier for tool in tools if (identifier := tool.text("id"))}


def _by_name(tools: Iterable[PointedValue]) -> defaultdict[str | None, list[PointedValue]]:
    found: defaultdict[str | None, list[PointedValue]] = defaultdict(list)
    for tool in tools:
        found[tool.text("name")].append(tool)
    return found


def check_case(case: PointedCase) -> Iterator[Diagnostic]:
    """Tool calls that can never match, and ids that do not pair."""
    for turn in case.turns:
        if turn.calls or turn.responses:
            yield from _check_turn(_TurnTools(case, turn))


def _check_turn(tools: _TurnTools) -> Iterator[Diagnostic]:
    names = {response.text("id"): response.text("name") for response in tools.responses}
    for call in tools.calls:
        yield from _without_name(call, names)
        yield from _without_args(call, is_recorded=tools.is_recorded)
    if tools.has_ids:
        yield from _without_id(tools)
    elif len(tools.calls) > 1 and tools.responses:
        yield _without_ids(tools)
    yield from _doubled_calls(tools)
    yield from _doubled_responses(tools)
    yield from _responses(tools)
    yield from _unanswered(tools)


CALL_WITHOUT_NAME = Rule(
    "call-without-name",
    "An expected tool call has no name.",
    "`name` is optional in google-genai's `FunctionCall`, so google-adk accepts the file. But `TrajectoryEvaluator` "
    "compares names. So no actual tool call can match the expected tool call.",
    _tools('{"id": "c1", "args": {}}', '{"id": "c1", "response": {"eur": 2}}'),
    _GOOD,
    "Copies the name from the tool response with the same id (not safe).",
)


def _without_name(call: PointedValue, answered: dict[str | None, str | None]) -> Iterator[Diagnostic]:
    if not call.text("name") and (call.member("name") is None or call.text("name") == ""):
        is_empty = call.key("name") is not None
        said = (
            "the tool call has an empty name, so no actual call can match it"
            if is_empty
            else "the tool call has no name, so no actual call can match it"
        )
        yield CALL_WITHOUT_NAME.at(f"{call.pointer}/name", said, fix=_named(call, answered, is_empty))


def _named(call: PointedValue, answered: dict[str | None, str | None], is_there: bool) -> Fix | None:
    """The fix that copies the name of the tool response with the same id, if there is one."""
    name = answered.get(call.text("id")) if call.text("id") else None
    if not name:
        return None
    at, text = f"{call.pointer}/name", json_text(name)
    edit: Edit = Set(at, text) if is_there else Insert(at, text)
    return Fix(f"Set the name to {one_line(name, 30)}", False, (edit,))


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


def _without_args(call: PointedValue, *, is_recorded: bool) -> Iterator[Diagnostic]:
    if call.member("args") is None and call.key("partial_args") is None:
        known, at = call.key("args"), f"{call.pointer}/args"
        edit: Edit = Insert(at, b"{}") if known is None else Set(at, b"{}")
        said = "the tool call has no args; write {} if the tool has no arguments"
        fix = Fix("Add args: {}", not is_recorded, (edit,))
        severity: Severity = "info" if is_recorded else "warning"
        yield ARGS_ABSENT.at(at, said, fix=fix, severity=severity)


CALL_WITHOUT_ID = Rule(
    "call-without-id",
    "A tool call has no id, but other tool calls or tool responses of the turn have ids.",
    "A tool call without an id gets no tool response. " + _PAIRING,
    _tools('{"name": "get_fines", "args": {}}', _ANSWER),
    _GOOD,
    "Sets an id: the id of the tool response if only one response is possible, else a new id.",
)


def _without_id(tools: _TurnTools) -> Iterator[Diagnostic]:
    for call in tools.calls:
        if not call.text("id") and (call.member("id") is None or call.text("id") == ""):
            other = tools.left_over(call)
            tools.explained |= {other} if other else set()
            fix = _identified(call, other or tools.fresh_id())
            said = "the tool call has no id, so no tool response can pair with it"
            yield CALL_WITHOUT_ID.at(f"{call.pointer}/id", said, fix=fix)


def _identified(tool: PointedValue, identifier: str) -> Fix:
    return Fix(f"Set the id to {one_line(identifier, 30)}", True, (_identifying(tool, identifier),))


def _identifying(tool: PointedValue, identifier: str) -> Edit:
    at, text = f"{tool.pointer}/id", json_text(identifier)
    return Set(at, text) if tool.key("id") is not None else Insert(at, text, before=next(iter(tool.data), None))


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
    names = [[tool.text("name") for tool in each] for each in (tools.calls, tools.responses)]
    edits = []
    if names[0] == names[1]:
        for pair in zip(tools.calls, tools.responses, strict=True):
            identifier = tools.fresh_id()
            edits += [_identifying(tool, identifier) for tool in pair]
    fix = Fix("Add an id to each pair", True, tuple(edits)) if edits else None
    said = "no tool call of this turn has an id, so all pair with the last tool response"
    return CALLS_WITHOUT_IDS.at(f"{tools.calls[0].pointer}/id", said, fix=fix)


DUPLICATE_CALL_ID = Rule(
    "duplicate-call-id",
    "Two tool calls of a turn, or two tool responses of a turn, have the same id.",
    "All tool calls with the same id get the same tool response: the last one with this id. " + _PAIRING,
    _tools(f'{_CALL},\n    {{"id": "c1", "name": "get_loans", "args": {{}}}}', _ANSWER),
    _GOOD,
    "Replaces the second id with the id of an unpaired call or response of the same name. If there is none, adds a new "
    "id.",
)


def _doubled_calls(tools: _TurnTools) -> Iterator[Diagnostic]:
    for call in _repeated(tools.calls):
        other = tools.left_over(call, is_contested=True)
        tools.explained |= {other} if other else set()
        yield _doubled(call, "tool calls", _identified(call, other or tools.fresh_id()))


def _doubled_responses(tools: _TurnTools) -> Iterator[Diagnostic]:
    for response in _repeated(tools.responses):
        other = tools.call_left_over(response)
        tools.explained |= {other} if other else set()
        yield _doubled(response, "responses", _identified(response, other) if other else None)


def _repeated(tools: list[PointedValue]) -> Iterator[PointedValue]:
    """The tools whose id an earlier one already has."""
    seen: set[str] = set()
    for tool in tools:
        identifier = tool.text("id")
        if identifier and identifier in seen:
            yield tool
        elif identifier:
            seen.add(identifier)


def _doubled(tool: PointedValue, what: str, fix: Fix | None) -> Diagnostic:
    said = f"two {what} of this turn have the id {quoted(tool.text('id') or '', 40)}"
    return DUPLICATE_CALL_ID.at(tool.below("id"), said, fix=fix)


CALL_WITHOUT_ANSWER = Rule(
    "call-without-answer",
    "A tool call has no tool response, but other tool calls of the turn have one.",
    "google-adk reads the tool call without a tool response. " + _PAIRING,
    _tools(f'{_CALL},\n    {{"id": "c2", "name": "get_loans", "args": {{}}}}', _ANSWER),
    _GOOD,
    severity="info",
)


def _unanswered(tools: _TurnTools) -> Iterator[Diagnostic]:
    for call in tools.calls if tools.responses else ():
        identifier = call.text("id")
        if identifier and identifier not in tools.answered:
            name = one_line(call.text("name") or "", 40)
            said = f"the tool call {quoted(name)}" if name.strip() else "an unnamed tool call"
            yield CALL_WITHOUT_ANSWER.at(call, f"{said} has no tool response, but other calls of the turn have one")


def _responses(tools: _TurnTools) -> Iterator[Diagnostic]:
    """Tool responses that pair with no tool call, or with one of another name."""
    if not tools.has_ids and tools.calls:
        return
    names: defaultdict[str | None, list[str]] = defaultdict(list)
    for call in tools.calls:
        if name := call.text("name"):
            names[call.text("id")].append(name)
    for response in tools.responses:
        identifier = response.text("id")
        if identifier in tools.explained:
            continue
        if not identifier or identifier not in tools.called:
            yield _unpaired(response, identifier, tools.call_left_over(response))
        else:
            yield from _named_otherwise(response, names[identifier])


ANSWER_WITHOUT_CALL = Rule(
    "answer-without-call",
    "A tool response has no id, or an id that no tool call of its turn has.",
    "Without a tool call of the same id, nothing reads the tool response. " + _PAIRING,
    _tools(_CALL, f'{_ANSWER},\n    {{"id": "c2", "name": "get_loans", "response": {{}}}}'),
    _GOOD,
    "Copies the id from the only tool call with the same name and no tool response.",
)


def _unpaired(response: PointedValue, identifier: str | None, meant: str | None) -> Diagnostic:
    """The diagnostic of a tool response without a tool call; `meant` is the id of the intended tool call."""
    fix = _identified(response, meant) if meant else None
    said = "the tool response has no id, so it pairs with no tool call"
    if identifier:
        said = f"no tool call of this turn has the id {quoted(identifier, 40)} of this tool response"
    return ANSWER_WITHOUT_CALL.at(f"{response.pointer}/id", said, fix=fix)


ANSWER_NAME_DIFFERS = Rule(
    "answer-name-differs",
    "A tool response and the tool call with its id have different names.",
    "google-adk does not compare the two names of a pair. So it does not report a wrong pair. " + _PAIRING,
    _tools(_CALL, '{"id": "c1", "name": "get_fine", "response": {"eur": 2}}'),
    _GOOD,
    "Copies the name from the tool call to the tool response.",
)


def _named_otherwise(response: PointedValue, names: list[str]) -> Iterator[Diagnostic]:
    """The diagnostic of a tool response whose name is not among the `names` of the tool calls with its id."""
    name = response.text("name")
    if name and names and name not in names:
        place = response.below("name")
        fix = Fix(f"Set the name to {one_line(names[0], 30)}", False, (Set(place.pointer, json_text(names[0])),))
        said = f"the tool response is named {quoted(name, 30)}, but its tool call {quoted(names[0], 30)}"
        yield ANSWER_NAME_DIFFERS.at(place, said, fix=fix)
