"""Calls of tools in a turn: from spans of tools, from messages, and from both together."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from evaltui.recordings.traces.attribute_values import parsed_or_same
from evaltui.recordings.traces.doubts import (
    JOINED_BY_NAME,
    ONLY_IN_MESSAGES,
    OTHER_CALL,
    RESULT_BY_ORDER,
    TOOL_NAMED_BY_SPAN,
    Doubt,
    Doubts,
)
from evaltui.recordings.traces.messages import Answer, Request
from evaltui.recordings.traces.model_calls import ModelCall
from evaltui.recordings.traces.span_view import SpanView
from evaltui.recordings.traces.spans import Kind, TraceSpan
from evaltui.recordings.traces.trace_tree import TurnStep


class Called(NamedTuple):
    """A call of a tool."""

    name: str
    id: str | None
    arguments: Any
    result: Any
    span: TraceSpan | None = None
    """Its outermost span; None if it is only in messages."""
    doubts: frozenset[Doubt] = frozenset()


def calls_of_spans(steps: Iterable[TurnStep], view: Callable[[TurnStep], SpanView], doubts: Doubts) -> list[Called]:
    """The tool calls that have spans, in the order of their start times.

    A tool span within a tool span of the same name or call id is the same call, recorded by an inner layer. So is a
    call of the Model Context Protocol: its server may know the tool by another name than the agent.
    """
    outermost: dict[str, int] = {}
    views: dict[str, SpanView] = {}
    chains: list[list[SpanView]] = []
    for step in steps:
        if step.kind is not Kind.TOOL:
            continue
        own = views[step.span.id] = view(step)
        outer = views.get(step.tool or "")
        chain = chains[outermost[outer.span.id]] if outer else []
        is_same = outer in chain and _is_same(outer, own) if outer else False
        if outer and (is_same or own.calls_server):
            outermost[step.span.id] = outermost[outer.span.id]
            if is_same:  # a tool may call several tools of a server: their arguments are not its own
                chain.append(own)
        else:
            outermost[step.span.id] = len(chains)
            chains.append([own])
    chains.sort(key=lambda chain: chain[0].span.order)
    return [_called(chain, doubts) for chain in chains]


def calls_of_messages(calls: Sequence[ModelCall]) -> list[Called]:
    """The tool calls that models request, with the tool responses.

    A response belongs to the call with its id. A response with an unknown id goes to the next call in order, with the
    same name if it has a name. A later model call than the one that requested it must receive the response.
    """
    asked = [(at, request) for at, call in enumerate(calls) for request in call.requests]
    ids = {request.id for _, request in asked if request.id}
    by_id: dict[str, tuple[int, Answer | None]] = {}
    in_order: defaultdict[Any, deque[tuple[int, int, Answer]]] = defaultdict(deque)
    for number, (told, given) in enumerate(_answers(calls)):
        if given.id in ids:
            by_id[given.id or ""] = (told, given)
        elif given.name is None or isinstance(given.name, str):
            in_order[given.name].append((number, told, given))
    found = []
    for at, request in asked:
        told, answer = by_id.get(request.id or "", (-1, None))
        if answer is not None and told > at:
            del by_id[request.id or ""]
        else:
            answer = _next(in_order, at, (None, request.name))
        called = Called(request.name, request.id, request.arguments, answer.response if answer else None)
        is_by_order = answer is not None and answer.id not in (None, request.id)
        found.append(called._replace(doubts=frozenset({RESULT_BY_ORDER})) if is_by_order else called)
    return found


def completed(tools: Sequence[Called], calls: Sequence[ModelCall]) -> list[Called]:
    """The tool calls with spans, completed from the messages, and the tool calls that are only in messages.

    A span belongs to the call with its id, else to the first remaining call with its name. A call without a span comes
    after the call that was requested before it.
    """
    told = calls_of_messages(calls)
    taken: dict[int, int] = {}
    whole = list(tools)
    for place, (number, is_by_name) in enumerate(_claims(tools, told)):
        if number is not None:
            taken[number] = place
            whole[place] = _filled(tools[place], told[number], is_by_name)
    after: defaultdict[int, list[Called]] = defaultdict(list)
    previous = -1
    for index, each in enumerate(told):
        if index in taken:
            previous = taken[index]
        else:
            after[previous].append(each._replace(doubts=each.doubts | {ONLY_IN_MESSAGES}))
    return after[-1] + [each for place, tool in enumerate(whole) for each in (tool, *after[place])]


def lacks_told_calls(tools: Sequence[Called], told: Iterable[Sequence[Request | Answer]]) -> bool:
    """Whether any of these lists of messages has calls or responses of this turn that are none of its calls.

    Calls are known by their ids, else by their names; responses without a known id by their number.
    """
    ids = {tool.id for tool in tools if tool.id}
    names = Counter(tool.name for tool in tools)
    for parts in told:
        asked = [part for part in parts if isinstance(part, Request)]
        if Counter(part.name for part in asked if part.id not in ids) - names:
            return True
        known = ids | {part.id for part in asked if part.id}
        if sum(isinstance(part, Answer) and part.id not in known for part in parts) > len(tools):
            return True
    return False


def has_open_calls(tools: Sequence[Called], calls: Sequence[ModelCall]) -> bool:
    """Whether a model that failed asks for a tool, and neither a span nor a response shows that the tool ran.

    Only an id that no other call has proves it: after an error, the model is often asked again.
    """
    asked = Counter(request.id for call in calls for request in call.requests)
    ran = {tool.id for tool in tools if tool.span} | {answer.id for call in calls for answer in call.answers}
    failed = (request.id for call in calls if call.has_failed for request in call.requests)
    return any(not id or asked[id] > 1 or id not in ran for id in failed)


def _claims(tools: Sequence[Called], told: Sequence[Called]) -> Iterator[tuple[int | None, bool]]:
    """For each call with a span, the number of the same call in the messages, and whether its name identified it."""
    by_id: defaultdict[str, deque[int]] = defaultdict(deque)
    by_name: defaultdict[str, deque[int]] = defaultdict(deque)
    for number, each in enumerate(told):
        by_name[each.name].append(number)
        if each.id:
            by_id[each.id].append(number)
    taken: set[int] = set()
    for tool in tools:
        same = _left(by_id.get(tool.id or ""), taken)
        found = _left(by_name.get(tool.name), taken) if same is None else same
        if found is not None:
            taken.add(found)
        yield found, same is None


def _called(chain: list[SpanView], doubts: Doubts) -> Called:
    span = chain[0].span
    name = next((view.tool_name for view in chain if view.tool_name), None)
    if not name:
        doubts.note(TOOL_NAMED_BY_SPAN, f"span {span.id}")
        words = span.name.split()
        name = words[1] if len(words) > 1 and words[0] == "execute_tool" else span.name
    arguments = next((found for view in chain if (found := view.tool_arguments) is not None), None)
    result = next((found for view in chain if (found := view.tool_result) is not None), None)
    call_id = next((view.tool_call_id for view in chain if view.tool_call_id), None)
    called = Called(name, call_id, parsed_or_same(arguments, doubts), parsed_or_same(result, doubts), span)
    has_other = any(_may_be_another(chain[0], inner) for inner in chain[1:])
    return called._replace(doubts=frozenset({OTHER_CALL})) if has_other else called


def _is_same(outer: SpanView, inner: SpanView) -> bool:
    names, ids = (outer.tool_name, inner.tool_name), (outer.tool_call_id, inner.tool_call_id)
    return any(one is not None and one == other for one, other in (names, ids))


def _may_be_another(outer: SpanView, inner: SpanView) -> bool:
    """Whether a tool span may be a call of its own, although the same tool is around it.

    Other ids alone prove nothing: an MCP server never gets the id of the model's call, and records its own.
    """
    ids = (outer.tool_call_id, inner.tool_call_id)
    arguments = [parsed_or_same(each.tool_arguments, Doubts()) for each in (outer, inner)]
    return None not in ids and ids[0] != ids[1] and None not in arguments and arguments[0] != arguments[1]


def _answers(calls: Sequence[ModelCall]) -> Iterator[tuple[int, Answer]]:
    """Each tool response once, with the number of the first model call that receives it."""
    seen = set()
    for at, call in enumerate(calls):
        for answer in call.answers:
            key = answer.id or (repr(answer.name), repr(answer.response))
            if key not in seen:
                seen.add(key)
                yield at, answer


def _next(in_order: dict[Any, deque[tuple[int, int, Answer]]], at: int, names: Sequence[Any]) -> Answer | None:
    heads = []
    for name in names:
        line = in_order.get(name)
        while line and line[0][1] <= at:  # received before any remaining call was requested
            line.popleft()
        if line:
            heads.append((line[0][0], name))
    return in_order[min(heads)[1]].popleft()[2] if heads else None


def _left(line: deque[int] | None, taken: set[int]) -> int | None:
    while line and line[0] in taken:
        line.popleft()
    return line[0] if line else None


def _filled(tool: Called, told: Called, is_by_name: bool) -> Called:
    takes_arguments = _is_empty(tool.arguments) and not _is_empty(told.arguments)
    takes_result = _is_empty(tool.result) and not _is_empty(told.result)
    if not takes_arguments and not takes_result:
        return tool
    doubts = tool.doubts | (told.doubts if takes_result else set()) | ({JOINED_BY_NAME} if is_by_name else set())
    return tool._replace(
        arguments=told.arguments if takes_arguments else tool.arguments,
        result=told.result if takes_result else tool.result,
        doubts=doubts,
    )


def _is_empty(value: Any) -> bool:
    return value is None or value in ({}, "", [])
