"""The screen to add recorded conversations: their list, the turns of the selected one, and ticks in both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from evaltui.document.errors import DocumentError
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.templates import untouched_case
from evaltui.evalset.keys import text_of
from evaltui.printable import one_line, printable
from evaltui.recordings.agent_names import NO_APPS
from evaltui.recordings.conversation import ConversationKey
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.comparison.row_list import RowList
from evaltui.tui.dialog_commands import IN_LISTS
from evaltui.tui.lines import counted
from evaltui.tui.open_file.score_sentences import why_no_conversations
from evaltui.tui.recordings.conversation_reading import ConversationReading, ConversationsRead, folder_of, named_path
from evaltui.tui.recordings.conversations_to_add import (
    AddTarget,
    FoundConversation,
    FoundConversations,
    ValueDecision,
    addition_of,
    omitted_turns,
    replacement_of,
)
from evaltui.tui.recordings.recording_columns import TickedTurns, found_lines
from evaltui.tui.screens.list_screen import ListScreen
from evaltui.tui.screens.text_dialogs import NameDialog
from evaltui.tui.widgets.entry_list import EntryList, Heading

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen
    from evaltui.tui.open_file.open_file import OpenFile

_OF_CONVERSATIONS = ("chats.tick", "chats.add", "chats.chat", "lists.find", "adding.replace")
"""Commands that do nothing in an empty list."""
_OF_USE = ("quit", "help", "messages")
_NEXT_TITLES: Mapping[ValueDecision, str] = {"undecided": "drop ≈", "dropped": "keep ≈", "kept": "undecide ≈"}
"""The title of the key after each decision: it makes the next one."""
_DECIDED: Mapping[ValueDecision, str] = {
    "undecided": "undecided (≈), written as recorded",
    "kept": "kept, no longer marked ≈",
    "dropped": "dropped from the expected tool call. The case fails unless the criterion sets ignore_args",
}


class AddScreen(ListScreen[None]):
    """Lists conversations and shows their turns."""

    BINDINGS = bindings("lists", "adding")
    OWN_WAYS = IN_LISTS
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (140, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (8, "-high")]
    NOUN = "conversation"
    may_move = True
    # Without this, Textual redraws the whole screen when the focus moves to the turns: 20 ms at 140×40.
    focused: reactive[Widget | None] = reactive(None, repaint=False)

    def __init__(
        self, file: OpenFile, target: AddTarget, take: Callable[[Revision], object], only: ConversationKey | None = None
    ) -> None:
        """`take` gets what is added to the `target`, after the screen has closed. `only` is a single conversation."""
        self.file, self._target, self._take = file, target, take
        # The run has read which apps the set and its recordings belong to.
        facts, root = file.scores.facts, file.document.root
        matching = facts.matching if facts is not None else None
        set_id = text_of(root, "eval_set_id") if root is not None else ""
        self.found = FoundConversations(matching.apps if matching is not None else NO_APPS, set_id)
        self.conversations: EntryList[FoundConversation] = EntryList(
            "lists", "adding", "chats", identity=lambda entry: entry.key
        )
        self.drawing = TickedTurns(self.found)
        self.chat = RowList(self.drawing, "chat", "lists", "adding", "chat", marks_away=False)
        super().__init__([self.conversations], self.chat)
        self._folder = one_line(str(folder_of(file) or ""), 200)
        self._reading = ConversationReading(file, self, only)
        self._selects_first = False
        """Whether the first conversation of a source that was added is selected, once it is read."""
        self._is_source_read = False
        """Whether a source that was added is being read."""
        self._is_warned = False
        """Whether the person was warned that leaving drops the ticks."""

    def compose(self) -> ComposeResult:
        """Title, list, turns, and the bars."""
        yield self.head
        with Container(id="found-and-chat"):
            yield self.conversations
            yield self.chat
        yield self.status
        yield self.keys

    def on_mount(self) -> None:
        """Begin to read."""
        self._reading.begin()

    @property
    def target(self) -> AddTarget:
        """The place where cases or turns are added, in the present document."""
        return self._target.in_force(self.file.document.root)

    # --- showing ---------------------------------------------------------------------------------------------

    @on(ConversationsRead)
    def _add_read(self, report: ConversationsRead) -> None:
        self._reading.take(report)
        # An error in one source must not hide the conversations of others.
        is_new = self.found.add(report.entries, report.apps)
        # The log of messages keeps all of them; the status line shows the last.
        for trouble in report.troubles:
            self.status.say(trouble)
        if report.is_done and not report.troubles and (message := self._message_at_end()):
            self.status.say(message)
        if is_new or report.is_done:
            # The person asked for this source, so its newest conversation is selected.
            first = next((entry.key for entry in report.entries), None) if self._selects_first else None
            self._selects_first = self._selects_first and first is None
            self.fill(first)
            self.show_title()

    def _message_at_end(self) -> str:
        was_added, self._is_source_read = self._is_source_read, False
        if not self.found.every:
            where = f" ({self._folder})" if self._folder else ""
            return (
                f"No conversations found. Press {key_of('adding.source')} to open a source. "
                f"evaltui looks for .adk/session.db beside the set{where}, in parent folders up to the project root, "
                "and in agent folders."
            )
        if self._reading.has_more:
            more = f"Press {key_of('adding.more')} to read the next 1,000 of {sum(self._reading.counts.values()):,}."
            return f"The newest conversations are read. {more}"
        total = counted(len(self.found.every), "conversation")
        return f"Source loaded. The list has {total} now." if was_added else ""

    def fill(self, selected: ConversationKey | None = None) -> None:
        """Show the conversations that pass the filter."""
        self.found.filter(self.filter_text)
        if self.found.every:
            leave = key_of("adding.leave")
            self.conversations.why_empty = f"No conversation has these words. Press {leave} to clear the filter."
        elif self._reading.running:
            self.conversations.why_empty = "Reading …"
        else:
            source = f"Press {key_of('adding.source')} to open a session database."
            near = self._folder or "the set"
            self.conversations.why_empty = f"No conversations found. {source} Searched near {near}."
        headings: list[Heading] = [(place, [(f"  {text}", "dim")]) for place, text in self.found.headings()]
        self.conversations.show(self.found.shown, found_lines(self.found), selected, headings)

    def title_texts(self) -> tuple[Content | str, str]:
        """`Conversations to add after greeting`, `2 ticked · 40 of 1,200 · reading …`."""
        eval_set, passing = self.file.eval_set, self.found.shown
        # Sources say how many conversations they have before all are read.
        total = max(len(self.found.every), sum(self._reading.counts.values()))
        count = f"{len(passing):,} of {total:,}" if len(passing) < total else f"{total:,}"
        ticked = f"{len(self.found.ticked):,} ticked" if self.found.ticked else ""
        if ticked and len(passing) < len(self.found.every):
            hidden = len(self.found.ticked.keys() - {*passing})
            ticked += f" ({hidden:,} not listed)" if hidden else ""
        counts = [ticked, count, "reading …" if self._reading.running else ""]
        where = self.target.title(eval_set) if eval_set is not None else ""
        return f"Conversations to add {where}", " · ".join(filter(None, counts))

    def show_detail(self) -> None:
        """Show the turns in the next frame, so that a held key shows only the last conversation."""
        self.call_after_refresh(self._show_chat)

    def _show_chat(self) -> None:
        if not self.chat.is_attached:  # the screen was left before this frame
            return
        self.drawing.entry = entry = self.conversations.selected
        self.drawing.show_in(self.chat, entry.conversation if entry is not None else None)
        if entry is None:
            self.chat.border_title = None
        else:
            id_, name = one_line(entry.conversation.id, 40), printable(entry.conversation.path.name)
            blank = "" if self.chat.styles.border_left[0] else " "  # beside a border, Textual leaves one itself
            self.chat.border_title = Content(f"{blank}{name} › {id_} ")
        self.keys.update()

    def offered_title(self, command: Command) -> str:
        """The title of a command in the keys line; "" if it would do nothing now."""
        entry, row, chat = self.conversations.selected, self.chat.row, self.chat
        if not self.found.every and command.id in _OF_CONVERSATIONS:
            return ""
        if command.place in ("everywhere", "list", "anywhere") and command.id not in _OF_USE:
            return ""
        if command.place == "chat" and command.does != "chats.add" and (entry is None or row is None):
            return command.title if command.id in ("chat.close", "chat.list") else ""
        adds_turns, is_open = self.target.turn is not None, row is not None and self.drawing.is_open(row)
        is_foldable = row is not None and chat.can_fold and row.kind != "user"
        if command.does == "chats.add" and (self.found.ticked or adds_turns):
            return "add ticked" if self.found.ticked else "add turn"
        if command.id == "chat.value" and entry is not None and row is not None:
            return next((_NEXT_TITLES[decision] for decision in entry.values_of(row.turn, row.call).values()), "")
        is_useless = (
            (command.id == "chat.fold" and is_foldable)
            or (command.id == "chat.tick" and not is_foldable)
            or (command.id == "chat.open" and (is_open or not chat.can_fold))
            or (command.id == "chat.values" and entry is not None and not entry.values)
            or (command.id == "adding.replace" and not adds_turns)
            or (command.id == "adding.more" and not self._reading.has_more)
        )
        titles = {"chat.add": "add as case", "chat.close": "fold" if is_open else command.title}
        return "" if is_useless else titles.get(command.id, command.title)

    # --- keys that move --------------------------------------------------------------------------------------

    @on(EntryList.EntryOpened)
    def go_to_chat(self) -> None:
        """Move the focus to the turns of the selected conversation."""
        self._show_chat()
        if self.conversations.selected is not None:
            self.set_focus(self.chat, scroll_visible=False)
            self.keys.show_place(self.chat.PLACE)

    def fold(self, *, is_open: bool) -> None:
        """Unfold the selected row, or fold it. With nothing to fold, go back to the list."""
        row = self.chat.row
        if row is not None and self.chat.can_fold and self.drawing.is_open(row) is not is_open:
            self.chat.toggle()
        elif not is_open:
            self.focus_list()

    def leave(self) -> None:
        """Go back one step: from the turns to the list, clear the filter, then to the previous screen."""
        if self.chat.has_focus:
            self.focus_list()
        else:
            super().leave()

    def close(self) -> None:
        """Close; nothing is added. With ticks, the first press warns."""
        # Ticks are work: one press of esc too many should not lose them.
        ticked = self.found.ticked_text()
        if not ticked or self._is_warned:
            self.dismiss(None)
            return
        self._is_warned = True
        add, leave = key_of("chats.add"), key_of("adding.leave")
        self.status.say(f"{ticked}. Press {add} to add, or {leave} again to leave.")

    # --- ticks -----------------------------------------------------------------------------------------------

    def _show_ticks(self, message: str) -> None:
        self._is_warned = False
        self.conversations.refresh_changed()
        self.chat.redraw(*(row.key for row in self.chat.rows if row.kind == "user"), scrolls=False)
        self.show_title()
        self.status.say(message or f"{self.found.ticked_text() or 'Nothing is ticked'}.")

    def tick(self) -> None:
        """Tick the selected conversation, or untick it, and go on to the next."""
        if (entry := self.conversations.selected) is None:
            return
        why, ticked = self.found.toggle(entry), self.found.ticked.get(entry, ())
        # The turns that the tick left out would surprise a person later, in the new case.
        omitted = omitted_turns(turn for number, turn in enumerate(entry.turns) if number not in ticked)
        self._show_ticks(why or (f"{self.found.ticked_text()}. Not ticked: {omitted}." if ticked and omitted else ""))
        if not why:
            self.conversations.move(1)

    def tick_all(self) -> None:
        """Tick all listed conversations that are no case yet, the oldest first; untick them if all are ticked.

        Conversations of evaluations and of other apps are ticked only if no other conversation is listed.
        """
        found, groups = self.found, Counter(entry.group for entry in self.found.shown)
        # A person who ticks all means conversations with the own agent, unless the filter left only others.
        chosen = [entry for entry in found.shown if not groups[0] or entry.group == 0]
        unknown = [entry for entry in chosen if not entry.known_as and entry.countable_turns]
        unticked = [entry for entry in unknown if found.tick_state(entry) != "all"]
        # Cases are added in the order of the ticks, and the oldest conversation is the last of the list.
        for entry in reversed(unticked or unknown):
            found.toggle(entry)
        counts = {"already in the set": len([entry for entry in chosen if entry.known_as])}
        if groups[0]:
            counts |= {"of other apps": groups[2], "of evaluations": groups[1]}
        omitted = ", ".join(f"{count:,} {reason}" for reason, count in counts.items() if count)
        self._show_ticks(f"{found.ticked_text() or 'Nothing is ticked'}. Not ticked: {omitted}." if omitted else "")

    def tick_turn(self) -> None:
        """Tick the turn of the selected line, or untick it."""
        entry, row = self.conversations.selected, self.chat.row
        if entry is None or row is None or row.turn < 0:
            return
        why = self.found.toggle_turn(entry, row.turn)
        is_rewound = entry.turns[row.turn].is_rewound and row.turn in self.found.ticked.get(entry, ())
        rewound = f"{self.found.ticked_text()}. A rewind removed this turn from the session."
        self._show_ticks(why or rewound * is_rewound)

    def tick_or_fold(self) -> None:
        """Fold or unfold the selected row; if it cannot be unfolded, tick its turn."""
        # Space folds a long row, but ticks its turn on the first row of the turn, where the tick stands.
        if self.chat.can_fold and self.chat.row is not None and self.chat.row.kind != "user":
            self.chat.toggle()
        else:
            self.tick_turn()

    def untick_all(self) -> None:
        """Remove all ticks."""
        message = "All ticks are removed." if self.found.ticked else "Nothing is ticked."
        self.found.ticked.clear()
        self._show_ticks(message)

    # --- volatile values -------------------------------------------------------------------------------------

    def decide(self) -> None:
        """Keep or drop the volatile values of the selected call."""
        entry, row = self.conversations.selected, self.chat.row
        if entry is None or row is None:
            return
        if row.call is None:
            all_values = key_of("chat.values")
            self.status.say(f"Select a tool call marked ≈, or press {all_values} for all tool calls.")
        elif not (values := entry.values_of(row.turn, row.call)):
            self.status.say("This tool call has no argument marked ≈.")
        else:
            decision = entry.decide([values])
            self.chat.redraw(row.key)
            names = [str(value.path[-1]) for value in values]
            self.status.say(f"{', '.join(names[:3])}: {_DECIDED[decision]}.")

    def decide_all(self) -> None:
        """Keep or drop all volatile values of the selected conversation."""
        entry = self.conversations.selected
        if entry is None or not entry.values:
            self.status.say("This conversation has no argument marked ≈ (likely to change).")
            return
        decision = entry.decide([*entry.values.values()])
        self.chat.redraw()
        count = counted(sum(map(len, entry.values.values())), "value")
        self.status.say(f"{count} marked ≈: {_DECIDED[decision]}.")

    # --- keys that add ---------------------------------------------------------------------------------------

    @property
    def _turn(self) -> int | None:
        """The selected turn, from 0. In the list: the only turn that counts, else None."""
        entry, row = self.conversations.selected, self.chat.row
        # The list shows no turn as selected, so there the only countable turn is meant.
        if entry is None or self.chat.has_focus:
            return row.turn if entry is not None and row is not None and row.turn >= 0 else None
        return entry.countable_turns[0] if len(entry.countable_turns) == 1 else None

    def add(self) -> None:
        """Add the ticked turns, else the selected conversation or turn, and close."""
        picks, entry, turn = {**self.found.ticked}, self.conversations.selected, self._turn
        if not picks and entry is not None and self.target.turn is None:
            picks = {entry: entry.countable_turns}
        elif not picks and entry is not None and turn is not None:
            picks = {entry: [turn]}
        close = partial(self._close_with, lambda eval_set: addition_of(eval_set, self.target, picks))
        if not picks and entry is None:
            self.status.say("No conversation is selected.")
        elif not picks:
            self.go_to_chat()
            add, replace = key_of("chat.add"), key_of("adding.replace")
            self.status.say(f"Select a recorded turn. Press {add} to add it, or {replace} to replace your turn.")
        elif sum(map(len, picks.values())) <= 50:  # in about 0.1 s
            close()
        else:
            # The message must be drawn before the copies keep the app busy.
            self.status.say(f"Adding {counted(len(picks), 'conversation')} …")
            self.file.app.input_order.call_in_next_frame(self, close)

    def replace(self) -> None:
        """Replace the turn of the set from which the screen was opened by the selected one, and close."""
        turn, recorded, entry = self.target.turn, self._turn, self.conversations.selected
        if turn is None:
            self.status.say("No turn to replace. Open the conversations from a turn in the tree.")
        elif recorded is None or entry is None:
            self.go_to_chat()
            replace = key_of("adding.replace")
            self.status.say(f"Select a recorded turn, then press {replace} to replace the turn of the set.")
        else:
            self._close_with(lambda eval_set: replacement_of(eval_set, turn, entry, recorded))

    def _close_with(self, make: Callable[[CaseFile], Revision]) -> None:
        """Close, and add what `make` gives. It raises `EditError`."""
        if self.file.readonly or (eval_set := self.file.eval_set) is None:
            self.status.say(self.file.refusal if self.file.readonly else "The file is no longer an eval set.")
            return
        try:
            revision = make(eval_set)
        except DocumentError as error:
            self.status.say(str(error))
            return
        self.dismiss(None)
        # Not as the answer of the screen: until it arrives, the set may be edited or reloaded on disk.
        self._take(revision)

    # --- sources ---------------------------------------------------------------------------------------------

    def read_more(self) -> None:
        """Read the next conversations of large sources."""
        if self._reading.running:
            self.status.say("Still reading …")
        elif not self._reading.has_more:
            self.status.say("All conversations are read.")
        else:
            self._reading.read_more()
            self.status.say("Reading the next 1,000 …")

    def add_source(self) -> None:
        """Ask for a file or folder, and read its conversations, too."""

        def chosen(path: Path) -> None:
            self._selects_first = self._is_source_read = True
            self._reading.add(path)
            self.show_title()
            self.status.say(f"Reading {printable(path.name)} …")

        question, folder = "Path of a session database, session, trace, result or folder", folder_of(self.file)
        check = partial(named_path, folder=folder)
        self.file.app.ask(NameDialog(question, "", check, is_path=True, folder=folder), chosen)


class AddCommands:
    """Keys of the editor that show conversations, and add the picked ones."""

    def __init__(self, screen: EditScreen) -> None:
        self._screen, self._file, self._panes = screen, screen.file, screen.panes

    def show_conversations(self) -> None:
        """Show conversations, to add some after the selected row."""
        panes, eval_set = self._panes, self._file.eval_set
        if eval_set is None or self._file.readonly:
            panes.status.say(why_no_conversations(self._file) if eval_set is None else self._file.refusal)
            return
        # A view of a single value has no place for cases.
        if panes.outline.root is not eval_set.root:
            panes.status.say(f"Press {key_of('list.back')} to go back to the cases. Add conversations there.")
            return
        panes.form.write_typed()
        # In the problems and scores, only the case of the line is meant.
        target, row = AddTarget(self._screen.case_here()), panes.tree.selected
        if panes.current in ("tree", "form"):
            # The row may be a call inside of a turn. In the empty case of a new set, cases are added, to replace it.
            case, turn = eval_set.enclosing(row, "case"), eval_set.enclosing(row, "turn")
            target = AddTarget(case, turn if case is not untouched_case(eval_set) else None)
        self._show(target)

    def show_conversation(self, key: ConversationKey) -> None:
        """Show one conversation, to add it as a case after the selected one."""
        self._show(AddTarget(self._screen.case_here()), key)

    def _show(self, target: AddTarget, only: ConversationKey | None = None) -> None:
        # The first new row is selected; for a case, its eval_id is opened for typing.
        take = partial(self._screen.reviser.apply, goto_new=True, begin=target.turn is None)
        self._file.app.push_screen(AddScreen(self._file, target, take, only))
