"""The entry on screen (rows, titles, reasons), moves to other entries, and the summary at the end of the review."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

from evaltui.evalset.case_file import expected_rows
from evaltui.evalset.file_formats import ENDING_OF_SIDECARS
from evaltui.evalset.turn import Turn, TurnPart
from evaltui.printable import one_line, printable
from evaltui.report.why_text import why_item_fails
from evaltui.review.compared_rows import ComparedRow, rows_of_conversation, rows_of_item, state_of_texts, value_of_call
from evaltui.review.decisions import contradict
from evaltui.review.review_items import ReviewItem
from evaltui.scoring.metrics.tool_trajectory import CallsExplained
from evaltui.tui.commands import key_of
from evaltui.tui.comparison.conversation_rows import indented_json
from evaltui.tui.comparison.row_drawing import TWO_COLUMNS, Row, RowDrawing, TextRow, TextSides, column_width
from evaltui.tui.comparison.row_list import RowList
from evaltui.tui.editor.clipboard import json_of
from evaltui.tui.lines import ERROR, NO_MARK, NOT_EVALUATED, PASSED, Run, counted, cut_in_the_middle
from evaltui.tui.open_file.score_sentences import why_none
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.score_lines import recording_name
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.review.review_bars import head_line, key_title
from evaltui.tui.review.review_queue import QueueEntry, ReviewQueue
from evaltui.tui.screens.text_pages import TextScreen
from evaltui.tui.widgets.line_view import LOW, LineBar

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile
    from evaltui.tui.review.review_screen import ReviewScreen

_NAME_MIN = 8
_LEAST_REASONS, _MOST_REASONS = 3, 10
"""The least number of lines of reasons, whatever the rows above need, and the most."""
_MOST = 12
"""The most turns that the summary names for each kind of decision."""
Mode = Literal["turn", "conversation", "json"]
"""The views of an entry: its differences, the whole conversation, both sides as JSON."""
_MODES: dict[Mode, str] = {"conversation": "The whole conversation.", "json": "Both sides as JSON."}


class EntryView:
    """Shows the present entry of the queue, or the summary, in the widgets of the review. The screen composes them."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._file, self._queue = screen.file, screen.queue
        self.head = LineBar("review-head", partial(head_line, screen.queue))
        self.rows = RowList(RowDrawing(TextSides(screen.file.app, self.show_again)))
        self.why = Static(id="review-why", markup=False)
        self._why_height = -1
        self._why_of: QueueEntry | None = None
        self.status = StatusBar()
        self.keys = KeysBar(lambda command: key_title(screen, command), "review")
        self.keys.first = ("review.write_config", "review.drop_trial")  # they end a trial of criteria
        self.mode: Mode = "turn"

    # --- showing -----------------------------------------------------------------------------------------------

    def show_entry(self, *, key: str | None = None) -> None:
        """Show the present entry, with the cursor on the row with this key, else on the first difference."""
        self.rows.show(self._rows(), key)
        self.show_around()

    def show_again(self) -> None:
        """Show the entry as it is now, with the cursor where it is."""
        row = self.rows.row
        self.show_entry(key=row.key if row is not None else None)

    def show_around(self) -> None:
        """Show head, column titles, reasons and keys."""
        self.head.refresh()
        self.rows.border_title = Content(self._titles(self.rows.size.width))
        self.show_reasons(self._reasons(), self.rows.line_count())
        self.keys.update()

    def show_reasons(self, sentences: Sequence[str], row_lines: int) -> None:
        """Show as many sentences as fit below rows of `row_lines` lines; the last line names the key that shows all."""
        size, is_same, self._why_of = self.rows.screen.size, self._queue.entry is self._why_of, self._queue.entry
        width, free = max(20, size.width - 2), size.height - 6 - row_lines  # beside head, borders, status and keys
        lines = [line.plain for sentence in sentences for line in Content(sentence).wrap(width)]
        room = max(_LEAST_REASONS, min(_MOST_REASONS, free))
        if size.height < LOW:  # the rows need the room, and a key shows the reasons in a page
            lines = []
        elif len(lines) > room:
            more = f" … (press {key_of('review.explain')} to show all)"
            lines[room - 1 :] = [f"{lines[room - 1][: width - len(more)]}{more}"]
        self.why.update(Content("\n".join(lines)), layout=False)
        # Another height has the whole screen laid out again: lines to spare stay, as long as the entry does.
        stays = 0 < len(lines) <= self._why_height <= max(free, len(lines)) and is_same
        if len(lines) != self._why_height and not stays:
            self._why_height = len(lines)
            self.why.styles.height = len(lines) + 1  # the border
            self.why.display = bool(lines)

    def explain(self) -> None:
        """Show in full why the turn fails, and what people noted."""
        entry, reasons = self._queue.entry, self._reasons(lists_words=True)
        if entry is not None and reasons:
            self._file.app.push_screen(TextScreen(f"Why: {self._queue.name(entry)}", "\n\n".join(reasons)))

    # --- more of the entry ---------------------------------------------------------------------------------------

    def fold(self) -> None:
        """Show all of the selected row, or fold it. On a line of the summary, go to its first turn."""
        row = self.rows.row
        if isinstance(row, TextRow) and row.goal is not None:
            self._queue.select(row.goal)
            self.go()
        elif self.rows.can_fold:
            self.rows.toggle()
            self.show_around()
        else:
            self.status.say("This line has nothing more to show.")

    def show_mode(self, mode: Mode) -> None:
        """Show another view of the turn, or the turn again."""
        entry = self._queue.shown_entry
        if entry is None or entry.case is None:
            return
        self.mode = "turn" if self.mode == mode else mode
        self.show_entry()
        back = f"Press {key_of(f'review.{mode}')} to go back to the turn."
        self.status.say(f"{_MODES[mode]} {back}" if self.mode == mode else "")

    def leave_mode(self) -> bool:
        """Go back to the turn from another view of it; False where the turn is shown."""
        if self.mode == "turn":
            return False
        self.show_mode(self.mode)
        return True

    # --- going about ---------------------------------------------------------------------------------------------

    @property
    def rows_to_move(self) -> RowList[Row]:
        """The rows, for a key that moves in them: the message about the last key goes."""
        self.status.say("")
        return self.rows

    def step_difference(self, step: int) -> None:
        """Go to the next difference, if need be in the next turn."""
        if not self.rows_to_move.next_difference(step):
            self.step_item(step)

    def step_item(self, step: int) -> None:
        """Go to the next entry of the queue; the summary follows the last one."""
        queue = self._queue
        if queue.is_over and step < 0:
            queue.is_over = False
            # The summary stands behind the turns, whatever recording without a case was current.
            turns = queue.of_kind(is_unmatched=False)
            if turns and queue.entry not in turns:
                queue.select(turns[-1])
        elif queue.is_over or not queue.step(step):
            if step < 0:
                self.status.say("This is the first turn of the queue.")
                return
            queue.is_over = True
        counts = queue.counts()
        undecided = counts[None] + counts["skipped"]
        end = f"Last turn; {undecided:,} still open." if undecided else "There are no more turns."
        keys = f"Press {key_of('review.previous_item')} to go back, or {key_of('review.editor')} for the editor."
        self.go(f"{end} {keys}" if queue.is_over else "")

    def go(self, message: str = "", aside: str = "", *, key: str | None = None) -> None:
        """Show the present entry at the row with `key`, else at the first difference, and a message with `aside`."""
        # Rows of different cases can have the same keys: what was unfolded in one must not be in the next.
        self.rows.drawing.toggled.clear()
        self.mode = "turn"
        self.show_entry(key=key)
        self.status.say(message, aside)

    def go_on(self, message: str, aside: str = "") -> None:
        """Go to the next undecided entry; the summary follows the last one."""
        self._queue.is_over = not self._queue.go_to_open()
        self.go(message, aside)

    # --- texts -------------------------------------------------------------------------------------------------

    def _rows(self) -> Sequence[Row]:
        entry, item = self._queue.shown_entry, self._queue.shown_item
        if entry is None:
            return _summary_rows(self._file, self._queue)
        if entry.unmatched is not None:
            return [*rows_of_conversation((), entry.unmatched.conversation.turns)]
        if item is None:
            return [TextRow("This turn or its recording no longer exists.")]
        if self.mode == "json":
            return _json_rows(entry, item)
        if self.mode == "conversation":
            return [*rows_of_conversation(item.case.turns, item.run.conversation.turns, item.turn)]
        return [*_remarks(item), *rows_of_item(item)]

    def _reasons(self, *, lists_words: bool = False) -> list[str]:
        """Sentences: decisions and notes of reviewers, why the turn fails, and how it would pass."""
        entry, item = self._queue.shown_entry, self._queue.shown_item
        if entry is not None and entry.unmatched is not None:
            return [printable(entry.unmatched.reason)]
        if item is None:
            return []
        standing = self._file.decisions.standing
        about = standing.about(item)
        # Asking git starts processes, so only where somebody has decided.
        me = self._file.decisions.author if about else ""
        notes = ["Reviewers disagree about this turn:"] if contradict(standing.verdicts(item).values()) else []
        for decision in about:
            # Who accepted where something still differs, accepted it in part.
            verdict = "accepted in part" if item.changes and decision.verdict == "accepted" else decision.verdict
            note = f"“{printable(decision.note)}”" if decision.note else ""
            who = "you" if decision.author == me else printable(decision.author.partition(" <")[0])
            notes.append(" ".join(filter(None, [f"{who}:", verdict, note])))
        first, *rest = why_item_fails(item, lists_words=lists_words)
        compared = item.compared if item.status != "passed" else None
        explained = compared.explanations.values() if compared is not None else ()
        options = [calls.options for calls in explained if isinstance(calls, CallsExplained)]
        tries = [
            f"The tool calls would pass with {option} (press {key_of('review.' + option.partition(' ')[0])} to try)."
            for option in options
            if option and " and " not in option  # no key tries two options at once
        ]
        return [*notes, first, *tries, *rest]

    def _titles(self, width: int) -> str:
        entry, item = self._queue.shown_entry, self._queue.shown_item
        if entry is None:
            return " Summary "
        expected = f" Expected · {self._file.file_name} "
        source = entry.unmatched or (item.run if item is not None else None)
        conversation = source.conversation if source is not None else None
        if width >= TWO_COLUMNS:
            actual = f" Actual · {printable(conversation.path.name)} " if conversation is not None else " Actual "
            return f"{expected.ljust(column_width(width) + 1, '─')}┬{actual}"
        if conversation is None:
            return expected
        if entry.unmatched is not None:
            return f" Actual · {recording_name(conversation, max(_NAME_MIN, width - 12))} "
        stacked, own = " Expected ({}) and actual ({}) ", self._file.file_name
        room = width - len(stacked.format("", "")) - 2
        recording = recording_name(conversation, max(_NAME_MIN, room - min(cell_len(own), room // 2)))
        return stacked.format(cut_in_the_middle(own, max(_NAME_MIN, room - cell_len(recording))), recording)


def _remarks(item: ReviewItem) -> Iterator[TextRow]:
    """Why the case as a whole fails; or the previous turn, because a response such as *Yes* means little without it."""
    turns = item.case.turns
    if item.compared is None:
        if reason := item.result.reason or item.run.reason:
            yield TextRow(printable(reason), role="prose")
    elif item.turn is not None and 1 < item.turn <= len(turns):
        previous = turns[item.turn - 2]
        texts = f"{one_line(previous.user_text, 26)} → {one_line(previous.response, 32)}"
        yield TextRow(f"previous turn  {texts}", role="dim")


def _json_rows(entry: QueueEntry, item: ReviewItem) -> list[ComparedRow]:
    nodes = expected_rows(entry.case) if entry.case is not None else []
    number = item.compared.turn if item.compared is not None else None
    node = nodes[number] if number is not None and number < len(nodes) else entry.case
    expected = json_of(node) if node is not None else ""
    turns = [item.compared.scores.actual] if item.compared is not None else item.run.conversation.turns
    actual = "\n".join(indented_json(_as_invocation(turn)) for turn in turns)
    state = state_of_texts(expected, actual)
    return [
        ComparedRow("json heading", "heading", expected="JSON"),
        ComparedRow("json", "json", state, expected, actual),
    ]


def _as_invocation(turn: Turn) -> dict[str, Any]:
    """A recorded turn in the shape of google-adk's `Invocation`, to be compared with the expected one."""
    user, response = ([{"text": text}] if text else [] for text in (turn.user_text, turn.response))
    answered = [call for call in turn.calls if call.response is not None]
    calls = {
        "tool_uses": [value_of_call(call) for call in turn.calls],
        "tool_responses": [{"id": call.id, "name": call.name, "response": call.response} for call in answered],
    }
    members: list[tuple[TurnPart, str, Any]] = [
        ("user_text", "user_content", {"parts": user, "role": "user"}),
        ("response", "final_response", {"parts": response, "role": "model"}),
        ("calls", "intermediate_data", calls),
    ]
    recorded = {name: value for part, name, value in members if part not in turn.unrecorded}
    return {"invocation_id": turn.invocation_id, **recorded}


# --- the summary at the end of a review -------------------------------------------------------------------------------


def _summary_rows(file: OpenFile, queue: ReviewQueue) -> list[TextRow]:
    """A row for each kind of decision and for the next keys; if the queue is empty, why."""
    counts, editor, quit_key = queue.counts(), key_of("review.editor"), key_of("quit")
    if not queue.entries:
        reason = "Nothing to review: no turn fails."
        if queue.query:
            reason = f"No turn to review matches the filter. Press {key_of('review.leave')} to clear the filter."
        elif queue.start.ids and file.scores.has_any:
            reason = f"Nothing to review in these cases: {one_line(', '.join(queue.start.ids), 60)}"
        elif not file.scores.has_any:
            reason = why_none(file.scores, in_editor=False)
        return [TextRow(reason), TextRow(f"Press {editor} to open the editor, or {quit_key} to quit.")]
    skipped = f", {counts['skipped']:,} skipped" if counts["skipped"] else ""
    turns = [entry for entry in queue.of_kind(is_unmatched=False) if not entry.is_settled]
    accepted, wrong = ([entry for entry in turns if entry.decision == kind] for kind in ("accepted", "agent is wrong"))
    undecided = [entry for entry in turns if entry.decision in (None, "skipped")]
    rows = [
        _named_turns(queue, PASSED, f"{len(accepted):,} accepted", accepted),
        _named_turns(queue, ERROR, f"{len(wrong):,} where the agent is wrong", wrong),
        _named_turns(queue, NOT_EVALUATED, f"{counts[None]:,} left{skipped}", undecided),
    ]
    if settled := [entry for entry in queue.entries if entry.is_settled]:
        text = f"{counted(len(settled), 'turn')} without a decision"
        rows.append(_named_turns(queue, PASSED, text, settled, " now passes"))
    if notes := queue.notes():
        rows.append(_named_turns(queue, NO_MARK, counted(sum(notes.values()), "note"), [*notes]))
    unmatched = queue.counts(of_unmatched=True)
    if count := unmatched.total():
        passed_over = f", {unmatched['skipped']:,} skipped" if unmatched["skipped"] else ""
        text = f"{counted(count, 'recorded conversation')} without a case{passed_over}"
        keys = f"Press {key_of('review.open')}, then {key_of('review.conversations')} to add a case."
        rows.append(TextRow(f"{text}. {keys}", NOT_EVALUATED, goal=queue.of_kind(is_unmatched=True)[0]))
    rows.append(TextRow(""))
    if hidden := len(queue.every) - len(queue.entries):
        clear = key_of("review.leave")
        rows.append(TextRow(f"The filter hides {counted(hidden, 'turn')}. Press {clear} to clear the filter."))
    if file.document.is_dirty:
        rows.append(TextRow(f"Press {key_of('review.save')} to save the accepted changes to {file.file_name}."))
    if unwritten := file.decisions.unwritten():
        rows.append(TextRow(unwritten, ERROR))
    elif queue.are_kept and (accepted or wrong):
        sidecar = f"{file.file_name}{ENDING_OF_SIDECARS}"
        rows.append(TextRow(f"Decisions and notes are saved in {sidecar}. Commit it with the set."))
    if any(row.goal is not None for row in rows):
        rows.append(TextRow(f"Press {key_of('review.open')} on a line to go to its first turn."))
    back = key_of("review.previous_item")
    rows.append(TextRow(f"Press {back} to go back to the turns, {editor} for the editor, or {quit_key} to quit."))
    return rows


def _named_turns(queue: ReviewQueue, mark: Run, text: str, entries: Sequence[QueueEntry], ending: str = "") -> TextRow:
    """A text about entries, the first ones by name. The line leads to the first entry."""
    if not entries:
        return TextRow(text, mark)
    names = []
    for entry in entries[:_MOST]:
        count = queue.history.parts(entry.case, entry.turn) if entry.decision != "accepted" else 0
        parts = f" ({counted(count, 'change')} accepted)" if count else ""
        names.append(f"{queue.name(entry)}{parts}")
    more = f" and {len(entries) - _MOST:,} more" if len(entries) > _MOST else ""
    return TextRow(f"{text}: {', '.join(names)}{more}{ending}", mark, goal=entries[0])
