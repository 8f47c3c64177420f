"""Turns of cases found again in the session that they were taken from, by their invocation ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from evaltui.recordings.conversation import Conversation, ConversationKey


class OwnTurns:
    """The sessions that the turns of cases were taken from.

    A case may have only some turns of a session, or turns that a rewind removed. Each turn of
    google-adk has a unique id.
    """

    def __init__(self, ids: Sequence[tuple[str, ...]]) -> None:
        """`ids` are the invocation ids of each case's turns. A case with a turn without an id is ignored."""
        self._ids = ids
        self._by_first: dict[str, list[int]] = defaultdict(list)
        for index, each in enumerate(ids):
            if each and all(each):
                self._by_first[each[0]].append(index)
        self._found: set[tuple[int, ConversationKey]] = set()

    def taken_from(self, conversation: Conversation) -> dict[int, Conversation]:
        """By case index, the session with exactly the turns of a case, if the session has all of them in this order.

        It is the session itself if these are all its turns that count.
        """
        if not self._by_first or not conversation.every_turn:
            return {}
        turns = {turn.invocation_id: turn for turn in conversation.every_turn}
        places = {identifier: place for place, identifier in enumerate(turns)}
        counting = tuple(turn.invocation_id for turn in conversation.turns)
        found: dict[int, Conversation] = {}
        for index in (index for identifier in turns for index in self._by_first.get(identifier, ())):
            ids = self._ids[index]
            at = [places.get(each, -1) for each in ids]
            if -1 in at or any(following <= before for before, following in pairwise(at)):
                continue
            self._found.add((index, conversation.key))
            its_turns = tuple(turns[each] for each in ids)
            found[index] = conversation if ids == counting else replace(conversation, turns=its_turns)
        return found

    def are_from(self, index: int, conversation: Conversation) -> bool:
        """Whether the turns of a case come from a session that `taken_from` was called with."""
        return (index, conversation.key) in self._found
