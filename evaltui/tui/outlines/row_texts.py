"""Rows in one line each: any value, turns and tool calls, and the cases, events, rubrics and agents of datasets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaltui.document.node import Node
from evaltui.evalset.call_views import ToolUse
from evaltui.evalset.case_file import is_of_user, user_text_of, user_text_of_events
from evaltui.evalset.content_parts import describe_part, part_kind, parts_of, sized, words_of
from evaltui.evalset.editing.case_parts import text_of_rubric
from evaltui.evalset.keys import filled, items_of, text_of
from evaltui.tui.lines import FILL, Line, Run, call_line, counted, named_values, preview

_SHORT = 400
_BASE64 = re.compile(rb'"[A-Za-z0-9+/_-]+={0,2}"')


def is_base64(node: Node) -> bool:
    """Whether a text is long and has only characters of base64, like images and signatures."""
    return node.kind == "string" and len(node.source()) > _SHORT and _BASE64.fullmatch(node.source()) is not None


def summary(node: Node, width: int = 60) -> Line:
    """A value in a few words: the start of a text, a scalar, or the keys of a container."""
    if is_base64(node):
        # Three bytes for four characters between the quotes: decoding megabytes for one row would be too slow.
        return [(f"base64 of {sized((len(node.source()) - 2) * 3 // 4)}", "dim")]
    if node.kind == "string":
        return [(f'"{preview(node.text(), width)}"', "")]
    if not node.is_container:
        return [(preview(node.source().decode("utf-8", "replace"), width), "")]
    if node.kind == "array":
        return [(f"[{counted(len(node.items), 'item')}]" if node.items else "[]", "dim")]
    names = ", ".join(preview(item.name, 20) for item in node.items[:4])
    return [(f"{{{names}{', …' if len(node.items) > 4 else ''}}}", "dim")]


# --- rows of the tree ------------------------------------------------------------------------------------------------


def case_line(case: Node) -> Line:
    """A case of an eval set: id, scenario mark."""
    scenario: Line = [("  scenario", "dim")] if filled(case, "conversation_scenario") is not None else []
    return [_id_run(case, "eval_id"), *scenario]


def _id_run(case: Node, key: str) -> Run:
    return preview(text_of(case, key), 80) or f"case {case.index() + 1} without an id", ""


def dataset_case_line(case: Node) -> Line:
    """A case of a dataset: id, scenario mark, number of recorded responses, start of the prompt."""
    scenario, line = filled(case, "user_scenario"), [_id_run(case, "eval_case_id")]
    if scenario is not None:
        line.append(("  scenario", "dim"))
    if count := len(items_of(case, "responses")):
        line.append((f"  {counted(count, 'response')}", "dim"))
    words = words_of(filled(case, "prompt")) or text_of(scenario, "starting_prompt")
    return [*line, (f"  {preview(words, 120)}", "dim")] if words else line


def turn_line(turn: Node) -> Line:
    """A turn of an eval set: number, start of the user message or its first file."""
    parts = parts_of(filled(turn, "user_content"))
    files = (describe_part(part) for part in parts if part_kind(part) in ("inline_data", "file_data"))
    message = preview(user_text_of(turn)) or preview(next(files, "no user message"))
    return [(f"{turn.index() + 1} ", "dim"), (message, "")]


def dataset_turn_line(turn: Node) -> Line:
    """A turn of a dataset: number, start of the user message, number of events."""
    message, events = preview(user_text_of_events(turn), 120), items_of(turn, "events")
    # A recorded response to the prompt of the case is a turn without a user message.
    first = words_of(filled(events[0], "content")) if events and not message else ""
    text = (message, "") if message else (preview(first, 120) if first else "no user message", "dim")
    return [(f"{turn.index() + 1} ", "dim"), text, (f"  {counted(len(events), 'event')}", "dim")]


def use_line(use: ToolUse) -> Line:
    """A tool call of a case file in one line."""
    if use.args is None:
        return call_line(use.name, None)
    return call_line(use.name, _named_summaries(use.args), len(use.args.items))


def _named_summaries(values: Node) -> Iterator[tuple[str | None, Line]]:
    return ((item.name if item.key else None, summary(item, 30)) for item in values.items)


# --- parts of contents, events ---------------------------------------------------------------------------------------


def values_of_call(part: Node) -> Line:
    """The arguments of a function call, or the response of a function response: `  key=value`; else empty."""
    name = {"function_call": "args", "function_response": "response"}.get(kind := part_kind(part))
    values = filled(filled(part, kind), name) if name is not None else None
    return named_values(_named_summaries(values), len(values.items)) if values is not None else []


def _content_line(content: Node | None, last: Line) -> Line:
    """The first parts of a content, or a bare text, then a `last` piece; with dots between them."""
    pieces: list[Line] = []
    for part in parts_of(content)[:4]:
        kind = part_kind(part)
        if kind in ("text", "thought"):
            pieces.append([(preview(text_of(part, "text")), "")])
        elif kind in ("function_call", "function_response"):
            arrow: Line = [("← ", "dim")] if kind == "function_response" else []
            name = preview(text_of(filled(part, kind), "name"), 60) or "unnamed call"
            pieces.append([*arrow, (name, "name"), *values_of_call(part)])
        else:
            pieces.append([(preview(describe_part(part)), "dim")])
    if not pieces and (text := words_of(content)):
        pieces.append([(preview(text), "")])
    if last:
        pieces.append(last)
    return [run for piece in pieces for run in ((" · ", "dim"), *piece)][1:]


def event_line(node: Node) -> Line:
    """An event or message: author, then texts, calls and responses; a state change by its keys."""
    if node.kind != "object":
        return summary(node)
    author, state = f"{preview(text_of(node, 'author'), 30) or 'no author'}  ", filled(node, "state_delta")
    # agents-cli seeds the state of a session by an event that has nothing else.
    change: Line = [("state ", "dim"), *summary(state)] if state is not None and state.items else []
    content = _content_line(filled(node, "content"), change) or [("empty", "dim")]
    return [(author, "name" if is_of_user(node) else "accent"), *content]


# --- other values of datasets ----------------------------------------------------------------------------------------


def response_line(node: Node) -> Line:
    """A recorded response: number and start of its parts."""
    number = (f"{node.index() + 1} ", "dim")
    if node.kind != "object":
        return [number, *summary(node)]
    return [number, *(_content_line(filled(node, "response"), []) or [("no text", "dim")])]


def dataset_rubric_line(node: Node) -> Line:
    """A rubric: id, start of its text, type."""
    if node.kind != "object":
        return summary(node)
    name, kind = preview(text_of(node, "rubric_id"), 40) or "no id", preview(text_of(node, "type"), 40)
    line: Line = [(f"{name}  ", "name"), (preview(text_of_rubric(node)), "")]
    return [*line, ("", FILL), (f"  {kind} ", "dim")] if kind else line


def agent_line(node: Node) -> Line:
    """An agent: id, type, number of tools, start of its instruction."""
    line: Line = [(f"{preview(node.name, 40)}  ", "name")]
    if node.kind != "object":
        return [*line, *summary(node)]
    if kind := preview(text_of(node, "agent_type"), 40):
        line.append((f"{kind}  ", "dim"))
    if count := len(items_of(node, "tools")):
        line.append((f"{counted(count, 'tool')}  ", "dim"))
    return [*line, (preview(text_of(node, "instruction") or text_of(node, "description")), "dim")]
