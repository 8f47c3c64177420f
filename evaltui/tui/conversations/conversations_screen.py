"""The conversations screen: the list of conversations, the turns of the selected one, and ticks in both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Input, Static

from evaltui.evalset.keys import text_of
from evaltui.printable import one_line, printable
from evaltui.recordings.conversation import ConversationKey
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.conversation_commands import IN_CONVERSATIONS
from evaltui.tui.conversations.adding_keys import AddingKeys, MakeAddition
from evaltui.tui.conversations.chat_list import ChatList
from evaltui.tui.conversations.conversation_reading import ConversationReading, ConversationsRead
from evaltui.tui.conversations.found_lines import FoundLines
from evaltui.tui.conversations.picked_turns import PickedTurns
from evaltui.tui.conversations.screen_words import (
    OF_CONVERSATIONS,
    empty_line,
    headings,
    nowhere,
    offered_title,
    title_text,
)
from evaltui.tui.lines import cut_at_word
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.recordings.conversation_additions import AddTarget
from evaltui.tui.recordings.found_conversations import FoundConversation, FoundConversations
from evaltui.tui.recordings.picker_filter import PickerFilter
from evaltui.tui.recordings.recording_words import counted
from evaltui.tui.recordings.turn_ticks import TurnTicks
from evaltui.tui.recordings.value_decisions import ValueDecisions
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.screens.list_screen import EntryList
from evaltui.tui.widgets.line_input import FilterInput, title_while_filtering

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile


class ConversationsScreen(CommandScreen):
    """Lists conversations and shows their turns. After it has closed, `wanted` makes the addition, if any."""

    BINDINGS = bindings("adding")
    OWN_WAYS = IN_CONVERSATIONS
    AUTO_FOCUS = ""
    may_move = True
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (140, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (8, "-high")]
    # Without this, Textual redraws the whole screen when the focus moves to the turns: 20 ms at 140×40.
    focused: reactive[Widget | None] = reactive(None, repaint=False)

    def __init__(self, file: OpenFile, target: AddTarget, only: ConversationKey | None = None) -> None:
        """Cases or turns go to the `target`. With `only`, just this conversation is shown."""
        super().__init__()
        self.file, self._target = file, target
        self.wanted: MakeAddition | None = None
        self.said_meanwhile = ""
        """The sentence to show while the addition is made; "" if that is quick."""
        facts, root = file.scores.facts, file.document.root
        matching = facts.matching if facts is not None else None
        self._found = FoundConversations(
            matching.apps if matching is not None else None, text_of(root, "eval_set_id") if root is not None else ""
        )
        self._ticks = TurnTicks()
        self._decided = ValueDecisions()
        self._reading = ConversationReading(file, self, only)
        self._lines = FoundLines(self._found, self._ticks)
        self._list: EntryList[FoundConversation] = EntryList(self._lines, "adding", "chats")
        self.chat = ChatList(self._ticks, self._decided)
        self.status = StatusBar()
        self._keys = KeysBar(self.title_of)
        self._filter = PickerFilter(self, self.status, self._filtered)
        self.picked = PickedTurns(self, self.chat, self._ticks, self._decided)
        self._added: Path | None = None
        """The source that was added last, until a conversation of it is in the list."""
        self._is_source_read = False
        """Whether a source that was added is being read."""
        self._is_warned = False
        """Whether the person was warned that leaving drops the ticks."""
        self.adding_keys = AddingKeys(file, self, self.picked, self._decided, self._reading)

    def compose(self) -> ComposeResult:
        """Title, list, turns, and the bars."""
        yield Static(markup=False, id="title")
        with Container(id="found-and-chat"):
            yield self._list
            yield self.chat
        yield self.status
        yield self._keys

    def on_mount(self) -> None:
        """Begin to read."""
        self._go(self._list)
        self._reading.begin()
        self._fill()

    def on_unmount(self) -> None:
        """End the thread that reads."""
        self._reading.cancel()

    # --- what is selected --------------------------------------------------------------------------------------

    @property
    def found_here(self) -> FoundConversation | None:
        """The selected conversation."""
        return self._list.selected

    @property
    def listed(self) -> Sequence[FoundConversation]:
        """The conversations that match the filter, as listed."""
        return self._found.shown

    def group_of(self, found: FoundConversation) -> int:
        """The group of a conversation in the list."""
        return self._found.group_of(found)

    @property
    def is_in_chat(self) -> bool:
        """Whether the turns have the focus."""
        return self.chat.has_focus

    @property
    def target(self) -> AddTarget:
        """The place where cases or turns are added, in the present document."""
        root = self.file.document.root
        return self._target.in_force(root) if root is not None else AddTarget()

    # --- showing -----------------------------------------------------------------------------------------------

    @on(ConversationsRead)
    def _read(self, event: ConversationsRead) -> None:
        report = event.report
        self._reading.take(report)
        if event.fault is not None:
            self.file.app.note_fault(event.fault)
        is_new = self._found.add(report.found, report.apps)
        for trouble in report.troubles:
            self.status.say(trouble)
        if report.is_done and not report.troubles and (said := self._said_at_end()):
            self.status.say(said)
        if is_new or report.is_done:
            first = next((each.key for each in report.found), None) if self._added is not None else None
            self._added = None if first is not None else self._added
            self._fill(first)

    def _said_at_end(self) -> str:
        """The sentence to show once all is read."""
        was_added, self._is_source_read = self._is_source_read, False
        if not self._found.every:
            return nowhere(self._set_folder)
        if self._reading.has_more:
            more = f"Press {key_of('adding.more')} to read the next 1,000 of {self._reading.total:,}."
            return f"The newest conversations are read. {more}"
        return (
            f"Source loaded. The list has {counted(len(self._found.every), 'conversation')} now." if was_added else ""
        )

    @property
    def _set_folder(self) -> Path | None:
        path = self.file.document.path
        return path.absolute().parent if path is not None else None

    def _fill(self, selected: ConversationKey | None = None) -> None:
        """Show the list as it is now."""
        self._lines.if_none = empty_line(self._found, self._reading, self._set_folder)
        self._list.show(self._found.shown, selected, [*headings(self._found)])
        self._show_title()

    def _filtered(self) -> str:
        """Show the conversations that match the filter. Returns their number in words."""
        self._found.filter(self._filter.query)
        self._fill()
        return counted(len(self._found.shown), "conversation")

    @on(EntryList.Browsed)
    def _selected(self) -> None:
        """Show the turns in the next frame, so that a held key shows only the last conversation."""
        self.call_after_refresh(self._show_chat)

    def _show_chat(self) -> None:
        found = self._list.selected
        self.chat.show(found)
        if found is None:
            self.chat.border_title = None
        else:
            id_, name = one_line(found.conversation.id, 40), printable(found.path.name)
            blank = "" if self.chat.styles.border_left[0] else " "  # beside a border, Textual leaves one itself
            self.chat.border_title = Content(f"{blank}{name} › {id_} ")
        self._keys.update()

    @on(ChatList.ChatRowSelected)
    def _row_selected(self) -> None:
        self._keys.update()

    def _show_title(self) -> None:
        if not self.is_mounted:  # the file may change on disk before this screen is composed
            return
        eval_set = self.file.eval_set
        where = self.target.title(eval_set) if eval_set is not None else ""
        left, right = title_text(where, self._found, self._ticks, self._reading)
        room = max(10, self.size.width - len(right) - 3)
        shown = Content.assemble((cut_at_word("   " + left, room), "bold")).truncate(room, pad=True)
        self.query_one("#title", Static).update(shown + Content.styled(f"  {right} ", "dim"), layout=False)
        self._keys.update()

    def show_ticks(self, *, everywhere: bool = False) -> None:
        """Show changed ticks of the selected conversation, or of all with `everywhere`."""
        self._is_warned = False
        if everywhere:
            self._list.refresh()
        else:
            self._list.refresh_entry(self._list.cursor)
        self.chat.refresh()
        self._show_title()

    def say(self, said: str) -> None:
        """Show a sentence."""
        self.status.say(said)

    def show_message(self, said: str | None) -> None:
        """Show a sentence about the file."""
        if said:
            self.status.say(said)
        self._show_title()

    def show_scores(self) -> None:
        """Do nothing: no score is shown here."""

    def on_screen_resume(self) -> None:
        """The dialog in front has closed: look at the file now if a change on disk waits."""
        self.file.disk.look_if_waiting()

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """Show the keys of the list, the turns or the filter."""
        place = getattr(self.focused, "PLACE", "")
        if place in (self._list.PLACE, self.chat.PLACE, FilterInput.PLACE):
            self._keys.show_place(place)

    def on_resize(self) -> None:
        """Lay the title out for another width."""
        self.call_after_refresh(self._show_title)
        self.call_after_refresh(self._show_chat)

    def title_of(self, command: Command) -> str:
        """The title of a command in the keys line; "" if it would do nothing now."""
        if self._keys.place == "filter":
            return title_while_filtering(command)
        if not self._found.every and command.id in OF_CONVERSATIONS:
            return ""
        is_of_turn, has_ticks = self.target.turn is not None, bool(self._ticks.conversations)
        if command.place == "chat" and command.does != "chats.add":
            return self.picked.title_of(command)
        return offered_title(command, is_of_turn=is_of_turn, reading=self._reading, has_ticks=has_ticks)

    # --- keys --------------------------------------------------------------------------------------------------

    def _go(self, shown: ChatList | EntryList[FoundConversation]) -> None:
        self.set_focus(shown, scroll_visible=False)
        self._keys.show_place(shown.PLACE)

    @on(EntryList.EntryOpened)
    def go_to_chat(self) -> None:
        """Move the focus to the turns of the selected conversation."""
        self._show_chat()
        if self.found_here is not None:
            self._go(self.chat)

    def go_to_list(self) -> None:
        """Go back to the list."""
        self._go(self._list)

    def fold_or_leave(self) -> None:
        """Fold the selected row, or go back to the list."""
        if not self.chat.fold(is_open=False):
            self._go(self._list)

    def go_on(self) -> None:
        """Select the next conversation of the list."""
        self._list.move(1)

    def step(self, step: int) -> None:
        """Select the next or previous conversation; the turns keep the focus."""
        self._list.move(step)

    async def find(self) -> None:
        """Open the line of the filter."""
        self._go(self._list)
        await self._filter.open()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search for what is typed in the line of the filter."""
        self._filter.apply(event.value)

    def keep_filter(self) -> None:
        """Close the filter line, and keep the filter."""
        self._filter.close()
        self._go(self._list)

    def clear_filter(self) -> None:
        """Show all lines again."""
        self._filter.clear()
        self.keep_filter()
        self._filtered()

    def step_hit(self, step: int) -> None:
        """Select the next matching conversation."""
        self._list.move(step)

    # --- what its keys ask for ---------------------------------------------------------------------------------

    def call_in_next_frame(self, act: Callable[[], object]) -> None:
        """Call `act` after the status line is drawn."""
        self.file.app.input_order.call_in_next_frame(self, act)

    def close_with(self, make: MakeAddition, said: str) -> None:
        """Close, then add the result of `make`; meanwhile, `said` is in the status line."""
        self.wanted, self.said_meanwhile = make, said
        self.dismiss("")

    def expect_source(self, path: Path) -> None:
        """Select the first conversation of this source once it is read."""
        self._added, self._is_source_read = path, True
        self._show_title()

    def leave(self) -> None:
        """Go back one step: from the turns to the list, clear the filter, then to the previous screen."""
        if self.is_in_chat:
            self._go(self._list)
        elif self._filter.clear():
            self._filtered()
        else:
            self.close()

    def close(self) -> None:
        """Close; nothing is added. With ticks, the first press warns."""
        ticked = self._ticks.said()
        if not ticked or self._is_warned:
            self.dismiss("")
            return
        self._is_warned = True
        add, leave = key_of("chats.add"), key_of("adding.leave")
        self.status.say(f"{ticked}. Press {add} to add, or {leave} again to leave.")

    def quit(self) -> None:
        """Close, then quit; unsaved changes are asked about."""
        self.dismiss("")
        self.file.leaving.quit()
