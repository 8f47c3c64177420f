"""A case as the checks look at it: its turns, calls and responses in either shape, read once from plain data.

Nothing here needs the case to be valid: what has another type than it should counts as absent.
"""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.validation.place import Place


class Turn:
    """An invocation; `number` counts from 1."""

    def __init__(self, place: Place, number: int) -> None:
        self.place = place
        self.number = number
        self.data = place.member("intermediate_data")
        """The intermediate data."""
        self.events = self.data.items("invocation_events") if self.data is not None else []
        """The events, where the intermediate data has that shape."""
        self.event_parts = [part for event in self.events for part in parts_of(event, "content")]
        """The parts of all events, in order."""
        self.calls = self._tools("tool_uses", "function_call")
        """What the trajectory metric compares: `tool_uses`, or the function calls of all events, in order."""
        self.responses = self._tools("tool_responses", "function_response")
        """`tool_responses`, or the function responses of all events, in order."""
        self.user_parts = parts_of(place, "user_content")
        """What the user says."""
        self.final_parts = parts_of(place, "final_response")
        """What the agent is expected to say."""
        self.rubrics = place.items("rubrics")

    def _tools(self, listed: str, in_part: str) -> list[Place]:
        if self.data is None:
            return []
        if self.data.key("invocation_events") is None:
            return self.data.items(listed)
        return [tool for part in self.event_parts if (tool := part.member(in_part)) is not None]

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
        self.eval_id = place.text("eval_id")
        """Its id; None where it has none."""
        self.turns = [Turn(turn, number) for number, turn in enumerate(place.items("conversation"), 1)]
        """The turns of its conversation."""
        self.session = place.member("session_input")
        """The session that it begins with."""
        self.rubrics = place.items("rubrics")
        """Its own; those of its turns are with them."""

    @property
    def all_rubrics(self) -> list[Place]:
        """Those of the case and of its turns."""
        return [*self.rubrics, *(rubric for turn in self.turns for rubric in turn.rubrics)]


def parts_of(owner: Place, name: str) -> list[Place]:
    """The parts of the content `name`."""
    content = owner.member(name)
    return content.items("parts") if content is not None else []
