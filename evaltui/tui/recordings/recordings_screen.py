"""The recordings picker: the files that cases are scored with, their conversations, and the runs of a case."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from evaltui.document.node import Node
from evaltui.evalset.titles import case_title
from evaltui.printable import one_line, printable
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.lines import cut_at_word
from evaltui.tui.open_file.score_sentences import first_progress, places_searched
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.recording_commands import IN_RECORDINGS
from evaltui.tui.recordings.conversation_lines import ConversationLines
from evaltui.tui.recordings.entry_details import details_of
from evaltui.tui.recordings.file_lines import FileLines
from evaltui.tui.recordings.picker_filter import PickerFilter
from evaltui.tui.recordings.picker_keys import PickerKeys
from evaltui.tui.recordings.picker_titles import title_of_file, title_of_files, title_of_runs
from evaltui.tui.recordings.recording_changes import RecordingChanges
from evaltui.tui.recordings.recording_files import RecordingFile, RecordingFiles, recording_files
from evaltui.tui.recordings.recording_words import counted
from evaltui.tui.recordings.run_lines import RunEntry, RunLines
from evaltui.tui.recordings.run_scores import RunScores
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.screens.list_screen import EntryList
from evaltui.tui.widgets.line_input import FilterInput, title_while_filtering

if TYPE_CHECKING:
    from evaltui.recordings.conversation import Conversation, ConversationKey
    from evaltui.tui.open_file.open_file import OpenFile

AnyList = EntryList[RecordingFile] | EntryList["Conversation"] | EntryList[RunEntry]
_DETAILS = 4
"""The number of lines with details below the list."""
_OF_USE = ("quit", "help", "messages", "list.theme", "list.settings")


class RecordingsScreen(CommandScreen):
    """Shows one of three lists: files, the conversations of a file, the runs of a case.

    After the screen has closed, `chosen` is the case to go to, and `to_add` the conversation to add as a case.
    """

    BINDINGS = bindings("picker")
    OWN_WAYS = IN_RECORDINGS
    AUTO_FOCUS = ""
    may_move = True

    def __init__(self, file: OpenFile, case: Node | None = None) -> None:
        """With `case`, the screen begins with its runs."""
        super().__init__()
        self.file = file
        self.chosen: Node | None = None
        self.to_add: ConversationKey | None = None
        self.case_here = case
        """The case whose runs are shown."""
        self._scores = file.scores
        self._changes = RecordingChanges(file.scorer, self._scores)
        self.known = self._look()
        """All files and conversations, by the last run."""
        self._path: Path | None = None
        """The file whose conversations are shown."""
        self._is_unmatched_only = False
        self._said = ""
        """The sentence about the last change, until the new scores are shown."""
        self._progress = ""
        """The progress that the status line showed last."""
        self._added: Path | None = None
        """The file that was added last, until it is in the list."""
        self._conversation_lines = ConversationLines(lambda: self.known)
        self._file_lines = FileLines(self._first_progress)
        self._files = EntryList(self._file_lines, "picker", "recordings")
        self._conversations: EntryList[Conversation] = EntryList(self._conversation_lines, "picker", "conversations")
        self._runs: EntryList[RunEntry] = EntryList(RunLines(self._first_progress), "picker", "runs")
        self._run_scores = RunScores(self._scores, file.app, self._fill)
        self._list: AnyList = self._files if case is None else self._runs
        self.status = StatusBar()
        self._keys = KeysBar(self.title_of)
        self._filter = PickerFilter(self, self.status, self._filtered)
        self.picker_keys = PickerKeys(file, self, self._changes)

    def compose(self) -> ComposeResult:
        """Title, three lists (one is visible), details of the selected line, and the bars."""
        yield Static(markup=False, id="title")
        yield self._files
        yield self._conversations
        yield self._runs
        yield Static(markup=False, id="picker-details")
        yield self.status
        yield self._keys

    def on_mount(self) -> None:
        """Begin with the files, or with the runs of a case."""
        self._go(self._list)
        if self._list is self._runs and self.case_here is not None:
            self._runs.move_to(next((at for at, each in enumerate(self._runs.entries) if each.counts), 0))

    # --- what is selected --------------------------------------------------------------------------------------

    @property
    def file_here(self) -> RecordingFile | None:
        """The selected file; None in the other lists."""
        return self._files.selected if self._list is self._files else None

    @property
    def conversation_here(self) -> Conversation | None:
        """The selected conversation; None in the other lists."""
        return self._conversations.selected if self._list is self._conversations else None

    @property
    def is_dropped(self) -> bool:
        """Whether the file whose conversations are shown is dropped."""
        return self._conversation_lines.is_dropped

    @property
    def _opened(self) -> RecordingFile | None:
        return next((each for each in self.known.files if each.source.path == self._path), None)

    # --- showing -----------------------------------------------------------------------------------------------

    def _first_progress(self) -> str:
        return first_progress(self._scores)

    def _look(self) -> RecordingFiles:
        return recording_files(self._scores, self.file.case_file, self._changes.choices)

    def _go(self, shown: AnyList) -> None:
        """Show one of the lists."""
        self._list = shown
        self._filter.clear()
        for each in (self._files, self._conversations, self._runs):
            each.display = each is shown
        self._fill()
        self.set_focus(shown, scroll_visible=False)
        self._keys.show_place(str(shown.id))

    def _fill(self) -> None:
        """Show the list as it is now."""
        if self._list is self._files:
            self._fill_files()
        elif self._list is self._conversations:
            self._fill_conversations()
        elif self.case_here is not None:
            self._runs.show(self._run_scores.entries(self.case_here))
        self._show_around()

    def _fill_files(self) -> None:
        files, words = self.known.files, self._filter.query.casefold().split()
        found = [each for each in files if all(word in str(each.source.path).casefold() for word in words)]
        added = str(self._added) if self._added is not None else None
        new = next((each.source.path for each in found if str(each.source.path) == added), None)
        self._file_lines.is_filtered = bool(words)
        self._files.show(found, new)
        if new is not None:
            self._added = None

    def _fill_conversations(self) -> None:
        file = self._opened
        if file is None:
            self._conversations.show(())
            return
        query, only = self._filter.query, self._is_unmatched_only
        self._conversation_lines.take_up(file, query=query, is_unmatched_only=only)
        self._conversations.show(self.known.found(file.conversations, query, unmatched=only))

    def _filtered(self) -> str:
        """Show the lines that match the filter. Returns their number in words."""
        self._fill()
        return counted(self._list.entry_count(), "line")

    @on(EntryList.Browsed)
    def _show_around(self) -> None:
        """Show the title and the details that go with the selected line."""
        if not self.is_mounted:
            return
        left, right = self._title()
        right = self._counts_of_filter() or right
        room = self.size.width - len(right) - 3
        shown = Content.assemble((cut_at_word("   " + left, room), "bold")).truncate(room, pad=True)
        self.query_one("#title", Static).update(shown + Content.styled(f"  {right} ", "dim"), layout=False)
        said = self._details()
        lines = said if len(said) <= _DETAILS else [*said[: _DETAILS - 1], self._more(len(said) - _DETAILS + 1)]
        details = Content("\n".join(cut_at_word(f" {one_line(line)}", self.size.width) for line in lines))
        self.query_one("#picker-details", Static).update(details, layout=False)  # of one height: a layout takes long
        self._keys.update()

    @staticmethod
    def _more(count: int) -> str:
        return f"… {count:,} more ({key_of('picker.read')}: show all)"

    def _details(self) -> list[str]:
        if self._list is self._files and not self.known.files:
            return places_searched(self._scores)
        return details_of(self.known, self._list.selected)

    def _title(self) -> tuple[str, str]:
        """The title at the left and at the right."""
        if self._list is self._conversations and (file := self._opened) is not None:
            return title_of_file(file, is_unmatched_only=self._is_unmatched_only)
        if self._list is self._runs and self.case_here is not None:
            scored = self._scores.of(self.case_here)
            return title_of_runs(self.case_here, scored.result if scored is not None else None)
        return title_of_files(self.file.file_name, self.known.files, all_runs=self._changes.choices.all_runs)

    def _counts_of_filter(self) -> str:
        """`/ support · 2 of 5 files`; "" without a filter."""
        query = one_line(self._filter.query.strip(), 20)
        file = self._opened if self._list is self._conversations else None
        total = counted(len(file.conversations), "conversation") if file else counted(len(self.known.files), "file")
        return f"/ {query} · {self._list.entry_count():,} of {total}" if query else ""

    # --- what others tell this screen --------------------------------------------------------------------------

    def say(self, said: str) -> None:
        """Show a sentence."""
        self.status.say(said)

    def changed(self, said: str, added: Path | None = None) -> None:
        """Show a change at once; its scores follow."""
        self._said, self._added = said, added
        if added is not None:
            self.file.sources.renew()
        self.status.say(said)
        self.known = self._look()
        self._fill()

    def show_message(self, said: str | None) -> None:
        """Show a sentence about the file."""
        if said:
            self.status.say(said)
        self._keys.update()

    def show_scores(self) -> None:
        """Show new scores, or the progress of scoring."""
        if self._scores.is_running:
            if self._scores.progress:
                self._progress = self._scores.progress
                self.status.say(self._progress)
            return
        if self._progress:
            self.status.forget(self._progress)
        self.known = self._look()
        self._fill()
        said, self._said = self._said, ""
        if said:
            self.status.say(" · ".join(filter(None, [said, self.file.scorer.turned()])))

    def on_screen_resume(self) -> None:
        """The dialog in front has closed: look at the file now if a change on disk waits."""
        self.file.disk.look_if_waiting()

    def on_resize(self) -> None:
        """Lay the title and the details out for another width."""
        self.call_after_refresh(self._show_around)

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """Show the keys of the list or of the filter."""
        self._keys.show_place("filter" if isinstance(self.focused, FilterInput) else str(self._list.id))

    def title_of(self, command: Command) -> str:
        """The title of a command in the keys line; "" if it would do nothing now."""
        if self._keys.place == "filter":
            return title_while_filtering(command)
        if command.place in ("everywhere", "list") and command.id not in _OF_USE:
            return ""
        if command.id == "picker.all_runs":
            return "one run" if self._changes.choices.all_runs else command.title
        conversation = self.conversation_here
        by_hand = self._changes.choices.by_hand
        useful = {
            "recordings.open": self.file_here is not None,
            "recordings.drop": self.file_here is not None and not self.file_here.is_dropped,
            "recordings.restore": bool(self._changes.choices.dropped),
            "conversations.enter": conversation is not None and self.known.belonging(conversation) is not None,
            "conversations.runs": conversation is not None and self.known.belonging(conversation) is not None,
            "conversations.add_case": conversation is not None and self.known.belonging(conversation) is None,
            "conversations.match": conversation is not None
            and self.known.belonging(conversation) is None
            and not self.is_dropped,
            "conversations.unmatch": conversation is not None and conversation.key in by_hand,
            "runs.choose": self._list is self._runs and self._list.entry_count() > 1,
            "runs.latest": self._list is self._runs and self._list.entry_count() > 1,
            "picker.find": self._list is not self._runs,
        }
        return command.title if useful.get(command.id, True) else ""

    # --- keys --------------------------------------------------------------------------------------------------

    @on(EntryList.EntryOpened)
    def open(self) -> None:
        """Open the selected file, go to the case of the selected conversation, or make the selected run count."""
        if self._list is self._files:
            file = self._files.selected
            if file is not None:
                self._path, self._is_unmatched_only = file.source.path, False
                self._conversations.cursor = 0
                self._go(self._conversations)
        elif self._list is self._runs:
            if self._runs.selected is not None:
                self.picker_keys.count(self._runs.selected.number)
        elif (conversation := self.conversation_here) is not None:
            self._leave_to(self.known.case_of(conversation), self.known.reason(conversation))

    def _leave_to(self, case: Node | None, why_not: str = "") -> None:
        if case is None:
            match = f"Press {key_of('conversations.match')} to match the conversation by hand."
            self.status.say(
                f"No case: {printable(why_not)}. {match}" if why_not else "This conversation has no case now."
            )
            return
        self.chosen = case
        self.dismiss("")

    def go_to_case(self) -> None:
        """Go to the case whose runs are shown."""
        self._leave_to(self.case_here)

    def add_as_case(self) -> None:
        """Close, to add the selected conversation as a case."""
        conversation = self.conversation_here
        if conversation is None:
            return
        if (case := self.known.case_of(conversation)) is not None:
            self.status.say(f"This conversation already has a case: {case_title(case)}.")
            return
        self.to_add = conversation.key
        self.dismiss("")

    def show_runs(self) -> None:
        """Show the runs of the case of the selected conversation."""
        conversation = self.conversation_here
        case = self.known.case_of(conversation) if conversation is not None else None
        if conversation is None or case is None:
            self.status.say("This conversation has no case, so it has no runs.")
            return
        self.case_here = case
        self._go(self._runs)
        runs = self._runs.entries
        self._runs.move_to(next((at for at, each in enumerate(runs) if each.match.conversation == conversation), 0))

    def toggle_unmatched(self) -> None:
        """Show only the conversations that belong to no case, or all."""
        self._is_unmatched_only = not self._is_unmatched_only
        self._fill()

    async def find(self) -> None:
        """Open the line of the filter."""
        if self._list is self._runs:
            self.status.say("Runs have no filter.")
        else:
            await self._filter.open()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search for what is typed in the line of the filter."""
        self._filter.apply(event.value)

    def keep_filter(self) -> None:
        """Close the filter line, and keep the filter."""
        self._filter.close()
        self.set_focus(self._list, scroll_visible=False)

    def clear_filter(self) -> None:
        """Show all lines again."""
        self._filter.clear()
        self.keep_filter()
        self._fill()

    def step_hit(self, step: int) -> None:
        """Select the next matching line."""
        self._list.move(step)

    def read(self) -> None:
        """Show everything about the selected line."""
        from evaltui.tui.screens.text_pages import TextScreen

        said = self._details()
        if said:
            self.app.push_screen(TextScreen("recordings", "\n".join(said)))

    def run_again(self) -> None:
        """Read recordings and config again, and score all cases."""
        self.status.say("Scoring …")
        self._said = "Scored again."
        self.file.scorer.score(anew=True)

    def leave(self) -> None:
        """Go back one step: clear the filter, then to the conversations, to the files, to the previous screen."""
        if self._filter.clear():
            self._fill()
        elif self._list is self._runs and self._path is not None:
            self._go(self._conversations)
        elif self._list is self._conversations:
            self._path = None
            self._go(self._files)
        else:
            self.dismiss("")

    def close(self) -> None:
        """Close the recordings."""
        self.dismiss("")

    def quit(self) -> None:
        """Close, then quit; unsaved changes are asked about."""
        self.dismiss("")
        self.file.leaving.quit()
