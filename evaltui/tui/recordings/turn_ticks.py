"""The ticked conversations and turns that the user wants to add."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from evaltui.tui.recordings.found_conversations import FoundConversation, counts, why_no_case_turn

if TYPE_CHECKING:
    from evaltui.recordings.conversation import ConversationKey, RecordedTurn

TickState = Literal["none", "some", "all"]


class TurnTicks:
    """The ticked turns of each conversation, as indexes from 0."""

    def __init__(self) -> None:
        self._ticked: dict[ConversationKey, set[int]] = {}
        self._found: dict[ConversationKey, FoundConversation] = {}

    @property
    def conversations(self) -> list[FoundConversation]:
        """The conversations with a ticked turn, in the order in which they were ticked first."""
        return [*self._found.values()]

    def turns(self, found: FoundConversation) -> list[int]:
        """The ticked turns of a conversation, in order."""
        return sorted(self._ticked.get(found.key, ()))

    def is_ticked(self, found: FoundConversation, turn: int) -> bool:
        """Whether a turn is ticked."""
        return turn in self._ticked.get(found.key, ())

    def state(self, found: FoundConversation) -> TickState:
        """Whether none, some or all countable turns are ticked."""
        ticked = self._ticked.get(found.key)
        if not ticked:
            return "none"
        return "all" if ticked.issuperset(whole(found)) else "some"

    def toggle(self, found: FoundConversation) -> str:
        """Tick all countable turns, or untick the conversation; returns why nothing can be ticked, or ""."""
        turns = whole(found)
        if self.state(found) == "all":
            turns = []
        elif found.conversation.unread is not None:
            return why_unread(found)
        elif not turns:
            return why_nothing_counts(found)
        self._set(found, set(turns))
        return ""

    def toggle_turn(self, found: FoundConversation, turn: int) -> str:
        """Tick a turn, or untick it; returns why it cannot be ticked, or ""."""
        ticked = set(self._ticked.get(found.key, ()))
        if turn in ticked:
            ticked.remove(turn)
        elif found.conversation.unread is not None:
            return why_unread(found)
        elif why := why_no_case_turn(found.turns[turn]):
            return why
        else:
            ticked.add(turn)
        self._set(found, ticked)
        return ""

    def clear(self) -> None:
        """Remove all ticks."""
        self._ticked.clear()
        self._found.clear()

    def _set(self, found: FoundConversation, turns: set[int]) -> None:
        if turns:
            self._ticked[found.key] = turns
            self._found[found.key] = found
        else:
            self._ticked.pop(found.key, None)
            self._found.pop(found.key, None)

    def said(self) -> str:
        """`2 conversations and 1 turn ticked`; "" without ticks."""
        entire = [each for each in self._found.values() if self.state(each) == "all"]
        single = sum(len(self._ticked[each.key]) for each in self._found.values() if self.state(each) == "some")
        said = [_counted(len(entire), "conversation")] if entire else []
        said += [_counted(single, "turn")] if single else []
        return f"{' and '.join(said)} ticked" if said else ""


def why_unread(found: FoundConversation) -> str:
    """Why a partly unreadable conversation cannot be ticked: the unreadable part may be a tool call."""
    return f"Part of this conversation cannot be read, so it cannot become a case: {found.conversation.unread}."


def why_nothing_counts(found: FoundConversation) -> str:
    """Why ticking a conversation ticks none of its turns, as a sentence."""
    if found.conversation.unread is not None:
        return why_unread(found)
    if any(not turn.is_rewound and not why_no_case_turn(turn) for turn in found.turns):
        failed = "The agent failed in this conversation, so a case with all its turns cannot pass."
        return f"{failed} Single turns can be ticked."
    return "No turn of this conversation has a user message, so it cannot become a case."


def omitted_turns(turns: Iterable[RecordedTurn]) -> str:
    """Omitted turns, counted by reason: `1 turn rewound, 2 turns not ticked`."""
    reasons = Counter(map(_why_omitted, turns))
    return ", ".join(f"{_counted(count, 'turn')} {reason}" for reason, count in sorted(reasons.items()))


def _why_omitted(turn: RecordedTurn) -> str:
    if turn.is_rewound:
        return "rewound"
    if why_no_case_turn(turn):
        return "without user message"
    return "in which the agent failed" if turn.has_failed else "not ticked"


def whole(found: FoundConversation) -> list[int]:
    """The countable turns of a conversation, as indexes from 0; none if it is partly unreadable."""
    is_read = found.conversation.unread is None
    return [number for number, turn in enumerate(found.turns) if is_read and counts(turn)]


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"
