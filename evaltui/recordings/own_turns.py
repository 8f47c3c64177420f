"""Turns of cases found again in the session that they were taken from, by their invocation ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from evaltui.recordings.conversation import Conversation, ConversationKey


class OwnTurns:
    """The sessions that the turns of cases were taken from.

    A case may have some turns of a session only, or turns that the session took back; google-adk gives each turn an
    id that no other has.
    """

    def __init__(self, ids: Sequence[tuple[str, ...]]) -> None:
        """`ids` are the invocation ids of each case's turns; a case with a turn that has none takes no part."""
        self._ids = ids
        self._by_first: dict[str, list[int]] = defaultdict(list)
        for index, each in enumerate(ids):
            if each and all(each):
                self._by_first[each[0]].append(index)
        self._found: set[tuple[int, ConversationKey]] = set()

    def taken_from(self, conversation: Conversation) -> dict[int, Conversation]:
        """By its place each case whose turns all stand in a session in this order, and the session with just these.

        The session itself, where these are all that count of it.
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
        """Whether the turns of a case were taken from a session, as far as it was looked at."""
        return (index, conversation.key) in self._found
