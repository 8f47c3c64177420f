"""The recordings screen: the files that cases are scored with, their conversations, and the runs of a case."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on
from textual.content import Content

from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.evalset.titles import case_title
from evaltui.file_access import is_file, is_folder
from evaltui.printable import one_line, printable, quoted
from evaltui.recordings.conversation import ConversationKey
from evaltui.recordings.default_sessions import SESSIONS
from evaltui.report.scores_text import passed_of
from evaltui.runs.run_options import RunChoices
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.comparison.conversation_rows import ConversationDrawing, ConversationRow, conversation_text
from evaltui.tui.comparison.row_list import RowList
from evaltui.tui.dialog_commands import IN_RECORDINGS
from evaltui.tui.forms.form import Choice
from evaltui.tui.lines import counted
from evaltui.tui.open_file.score_sentences import NOT_SCORED, first_progress, places_searched
from evaltui.tui.recordings.conversation_facts import (
    ListedConversation,
    RecordingFile,
    all_runs_toggled,
    matchable_cases,
    recording_files,
)
from evaltui.tui.recordings.conversation_reading import RunScores, folder_of, path_to_add
from evaltui.tui.recordings.recording_columns import conversation_lines, file_lines, run_line
from evaltui.tui.screens.choice_dialog import ChoiceDialog
from evaltui.tui.screens.list_screen import ListScreen
from evaltui.tui.screens.text_dialogs import NameDialog
from evaltui.tui.screens.text_pages import TextScreen
from evaltui.tui.widgets.entry_list import EntryList

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen
    from evaltui.tui.open_file.open_file import OpenFile
    from evaltui.tui.review.review_screen import ReviewScreen

_DETAILS = 4
"""The number of lines with details below the list."""
_MOST_CHOICES = 500
"""The most cases in the list to choose from; other ids can be typed."""
_OF_USE = ("quit", "help", "messages", "list.theme", "list.settings")


class RecordingsScreen(ListScreen[Node | ConversationKey]):
    """Shows files, conversations of a file, or runs of a case. Returns a case to go to, or a conversation to add."""

    BINDINGS = bindings("lists", "picker")
    OWN_WAYS = IN_RECORDINGS
    may_move = True

    def __init__(self, file: OpenFile, case: Node | None = None) -> None:
        """With `case`, the screen begins with its runs."""
        self.file, self._scores = file, file.scores
        self.case_here = case
        """The case whose runs are shown."""
        self.recordings = self._look()
        """All files with their conversations, by the last run."""
        self._path: Path | None = None
        """The file whose conversations are shown."""
        self._is_unmatched_only = False
        self._outcome: Callable[[], str] = str
        """Gives the sentence about the last change, until the new scores are shown; then ""."""
        self._progress = ""
        """The progress that the status line showed last."""
        self._added: Path | None = None
        """The file that was added last, until it is in the list."""
        lists = "lists", "picker"
        self._files: EntryList[RecordingFile] = EntryList(*lists, "recordings", identity=lambda file: file.source.path)
        self._conversations, self._runs = (
            EntryList[ListedConversation](*lists, place, identity=lambda entry: entry.conversation.key)
            for place in ("conversations", "runs")
        )
        self._run_scores = RunScores(self._scores, file.app, self.show_again)
        self._drawing = ConversationDrawing()
        self.detail: RowList[ConversationRow] = RowList(self._drawing, "picker-details", marks_away=False)
        # It is only read: every key acts in the list.
        self.detail.can_focus = False
        super().__init__([self._files, self._conversations, self._runs], self.detail)
        if case is not None:
            self.shown_list = self._runs

    # --- what is selected ------------------------------------------------------------------------------------

    @property
    def choices(self) -> RunChoices:
        """The choices in force, which outlive this screen."""
        return self.file.scorer.choices

    @property
    def file_here(self) -> RecordingFile | None:
        """The selected file; None in the other lists."""
        return self._files.selected if self.shown_list is self._files else None

    @property
    def conversation_here(self) -> ListedConversation | None:
        """The selected conversation; None in the other lists."""
        return self._conversations.selected if self.shown_list is self._conversations else None

    @property
    def _opened(self) -> RecordingFile | None:
        is_open = self.shown_list is self._conversations
        return next((file for file in self.recordings if is_open and file.source.path == self._path), None)

    def _look(self) -> list[RecordingFile]:
        return recording_files(self._scores, self.file.case_file, self.choices)

    # --- showing ---------------------------------------------------------------------------------------------

    def fill(self) -> None:
        """Show the list as it is now."""
        self.detail.set_class(self.shown_list is self._conversations, "-turns")
        progress, words = first_progress(self._scores), self.filter_text.casefold().split()
        file = self._opened
        if self.shown_list is self._files:
            no_match = f"No file matches the filter. Press {key_of('picker.leave')} to clear the filter."
            no_file = f"No recordings. Press {key_of('recordings.add')} to add a file or a folder."
            self._files.why_empty = progress or (no_match if words else no_file)
            # The whole path: runs of different days often have the same name.
            paths = [(file, str(file.source.path)) for file in self.recordings]
            files = [file for file, path in paths if all(word in path.casefold() for word in words)]
            # The file is in the list only once a run has read it.
            is_there = any(file.source.path == self._added for file in files)
            self._files.show(files, file_lines(files), self._added if is_there else None)
            self._added = None if is_there else self._added
        elif self.shown_list is self._runs and self.case_here is not None:
            keys = f"Press {key_of('picker.leave')}, then {key_of('list.recordings')} to see all files."
            self._runs.why_empty = progress or f"No recording belongs to this case. {keys}"
            is_first = not self._runs.entries
            runs = self._run_scores.runs(self.case_here)
            used = next((run.conversation.key for run in runs if is_first and run.is_used), None)
            self._runs.show(runs, run_line, used)
        elif file is not None:
            only, leave = self._is_unmatched_only, key_of("picker.leave")
            conversations = [entry for entry in file.conversations if not only or entry.matched_by is None]
            if words:
                conversations = [entry for entry in conversations if all(word in entry.searched for word in words)]
            why_empty = f"This file has no conversations. Press {leave} to go back to the files."
            if self.filter_text:
                why_empty = f"No conversation matches the filter. Press {leave} to clear the filter."
            elif file.source.recording is None:
                restore = f"Press {leave}, then {key_of('recordings.restore')} to restore the file."
                why_empty = printable(file.source.trouble) or f"This file is dropped and not read. {restore}"
            elif only and file.conversations:
                why_empty = f"All conversations have a case. Press {key_of('conversations.unmatched')} to show them."
            self._conversations.why_empty = why_empty
            self._conversations.show(conversations, conversation_lines(conversations, is_dropped=file.is_dropped))
        else:
            self._conversations.show((), lambda *_: [])

    def detail_sentences(self) -> list[str]:
        """All facts about the selected line. They may have unsafe characters from files."""
        if self.shown_list is self._files and not self.recordings:
            return places_searched(self._scores)
        run, entry = self._runs.selected, self.file_here or self.conversation_here
        if self.shown_list is self._runs:
            return list(run.details_of_run()) if run is not None else []
        return list(entry.details()) if entry is not None else []

    def show_detail(self) -> None:
        """Show the first facts about the selected line; of a conversation, its turns, too."""
        lines, entry = self.detail_sentences(), self.conversation_here
        if entry is None and (more := len(lines) - _DETAILS) > 0:
            lines[_DETAILS - 1 :] = [f"… {more + 1:,} more ({key_of('picker.read')}: show all)"]
        self._drawing.show_in(self.detail, entry.conversation if entry is not None else None, lines)

    def title_texts(self) -> tuple[Content | str, str]:
        """`Recordings of trips.json`, `2 files · 12 conversations, 10 matched`; with a filter, how many it shows."""
        file, files = self._opened, self.recordings
        total = counted(len(files), "file") if file is None else counted(len(file.conversations), "conversation")
        if self.shown_list is self._runs and self.case_here is not None:
            title, right, scored = f"Runs of {case_title(self.case_here)}", "", self._scores.of(self.case_here)
            if scored is not None and scored.recordings:
                used = f"run {scored.run_number:,} of {scored.recordings:,} is used"
                right = " · ".join(filter(None, [passed_of(scored), used]))
        elif file is not None:
            only = "unmatched only · " if self._is_unmatched_only else ""
            title, right = f"Recordings › {file.name}", f"{only}{total}, {file.matched:,} matched"
        else:
            in_use = [file for file in files if not file.is_dropped]
            dropped = f" and {len(files) - len(in_use):,} dropped" if len(in_use) < len(files) else ""
            conversations = counted(sum(len(file.conversations) for file in in_use), "conversation")
            matched = sum(file.matched for file in in_use)
            all_runs = " · all runs" if self.choices.all_runs else ""
            title = f"Recordings of {printable(self.file.file_name)}"
            right = f"{counted(len(in_use), 'file')}{dropped} · {conversations}, {matched:,} matched{all_runs}"
        if query := one_line(self.filter_text.strip(), 20):
            right = f"/ {query} · {self.shown_list.entry_count():,} of {total}"
        return title, right

    def offered_title(self, command: Command) -> str:
        """The title of a command in the keys line; "" if it would do nothing now."""
        if command.place in ("everywhere", "list") and command.id not in _OF_USE:
            return ""
        choices, conversation, file, opened = self.choices, self.conversation_here, self.file_here, self._opened
        if command.id == "picker.all_runs":
            return "one run" if choices.all_runs else command.title
        has_case = conversation is not None and conversation.matched_by is not None
        has_no_case = conversation is not None and not has_case
        has_several_runs = self.shown_list is self._runs and self._runs.entry_count() > 1
        is_useful = {
            "recordings.open": file is not None,
            "recordings.drop": file is not None and not file.is_dropped,
            "recordings.restore": bool(choices.dropped),
            "conversations.enter": has_case,
            "conversations.runs": has_case,
            "conversations.add_case": has_no_case,
            "conversations.match": has_no_case and opened is not None and not opened.is_dropped,
            "conversations.unmatch": conversation is not None and conversation.conversation.key in choices.by_hand,
            "runs.choose": has_several_runs,
            "runs.latest": has_several_runs,
            "lists.find": self.shown_list is not self._runs,
        }
        return command.title if is_useful.get(command.id, True) else ""

    # --- what others tell this screen ------------------------------------------------------------------------

    def _use(self, choices: RunChoices, message: str, added: Path | None = None) -> None:
        """Score with other choices, and show them at once; their scores follow."""
        self.file.scorer.use(choices, message)
        self._outcome, self._added = lambda: message, added
        if added is not None:
            self.file.sources.renew()
        self.status.say(message)
        self.recordings = self._look()
        self.show_again()

    def show_scores(self) -> None:
        """Show new scores, or the progress of scoring."""
        if self._scores.is_running:
            if self._scores.progress:
                self._progress = self._scores.progress
                self.status.say(self._progress)
            return
        # A progress that stays would say that scoring still runs.
        if self._progress:
            self.status.forget(self._progress)
        # The results say which cases the conversations belong to; nothing older is kept.
        self.recordings = self._look()
        self.show_again()
        message, self._outcome = self._outcome(), str
        if message:
            self.status.say(" · ".join(filter(None, [message, self.file.scorer.turned()])))

    # --- keys of all lists -----------------------------------------------------------------------------------

    @on(EntryList.EntryOpened)
    def open(self) -> None:
        """Open the selected file, go to the case of the selected conversation, or make the selected run count."""
        if (file := self.file_here) is not None:
            self._path, self._is_unmatched_only = file.source.path, False
            self._conversations.cursor = 0
            self.show_list(self._conversations)
        elif (conversation := self.conversation_here) is not None:
            if conversation.case is not None:
                self.dismiss(conversation.case)
            elif conversation.reason:
                match = f"Press {key_of('conversations.match')} to match the conversation by hand."
                self.status.say(f"No case: {printable(conversation.reason)}. {match}")
            else:
                self.status.say("This conversation has no case now.")
        elif self.shown_list is self._runs and self.case_here is not None and (run := self._runs.selected) is not None:
            keys, title = [run.conversation.key for run in self._runs.entries], case_title(self.case_here)
            choices = self.choices.counting_on(run.conversation.key, keys, title)
            latest = f" ({key_of('runs.latest')}: latest run)" if run.number < len(keys) else ""
            self._use(choices, f"{title}: run {run.number:,} of {len(keys):,} is used{latest}.")

    async def find(self) -> None:
        """Open the line of the filter."""
        if self.shown_list is self._runs:
            self.status.say("Runs have no filter.")
        else:
            await super().find()

    def read(self) -> None:
        """Show everything about the selected line."""
        lines, entry = self.detail_sentences(), self.conversation_here
        if entry is not None:
            lines += ["", conversation_text(entry.conversation)]
        if lines:
            self.app.push_screen(TextScreen("recordings", "\n".join(lines)))

    def run_again(self) -> None:
        """Read recordings and config again, and score all cases."""
        self.status.say("Scoring …")
        self._outcome = lambda: "Scored again."
        self.file.scorer.score(anew=True)

    def leave(self) -> None:
        """Go back one step: clear the filter, then to the conversations, to the files, to the previous screen."""
        if self.shown_list is self._runs and self._path is not None:
            self.show_list(self._conversations)
        elif self.shown_list is self._conversations and not self.filter_text:
            self._path = None
            self.show_list(self._files)
        else:
            super().leave()

    # --- keys of files ---------------------------------------------------------------------------------------

    def add(self) -> None:
        """Ask for a file or folder to add."""
        listed = {str(file.source.path) for file in self.recordings}
        earlier = next((path for path in self.file.earlier_recordings if path not in listed), "")

        def chosen(path: Path) -> None:
            name = printable(path.name)

            def outcome() -> str:
                """A sentence about the added files. Only the run has searched the folder."""
                # A folder adds recording files only: the database of `adk web` may have thousands of sessions.
                databases = (SESSIONS, Path(SESSIONS.name))
                database = next((database for database in databases if is_file(path / database)), None)
                files = [file.source.path for file in self.recordings]
                if all(str(file) in listed for file in files):
                    is_listed = any(file.is_relative_to(path) for file in files)
                    nothing = f"{name} has no recordings, or only copies of recordings in this list"
                    why = f"the recordings in {name} are in this list already" if is_listed else nothing
                    advice = f" Add {database} inside by its path." if database is not None else ""
                    return f"Nothing was added: {why}.{advice}"
                rest = f"but not {database} inside. Add that file by its path"
                return f"Added {name}, {rest}." if database is not None else f"Added {name} for this session."

            message = f"Reading {name} …" if is_folder(path) else f"Added {name} for this session."
            self._use(self.choices.adding(str(path)), message, path)
            if is_folder(path):
                self._outcome = outcome

        question, check = "Path of a recording, or of a folder with recordings", partial(path_to_add, self.file)
        self.app.ask(NameDialog(question, earlier, check, is_path=True, folder=folder_of(self.file)), chosen)

    def drop(self) -> None:
        """Drop the selected file from scoring."""
        if (file := self.file_here) is None:
            return
        path, restore = file.source.path, key_of("recordings.restore")
        if file.is_dropped:  # it stays in the list, so that it can be restored
            self.status.say(f"{file.name} is dropped already. Press {restore} to restore the file.")
            return
        self._use(self.choices.dropping(path), f"Dropped {file.name} from scoring. Press {restore} to restore.")

    def restore(self) -> None:
        """Bring back a dropped file: the selected one, else the one that was dropped last."""
        file, dropped = self.file_here, [*self.choices.dropped.values()]
        path = file.source.path if file is not None and file.is_dropped else dropped[-1] if dropped else None
        if path is None:
            self.status.say("There is no dropped recording to restore.")
        else:
            self._use(self.choices.restoring(path), f"{printable(path.name)} is used again.")

    # --- keys of conversations -------------------------------------------------------------------------------

    def show_runs(self) -> None:
        """Show the runs of the case of the selected conversation."""
        entry = self.conversation_here
        if entry is None or entry.case is None:
            self.status.say("This conversation has no case, so it has no runs.")
            return
        self.case_here = entry.case
        self.show_list(self._runs)
        runs = enumerate(self._runs.entries)
        self._runs.move_to(next((number for number, run in runs if run.conversation.key == entry.conversation.key), 0))

    def add_as_case(self) -> None:
        """Close, to add the selected conversation as a case."""
        if (entry := self.conversation_here) is None:
            return
        if entry.case is not None:
            self.status.say(f"This conversation already has a case: {case_title(entry.case)}.")
        else:
            self.dismiss(entry.conversation.key)

    def toggle_unmatched(self) -> None:
        """Show only the conversations that belong to no case, or all."""
        self._is_unmatched_only = not self._is_unmatched_only
        self.show_again()

    def match(self) -> None:
        """Choose the case of the selected conversation; first those without a recording."""
        if (entry := self.conversation_here) is None:
            return
        key, is_by_hand = entry.conversation.key, entry.conversation.key in self.choices.by_hand
        choices = matchable_cases(self._scores, self.file.case_file)
        if self._opened is not None and self._opened.is_dropped:
            restore = key_of("recordings.restore")
            self.status.say(f"This file is dropped. In the list of files, press {restore} to restore the file.")
        elif entry.matched_by is not None and not is_by_hand:
            self.status.say("Only a conversation without a case can be matched by hand.")
        elif not choices:
            self.status.say("No case to match: no case has a unique eval_id.")
        else:
            more = f"; press {key_of('conversations.unmatch')} to undo the match" if is_by_hand else ""

            def answered(choice: Choice) -> None:
                undo = f"Press {key_of('conversations.unmatch')} to undo the match."
                message = f"Matched with {printable(choice.label)} by hand. {undo}"
                self._use(self.choices.matching(key, choice.label), message)

            def check(text: str) -> None:
                if all(text != choice.label for choice in choices):
                    raise DocumentError(f"the eval_id {quoted(text)} does not belong to exactly one case")

            # A longer list takes longer than a frame to build; the other ids can be typed.
            check_typed = check if len(choices) > _MOST_CHOICES else None
            dialog = ChoiceDialog(f"Case of this conversation{more}", choices[:_MOST_CHOICES], "", check_typed)
            self.app.ask(dialog, answered)

    def unmatch(self) -> None:
        """Undo a match by hand."""
        if (entry := self.conversation_here) is None:
            return
        if (key := entry.conversation.key) in self.choices.by_hand:  # its own data match it again
            self._use(self.choices.unmatching(key), "Match by hand undone.")
        else:
            self.status.say("This conversation was not matched by hand.")

    # --- keys of runs ----------------------------------------------------------------------------------------

    def count_latest(self) -> None:
        """Make the latest run count for the case."""
        if (case := self.case_here) is not None:
            keys = [run.conversation.key for run in self._runs.entries]
            self._use(self.choices.latest_of(keys), f"{case_title(case)}: the latest run is used.")

    def go_to_case(self) -> None:
        """Go to the case whose runs are shown."""
        if self.case_here is not None:
            self.dismiss(self.case_here)

    def toggle_all_runs(self) -> None:
        """Score each run of a case, or only the one that counts."""
        self._use(*all_runs_toggled(self.choices))


class RecordingsCommands:
    """Keys of the editor and the review that show recordings, and go to what was chosen there."""

    def __init__(self, screen: EditScreen | ReviewScreen) -> None:
        self._screen, self._file = screen, screen.file

    def show_files(self) -> None:
        """Show the files that cases are scored with."""
        if self._is_scorable():
            self._show(None)

    def show_runs(self) -> None:
        """Show the runs of the selected case."""
        if self._is_scorable():
            if (case := self._screen.case_here()) is not None:
                self._show(case)
            else:
                self._screen.status.say("Select a case to see its runs.")

    def toggle_all_runs(self) -> None:
        """Score each run of a case, or only the one that counts."""
        if self._is_scorable():
            choices, message = all_runs_toggled(self._file.scorer.choices)
            self._file.scorer.use(choices, message)
            self._screen.status.say(message)

    def _is_scorable(self) -> bool:
        if self._file.case_file is None:
            self._screen.status.say(NOT_SCORED)
            return False
        # What is being typed belongs to the case whose runs are shown.
        self._file.write_typed()
        return True

    def _show(self, case: Node | None) -> None:
        def answered(answer: Node | ConversationKey) -> None:
            if isinstance(answer, Node):
                self._screen.go_to_case(answer)
            else:
                self._screen.show_conversation(answer)

        self._file.app.ask(RecordingsScreen(self._file, case), answered)
