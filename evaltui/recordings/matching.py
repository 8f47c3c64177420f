"""Matching of recorded conversations to the cases of a set, in this one place for all commands and the app."""

from __future__ import annotations

import math
import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import accumulate, islice, pairwise
from pathlib import Path
from typing import Generic, Literal, NamedTuple, TypeVar, get_args

from evaltui.files.spool import LazySequence, Spool, loaded
from evaltui.printable import quoted
from evaltui.recordings.agent_names import AgentNames, is_of_apps, joined_names
from evaltui.recordings.conversation import Conversation, ConversationFacts, ConversationKey, MatchedBy, Recording
from evaltui.recordings.user_messages import MatchFacts, digest_of

NO_RECORDING = "there is no recording of this case"
"""Why a case is not evaluated, if no conversation belongs to it."""
OF_ANOTHER_DATASET = "it names a case that this dataset does not have"
"""Why a conversation in the folder of several datasets belongs to no case of this one."""
_quoted = partial(quoted, width=60)
_SENTENCE = 200
"""The usual bytes of a sentence."""
MATCHED_BY: dict[MatchedBy, str] = {
    "attribute": "by its attribute",
    "eval_id": "by its eval_id",
    "user_text": "by its first user message",
    "only_one": "because it is the only conversation",
    "invocation_id": "by its invocation ids",
    "by_hand": "by hand",
}
"""How a conversation was matched with its case, in words."""
_WAYS: tuple[MatchedBy, ...] = get_args(MatchedBy)


MatchForm = Literal["whole", "pickle", "number"]
AnyForm = TypeVar("AnyForm", Conversation, Conversation | bytes | int)


class Match(NamedTuple, Generic[AnyForm]):
    """A conversation that belongs to a case. `cut_match` gives the one with only the turns that are compared."""

    conversation: AnyForm
    """The whole conversation, its pickle for another process, or its number among all."""
    matched_by: MatchedBy
    recorded_at: float | None = None
    """Before the cut, the time of the conversation. A large result file tells it only after its conversations."""
    turn_ids: tuple[str, ...] | None = None
    """The turns that the case was taken from, if it has only some of a session; None for the turns that count."""


UncutMatch = Match[Conversation | bytes | int]
CaseMatch = Match[Conversation]


class Unmatched(NamedTuple):
    """A conversation that belongs to no case, and the reason as a clause."""

    conversation: Conversation
    reason: str
    is_of_other_app: bool = False
    """Whether its recording names another app than the set; False if the names do not tell."""


def unmatched_of_set(unmatched: Iterable[Unmatched], eval_set_id: str | None) -> tuple[Unmatched, ...]:
    """The conversations without a case that a review of this set shows."""
    # A folder of recordings may have conversations of another set or app, which need no decision in this set.
    of_set = (rest for rest in unmatched if rest.conversation.eval_set_id in (None, eval_set_id))
    return tuple(rest for rest in of_set if rest.reason != OF_ANOTHER_DATASET and not rest.is_of_other_app)


def cut_match(match: UncutMatch, given_turns: int, turns: int) -> CaseMatch:
    """A match with only the turns that are compared: without the `given_turns` of the `turns` of a dataset's case."""
    conversation = match.conversation
    if isinstance(conversation, bytes):
        conversation = loaded(conversation)
    assert isinstance(conversation, Conversation)
    if match.turn_ids is not None:
        session_turns = {recorded.turn.invocation_id: recorded.turn for recorded in conversation.recorded_turns}
        conversation = replace(conversation, turns=tuple(session_turns[turn_id] for turn_id in match.turn_ids))
    if given_turns and len(conversation.turns) == turns:  # the agent was given them, so they are no answer of it
        conversation = replace(conversation, turns=conversation.turns[given_turns:], stored=None)
    if conversation.recorded_at != match.recorded_at:
        conversation = replace(conversation, recorded_at=match.recorded_at)
    return Match(conversation, match.matched_by)


def _is_of_set(conversation: ConversationFacts, eval_set_id: str | None) -> bool:
    return conversation.eval_set_id in (None, eval_set_id) or eval_set_id is None


