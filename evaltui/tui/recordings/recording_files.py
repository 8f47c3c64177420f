"""Files of recordings and their conversations, each with its case or the reason why it has none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.printable import printable
from evaltui.tui.open_file.run_facts import RunFacts
from evaltui.tui.open_file.set_scores import Scores

if TYPE_CHECKING:
    from evaltui.recordings.conversation import Conversation, ConversationKey
    from evaltui.runs.recording_sources import RecordingSource
    from evaltui.runs.run_options import RunChoices

MATCHED_BY = {
    "attribute": "by its attribute",
    "eval_id": "by its eval_id",
    "user_text": "by its first user message",
    "only_one": "because it is the only conversation",
    "invocation_id": "by its invocation ids",
    "by_hand": "by hand",
}
"""How a conversation was matched with its case, in words."""


class Belonging(NamedTuple):
    """How a conversation belongs to a case."""

    number: int
    """The place of the case in the set when it was scored, from 0."""
    matched_by: str
    run_number: int
    """The place of the conversation among the runs of its case, from 1, the newest last."""
    runs: int


class RecordingFile(NamedTuple):
    """The facts of a file that the list of recordings shows."""

    source: RecordingSource
    is_dropped: bool
    conversations: Sequence[Conversation]
    matched: int
    """The number of its conversations that belong to a case."""
    recorded_at: float | None
    """The time of its latest conversation, else of the file, in seconds since 1970."""

    @property
    def name(self) -> str:
        """The name of the file, safe to show; for google-adk's results without their common ending."""
        return printable(self.source.path.name.removesuffix(".evalset_result.json")) or "/"


@dataclass(eq=False, repr=False)
class RecordingFiles:
    """All files of the last run. Lookups over all conversations are made once and cached."""

    facts: RunFacts
    choices: RunChoices
    cases: Mapping[int, Node]
    """The cases by their place in the set when they were scored."""
    eval_ids: Mapping[int, str]
    """The ids of the cases, by the same places."""

    @cached_property
    def files(self) -> list[RecordingFile]:
        """The files in the order in which they were read."""
        used = {str(each.path): each.conversations for each in self.facts.used}
        found = []
        for source in self.facts.files:
            is_dropped = self.choices.drops(source.path)
            read = source.recording.conversations if source.recording is not None else ()
            conversations = used.get(str(source.path), read)
            matched = 0 if is_dropped else sum(each.key in self._belonging for each in conversations)
            times = (each.recorded_at for each in conversations if each.recorded_at is not None)
            recorded_at = max(times, default=source.modified_at)
            found.append(RecordingFile(source, is_dropped, conversations, matched, recorded_at))
        return found

    @cached_property
    def _texts(self) -> dict[ConversationKey, str]:
        """Cache of the texts that a filter searches."""
        return {}

    @cached_property
    def _belonging(self) -> dict[ConversationKey, Belonging]:
        matching = self.facts.matching
        if matching is None:
            return {}
        return {
            match.conversation.key: Belonging(number, match.matched_by, at + 1, len(matches))
            for number, matches in enumerate(matching.cases)
            for at, match in enumerate(matches)
        }

    @cached_property
    def _reasons(self) -> dict[ConversationKey, str]:
        return {each.conversation.key: each.reason for each in self.facts.unmatched}

    def belonging(self, conversation: Conversation) -> Belonging | None:
        """How a conversation belongs to a case; None if it belongs to none."""
        return self._belonging.get(conversation.key)

    def reason(self, conversation: Conversation) -> str:
        """Why a conversation belongs to no case; "" if it has a case or was not matched yet."""
        return self._reasons.get(conversation.key, "")

    def case_of(self, conversation: Conversation) -> Node | None:
        """The node of the case of a conversation; None if it has none."""
        found = self.belonging(conversation)
        return self.cases.get(found.number) if found is not None else None

    def found(self, conversations: Sequence[Conversation], query: str, *, unmatched: bool) -> Sequence[Conversation]:
        """The conversations whose id, first user message, case or reason has all words of a query."""
        if not query.strip() and not unmatched:
            return conversations
        words = query.casefold().split()
        return [
            each for each in conversations if not (unmatched and each.key in self._belonging) and self._has(each, words)
        ]

    def _has(self, conversation: Conversation, words: Sequence[str]) -> bool:
        text = self._texts.get(conversation.key)
        if text is None:
            found = self.belonging(conversation)
            about = self.eval_ids.get(found.number, "") if found is not None else self.reason(conversation)
            text = f"{conversation.id} {first_words(conversation)} {about}".casefold()
            self._texts[conversation.key] = text
        return all(word in text for word in words)


def recording_files(scores: Scores, case_file: CaseFile | None, choices: RunChoices) -> RecordingFiles:
    """The files of the last run, under the current choices, which may be newer than the run."""
    cases = case_file.cases if case_file is not None else ()
    scored = [(case, found.result) for case in cases if (found := scores.of(case)) is not None]
    nodes = {result.number: case for case, result in scored}
    eval_ids = {result.number: result.eval_id for _, result in scored}
    return RecordingFiles(scores.facts or RunFacts(), choices, nodes, eval_ids)


def first_words(conversation: Conversation) -> str:
    """The start of the first user message."""
    return conversation.turns[0].user_text[:200] if conversation.turns else ""
