"""Recognises conversations that a set already has: they have the user messages of one of its cases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evaltui.document.node import Node
from evaltui.document.scanner import read_json
from evaltui.evalset.case_data import get, items_in, text
from evaltui.evalset.content_parts import read_content
from evaltui.evalset.dataset_turns import is_dataset_case
from evaltui.evalset.expected_set import read_case
from evaltui.recordings.case_index import text_key
from evaltui.recordings.conversation import Conversation, RecordedTurn


class KnownCases:
    """The cases of a set by the texts of their users, compared as recordings are matched to cases."""

    def __init__(self, cases: Iterable[Node] = ()) -> None:
        self._ids: dict[tuple[str, ...], str] = {}
        self.apps: set[str] = set()
        """The apps that the cases name in their `session_input`."""
        for case in cases:
            eval_id, user_texts, app = _facts_of(case.source())
            self.add(eval_id, user_texts)
            if app is not None:
                self.apps.add(app)

    def add(self, eval_id: str, user_texts: Iterable[str]) -> None:
        """Note one more case; of several with the same texts the first counts."""
        if any(texts := tuple(map(text_key, user_texts))):
            self._ids.setdefault(texts, eval_id)

    def known_as(self, conversation: Conversation) -> str | None:
        """The eval_id of the case with the user messages of the turns that count; None if there is none."""
        eval_id = self.with_texts([turn.user_text for turn in conversation.turns])
        if eval_id is not None:
            return eval_id
        # A case without the turns in which the agent failed is one, too.
        return self.known_without_failed([turn for turn in conversation.recorded_turns if not turn.is_rewound])

    def known_without_failed(self, turns: Sequence[RecordedTurn]) -> str | None:
        """The eval_id of the case with the user messages of all turns that did not fail; None if there is none."""
        if not any(turn.has_failed for turn in turns):
            return None
        texts = [read_content(get(turn.invocation, "user_content"))[0] for turn in turns if not turn.has_failed]
        return self.with_texts([text for text in texts if text])

    def with_texts(self, user_texts: Sequence[str]) -> str | None:
        """The eval_id of the case with these user messages, turn by turn; None if there is none."""
        return self._ids.get(tuple(map(text_key, user_texts)))


def _facts_of(source: bytes) -> tuple[str, list[str], str | None]:
    """The id of a case, its user messages and its app; "" and none if it cannot be read."""
    try:
        data = read_json(source)
    except ValueError:
        return "", [], None
    if is_dataset_case(data):
        case = read_case(source, 0)
        return case.eval_id, [turn.user_text for turn in (*case.given_turns, *case.turns)], None
    # Calls and responses are not read, which halves the time.
    turns = items_in(data, "conversation")
    user_texts = [read_content(get(turn, "user_content"))[0] for turn in turns]
    return text(data, "eval_id") or "", user_texts, text(get(data, "session_input"), "app_name")
