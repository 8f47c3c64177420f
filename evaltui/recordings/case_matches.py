"""Matching of recorded conversations to cases: by the id that a recording names, else by the first user message."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from evaltui.printable import one_line
from evaltui.recordings.agent_names import AgentNames, AppsOfSet
from evaltui.recordings.conversation import Conversation, ConversationKey, MatchedBy
from evaltui.recordings.own_turns import OwnTurns


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


class CaseMatch(NamedTuple):
    """A conversation that belongs to a case, and how it was matched."""

    conversation: Conversation
    matched_by: MatchedBy


NO_RECORDING = "there is no recording of this case"
"""Why a case is not evaluated, if no conversation belongs to it."""


class Unmatched(NamedTuple):
    """A conversation that belongs to no case, and the reason as a clause."""

    conversation: Conversation
    reason: str
    is_of_other_app: bool = False
    """Whether its recording names another app than the set; False if the names do not tell."""


def unmatched_of_set(unmatched: Iterable[Unmatched], eval_set_id: str | None) -> tuple[Unmatched, ...]:
    """The conversations without a case that a review of this set shows.

    A folder of recordings may also have conversations of another set or app: they need no decision in this set.
    """
    return tuple(
        each for each in unmatched if each.conversation.eval_set_id in (None, eval_set_id) and not each.is_of_other_app
    )


class Matching(NamedTuple):
    """The conversations of each case, and the conversations of no case."""

    cases: tuple[tuple[CaseMatch, ...], ...]
    """The conversations of each case, the newest last.

    If the turns of the case come from a session, conversations that only begin like it come before it.
    """
    reasons: tuple[str | None, ...]
    """For each case without a conversation, the reason as a clause; None for other cases."""
    unmatched: tuple[Unmatched, ...]
    warnings: tuple[str, ...]
    apps: AppsOfSet = AppsOfSet()
    """The apps that the cases and their conversations name."""


class _Verdict(NamedTuple):
    """The case of a conversation, or the reason why there is none; `rivals` are other cases that fit."""

    case: int | None = None
    matched_by: MatchedBy = "user_text"
    reason: str = ""
    rivals: Sequence[int] = ()


def match(
    cases: Sequence[CaseToMatch],
    conversations: Sequence[Conversation],
    eval_set_id: str | None,
    tick: Callable[[int], object] = lambda _: None,
    by_hand: Mapping[ConversationKey, str] | None = None,
) -> Matching:
    """Find the case of each conversation.

    The ways are tried in the order of agentevals, with the eval_id of result files after its attribute:

    1. the id that the conversation names;
    2. the first user message; of several such cases, the only one with the same number of turns;
    3. the only conversation for the only case.

    An unknown id gives a warning, and the next way is tried. A conversation that fits several cases is never guessed.
    Conversations made for another `eval_set_id` are left out (None keeps all). `by_hand` has the eval_ids of
    conversations that a person matched; they come before all other ways. `tick` is called with 0 before each
    conversation, because no bytes are read here.

    A session is also the recording of each case whose turns come from it, as the invocation ids show. Only these turns
    count then. A session may have several such cases, in addition to the case found in the other ways.
    """
    ways = _Ways(cases, conversations, eval_set_id, by_hand or {})
    found: list[list[CaseMatch]] = [[] for _ in cases]
    own = OwnTurns([case.invocation_ids for case in cases])
    rivals: dict[int, str] = {}
    unmatched: list[Unmatched] = []
    warnings: list[str] = []
    told: set[int] = set()  # lists of rivals, by identity: many conversations can share one list
    for conversation in conversations:
        tick(0)
        verdict, unknown = ways.verdict(conversation)
        taken = _begun_alike(cases, own.taken_from(conversation)) if verdict.matched_by != "by_hand" else {}
        for index, its_own in taken.items():
            is_whole = index == verdict.case and its_own is conversation
            found[index].append(CaseMatch(its_own, verdict.matched_by if is_whole else "invocation_id"))
        if verdict.case in taken or (taken and verdict.case is None):
            continue
        said = f"case {_quoted(unknown)} is not in this eval set" if unknown else ""
        if verdict.case is not None:
            found[verdict.case].append(CaseMatch(conversation, verdict.matched_by))
            if said:
                warnings.append(f"{_name(conversation)}: {said}; matched {_HOW[verdict.matched_by]}")
            continue
        unmatched.append(Unmatched(conversation, f"{said}; {verdict.reason}" if said else verdict.reason))
        if id(verdict.rivals) in told:
            continue
        told.add(id(verdict.rivals))
        for index in verdict.rivals:
            rivals.setdefault(index, f"{_name(conversation)} fits this case and others: {verdict.reason}")
    apps = _apps_of(cases, found)
    return Matching(
        tuple(
            tuple(_without_given(each, cases[index]) for each in _in_order(its_own, own, index))
            for index, its_own in enumerate(found)
        ),
        tuple(None if each else rivals.get(index, NO_RECORDING) for index, each in enumerate(found)),
        tuple(_with_app(each, apps) for each in unmatched),
        tuple(warnings),
        apps,
    )


def _apps_of(cases: Sequence[CaseToMatch], found: Sequence[Sequence[CaseMatch]]) -> AppsOfSet:
    proven, likely = [AgentNames(case.app_name) for case in cases], list[AgentNames]()
    for case, matches in zip(cases, found, strict=True):
        for each in matches:
            (proven if _is_proof(each, case) else likely).append(each.conversation.agent_names)
    return AppsOfSet().joined(proven, likely)


def _is_proof(match_: CaseMatch, case: CaseToMatch) -> bool:
    """Whether a conversation is surely of its case, so that its app is an app of the set.

    Sets of several apps have an id like `case_1`, and a greeting like *hi*. Only both together are proof.
    """
    if match_.matched_by in ("by_hand", "invocation_id"):
        return True
    conversation = match_.conversation
    if case.eval_id not in (conversation.case_id, conversation.eval_id) or not conversation.turns:
        return False
    return folded(conversation.turns[0].user_text) == folded(case.user_text)


def _with_app(unmatched: Unmatched, apps: AppsOfSet) -> Unmatched:
    return unmatched._replace(is_of_other_app=apps.is_own(unmatched.conversation.agent_names) is False)


_LONGEST_NAME = 60
_HOW = {
    "user_text": "by its first user message",
    "only_one": "because it is the only conversation",
    "eval_id": "by its eval_id",
    "invocation_id": "by its invocation ids",
}


class _Ways:
    """The ways to find the case of a conversation."""

    def __init__(
        self,
        cases: Sequence[CaseToMatch],
        conversations: Sequence[Conversation],
        eval_set_id: str | None,
        by_hand: Mapping[ConversationKey, str],
    ) -> None:
        self._cases, self._set_id, self._by_hand = cases, eval_set_id, by_hand
        self._by_id = _indexed(cases, lambda case: case.eval_id)
        self._is_only_one = len(cases) == 1 and sum(map(self._is_of_this_set, conversations)) == 1

    @cached_property
    def _by_text(self) -> _Indexes:
        return _indexed(self._cases, lambda case: folded(case.user_text))

    @cached_property
    def _by_length(self) -> _Indexes:
        return _indexed(self._cases, lambda case: (folded(case.user_text), case.turns))

    def verdict(self, conversation: Conversation) -> tuple[_Verdict, str | None]:
        """The case of a conversation, and the id that it names if no case has it."""
        if self._by_hand and (wanted := self._by_hand.get(conversation.key)) is not None:
            return self._named_by_hand(wanted), None
        if not self._is_of_this_set(conversation):
            return _Verdict(reason=f"recorded for eval set {_quoted(conversation.eval_set_id)}"), None
        unknown = None
        named: tuple[tuple[str | None, MatchedBy], ...] = (
            (conversation.case_id, "attribute"),
            (conversation.eval_id, "eval_id"),
        )
        for name, way in named:
            if name is None:
                continue
            if name in self._by_id:
                return self._one(self._by_id[name], way, f"cases have the eval_id {_quoted(name)}"), unknown
            unknown = unknown or name
        return self._by_what_is_said(conversation), unknown

    def _named_by_hand(self, eval_id: str) -> _Verdict:
        if eval_id not in self._by_id:
            return _Verdict(reason=f"matched by hand with case {_quoted(eval_id)}, which is not in this eval set")
        return self._one(self._by_id[eval_id], "by_hand", f"cases have the eval_id {_quoted(eval_id)}, chosen by hand")

    def _is_of_this_set(self, conversation: Conversation) -> bool:
        return conversation.eval_set_id in (None, self._set_id) or self._set_id is None

    def _by_what_is_said(self, conversation: Conversation) -> _Verdict:
        text = folded(conversation.turns[0].user_text) if conversation.turns else ""
        indexes = self._by_text.get(text, ()) if text else ()
        if len(indexes) > 1:
            turns = len(conversation.turns)
            alike = self._by_length.get((text, turns), ())
            if len(alike) == 1:
                return _Verdict(alike[0])
            have = f"{len(alike)} of them have" if alike else "none of them has"
            how_many = f"{have} {turns} turn{'s' * (turns != 1)}"
            return _Verdict(reason=f"{len(indexes)} cases begin with this user message, and {how_many}", rivals=indexes)
        if indexes:
            return _Verdict(indexes[0])
        if self._is_only_one:
            return _Verdict(0, "only_one")
        return _Verdict(
            reason="no case has the same first user message" if text else "there is no user message, so no case matches"
        )

    @staticmethod
    def _one(indexes: Sequence[int], way: MatchedBy, several: str) -> _Verdict:
        if len(indexes) == 1:
            return _Verdict(indexes[0], way)
        return _Verdict(reason=f"{len(indexes)} {several}", rivals=indexes)


_Indexes = Mapping[Hashable, Sequence[int]]
"""The indexes of cases by a key, such as the eval_id."""


def _indexed(cases: Sequence[CaseToMatch], key: Callable[[CaseToMatch], Hashable]) -> _Indexes:
    found: dict[Hashable, list[int]] = defaultdict(list)
    for index, case in enumerate(cases):
        found[key(case)].append(index)
    return found


def folded(text: str) -> str:
    """A user message in the form that is compared: lower case, with single blanks."""
    return " ".join(text.split()).casefold()


def _begun_alike(cases: Sequence[CaseToMatch], taken: Mapping[int, Conversation]) -> dict[int, Conversation]:
    """The sessions that begin with the user message of their case. An edited case may begin with another one."""
    begin = ((index, each, each.turns[0].user_text) for index, each in taken.items())
    return {index: each for index, each, text in begin if folded(text) == folded(cases[index].user_text)}


def _without_given(found: CaseMatch, case: CaseToMatch) -> CaseMatch:
    """The match with only the turns that are compared, without the turns that the agent was given."""
    conversation = found.conversation
    if not case.given or len(conversation.turns) != case.turns:
        return found
    return found._replace(conversation=replace(conversation, turns=conversation.turns[case.given :], stored=None))


def _in_order(matches: Sequence[CaseMatch], own: OwnTurns, index: int) -> list[CaseMatch]:
    """The matches of a case by time. Matches that only begin like the session that the case comes from are first."""
    if len(matches) < 2:
        return [*matches]
    taken = {_texts(each.conversation) for each in matches if own.are_from(index, each.conversation)}
    return sorted(matches, key=lambda each: (_texts(each.conversation) in taken, _time(each)))


def _texts(conversation: Conversation) -> tuple[str, ...]:
    return tuple(folded(turn.user_text) for turn in conversation.turns)


def _name(conversation: Conversation) -> str:
    return f"{conversation.path}: {conversation.id}"


def _quoted(name: str | None) -> str:
    return f'"{one_line(name or "", _LONGEST_NAME)}"'


def _time(match_: CaseMatch) -> float:
    """The time of the recording. A recording without a time counts as the oldest."""
    time = match_.conversation.recorded_at
    return float("-inf") if time is None else time
