"""Cases and conversations that are matched in tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from evaltui.recordings.conversation import Conversation, ConversationKey, Recording
from evaltui.recordings.matching import Matching
from evaltui.recordings.user_messages import MatchFacts, text_key


def case_to_match(
    eval_id: str, user_text: str, turns: int, invocation_ids: tuple[str, ...] = (), given: int = 0
) -> MatchFacts:
    """A case that begins with this user message."""
    return MatchFacts(eval_id, text_key(user_text), turns, invocation_ids, given)


def match(
    cases: Sequence[MatchFacts],
    conversations: Sequence[Conversation],
    eval_set_id: str | None,
    by_hand: Mapping[ConversationKey, str] | None = None,
) -> Matching:
    """The conversations of one recording matched with the cases of a set."""
    path = conversations[0].path if conversations else Path("r.json")
    recording = Recording(path, "adk_result", conversations)
    return Matching(cases, [recording], eval_set_id, by_hand=by_hand)
