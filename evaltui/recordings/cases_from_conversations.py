"""The choice of conversations and turns that become cases, with a reason for everything left out."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from evaltui.evalset.editing.recorded_turns import InvocationError, as_google_adk_writes
from evaltui.evalset.turn import turn_of
from evaltui.printable import quoted
from evaltui.recordings.conversation import Conversation, RecordedTurn
from evaltui.recordings.user_messages import KnownCases

_EXPECTS_NONE = "The case then expects no response, so response_match_score is 0.0"


TurnRemark = tuple[str, int | None, str]
"""The id of a conversation, the number of a turn from 1, None for the whole conversation, and a sentence about it."""


@dataclass(slots=True)
class RecordedChoice:
    """Chooses turns of one conversation after another. Of several with the same user messages, the first counts."""

    known_cases: KnownCases
    """The cases of the set that they go into."""
    turn_range: range = range(1, sys.maxsize)
    """The numbers of the turns that are wanted, from 1."""
    with_rewound: bool = False
    """Whether turns count that a rewind removed."""
    again: bool = False
    """Whether conversations count that the set already has, or that were chosen before."""
    chosen: list[tuple[Conversation, Sequence[tuple[int, RecordedTurn]]]] = field(default_factory=list)
    """Conversations, each with the turns that make a case of it; a turn has its number, from 1."""
    left_out: list[TurnRemark] = field(default_factory=list)
    """The parts of conversations that do not become parts of cases, and why."""
    notes: list[TurnRemark] = field(default_factory=list)
    """Remarks about chosen turns that a person should know."""
    _before: KnownCases = field(default_factory=KnownCases)

    def add(self, conversation: Conversation) -> None:
        """Choose its turns, or leave it out."""
        all_turns, left_out = conversation.recorded_turns, [*conversation.left_out]
        in_range = [(number, turn) for number, turn in enumerate(all_turns, 1) if number in self.turn_range]
        if conversation.unread is not None:  # the unread part may be a tool call, and a run would not score the case
            in_range, left_out = [], [f"part of it cannot be read: {conversation.unread}"]
        elif not all_turns:
            left_out = ["it has no turns"]
        elif not in_range:
            count = f"{len(all_turns)} turn{'s' * (len(all_turns) != 1)}"
            left_out.append(f"it has {count}; --turns selects none of them")
        self.left_out += [(conversation.id, None, sentence) for sentence in left_out]
        turns: list[tuple[int, RecordedTurn]] = []
        for number, turn in in_range:
            reason = self._explain_refusal(turn)
            sentences = [reason] if reason else turn.left_out
            self.left_out += [(conversation.id, number, sentence) for sentence in sentences]
            turns += [(number, turn)] if not reason else []
        texts = [turn_of(turn.invocation).user_text for _, turn in turns]
        if reason := "" if self.again else self._explain_known(texts, [turn for _, turn in turns]):
            self.left_out.append((conversation.id, None, reason))
        elif turns:
            self._before.add(conversation.id, texts)
            self.chosen.append((conversation, turns))
            notes = ((number, _note_on(turn)) for number, turn in turns)
            self.notes += [(conversation.id, number, note) for number, note in notes if note]

    def _explain_refusal(self, turn: RecordedTurn) -> str:
        if turn.is_rewound and not self.with_rewound:
            return "a rewind removed this turn (--rewound keeps it)"
        if not turn_of(turn.invocation).user_text.strip():
            return "it has no user message"
        try:
            as_google_adk_writes(turn.invocation)
        except InvocationError as error:
            return str(error)
        return ""

    def _explain_known(self, user_texts: Sequence[str], turns: Sequence[RecordedTurn]) -> str:
        eval_id = self.known_cases.with_texts(user_texts) or self.known_cases.known_without_failed(turns)
        if eval_id is not None:
            return f"case {quoted(eval_id)} has the same user messages (--again adds it anyway)"
        if (conversation_id := self._before.with_texts(user_texts)) is not None:
            return f"conversation {quoted(conversation_id)} has the same user messages (--again adds both)"
        return ""


def _note_on(turn: RecordedTurn) -> str:
    """The reason why a case made of the turn can hardly pass; "" if it can."""
    read = turn_of(turn.invocation)
    failed = f" (the agent failed with {turn.error})" if turn.error else ""
    if "response" in turn.turn.unrecorded:
        return f"{turn.unrecorded_text}{failed}. {_EXPECTS_NONE}"
    if "arguments" in turn.turn.unrecorded and "calls" not in turn.turn.unrecorded:
        return f"{turn.unrecorded_text}. The case then has calls without arguments"
    if "calls" in turn.turn.unrecorded:
        return f"{turn.unrecorded_text}. The case then expects nothing about tool calls"
    if not read.response.strip():
        return f"the agent gave no response{failed}. {_EXPECTS_NONE}"
    try:
        json.dumps([call.args for call in read.calls], allow_nan=False)
    except (ValueError, RecursionError):
        return "an argument is NaN or Infinity. JSON has no such numbers, so the case has null there and fails"
    return ""
