"""Model calls and tool calls of a turn: from spans, from messages, and from both together."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from evaltui.recordings.traces.attributes import Attribute, Attributes, parse_json_text, read_count, scalar_text
from evaltui.recordings.traces.spans import BY_START, SpanView
from evaltui.recordings.traces.trace_messages import (
    CallParts,
    Message,
    ToolResult,
    TracedCall,
    UnreadPart,
    answer_of,
    asks_for_tools,
    first_read,
    is_read,
    parts_of_type,
    split_at_user,
)
from evaltui.recordings.traces.trace_warnings import Doubt, Doubts


class ModelCall(NamedTuple):
    """A model call, with only the parts of its messages that turns need; times in nanoseconds."""

    start: int
    end: int
    is_delegated: bool
    """Whether a tool made the call, so that its text does not belong to the turn."""
    has_input: bool
    """Whether the messages it got are recorded."""
    has_output: bool
    """Whether the messages it answers are recorded."""
    has_failed: bool
    """Whether it ended with an error, so that its text is only a beginning, and its tools may not have run."""
    user_text: str | None
    """The last message of the user; None for none, "" for one that cannot be read."""
    previous_text: str | None
    """The text of the user in the turn before, if its messages hold one; "" if it cannot be read."""
    ends_with_results: bool
    results: tuple[ToolResult, ...]
    requests: tuple[TracedCall, ...]
    histories: tuple[CallParts, ...]
    """The requests and results since the last message of the user, and the requests in each source of its answer."""
    unread: tuple[str, ...]
    """What may be further tool calls: parts of its answer that are not read, or the reason for which it stopped."""
    text: str | None
    """Its answer; None if nobody knows which of its texts it is."""
    tokens: int | None
    stopped_for_tools: bool


BY_BEGINNING = attrgetter("start", "end")
BY_END = attrgetter("end", "start")
"""Sort keys of model calls."""
_TOKENS = (Attribute.INPUT_TOKENS, Attribute.OUTPUT_TOKENS)


def read_model_calls(views: Iterable[SpanView]) -> list[ModelCall]:
    """The model calls of a turn in the order of their start times."""
    # Model spans nest, such as a framework's span around the provider's. If there is one innermost span, it is the
    # call, and the spans around it complete it. If there are several, each is a call, and the outer span is none.
    models = [view for view in views if view.kind == "inference"]
    leaves: Counter[SpanView | None] = Counter()  # the number of innermost spans at or below each span
    for view in reversed(models):  # children before their parents
        leaves[view] = leaves[view] or 1
        leaves[view.within("inference")] += leaves[view]
    chains: dict[SpanView, list[SpanView]] = {}
    outermost: dict[SpanView | None, SpanView] = {}
    for view in models:
        if leaves[view] == 1:
            outermost[view] = outermost.get(view.within("inference"), view)
            chains.setdefault(outermost[view], []).append(view)
    return sorted((_read_model_call(chain[::-1]) for chain in chains.values()), key=BY_BEGINNING)


def _read_model_call(views: Sequence[SpanView]) -> ModelCall:
    """The call of the spans of one call, innermost first."""
    inputs = first_read(view.input for view in views) or ()
    outputs = first_read(view.output for view in views) or ()
    previous_text, user_text, since_user = split_at_user(inputs)
    # As in agentevals, no message is the last one if none of them is read.
    last = inputs[-1] if is_read(inputs) else Message("", ())
    requests = tuple(parts_of_type(outputs, TracedCall))
    unread = tuple(part.name for part in parts_of_type(outputs, UnreadPart))
    reasons = next(filter(None, (view.finish_reasons for view in views)), frozenset[str]())
    stopped_for_tools = any(map(asks_for_tools, reasons))
    if stopped_for_tools and not unread and not requests:
        unread = ("finish_reason",)
    if not outputs and any(view.has_unread_output for view in views):
        unread = ("messages",)
    all_outputs = (messages for view in views for messages in view.sources(Doubts(), is_output=True))
    counts = ([read_count(view.value(key)) for key in _TOKENS] for view in views)
    return ModelCall(
        start=min(view.span.start for view in views),
        end=max(view.span.end for view in views),
        is_delegated=views[0].is_delegated,
        has_input=bool(inputs),
        has_output=bool(outputs),
        has_failed=any(view.has_failed for view in views),
        user_text=user_text,
        previous_text=previous_text,
        ends_with_results=last.role == "tool"
        or (bool(last.parts) and all(isinstance(part, ToolResult) for part in last.parts)),
        results=tuple(parts_of_type(inputs, ToolResult)),
        requests=requests,
        # A call that only a second source has counts as lost, not as a request: see `lacks_calls`.
        histories=(
            (*parts_of_type(since_user, TracedCall), *parts_of_type(since_user, ToolResult)),
            *(tuple(parts_of_type(messages or (), TracedCall)) for messages in all_outputs),
        ),
        unread=unread,
        text=answer_of(outputs),
        tokens=next((sum(count or 0 for count in pair) for pair in counts if pair != [None, None]), None),
        stopped_for_tools=stopped_for_tools,
    )


# google-adk's text for a value that it does not have.
_NOT_SPECIFIED = "<not specified>"
_ABSENT: tuple[Any, ...] = (None, "", [])
_EMPTY: tuple[Any, ...] = (*_ABSENT, {})


_ToolSpan = tuple[SpanView, str | None, str | None]
"""A span of a tool, its name and the id of its call, which tell whether it is the same call as the span around it."""


def read_tool_calls(views: Iterable[SpanView], calls: Sequence[ModelCall], doubts: Doubts) -> list[TracedCall]:
    """The tool calls of a turn: those with spans, in the order of their start times, and those in messages."""
    chains: list[list[_ToolSpan]] = []
    by_view: dict[SpanView | None, tuple[_ToolSpan, list[_ToolSpan]]] = {}
    for view in views:
        if view.kind != "tool":
            continue
        attributes = view.span.attributes
        names = (scalar_text(attributes.get(key)) for key in (Attribute.TOOL_NAME, "gen_ai.tool.call.id"))
        name, call_id = (None if name == _NOT_SPECIFIED else name for name in names)
        tool = view, name, call_id
        outer, chain = by_view.get(view.within("tool"), (None, []))
        # A tool span within a tool span of the same name or call id is the same call, recorded by an inner layer.
        is_same = outer is not None and (
            (name is not None and name == outer[1]) or (call_id is not None and call_id == outer[2])
        )
        if is_same and outer in chain:
            chain.append(tool)
        elif outer is None or attributes.get(Attribute.MCP_METHOD) != "tools/call":
            # A call of the Model Context Protocol is the call around it, too: its server may know the tool by another
            # name. It does not complete that call: a tool may call several tools of a server, each with arguments.
            chain = [tool]
            chains.append(chain)
        by_view[view] = tool, chain
    chains.sort(key=lambda chain: BY_START(chain[0][0]))
    return complete_tool_calls([_call_of(chain, doubts) for chain in chains], calls)


def _call_of(chain: list[_ToolSpan], doubts: Doubts) -> TracedCall:
    """The call of the spans of one call, outermost first."""
    views, names, call_ids = zip(*chain, strict=True)
    outer = chain[0][0].span
    name = next(filter(None, names), None)
    if not name:
        doubts.note(Doubt.TOOL_NAMED_BY_SPAN, f"span {outer.id}")
        words = outer.name.split()
        name = words[1] if len(words) > 1 and words[0] == "execute_tool" else outer.name
    arguments = [_read_arguments(view.span.attributes, doubts) for view in views]
    results = (_read_result(view.span.attributes, doubts) for view in views)
    # Other ids alone prove no other call: an MCP server never gets the id of the model's call, and records its own.
    has_another = any(
        None not in (call_ids[0], call_id, arguments[0], inner_arguments)
        and call_ids[0] != call_id
        and arguments[0] != inner_arguments
        for call_id, inner_arguments in zip(call_ids, arguments, strict=True)
    )
    return TracedCall(
        name=name,
        id=next(filter(None, call_ids), None),
        arguments=next((value for value in arguments if value is not None), None),
        result=next((value for value in results if value is not None), None),
        span=outer,
        doubts=frozenset({Doubt.OTHER_CALL} if has_another else ()),
    )


def _read_arguments(attributes: Attributes, doubts: Doubts) -> Any:
    value, adk_value = attributes.get("gen_ai.tool.call.arguments"), attributes.get("gcp.vertex.agent.tool_call_args")
    if value in _ABSENT:
        # google-adk writes {} for the arguments and for the result if it records no content. The result of a call
        # without arguments is not {}, but at least `{"result": null}`.
        if adk_value == attributes.get(Attribute.ADK_RESULT) == "{}":
            return None
        parsed = None if adk_value == "N/A" else parse_json_text(adk_value, doubts)
        value = value if parsed is None else parsed
    return parse_json_text(value, doubts)


def _read_result(attributes: Attributes, doubts: Doubts) -> Any:
    value = attributes.get("gen_ai.tool.call.result")
    if value in _ABSENT:
        parsed = parse_json_text(attributes.get(Attribute.ADK_RESULT), doubts)
        value = value if parsed in (None, _NOT_SPECIFIED, {"result": _NOT_SPECIFIED}) else parsed
    return parse_json_text(value, doubts)


def complete_tool_calls(tools: Sequence[TracedCall], calls: Sequence[ModelCall]) -> list[TracedCall]:
    """The tool calls with spans, completed from the messages, and the tool calls that are only in messages."""
    requested = _read_requested_calls(calls)
    if not tools:
        return requested
    by_id: defaultdict[str, deque[int]] = defaultdict(deque)
    by_name: defaultdict[str, deque[int]] = defaultdict(deque)
    for number, call in enumerate(requested):
        by_name[call.name].append(number)
        if call.id:
            by_id[call.id].append(number)
    # A span belongs to the request with its id, else to the first remaining one with its name.
    claims: dict[int, int] = {}
    # A call without a span comes after the call that was requested before it, or first.
    places: list[list[TracedCall]] = [[], *([tool] for tool in tools)]
    for position, tool in enumerate(tools, 1):
        namesakes = by_name.get(tool.name)
        for numbers in (by_id.get(tool.id or ""), namesakes):
            while numbers and numbers[0] in claims:
                numbers.popleft()
            if numbers:
                claims[numbers[0]] = position
                places[position] = [_fill(tool, requested[numbers[0]], is_by_name=numbers is namesakes)]
                break
    position = 0
    for number, call in enumerate(requested):
        position = claims.get(number, position)
        if number not in claims:
            places[position].append(call._replace(doubts=call.doubts | {Doubt.ONLY_IN_MESSAGES}))
    return [call for place in places for call in place]


def _read_requested_calls(calls: Sequence[ModelCall]) -> list[TracedCall]:
    """The tool calls that models request, with the tool responses.

    A response belongs to the call with its id. A response with an unknown id goes to the next call in order, with the
    same name if it has a name. A later model call than the one that requested it must receive the response.
    """
    requests = [(number, request) for number, call in enumerate(calls) for request in call.requests]
    ids = {request.id for _, request in requests if request.id}
    # Each model call receives all responses of its turn so far; the first that receives a response counts.
    received: dict[Any, tuple[int, ToolResult]] = {}
    for number, call in enumerate(calls):
        for result in call.results:
            received.setdefault(result.id or (repr(result.name), repr(result.response)), (number, result))
    queues: defaultdict[Any, deque[tuple[int, int, ToolResult]]] = defaultdict(deque)
    for order, (number, result) in enumerate(received.values()):
        if result.id not in ids and isinstance(result.name, str | None):
            queues[result.name].append((order, number, result))
    traced = []
    for number, request in requests:
        receiver, own_result = received.get(request.id or "", (-1, None))
        if receiver > number:
            del received[request.id]  # it is of the first of several requests with this id
        else:
            own_result = _take_result(queues, number, request.name)
        is_by_order = own_result is not None and own_result.id not in (None, request.id)
        response = own_result.response if own_result else None
        doubts = frozenset({Doubt.RESULT_BY_ORDER} if is_by_order else ())
        traced.append(request._replace(result=response, doubts=doubts))
    return traced


def _take_result(queues: dict[Any, deque[tuple[int, int, ToolResult]]], number: int, name: str) -> ToolResult | None:
    """The first response without a name or with this one that a later model call than the given one receives."""
    heads = []
    for queue in filter(None, (queues.get(None), queues.get(name))):
        while queue and queue[0][1] <= number:  # received before any remaining call was requested
            queue.popleft()
        if queue:
            heads.append((queue[0][0], queue))
    return min(heads)[1].popleft()[2] if heads else None


def _fill(tool: TracedCall, requested: TracedCall, *, is_by_name: bool) -> TracedCall:
    takes_arguments = tool.arguments in _EMPTY and requested.arguments not in _EMPTY
    takes_result = tool.result in _EMPTY and requested.result not in _EMPTY
    if not takes_arguments and not takes_result:
        return tool
    doubts = tool.doubts | (requested.doubts if takes_result else set())
    return tool._replace(
        arguments=requested.arguments if takes_arguments else tool.arguments,
        result=requested.result if takes_result else tool.result,
        doubts=doubts | {Doubt.JOINED_BY_NAME} if is_by_name else doubts,
    )


def lacks_calls(tools: Sequence[TracedCall], histories: Iterable[CallParts]) -> bool:
    """Whether a list of messages has requests or results of this turn that belong to none of its calls."""
    ids = {tool.id for tool in tools if tool.id}
    names = Counter(tool.name for tool in tools)
    for parts in histories:
        requests = [part for part in parts if isinstance(part, TracedCall)]
        # Calls without a known id are told apart only by their names and numbers.
        if Counter(request.name for request in requests if request.id not in ids) - names:
            return True
        all_ids = ids | {request.id for request in requests if request.id}
        if sum(isinstance(part, ToolResult) and part.id not in all_ids for part in parts) > len(tools):
            return True
    return False


def has_open_calls(tools: Sequence[TracedCall], calls: Sequence[ModelCall]) -> bool:
    """Whether a model that failed asks for a tool, and neither a span nor a response shows that the tool ran."""
    requested = Counter(request.id for call in calls for request in call.requests)
    ran = {tool.id for tool in tools if tool.span} | {result.id for call in calls for result in call.results}
    failed_ids = (request.id for call in calls if call.has_failed for request in call.requests)
    # Only an id that no other call has proves it: after an error, the model is often asked again.
    return any(not call_id or requested[call_id] > 1 or call_id not in ran for call_id in failed_ids)
