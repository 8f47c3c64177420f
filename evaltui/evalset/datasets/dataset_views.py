"""Views of the nodes of an EvaluationDataset, told by their place; nothing is copied.

The shape is that of `agentplatform._genai.types` 2.7: a case has a prompt with a reference, or a recorded
conversation in `agent_data`, or a scenario. All keys are optional, in snake_case or camelCase.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from evaltui.document.node import Node
from evaltui.evalset.content_views import PartView, parts_of, plain_text
from evaltui.evalset.keys import filled, items_of, member, snake, text_of
from evaltui.evalset.set_views import CaseIds

_NAMED = ("agents", "rubric_groups")
"""Objects whose keys the author chooses."""

_PLACES: dict[tuple[str, ...], str] = {
    ("reference",): "reference",
    ("responses",): "responses",
    ("responses", ""): "response",
    ("conversation_history",): "messages",
    ("conversation_history", ""): "message",
    ("intermediate_events",): "events",
    ("intermediate_events", ""): "event",
    ("rubric_groups",): "rubric_groups",
    ("rubric_groups", ""): "rubric_group",
    ("rubric_groups", "", "rubrics"): "rubrics",
    ("rubric_groups", "", "rubrics", ""): "rubric",
    ("user_scenario",): "user_scenario",
    ("agent_data", "turns", "", "events", ""): "event",
}
for _holder in ("agent_data", "agent_info"):
    _PLACES[_holder, "agents"] = "agents"
    _PLACES[_holder, "agents", ""] = "agent"
for _content in (
    ("prompt",),
    ("system_instruction",),
    ("reference", "response"),
    ("responses", "", "response"),
    ("conversation_history", "", "content"),
    ("intermediate_events", "", "content"),
    ("agent_data", "turns", "", "events", "", "content"),
):
    _PLACES[_content] = "content"
    _PLACES[*_content, "parts"] = "parts"
    _PLACES[*_content, "parts", ""] = "part"


@dataclass(slots=True, eq=False, repr=False)
class EvaluationDatasetView:
    """An EvaluationDataset; `root` is its outermost object."""

    root: Node
    ids: CaseIds = field(default_factory=lambda: CaseIds("eval_case_id"), init=False, repr=False, compare=False)
    """The ids of its cases; a new id differs from all of them."""

    @property
    def noun(self) -> str:
        """A word for it in sentences."""
        return "dataset"

    @property
    def cases(self) -> list[Node]:
        """The cases, in order; objects, unless the file is broken."""
        return items_of(self.root, "eval_cases")

    def case_id(self, case: Node) -> str:
        """The id of a case; "" without one."""
        return text_of(case, "eval_case_id")

    def kind(self, node: Node) -> str:
        """The kind of a node by its place: set, case, turn, event, or value for anything else (see `place`)."""
        around = node.parent
        if around is None:
            return "set" if node is self.root else "value"
        if around is member(self.root, "eval_cases"):
            return "case"
        owner = around.parent
        if around.kind != "array" or owner is None:
            return "value"
        if around.name == "turns" and owner.name in ("agent_data", "agentData"):
            return "turn" if owner.parent is not None and self.kind(owner.parent) == "case" else "value"
        return "event" if around.name == "events" and self.kind(owner) == "turn" else "value"

    def enclosing(self, node: Node, kind: str) -> Node | None:
        """The nearest node around `node`, itself included, that is a `kind`."""
        return next((at for at in (node, *node.ancestors()) if self.kind(at) == kind), None)

    def place(self, node: Node) -> str:
        """The kind of a value inside a case by its place, in either key case; "" for free form and outside of cases.

        content, parts, part, reference, responses, response, messages, message, events, event, rubric_groups,
        rubric_group, rubrics, rubric, user_scenario, agents or agent.
        """
        names: list[str] = []
        for at in (node, *node.ancestors()):
            if self.kind(at) == "case":
                return _PLACES.get(tuple(reversed(names)), "")
            is_named = at.parent is not None and snake(at.parent.name) in _NAMED
            names.append(snake(at.name) if at.key and not is_named else "")
        return ""


def words_of(content: Node | None) -> str:
    """The texts of a content, joined line by line; a bare text stands for a content, as in agents-cli."""
    if content is not None and content.kind == "string":
        return content.text()
    return plain_text(content)


class DatasetCaseView(NamedTuple):
    """One case of a dataset."""

    node: Node

    @property
    def prompt(self) -> Node | None:
        """The last user message."""
        return filled(self.node, "prompt")

    @property
    def turns(self) -> list[Node]:
        """The turns of its recorded conversation, in order."""
        return items_of(filled(self.node, "agent_data"), "turns")

    @property
    def responses(self) -> list[Node]:
        """The recorded responses to the prompt."""
        return items_of(self.node, "responses")

    @property
    def scenario(self) -> Node | None:
        """The scenario of the simulated user; None if there is none."""
        return filled(self.node, "user_scenario")


class ConversationTurnView(NamedTuple):
    """One turn of a recorded conversation: a list of events."""

    node: Node

    @property
    def events(self) -> list[Node]:
        """Messages, calls and responses, in order."""
        return items_of(self.node, "events")

    @property
    def said(self) -> Node | None:
        """The event with the user message; an event that only sets the state counts only if no other is there."""
        of_user = [event for event in self.events if AgentEventView(event).is_of_user]
        with_content = (event for event in of_user if AgentEventView(event).content is not None)
        bare = (event for event in of_user if filled(event, "state_delta") is None)
        return next(with_content, None) or next(bare, None) or next(iter(of_user), None)

    @property
    def user_text(self) -> str:
        """The text of the first user event; "" without one."""
        said = (AgentEventView(event) for event in self.events)
        return next((event.text for event in said if event.is_of_user and event.text), "")


class AgentEventView(NamedTuple):
    """One event: a text, tool call or tool response with its author."""

    node: Node

    @property
    def author(self) -> str:
        """The id of the agent, or `user`."""
        return text_of(self.node, "author")

    @property
    def content(self) -> Node | None:
        """The content."""
        return filled(self.node, "content")

    @property
    def parts(self) -> list[PartView]:
        """The parts of the content; none for a bare text."""
        return parts_of(self.content)

    @property
    def text(self) -> str:
        """The text of the event."""
        return words_of(self.content)

    @property
    def is_of_user(self) -> bool:
        """Whether the author is a user. The role alone does not tell: a tool response has the role `user`, too."""
        if any(part.kind == "function_response" for part in self.parts):
            return False
        return self.author.lower() == "user" if self.author else text_of(self.content, "role") == "user"
