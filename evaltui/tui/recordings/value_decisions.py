"""Decisions about volatile values: arguments of recorded calls that are likely to change from run to run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from evaltui.evalset.volatile_values import VolatileValue
    from evaltui.recordings.conversation import ConversationKey
    from evaltui.tui.recordings.found_conversations import FoundConversation

ValueDecision = Literal["found", "kept", "dropped"]
_NEXT: Mapping[ValueDecision, ValueDecision] = {"found": "dropped", "dropped": "kept", "kept": "found"}
DECIDED = {
    "found": "undecided (≈), written as recorded",
    "kept": "kept, no longer marked ≈",
    "dropped": "dropped from the expected tool call. The case fails unless the criterion sets ignore_args",
}
"""Phrases for each decision."""


class ValueDecisions:
    """The user's decisions about the volatile values of each conversation."""

    def __init__(self) -> None:
        self._values: dict[ConversationKey, list[VolatileValue]] = {}
        self._by_call: dict[ConversationKey, dict[tuple[int, int], list[VolatileValue]]] = {}
        self._decided: dict[ConversationKey, dict[VolatileValue, ValueDecision]] = {}

    def values(self, found: FoundConversation) -> list[VolatileValue]:
        """The volatile values of a conversation; turn numbers are indexes from 0 over all its turns."""
        values = self._values.get(found.key)
        if values is None:
            values = self._values[found.key] = [*found.volatile_values()]
            by_call = self._by_call[found.key] = {}
            for each in values:
                by_call.setdefault((each.turn, each.call), []).append(each)
        return values

    def of_call(self, found: FoundConversation, turn: int, call: int) -> list[tuple[VolatileValue, ValueDecision]]:
        """The volatile values of one call, each with its decision."""
        self.values(found)
        return [(each, self.decision(found, each)) for each in self._by_call[found.key].get((turn, call), ())]

    def decision(self, found: FoundConversation, value: VolatileValue) -> ValueDecision:
        """The decision about a value."""
        return self._decided.get(found.key, {}).get(value, "found")

    def cycle(self, found: FoundConversation, turn: int | None = None, call: int | None = None) -> ValueDecision | None:
        """Give all values of a call or of the conversation the next decision; None if there are no values."""
        values = [each for each in self.values(found) if turn is None or (each.turn, each.call) == (turn, call)]
        if not values:
            return None
        following = _NEXT[self.decision(found, values[0])]
        self._decided.setdefault(found.key, {}).update(dict.fromkeys(values, following))
        return following

    def undecided(self, found: FoundConversation, turns: Iterable[int]) -> int:
        """The number of undecided values in these turns, which are written as recorded."""
        chosen = {*turns}
        return sum(each.turn in chosen and self.decision(found, each) == "found" for each in self.values(found))

    def dropped(self, found: FoundConversation, turns: Iterable[int]) -> list[VolatileValue]:
        """The values in these turns that the user dropped."""
        chosen = {*turns}
        return [each for each in self.values(found) if each.turn in chosen and self.decision(found, each) == "dropped"]

    def invocations(self, found: FoundConversation, turns: Iterable[int]) -> list[Mapping[str, Any]]:
        """The invocations of some turns, without the dropped values."""
        from evaltui.evalset.volatile_values import without_values

        chosen = [*turns]
        every: list[Mapping[str, Any]] = [turn.invocation for turn in found.turns]
        dropped = self.dropped(found, chosen)
        if dropped:
            every = [*without_values(every, dropped)]
        return [every[turn] for turn in chosen]
