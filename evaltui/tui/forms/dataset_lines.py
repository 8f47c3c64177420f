"""Rows of a dataset in one line each: cases, turns, events, recorded responses, rubrics and agents."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from evaltui.document.node import Node
from evaltui.evalset.case_file import EventView, user_text_of_events
from evaltui.evalset.content_parts import parts_of, words_of
from evaltui.evalset.editing.case_parts import text_of_rubric
from evaltui.evalset.keys import filled, items_of, text_of
from evaltui.tui.forms.values import part_line, summary
from evaltui.tui.lines import FILL, Line, preview


def case_line(node: Node) -> Line:
    """A case: id, scenario mark, number of recorded responses, start of the prompt."""
    scenario = filled(node, "user_scenario")
    line: Line = [(preview(text_of(node, "eval_case_id"), 80) or f"case {node.index() + 1} without an id", "")]
    if scenario is not None:
        line.append(("  scenario", "dim"))
    if count := len(items_of(node, "responses")):
        line.append((f"  {count} response{'s' * (count != 1)}", "dim"))
    words = words_of(filled(node, "prompt")) or text_of(scenario, "starting_prompt")
    return [*line, (f"  {preview(words, 120)}", "dim")] if words else line


def conversation_turn_line(node: Node) -> Line:
    """A turn: number, start of the user message or of the first event, number of events.

    A recorded response to the prompt of the case is a turn without a user message.
    """
    words, events = preview(user_text_of_events(node), 120), items_of(node, "events")
    count = len(events)
    first = [(preview(text, 120), "dim") for event in events[:1] if (text := EventView(event).text)]
    said = (words, "") if words else first[0] if first else ("no user message", "dim")
    return [(f"{node.index() + 1} ", "dim"), said, (f"  {count} event{'s' * (count != 1)}", "dim")]


def longest_author(nodes: Sequence[Node]) -> int:
    """The cells that the authors of some events take in a column."""
    return max((cell_len(_author_of(node)) for node in nodes if node.kind == "object"), default=0)


def _author_of(event: Node) -> str:
    return preview(EventView(event).author, 30) or "no author"


def event_line(node: Node, longest: int = 0) -> Line:
    """An event or message: author, then texts, calls and responses; a state change by its keys.

    In a list of events, `longest` is the width of the column of authors.
    """
    if node.kind != "object":
        return summary(node)
    event = EventView(node)
    author = _author_of(node)
    blanks = " " * max(0, longest - cell_len(author))
    line: Line = [(f"{author}{blanks}  ", "name" if event.is_of_user else "accent")]
    shown = [part_line(part) for part in event.parts[:4]]
    if not shown and event.text:
        shown = [[(preview(event.text), "")]]
    state = filled(node, "state_delta")
    if state is not None and state.items:
        shown.append([("state ", "dim"), *summary(state)])
    for number, part in enumerate(shown):
        line += [(" · ", "dim"), *part] if number else part
    return line if shown else [*line, ("empty", "dim")]


def response_line(node: Node) -> Line:
    """A recorded response: number and start of its parts."""
    content = filled(node, "response")
    shown = [part_line(part) for part in parts_of(content)[:4]]
    if content is not None and content.kind == "string":
        shown = [[(preview(content.text()), "")]]
    line: Line = [(f"{node.index() + 1} ", "dim")]
    for number, part in enumerate(shown):
        line += [(" · ", "dim"), *part] if number else part
    return line if shown else [*line, *(summary(node) if node.kind != "object" else [("no text", "dim")])]


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
        line.append((f"{count} tool{'s' * (count != 1)}  ", "dim"))
    return [*line, (preview(text_of(node, "instruction") or text_of(node, "description")), "dim")]
