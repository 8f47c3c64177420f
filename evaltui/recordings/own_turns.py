"""Turns of cases found again in the session that they were taken from, by their invocation ids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from evaltui.recordings.conversation import Conversation


def own_turns(
    with_first_turn: Callable[[str], Sequence[int]],
    ids_of: Callable[[int], Sequence[str]],
    conversation: Conversation,
) -> dict[int, Conversation]:
    """By case index, the session with exactly the turns of a case, if the session has all of them in this order.

    A case may have only some turns of a session, or turns that a rewind removed. Each turn of google-adk has a unique
    id. It is the session itself if these are all its turns that count. `with_first_turn` gives the cases whose first
    turn has an id, `ids_of` the ids of all turns of a case.
    """
    turns = {turn.invocation_id: turn for turn in conversation.every_turn}
    places = {identifier: place for place, identifier in enumerate(turns)}
    counting = tuple(turn.invocation_id for turn in conversation.turns)
    found: dict[int, Conversation] = {}
    for index in (index for identifier in turns for index in with_first_turn(identifier)):
        ids = tuple(ids_of(index))
        at = [places.get(each, -1) for each in ids]
        if -1 in at or any(following <= before for before, following in pairwise(at)):
            continue
        its_turns = tuple(turns[each] for each in ids)
        found[index] = conversation if ids == counting else replace(conversation, turns=its_turns)
    return found
