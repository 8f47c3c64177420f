"""A case of an EvaluationDataset for the checks: its values with their places, whatever their types are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evaltui.validation.case_facts import CaseFacts
from evaltui.validation.pointed_values import PointedValue


class PointedDatasetCase:
    """A case as the file has it. Keys are read in both spellings, as agentplatform does."""

    def __init__(self, data: Any) -> None:
        self.root = PointedValue(data)
        self.prompt = self.root.member("prompt")
        self.agent_data = self.root.member("agent_data")
        listed = self.agent_data.items("turns") if self.agent_data is not None else []
        self.turns = [turn for turn in listed if isinstance(turn.data, dict)]
        """The turns of the agent data."""
        self.events = [event for turn in self.turns for event in turn.items("events") if isinstance(event.data, dict)]
        """The events of all turns, in order."""

    @property
    def eval_case_id(self) -> str | None:
        """The id of the case."""
        return self.root.text("eval_case_id")

    @property
    def is_recorded(self) -> bool:
        """Whether the case has recorded responses: it is scored, and no agent runs for it.

        `agents-cli eval generate` writes `responses`, and after a prompt only the events of the agent.
        """
        if self.root.items("responses"):
            return True
        return self.prompt is not None and bool(self.events) and all(author_of(each) != "user" for each in self.events)

    @property
    def agents(self) -> dict[str, Any]:
        """The agents of the agent data by id; empty if absent."""
        found = self.agent_data.member("agents") if self.agent_data is not None else None
        return found.data if found is not None and isinstance(found.data, dict) else {}

    @property
    def rubric_lists(self) -> list[list[PointedValue]]:
        """The rubrics of each group."""
        groups = self.root.member("rubric_groups")
        found = [group.items("rubrics") for group in groups.members()] if groups is not None else []
        return [[rubric for rubric in rubrics if isinstance(rubric.data, dict)] for rubrics in found]

    def contents(self) -> Iterator[tuple[PointedValue, str]]:
        """All contents, each with the role that its place requires: user, model, system, or "" if any role fits."""
        for name, role in (("prompt", "user"), ("system_instruction", "system")):
            yield from _content(self.root, name, role)
        if (reference := self.root.member("reference")) is not None:
            yield from _content(reference, "response", "model")
        for response in self.root.items("responses"):
            yield from _content(response, "response", "model")
        events = [*self.root.items("conversation_history"), *self.root.items("intermediate_events"), *self.events]
        for event in events:
            yield from _content(event, "content", role_of_event(event))

    def facts(self, *, is_accepted: bool) -> CaseFacts:
        """The facts of the case for the checks of the whole dataset."""
        key = self.root.key("eval_case_id")
        return CaseFacts(
            eval_id=self.eval_case_id or ("" if key is not None else None),
            eval_id_pointer=f"/{key or self.root.spelt('eval_case_id')}",
            is_accepted=is_accepted,
            first_key=next(iter(self.root.data), None) if isinstance(self.root.data, dict) else None,
        )


def _content(owner: PointedValue, name: str, role: str) -> Iterator[tuple[PointedValue, str]]:
    found = owner.member(name)
    if found is not None and isinstance(found.data, dict):
        yield found, role


def author_of(event: PointedValue) -> str:
    """The author of an event; "" if there is none."""
    return event.text("author") or ""


def role_of_event(event: PointedValue) -> str:
    """The role that the author of an event implies for its content.

    The result is "" for tool responses, system messages and events without an author: google-adk gives tool responses
    the role user, and other programs give them none. Upper and lower case of an author count alike.
    """
    content, author = event.member("content"), author_of(event).lower()
    parts = content.items("parts") if content is not None else []
    if author in ("", "tool", "system") or any(part.member("function_response") is not None for part in parts):
        return ""
    return "user" if author == "user" else "model"
