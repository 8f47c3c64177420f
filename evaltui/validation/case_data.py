"""A case as the checks look at it: its turns, calls and responses in either shape, read once from plain data.

Nothing here needs the case to be valid: what has another type than it should counts as absent.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from evaltui.validation.place import Place


class Turn:
    """An invocation; `number` counts from 1."""

    def __init__(self, place: Place, number: int) -> None:
        self.place = place
        self.number = number

    @cached_property
    def data(self) -> Place | None:
        """The intermediate data."""
        return self.place.member("intermediate_data")

    @cached_property
    def events(self) -> list[Place]:
        """The events, where the intermediate data has that shape."""
        return self.data.items("invocation_events") if self.data is not None else []

    @cached_property
    def calls(self) -> list[Place]:
        """What the trajectory metric compares: `tool_uses`, or the function calls of all events, in order."""
        return self._tools("tool_uses", "function_call")

    @cached_property
    def responses(self) -> list[Place]:
        """`tool_responses`, or the function responses of all events, in order."""
        return self._tools("tool_responses", "function_response")

    def _tools(self, listed: str, in_part: str) -> list[Place]:
        if self.data is None:
            return []
        if self.data.key("invocation_events") is None:
            return self.data.items(listed)
        return [tool for part in self.event_parts if (tool := part.member(in_part)) is not None]

    @cached_property
    def event_parts(self) -> list[Place]:
        """The parts of all events, in order."""
        return [part for event in self.events for part in parts_of(event, "content")]

    @cached_property
    def user_parts(self) -> list[Place]:
        """What the user says."""
        return parts_of(self.place, "user_content")

    @cached_property
    def final_parts(self) -> list[Place]:
        """What the agent is expected to say."""
        return parts_of(self.place, "final_response")

    @property
    def contents(self) -> Iterator[Place]:
        """All contents: of the user, of the events, and the final response."""
        for owner, name in ((self.place, "user_content"), *((event, "content") for event in self.events)):
            if (content := owner.member(name)) is not None:
                yield content
        if (content := self.place.member("final_response")) is not None:
            yield content

    @property
    def has_final_text(self) -> bool:
        """Whether there is any text that a response metric could compare with."""
        return any(part.text("text") for part in self.final_parts)


class Case:
    """An eval case with its turns."""

    def __init__(self, place: Place) -> None:
        self.place = place

    @cached_property
    def eval_id(self) -> str | None:
        """Its id; None where it has none."""
        return self.place.text("eval_id")

    @cached_property
    def turns(self) -> list[Turn]:
        """The turns of its conversation."""
        return [Turn(place, number) for number, place in enumerate(self.place.items("conversation"), 1)]

    @cached_property
    def session(self) -> Place | None:
        """The session that it begins with."""
        return self.place.member("session_input")

    @property
    def rubric_owners(self) -> list[Place]:
        """All that can hold rubrics: the case and its turns."""
        return [self.place, *(turn.place for turn in self.turns)]


def parts_of(owner: Place, name: str) -> list[Place]:
    """The parts of the content `name`."""
    content = owner.member(name)
    return content.items("parts") if content is not None else []
