"""The user messages and ids by which cases and conversations are compared, and the cases that a set has already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from evaltui.document.disk.file_content import blake2b
from evaltui.document.node import Node
from evaltui.evalset.case_data import get, items_in, objects, text
from evaltui.evalset.content_parts import read_content
from evaltui.evalset.dataset_turns import is_dataset_case
from evaltui.evalset.expected_set import ExpectedCase, data_of, read_case

if TYPE_CHECKING:
    from evaltui.recordings.conversation import Conversation, RecordedTurn

_LONGEST_TEXT = 120
"""Characters of a user message from which on its hash stands for it."""


class MatchFacts(NamedTuple):
    """The facts of a case that find its recordings."""

    eval_id: str
    first_text: str
    """The `text_key` of the first user message; "" if there is none."""
    turns: int
    """The number of its turns, given turns included."""
    invocation_ids: tuple[str, ...] = ()
    """The ids of its turns, by which it is found in the session that it was taken from; none in a dataset."""
    given_turns: int = 0
    """The number of its first turns that are given and not compared, in a dataset."""
    app_name: str | None = None


def text_key(text: str) -> str:
    """A user message in the form that is compared: lower case, with single blanks; the hash of a long one."""
    folded = " ".join(text.split()).casefold()
    if len(folded) <= _LONGEST_TEXT:
        return folded
    # No message begins with this character: a blank is folded away, and JSON has it only as an escape.
    return "\0" + digest_of(folded, 20).hex()


def match_facts(case: ExpectedCase) -> MatchFacts:
    """The facts of a case."""
    invocation_ids = tuple(turn.invocation_id for turn in case.turns) if not case.is_of_dataset else ()
    turns = len(case.given_turns) + len(case.turns)
    return MatchFacts(
        case.eval_id, text_key(case.first_user_text), turns, invocation_ids, len(case.given_turns), case.app_name
    )


def match_facts_in_text(source: bytes) -> MatchFacts | None:
    """The facts of a case in its JSON text; None for a case without an id, or of a dataset."""
    data = data_of(source)
    eval_id = text(data, "eval_id")
    if eval_id is None or is_dataset_case(data):
        return None
    # Calls are not read, which halves the time.
    turns = [*objects(data, "conversation")]
    first_text = read_content(get(turns[0], "user_content"))[0] if turns else ""
    ids = tuple(text(turn, "invocation_id") or "" for turn in turns)
    app_name = text(get(data, "session_input"), "app_name")
    return MatchFacts(eval_id, text_key(first_text), len(turns), ids, app_name=app_name)


def digest_of(text: str, size: int = 16) -> bytes:
    """The digest of a text, of `size` bytes. A text may have halves of surrogate pairs, as JSON can."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).digest()


class KnownCases:
    """The cases of a set by the texts of their users, compared as recordings are matched to cases."""

    def __init__(self, cases: Iterable[Node] = ()) -> None:
        self._ids: dict[tuple[str, ...], str] = {}
        self.apps: set[str] = set()
        """The apps that the cases name in their `session_input`."""
        for source in (case.source() for case in cases):
            data = data_of(source)
            if is_dataset_case(data):
                case = read_case(source, 0)
                self.add(case.eval_id, [turn.user_text for turn in (*case.given_turns, *case.turns)])
                continue
            # Calls and responses are not read, which halves the time.
            contents = (get(turn, "user_content") for turn in items_in(data, "conversation"))
            self.add(text(data, "eval_id") or "", [read_content(content)[0] for content in contents])
            self.apps |= {app} if (app := text(get(data, "session_input"), "app_name")) is not None else set()

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
