"""Conversations that were found in sources: what the list shows of each, their order, and the words of a filter."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from evaltui.evalset.case_data import InvocationData, get, text_of_parts
from evaltui.report.scores_text import date_text

if TYPE_CHECKING:
    from pathlib import Path

    from evaltui.evalset.volatile_values import VolatileValue
    from evaltui.recordings.conversation import Conversation, ConversationKey, RecordedTurn

_MOST_WORDS = 200
"""Characters of the first words."""
_MOST_SEARCHED = 50_000
"""Characters of a conversation that a filter searches."""

_LONG = 50
"""Turns from which on volatile values are looked for by the thread that reads: of few turns that takes no time."""


class FoundConversation(NamedTuple):
    """A conversation with what the list shows of it."""

    conversation: Conversation
    turns: tuple[RecordedTurn, ...]
    app: str = ""
    user: str = ""
    started: float | None = None
    words: str = ""
    """The first words of the user."""
    tools: tuple[str, ...] = ()
    """The names of the tools called, each once, in order."""
    known_as: str = ""
    """The eval_id of the case with the same user texts; "" if there is none."""
    searched: str = ""
    """The text in which words are searched."""
    volatile: tuple[VolatileValue, ...] | None = None
    """Its volatile values; None if nobody has looked for them yet."""

    def volatile_values(self) -> Sequence[VolatileValue]:
        """Its volatile values; their turns are those of `turns`, from 0."""
        return self.volatile if self.volatile is not None else _volatile(self.turns)

    @property
    def has_failed(self) -> bool:
        """Whether the agent failed in one of its turns, or it cannot be read as a whole."""
        return self.conversation.unread is not None or any(turn.has_failed for turn in self.turns)

    @property
    def key(self) -> ConversationKey:
        """The path and the id of the conversation."""
        return self.conversation.key

    @property
    def path(self) -> Path:
        """The file it comes from."""
        return self.conversation.path


def user_text(turn: RecordedTurn) -> str:
    """The user's words in a turn; "" where there are none."""
    return text_of_parts(get(turn.invocation, "user_content"))


def why_no_case_turn(turn: RecordedTurn) -> str:
    """The reason why a turn cannot be a turn of a case, a sentence; "" if it can."""
    if user_text(turn).strip():
        return ""
    return "This turn has no user message, so it cannot become a turn of a case."


def counts(turn: RecordedTurn) -> bool:
    """Whether a turn is ticked with its conversation.

    It has a user text, it was not taken back by a rewind, and the agent did not fail in it.
    """
    return not turn.is_rewound and not why_no_case_turn(turn) and not turn.has_failed


def found_conversation(conversation: Conversation, known_as: str | None) -> FoundConversation:
    """A conversation with its details as the list shows it."""
    details = conversation.details
    turns = details.turns if details is not None else ()
    texts = [user_text(turn) for turn in turns]
    names = [call.get("name") for turn in turns for call in InvocationData(turn.invocation).calls if _is_object(call)]
    tools = tuple(dict.fromkeys(name for name in names if isinstance(name, str)))
    app = (details.app_name if details is not None else None) or ""
    user = (details.user_id if details is not None else None) or ""
    started = details.started if details is not None else None
    at = started if started is not None else conversation.recorded_at
    first = next((text for turn, text in zip(turns, texts, strict=True) if counts(turn)), "")
    words = (first or next((text for text in texts if text.strip()), ""))[:_MOST_WORDS]
    responses = [text_of_parts(get(turn.invocation, "final_response")) for turn in turns]
    date = date_text(at) if at is not None else ""
    about = [*texts, *tools, conversation.id, app, user, known_as or "", date, conversation.path.name, *responses]
    searched = "\n".join(text[:_MOST_SEARCHED] for text in about)[:_MOST_SEARCHED].casefold()
    volatile = tuple(_volatile(turns)) if len(turns) > _LONG else None
    return FoundConversation(conversation, turns, app, user, at, words, tools, known_as or "", searched, volatile)


def _volatile(turns: Sequence[RecordedTurn]) -> Sequence[VolatileValue]:
    from evaltui.evalset.volatile_values import volatile_values

    return volatile_values([turn.invocation for turn in turns])


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


class FoundConversations:
    """All conversations found so far, the newest first, and those that a filter leaves."""

    def __init__(self) -> None:
        self.every: list[FoundConversation] = []
        self.shown: list[FoundConversation] = []
        """The conversations that the filter leaves."""
        self.by_key: dict[ConversationKey, FoundConversation] = {}
        self.has_several_apps = False
        self.has_several_users = False
        self._words: list[str] = []

    def add(self, found: Iterable[FoundConversation]) -> int:
        """Take up more; one that is known already stays as it is. Returns how many are new."""
        new = [each for each in found if self.by_key.setdefault(each.key, each) is each]
        if not new:
            return 0
        self._put(self.every, new)
        self._put(self.shown, [each for each in new if self._fits(each)])
        first = self.every[0]
        self.has_several_apps |= any(each.app != first.app for each in new)
        self.has_several_users |= any(each.user != first.user for each in new)
        return len(new)

    @staticmethod
    def _put(among: list[FoundConversation], new: Sequence[FoundConversation]) -> None:
        if len(new) > len(among) // 100:
            among += new
            among.sort(key=_newest_first)
        else:
            for each in new:
                insort(among, each, key=_newest_first)

    def filter(self, query: str) -> None:
        """Show only those that have all words of a query."""
        words = query.casefold().split()
        among = self.shown if self._narrows(words) else self.every
        self._words = words
        self.shown = [each for each in among if self._fits(each)] if words or among is not self.every else [*self.every]

    def _narrows(self, words: Sequence[str]) -> bool:
        """Whether these words find nothing that the present ones do not: each letter typed searches less."""
        return bool(self._words) and all(any(before in word for word in words) for before in self._words)

    def _fits(self, found: FoundConversation) -> bool:
        return all(word in found.searched for word in self._words)


def _newest_first(found: FoundConversation) -> float:
    return -found.started if found.started is not None else float("inf")
