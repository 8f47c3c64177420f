"""The case of a recorded conversation: by the id that the recording names, else by the first user message."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Protocol

from evaltui.printable import one_line
from evaltui.recordings.conversation import Conversation, ConversationKey, MatchedBy
from evaltui.recordings.own_turns import own_turns


class CaseToMatch(NamedTuple):
    """The facts of a case that find its recordings."""

    eval_id: str
    user_text: str
    """The first user message; "" if there is none."""
    turns: int
    """The number of its turns."""
    invocation_ids: tuple[str, ...] = ()
    """The ids of its turns; needed only to match sessions."""
    given: int = 0
    """The number of its first turns that are given and not compared, in a dataset."""
    app_name: str | None = None
    """The app of its `session_input`."""


class CaseLookup(Protocol):
    """The cases of a set, found by their facts. Each method returns indexes of cases, in the order of the set."""

    def case(self, index: int) -> CaseToMatch:
        """The facts of one case."""

    def with_id(self, eval_id: str) -> Sequence[int]:
        """The cases with this eval_id."""

    def with_text(self, text: str) -> Sequence[int]:
        """The cases whose first user message is this text, as `folded` writes it."""

    def with_length(self, text: str, turns: int) -> Sequence[int]:
        """The cases with this first user message and this number of turns."""

    def with_first_turn(self, invocation_id: str) -> Sequence[int]:
        """The cases whose first turn has this id, and whose turns all have ids."""

    def has_ids(self) -> bool:
        """Whether any case has an eval_id."""


class ListedCases:
    """A lookup of cases in memory."""

    def __init__(self, cases: Sequence[CaseToMatch]) -> None:
        self._cases = cases
        self._by_id = _indexed(cases, lambda case: case.eval_id)

    @cached_property
    def _by_text(self) -> _Indexes:
        return _indexed(self._cases, lambda case: folded(case.user_text))

    @cached_property
    def _by_length(self) -> _Indexes:
        return _indexed(self._cases, lambda case: (folded(case.user_text), case.turns))

    @cached_property
    def _by_first_turn(self) -> _Indexes:
        return _indexed(self._cases, lambda case: case.invocation_ids[0] if has_all_ids(case) else None)

    def case(self, index: int) -> CaseToMatch:
        """The facts of one case."""
        return self._cases[index]

    def with_id(self, eval_id: str) -> Sequence[int]:
        """The cases with this eval_id."""
        return self._by_id.get(eval_id, ())

    def with_text(self, text: str) -> Sequence[int]:
        """The cases whose first user message is this text, as `folded` writes it."""
        return self._by_text.get(text, ())

    def with_length(self, text: str, turns: int) -> Sequence[int]:
        """The cases with this first user message and this number of turns."""
        return self._by_length.get((text, turns), ())

    def with_first_turn(self, invocation_id: str) -> Sequence[int]:
        """The cases whose first turn has this id, and whose turns all have ids."""
        return self._by_first_turn.get(invocation_id, ())

    def has_ids(self) -> bool:
        """Whether any case has an eval_id."""
        return any(self._by_id)


_Indexes = Mapping[Hashable, Sequence[int]]
"""The indexes of cases by a key, such as the eval_id."""


def _indexed(cases: Sequence[CaseToMatch], key: Callable[[CaseToMatch], Hashable]) -> _Indexes:
    found: dict[Hashable, list[int]] = defaultdict(list)
    for index, case in enumerate(cases):
        found[key(case)].append(index)
    return dict(found)


def has_all_ids(case: CaseToMatch) -> bool:
    """Whether all turns of a case have an id, so that they can be found again in a session."""
    return bool(case.invocation_ids) and all(case.invocation_ids)


class FoundCase(NamedTuple):
    """A case that a conversation belongs to."""

    case: int
    """The index of the case in the set."""
    conversation: Conversation
    """The conversation; of a session that the case was taken from, only with the turns of the case."""
    matched_by: MatchedBy
    is_own: bool = False
    """Whether the turns of the case come from this session."""


class Finding(NamedTuple):
    """The cases that a conversation belongs to, or the reason why it belongs to none."""

    cases: Sequence[FoundCase] = ()
    """The cases that it belongs to: one, or several that were taken from it. Empty if there is none."""
    reason: str = ""
    """Why it belongs to no case, as a clause."""
    rivals: Sequence[int] = ()
    """Several cases that fit, so that none of them gets it."""
    why_rival: str = ""
    """The clause for each of the rivals."""
    warning: str = ""
    """A sentence about an unknown id of a conversation that was matched in another way."""


class _Verdict(NamedTuple):
    """The case of a conversation, or the reason why there is none; `rivals` are other cases that fit."""

    case: int | None = None
    matched_by: MatchedBy = "user_text"
    reason: str = ""
    rivals: Sequence[int] = ()


class CaseFinder:
    """Finds the case of each conversation.

    The ways are tried in the order of agentevals, with the eval_id of result files after its attribute:

    1. the id that the conversation names;
    2. the first user message; of several such cases, the only one with the same number of turns;
    3. the only conversation for the only case (`is_only_one`).

    An unknown id gives a warning, and the next way is tried. A conversation that fits several cases is never guessed.
    Conversations made for another `eval_set_id` are left out (None keeps all). `by_hand` has the eval_ids of
    conversations that a person matched; they come before all other ways.

    A project has one folder for the recordings of all its datasets (`shared_folders`). A conversation there that names
    no case of this dataset is of another one, so the next ways are not tried.

    A session is also the recording of each case whose turns come from it, as the invocation ids show. Only these turns
    count then. A session may have several such cases, in addition to the case found in the other ways.
    """

    def __init__(
        self,
        cases: CaseLookup,
        eval_set_id: str | None,
        by_hand: Mapping[ConversationKey, str] | None = None,
        *,
        is_only_one: bool = False,
        shared_folders: Container[Path] = (),
    ) -> None:
        self._shared_folders = shared_folders
        self._cases, self._set_id, self._by_hand = cases, eval_set_id, by_hand or {}
        self.is_only_one = is_only_one
        """Whether the set has one case, and there is one conversation for it."""

    def find(self, conversation: Conversation) -> Finding:
        """The cases of a conversation, or the reason why there is none."""
        verdict, unknown = self._verdict(conversation)
        own = self._own_turns(conversation) if verdict.matched_by != "by_hand" else {}
        taken = self._begun_alike(own)
        found = [
            FoundCase(
                index,
                its_own,
                verdict.matched_by if index == verdict.case and its_own is conversation else "invocation_id",
                is_own=True,
            )
            for index, its_own in taken.items()
        ]
        if verdict.case in taken or (taken and verdict.case is None):
            return Finding(found)
        said = f"case {_quoted(unknown)} is not in this eval set" if unknown else ""
        if verdict.case is not None:
            found.append(FoundCase(verdict.case, conversation, verdict.matched_by, verdict.case in own))
            how = f"{_name(conversation)}: {said}; matched {_HOW[verdict.matched_by]}" if said else ""
            return Finding(found, warning=how)
        reason = f"{said}; {verdict.reason}" if said else verdict.reason
        why = f"{_name(conversation)} fits this case and others: {verdict.reason}" if verdict.rivals else ""
        return Finding((), reason, verdict.rivals, why)

    def _own_turns(self, conversation: Conversation) -> dict[int, Conversation]:
        if not conversation.every_turn:
            return {}
        return own_turns(
            self._cases.with_first_turn, lambda index: self._cases.case(index).invocation_ids, conversation
        )

    def _begun_alike(self, taken: Mapping[int, Conversation]) -> dict[int, Conversation]:
        """The sessions that begin with the user message of their case. An edited case may begin with another one."""
        begin = ((index, each, each.turns[0].user_text) for index, each in taken.items())
        return {index: each for index, each, text in begin if folded(text) == folded(self._cases.case(index).user_text)}

    def _verdict(self, conversation: Conversation) -> tuple[_Verdict, str | None]:
        """The case of a conversation, and the id that it names if no case has it."""
        if self._by_hand and (wanted := self._by_hand.get(conversation.key)) is not None:
            return self._named_by_hand(wanted), None
        if not is_of_set(conversation, self._set_id):
            return _Verdict(reason=f"recorded for eval set {_quoted(conversation.eval_set_id)}"), None
        unknown = None
        named: tuple[tuple[str | None, MatchedBy], ...] = (
            (conversation.case_id, "attribute"),
            (conversation.eval_id, "eval_id"),
        )
        for name, way in named:
            if name is None:
                continue
            if alike := self._cases.with_id(name):
                return self._one(alike, way, f"cases have the eval_id {_quoted(name)}"), unknown
            unknown = unknown or name
        if unknown and conversation.path.parent in self._shared_folders and self._cases.has_ids():
            return _Verdict(reason=OF_ANOTHER_DATASET), None
        return self._by_what_is_said(conversation), unknown

    def _named_by_hand(self, eval_id: str) -> _Verdict:
        alike = self._cases.with_id(eval_id)
        if not alike:
            return _Verdict(reason=f"matched by hand with case {_quoted(eval_id)}, which is not in this eval set")
        return self._one(alike, "by_hand", f"cases have the eval_id {_quoted(eval_id)}, chosen by hand")

    def _by_what_is_said(self, conversation: Conversation) -> _Verdict:
        text = folded(conversation.turns[0].user_text) if conversation.turns else ""
        indexes = self._cases.with_text(text) if text else ()
        if len(indexes) > 1:
            turns = len(conversation.turns)
            alike = self._cases.with_length(text, turns)
            if len(alike) == 1:
                return _Verdict(alike[0])
            have = f"{len(alike)} of them have" if alike else "none of them has"
            how_many = f"{have} {turns} turn{'s' * (turns != 1)}"
            return _Verdict(reason=f"{len(indexes)} cases begin with this user message, and {how_many}", rivals=indexes)
        if indexes:
            return _Verdict(indexes[0])
        if self.is_only_one:
            return _Verdict(0, "only_one")
        return _Verdict(
            reason="no case has the same first user message" if text else "there is no user message, so no case matches"
        )

    @staticmethod
    def _one(indexes: Sequence[int], way: MatchedBy, several: str) -> _Verdict:
        if len(indexes) == 1:
            return _Verdict(indexes[0], way)
        return _Verdict(reason=f"{len(indexes)} {several}", rivals=indexes)


OF_ANOTHER_DATASET = "it names a case that this dataset does not have"
"""Why a conversation in the folder of several datasets belongs to no case of this one."""
_LONGEST_NAME = 60
_HOW = {
    "user_text": "by its first user message",
    "only_one": "because it is the only conversation",
    "eval_id": "by its eval_id",
    "invocation_id": "by its invocation ids",
}


def is_of_set(conversation: Conversation, eval_set_id: str | None) -> bool:
    """Whether a conversation was not made for another eval set."""
    return conversation.eval_set_id in (None, eval_set_id) or eval_set_id is None


def folded(text: str) -> str:
    """A user message in the form that is compared: lower case, with single blanks."""
    return " ".join(text.split()).casefold()


def counted_turns(conversation: Conversation, case: CaseToMatch) -> Conversation:
    """The conversation with only the turns that are compared, without the turns that the agent was given."""
    if not case.given or len(conversation.turns) != case.turns:
        return conversation
    return replace(conversation, turns=conversation.turns[case.given :], stored=None)


def in_order(found: Sequence[FoundCase]) -> list[FoundCase]:
    """The conversations of a case by time. Those that only begin like the session of the case come first."""
    if len(found) < 2:
        return [*found]
    taken = {_texts(each.conversation) for each in found if each.is_own}
    return sorted(found, key=lambda each: (_texts(each.conversation) in taken, _time(each.conversation)))


def _texts(conversation: Conversation) -> tuple[str, ...]:
    return tuple(folded(turn.user_text) for turn in conversation.turns)


def _name(conversation: Conversation) -> str:
    return f"{conversation.path}: {conversation.id}"


def _quoted(name: str | None) -> str:
    return f'"{one_line(name or "", _LONGEST_NAME)}"'


def _time(conversation: Conversation) -> float:
    """The time of the recording. A recording without a time counts as the oldest."""
    time = conversation.recorded_at
    return float("-inf") if time is None else time
