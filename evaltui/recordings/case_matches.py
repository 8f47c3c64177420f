"""Matching of recorded conversations to cases: by the id that a recording names, else by the first user message."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from evaltui.recordings.agent_names import AgentNames, AppsOfSet
from evaltui.recordings.case_finder import (
    OF_ANOTHER_DATASET,
    CaseFinder,
    CaseToMatch,
    FoundCase,
    ListedCases,
    counted_turns,
    folded,
    in_order,
    is_of_set,
)
from evaltui.recordings.conversation import Conversation, ConversationKey, MatchedBy


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
    own = (each for each in unmatched if each.reason != OF_ANOTHER_DATASET and not each.is_of_other_app)
    return tuple(each for each in own if each.conversation.eval_set_id in (None, eval_set_id))


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


def match(
    cases: Sequence[CaseToMatch],
    conversations: Sequence[Conversation],
    eval_set_id: str | None,
    tick: Callable[[int], object] = lambda _: None,
    by_hand: Mapping[ConversationKey, str] | None = None,
    shared_folders: Container[Path] = (),
) -> Matching:
    """Find the case of each conversation, as `CaseFinder` does.

    `by_hand` has the eval_ids of conversations that a person matched; they come before all other ways. `tick` is called
    with 0 before each conversation, because no bytes are read here. `shared_folders` is that of `CaseFinder`.
    """
    listed = ListedCases(cases)
    is_only_one = len(cases) == 1 and sum(is_of_set(each, eval_set_id) for each in conversations) == 1
    finder = CaseFinder(listed, eval_set_id, by_hand, is_only_one=is_only_one, shared_folders=shared_folders)
    found: list[list[FoundCase]] = [[] for _ in cases]
    rivals: dict[int, str] = {}
    unmatched: list[Unmatched] = []
    warnings: list[str] = []
    told: set[int] = set()  # lists of rivals, by identity: many conversations can share one list
    for conversation in conversations:
        tick(0)
        finding = finder.find(conversation)
        for each in finding.cases:
            found[each.case].append(each)
        if finding.warning:
            warnings.append(finding.warning)
        if finding.reason:
            unmatched.append(Unmatched(conversation, finding.reason))
        if finding.rivals and id(finding.rivals) not in told:
            told.add(id(finding.rivals))
            for index in finding.rivals:
                rivals.setdefault(index, finding.why_rival)
    matches = [[CaseMatch(each.conversation, each.matched_by) for each in its_own] for its_own in found]
    apps = _apps_of(cases, matches)
    return Matching(
        tuple(
            tuple(
                CaseMatch(counted_turns(each.conversation, cases[index]), each.matched_by) for each in in_order(its_own)
            )
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
