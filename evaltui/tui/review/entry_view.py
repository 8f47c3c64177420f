"""The texts of the present entry: its rows, the titles of both columns, and the sentences below."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from rich.cells import cell_len

from evaltui.evalset.case_file import expected_rows
from evaltui.evalset.turn import Turn, TurnPart
from evaltui.printable import one_line, printable
from evaltui.report.why_text import why_item_fails
from evaltui.review.compared_rows import ComparedRow, rows_of_conversation, rows_of_item, state_of_texts, value_of_call
from evaltui.review.decisions import Decision, contradict
from evaltui.review.review_items import ReviewItem
from evaltui.review.sidecar import author_in
from evaltui.scoring.metrics.tool_trajectory import CallsExplained
from evaltui.scoring.results import plain
from evaltui.tui.commands import key_of
from evaltui.tui.comparison.row_drawing import TWO_COLUMNS, Row, TextRow, column_width
from evaltui.tui.editor.clipboard import json_of
from evaltui.tui.lines import cut_in_the_middle
from evaltui.tui.panes.score_lines import recording_name
from evaltui.tui.review.review_queue import QueueEntry, ReviewQueue
from evaltui.tui.review.review_summary import summary_rows

if TYPE_CHECKING:
    from evaltui.recordings.conversation import Conversation
    from evaltui.tui.open_file.open_file import OpenFile

_GONE = "This turn or its recording no longer exists."
_STACKED = " Expected ({}) and actual ({}) "
Mode = Literal["turn", "conversation", "json"]
"""The views of an entry: its differences, the whole conversation, both sides as JSON."""


class EntryView:
    """Gives the texts of the present entry, or of the summary after the last one."""

    def __init__(self, queue: ReviewQueue, session: OpenFile) -> None:
        self._queue, self._session = queue, session

    @property
    def item(self) -> ReviewItem | None:
        """The item of the entry; None for a recording without a case, and at the summary."""
        entry = self._queue.entry
        return self._queue.item(entry) if entry is not None and not self._queue.is_over else None

    def rows(self, mode: Mode) -> Sequence[Row]:
        """The rows of a view, those of folded parts too."""
        entry, item = self._queue.entry, self.item
        if entry is None or self._queue.is_over:
            return summary_rows(self._session)
        if entry.unmatched is not None:
            return [*rows_of_conversation((), entry.unmatched.conversation.turns)]
        if item is None:
            return [TextRow("gone", _GONE)]
        if mode == "json":
            return _json_rows(_source_of(entry, item), item)
        if mode == "conversation":
            return [*rows_of_conversation(item.case.turns, item.run.conversation.turns, item.turn)]
        return [*_remarks(item), *rows_of_item(item)]

    def words(self, *, whole: bool = False) -> list[str]:
        """Sentences: decisions and notes of reviewers, why the turn fails, and how it would pass."""
        entry, item = self._queue.entry, self.item
        if entry is not None and entry.unmatched is not None and not self._queue.is_over:
            return [printable(entry.unmatched.reason)]
        if item is None:
            return []
        decisions = self._queue.decisions
        about = decisions.about(item)
        path = self._session.document.path
        me = author_in(path.parent) if about and path is not None else ""
        notes = [_noted(decision, me, differs=bool(item.changes)) for decision in about]
        if contradict(decisions.verdicts(item).values()):
            notes.insert(0, "Reviewers disagree about this turn:")
        first, *others = why_item_fails(item, lists_words=whole)
        return [*notes, first, *_trial_sentence(item), *others]

    def sources(self, width: int) -> str:
        """The titles of both columns, with their files, in a line of `width` cells."""
        entry, item = self._queue.entry, self.item
        if entry is None or self._queue.is_over:
            return " Summary "
        conversation = item.run.conversation if item is not None else None
        if entry.unmatched is not None:
            conversation = entry.unmatched.conversation
        own = self._session.file_name
        if width >= TWO_COLUMNS:
            right = f" Actual · {printable(conversation.path.name)} " if conversation is not None else " Actual "
            return f"{f' Expected · {own} '.ljust(column_width(width) + 1, '─')}┬{right}"
        return _stacked_sources("" if entry.unmatched is not None else own, conversation, width)


def _noted(decision: Decision, me: str, *, differs: bool) -> str:
    """`Ines: agent is wrong “ask the airline”`. `me` is the author of decisions that are made here."""
    # Who accepted where something still differs, accepted it in part.
    verdict = "accepted in part" if differs and decision.verdict == "accepted" else decision.verdict
    note = f"“{printable(decision.note)}”" if decision.note else ""
    who = "you" if decision.author == me else printable(decision.author.partition(" <")[0])
    return " ".join(filter(None, [f"{who}:", verdict, note]))


def _trial_sentence(item: ReviewItem) -> Iterator[str]:
    """How the calls would pass with another option, and the key that tries it; no key tries two at once."""
    if item.compared is None or item.status == "passed":
        return
    for explanation in item.compared.explanations.values():
        if isinstance(explanation, CallsExplained) and explanation.options and " and " not in explanation.options:
            key = key_of(f"review.{explanation.options.partition(' ')[0]}")
            yield f"The tool calls would pass with {explanation.options} (press {key} to try)."


def _stacked_sources(own: str, conversation: Conversation | None, width: int) -> str:
    """The title where the actual side stands below the expected one; without `own`, there is no expected side."""
    if not own:
        return (
            f" Actual · {recording_name(conversation, max(8, width - 12))} " if conversation is not None else " Actual "
        )
    if conversation is None:
        return f" Expected · {own} "
    room = width - len(_STACKED.format("", "")) - 2
    second = recording_name(conversation, max(8, room - min(cell_len(own), room // 2)))
    return _STACKED.format(cut_in_the_middle(own, max(8, room - cell_len(second))), second)


def _remarks(item: ReviewItem) -> Iterator[TextRow]:
    """Why the case as a whole fails; or the previous turn, because a response such as *Yes* means little without it."""
    turns = item.case.turns
    if item.compared is None:
        if reason := item.result.reason or item.run.reason:
            yield TextRow("reason", printable(reason), role="prose")
    elif item.turn is not None and 1 < item.turn <= len(turns):
        previous = turns[item.turn - 2]
        texts = f"{one_line(previous.user_text, 26)} → {one_line(previous.response, 32)}"
        yield TextRow("before", f"previous turn  {texts}", role="dim")


def _json_rows(expected: str, item: ReviewItem) -> list[ComparedRow]:
    """Both sides of a turn as JSON, whole; `expected` is the text in the set."""
    turns = [item.compared.scores.actual] if item.compared is not None else item.run.conversation.turns
    actual = "\n".join(json.dumps(plain(_as_invocation(turn)), ensure_ascii=False, indent=2) for turn in turns)
    state = state_of_texts(expected, actual)
    return [
        ComparedRow("json heading", "heading", expected="JSON"),
        ComparedRow("json", "json", state, expected, actual),
    ]


def _as_invocation(turn: Turn) -> dict[str, Any]:
    """A recorded turn in the shape of google-adk's `Invocation`, to be compared with the expected one."""
    answered = [call for call in turn.calls if call.response is not None]
    contents = {
        role: {"parts": [{"text": text}] if text else [], "role": role}
        for role, text in (("user", turn.user_text), ("model", turn.response))
    }
    calls = {
        "tool_uses": [value_of_call(call) for call in turn.calls],
        "tool_responses": [{"id": call.id, "name": call.name, "response": call.response} for call in answered],
    }
    members: dict[str, tuple[TurnPart, Any]] = {
        "user_content": ("user_text", contents["user"]),
        "final_response": ("response", contents["model"]),
        "intermediate_data": ("calls", calls),
    }
    recorded = {name: value for name, (part, value) in members.items() if part not in turn.unrecorded}
    return {"invocation_id": turn.invocation_id, **recorded}


def _source_of(entry: QueueEntry, item: ReviewItem) -> str:
    """The text of a turn in the set, or of its whole case."""
    turns = expected_rows(entry.case) if entry.case is not None else []
    at = item.compared.turn if item.compared is not None else None
    node = turns[at] if at is not None and at < len(turns) else entry.case
    return json_of(node) if node is not None else ""