class Matching:
    """The conversations of each case, and the conversations of no case.

    The ways to find the case of a conversation are tried in the order of agentevals, with the eval_id of result files
    after its attribute:

    1. the id that the conversation names;
    2. the first user message; of several such cases, the only one with the same number of turns;
    3. the only conversation for the only case.

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
        cases: Sequence[MatchFacts],
        recordings: Sequence[Recording],
        eval_set_id: str | None,
        *,
        by_hand: Mapping[ConversationKey, str] | None = None,
        shared_folders: Container[Path] = (),
        tick: Callable[[int], object] = lambda _: None,
    ) -> None:
        """Find the case of each conversation. `tick` is called with 0 for each, because no bytes are read here."""
        self.case_facts = cases
        # One key after another: the digests of a large set are sorted as objects, which takes five times the memory.
        self._by_id = NumbersByKey(digest_of(case.eval_id) for case in cases)
        self._by_text = NumbersByKey(digest_with_turns(case.first_text, case.turns) for case in cases)
        # Turns are found again in a session only if all have an id.
        ids = (case.invocation_ids for case in cases)
        self._by_first_turn = NumbersByKey(digest_of(turns[0]) if turns and all(turns) else None for turns in ids)
        self._has_ids = len(self._by_id.beginning_with(digest_of(""))) < len(cases)
        self._recordings = recordings
        self._starts = [0, *accumulate(len(recording.conversations) for recording in recordings)]
        self.conversations = self._starts[-1]
        """The number of all conversations."""
        # The only case gets the only conversation, whatever it begins with.
        own = (facts for recording in recordings for facts in recording.facts if _is_of_set(facts, eval_set_id))
        self._is_only_one = len(cases) == 1 and len([*islice(own, 2)]) == 1
        self._eval_set_id, self._by_hand, self._shared_folders = eval_set_id, by_hand or {}, shared_folders
        # Arrays, because a run may have millions of conversations: 17 bytes for each.
        self._cases, self._conversations, self._times = array("I"), array("I"), array("d")
        self._ways = bytearray()
        self._own: dict[int, tuple[str, ...]] = {}
        """The ids of the turns of a case by the number of the match, if they come from this session."""
        self._cut: set[int] = set()
        """The numbers of the matches with only some turns of a session."""
        self._rivals: dict[int, str] = {}
        self._rival_groups: set[tuple[int, int]] = set()
        self._unmatched = array("I")
        self._why_unmatched: Spool[str] = Spool()
        self.warnings: Spool[str] = Spool()
        """Sentences about unknown ids of conversations that were matched in another way."""
        self._proven, self._likely = {AgentNames(case.app_name) for case in cases}, set[AgentNames]()
        for start, recording in zip(self._starts, recordings, strict=False):  # the last start is the end
            for number, conversation in enumerate(recording.facts, start):
                tick(0)
                self._add(number, conversation, recording.path)
        self.apps = joined_names(self._proven), joined_names(self._likely)
        """The proven and the likely names of the apps of the set (`is_of_apps`)."""
        counts = array("I", [0]) * (len(cases) + 1)
        for case in self._cases:
            counts[case + 1] += 1
        self._first_of = array("I", accumulate(counts))
        """The place of the first match of each case in `_in_order`."""
        self._in_order = array("I", [0]) * len(self._cases)
        """The numbers of the matches by case."""
        # Each match goes to the next free place of its case: sorting would make an object of each.
        free = self._first_of[:]
        for match, case in enumerate(self._cases):
            self._in_order[free[case]] = match
            free[case] += 1

    # --- while it is made ------------------------------------------------------------------------------------------

    def _find_case(
        self, conversation: ConversationFacts, path: Path
    ) -> tuple[Sequence[int], MatchedBy, str, str | None]:
        """The cases that a conversation in the file at this path fits, and how.

        Also the reason why it belongs to none, if there is not exactly one, and the id that it names if no case has it.
        """
        eval_id = self._by_hand.get((str(path), conversation.id)) if self._by_hand else None
        if eval_id is not None:
            numbers, name = self._by_id.beginning_with(digest_of(eval_id)), _quoted(eval_id)
            several = f"{len(numbers)} cases have the eval_id {name}, chosen by hand"
            none = f"matched by hand with case {name}, which is not in this eval set"
            return numbers, "by_hand", several if numbers else none, None
        if not _is_of_set(conversation, self._eval_set_id):
            return (), "eval_id", f"recorded for eval set {_quoted(conversation.eval_set_id or '')}", None
        unknown_id = None
        names: dict[MatchedBy, str | None] = {"attribute": conversation.case_id, "eval_id": conversation.eval_id}
        for way, eval_id in names.items():
            if eval_id is None:
                continue
            if numbers := self._by_id.beginning_with(digest_of(eval_id)):
                return numbers, way, f"{len(numbers)} cases have the eval_id {_quoted(eval_id)}", unknown_id
            unknown_id = unknown_id or eval_id
        if unknown_id and path.parent in self._shared_folders and self._has_ids:
            return (), "eval_id", OF_ANOTHER_DATASET, None
        return *self._by_first_message(conversation), unknown_id

    def _by_first_message(self, conversation: ConversationFacts) -> tuple[Sequence[int], MatchedBy, str]:
        text, turns = conversation.first_text, len(conversation.turn_ids)
        numbers = self._by_text.beginning_with(digest_of(text)) if text else ()
        if len(numbers) > 1:
            alike = self._by_text.beginning_with(digest_with_turns(text, turns))
            if len(alike) == 1:
                return alike, "user_text", ""
            have = f"{len(alike)} of them have" if alike else "none of them has"
            how_many = f"{have} {turns} turn{'s' * (turns != 1)}"
            return numbers, "user_text", f"{len(numbers)} cases begin with this user message, and {how_many}"
        if self._is_only_one and not numbers:
            return (0,), "only_one", ""
        why = "no case has the same first user message" if text else "there is no user message, so no case matches"
        return numbers, "user_text", why

    def _own_cases(self, conversation: ConversationFacts) -> dict[int, tuple[str, ...]]:
        """The cases whose turns come from this session, each with the ids of its turns, in the order of the session.

        A case may have only some turns of a session, or turns that a rewind removed. The session has all of them, in
        the order of the case. Each turn of google-adk has a unique id.
        """
        places = {turn_id: place for place, (_, turn_id) in enumerate(conversation.session_turns)}
        numbers = [number for turn_id in places for number in self._by_first_turn.beginning_with(digest_of(turn_id))]
        ids_of = {number: self.case_facts[number].invocation_ids for number in numbers}
        return {
            number: ids
            for number, ids in ids_of.items()
            if places.keys() >= set(ids) and all(places[turn] < places[following] for turn, following in pairwise(ids))
        }

    def _add(self, number: int, conversation: ConversationFacts, path: Path) -> None:
        numbers, matched_by, reason, unknown_id = self._find_case(conversation, path)
        fitting = numbers[0] if len(numbers) == 1 else None
        is_by_hand = fitting is not None and matched_by == "by_hand"
        own = self._own_cases(conversation) if conversation.session_turns and not is_by_hand else {}
        first_texts = {turn_id: text for text, turn_id in conversation.session_turns} if own else {}
        # An edited case may begin with another message than the session that it was taken from.
        own_with_first_text = {
            case: ids for case, ids in own.items() if first_texts[ids[0]] == self.case_facts[case].first_text
        }
        for case, ids in own_with_first_text.items():
            is_whole = ids == conversation.turn_ids
            way = matched_by if case == fitting and is_whole else "invocation_id"
            match = self._add_match(case, number, conversation, way)
            self._own[match] = ids
            if not is_whole:
                self._cut.add(match)
        if fitting in own_with_first_text or (own_with_first_text and fitting is None):
            return
        unknown = f"case {_quoted(unknown_id)} is not in this eval set" if unknown_id else ""
        name = f"{path}: {conversation.id}"
        if fitting is not None:
            match = self._add_match(fitting, number, conversation, matched_by)
            if fitting in own:
                self._own[match] = conversation.turn_ids
            if unknown:
                self.warnings.append(f"{name}: {unknown}; matched {MATCHED_BY[matched_by]}", _SENTENCE)
            return
        self._unmatched.append(number)
        self._why_unmatched.append(f"{unknown}; {reason}" if unknown else reason, _SENTENCE)
        # Many conversations can fit the same cases. The first of them says why.
        if numbers and (group := (numbers[0], len(numbers))) not in self._rival_groups:
            self._rival_groups.add(group)
            for case in numbers:
                self._rivals.setdefault(case, f"{name} fits this case and others: {reason}")

    def _add_match(self, case: int, number: int, conversation: ConversationFacts, way: MatchedBy) -> int:
        """Note that a conversation belongs to a case, and return the number of the match."""
        time, facts = conversation.recorded_at, self.case_facts[case]
        self._cases.append(case)
        self._conversations.append(number)
        try:
            self._times.append(-math.inf if time is None else time)  # without a time, it counts as the oldest
        except OverflowError:  # a file can have a whole number of any length
            self._times.append(math.inf if time and time > 0 else -math.inf)
        self._ways.append(_WAYS.index(way))
        # The app of a conversation that is surely of its case is one of the set. Sets of several apps have an id like
        # `case_1`, and a greeting like *hi*: only both together are proof.
        has_id = facts.eval_id in (conversation.case_id, conversation.eval_id) and bool(conversation.turn_ids)
        is_alike = has_id and conversation.first_text == facts.first_text
        is_proof = way in ("by_hand", "invocation_id") or is_alike
        (self._proven if is_proof else self._likely).add(conversation.agent_names)
        return len(self._cases) - 1

    # --- the conversations of cases --------------------------------------------------------------------------------

    def count(self, case: int) -> int:
        """The number of conversations of a case."""
        return self._first_of[case + 1] - self._first_of[case]

    def matches(self, case: int, *, only_latest: bool = False, form: MatchForm = "whole") -> list[UncutMatch]:
        """The conversations of a case, the newest last, or `only_latest` of them."""
        numbers = [*self._in_order[self._first_of[case] : self._first_of[case + 1]]]
        own_texts = {self._texts(match) for match in numbers if match in self._own} if len(numbers) > 1 else ()
        # Conversations that only begin like the case come before the session that its turns come from.
        numbers.sort(key=lambda match: (bool(own_texts) and self._texts(match) in own_texts, self._times[match]))
        matches = []
        for match in numbers[-1:] if only_latest else numbers:
            conversation: Conversation | bytes | int = self._conversations[match]
            recording, place = self._place(self._conversations[match])
            if form == "whole":
                conversation = recording.conversations[place]
            elif form == "pickle":
                conversation = recording.pickled(place)
            turn_ids = self._own[match] if match in self._cut else None
            matches.append(Match(conversation, _WAYS[self._ways[match]], recording.facts[place].recorded_at, turn_ids))
        return matches

    def _texts(self, match: int) -> bytes:
        """A digest of the user messages of the turns that count for a case."""
        recording, place = self._place(self._conversations[match])
        facts = recording.facts[place]
        if match not in self._cut:
            return facts.texts
        texts = {turn_id: text for text, turn_id in facts.session_turns}
        return digest_of("\n".join([texts[turn_id] for turn_id in self._own[match]]))

    def _place(self, number: int) -> tuple[Recording, int]:
        position = bisect_right(self._starts, number) - 1
        return self._recordings[position], number - self._starts[position]

    def reason(self, case: int) -> str | None:
        """Why a case has no conversation, as a clause; None for other cases."""
        return None if self.count(case) else self._rivals.get(case, NO_RECORDING)

    @property
    def reasons(self) -> tuple[str | None, ...]:
        """For each case without a conversation, the reason as a clause; None for other cases."""
        return tuple(map(self.reason, range(len(self.case_facts))))

    @cached_property
    def cases(self) -> tuple[tuple[CaseMatch, ...], ...]:
        """The conversations of each case, the newest last, with the turns that are compared. All are in memory then."""
        return tuple(
            tuple(cut_match(match, case.given_turns, case.turns) for match in self.matches(number))
            for number, case in enumerate(self.case_facts)
        )

    @cached_property
    def unmatched(self) -> Sequence[Unmatched]:
        """The conversations of no case, in the order of the recordings."""
        return LazySequence(len(self._unmatched), self._unmatched_at)

    def _unmatched_at(self, position: int) -> Unmatched:
        recording, place = self._place(self._unmatched[position])
        conversation = recording.conversations[place]
        is_of_other_app = is_of_apps(conversation.agent_names, *self.apps) is False
        return Unmatched(conversation, self._why_unmatched[position], is_of_other_app)


# --- the index of cases ----------------------------------------------------------------------------------------------


_NUMBER = 4
"""The bytes of a number."""


class NumbersByKey:
    """Numbers of cases by a key of bytes, as sorted arrays: 20 bytes a number, where a dict of lists takes 120."""

    def __init__(self, keys: Iterable[bytes | None]) -> None:
        """`keys` are of one length, by number. A number whose key is None is left out."""
        # Sorted bucket by bucket: as objects, all entries at once would take five times the memory of the arrays.
        buckets = [bytearray() for _ in range(256)]
        size = 1
        for number, key in enumerate(keys):
            if key is not None:
                entry = key + number.to_bytes(_NUMBER, "big")  # so that entries of one key are sorted by number
                buckets[key[0]] += entry
                size = len(entry)
        self._width = size - _NUMBER
        sorted_keys, numbers = bytearray(), array("I")
        for bucket in map(bytes, buckets):
            entries = sorted(bucket[start : start + size] for start in range(0, len(bucket), size))
            sorted_keys += b"".join([entry[:-_NUMBER] for entry in entries])
            numbers.frombytes(b"".join([entry[-_NUMBER:] for entry in entries]))
        if sys.byteorder == "little":
            numbers.byteswap()
        self._keys = bytes(sorted_keys)
        # A view, because a slice of it copies nothing: all cases of a set may begin with one message.
        self._numbers = memoryview(numbers)

    def beginning_with(self, prefix: bytes) -> Sequence[int]:
        """The numbers whose key begins with these bytes, ascending for each key."""
        places, keys, width = range(len(self._numbers)), self._keys, self._width
        # The second is longer than any rest of a key, so that it sorts behind all keys that begin with the prefix.
        start, end = (
            bisect_left(places, bound, key=lambda place: keys[place * width : (place + 1) * width])
            for bound in (prefix, prefix + b"\xff" * 17)
        )
        return self._numbers[start:end]


def digest_with_turns(text: str, turns: int) -> bytes:
    """The digest of a text, followed by a number of turns."""
    return digest_of(text) + min(turns, 0xFFFF).to_bytes(2, "big")
