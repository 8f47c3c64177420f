"""Conflicts of a merge: the versions side by side, and a choice for each conflict."""

from __future__ import annotations

from collections.abc import Sequence

from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen

from evaltui.document.edits import json_text
from evaltui.evalset.merge.conflicts import Conflict, ConflictChoice
from evaltui.tui.commands import Command, bindings, key_of
from evaltui.tui.lines import FILL, Line
from evaltui.tui.marks import PASSED, WARNING
from evaltui.tui.panes.bars import KeysBar, StatusBar
from evaltui.tui.widgets.line_list import LineList
from evaltui.tui.widgets.version_view import VersionView, shown_both, shown_text

Answer = dict[str, ConflictChoice]
"""The choices by the place of their conflict."""

_SAID = {"mine": "mine", "theirs": "on disk", "base": "before", "both": "both"}
_TITLES = {"base": "Before", "mine": "Mine", "theirs": "On disk", "both": "Both"}


class ConflictList(LineList):
    """A row a conflict: whether and how it is decided, where it is, what happened."""

    PLACE = "conflicts"

    def __init__(self, conflicts: Sequence[Conflict], answer: Answer) -> None:
        super().__init__(id="conflicts")
        self._conflicts, self._answer = conflicts, answer

    def line_count(self) -> int:
        """One line a conflict."""
        return len(self._conflicts)

    def line(self, index: int) -> Line:
        """Mark, place, what happened, and the choice."""
        conflict = self._conflicts[index]
        choice = self._answer.get(conflict.place)
        said = "edited" if isinstance(choice, bytes) else _SAID.get(choice or "", "?")
        mark = PASSED if choice is not None else WARNING
        return [mark, (conflict.where, ""), (f"  {conflict.why}", "dim"), ("", FILL), (f" {said} ", "accent")]


class ConflictScreen(Screen[Answer]):
    """Gives the choices once all are made, or None: then nothing happens."""

    BINDINGS = bindings("conflicts")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal")]

    conflict_list = getters.query_one("#conflicts", ConflictList)
    status = getters.query_one("#status", StatusBar)

    def __init__(self, file_name: str, conflicts: Sequence[Conflict]) -> None:
        """`file_name` is safe to show."""
        super().__init__()
        self._file_name = file_name
        self._conflicts = conflicts
        self._answer: Answer = {}

    def compose(self) -> ComposeResult:
        """The conflicts, the versions of the selected one, and the keys."""
        conflicts = ConflictList(self._conflicts, self._answer)
        conflicts.border_title = Content(f" {self._file_name}: changed here and on disk")
        yield conflicts
        with Horizontal(id="versions"):
            for name in _TITLES:
                yield VersionView(name)
        yield StatusBar()
        keys = KeysBar(self._title_of)
        keys.place = "conflicts"
        yield keys

    def on_mount(self) -> None:
        """Begin with the first conflict."""
        self.conflict_list.focus()
        self.conflict_list.refresh_size()
        self._show()
        self._say_how_far()

    @property
    def _selected(self) -> Conflict:
        return self._conflicts[self.conflict_list.cursor]

    def _title_of(self, command: Command) -> str:
        if command.id == "conflicts.both" and self._selected.both is None:
            return ""
        if command.id == "conflicts.edit" and self._selected.is_order:
            return ""
        return command.title

    def _show(self) -> None:
        conflict, choice = self._selected, self._answer.get(self._selected.place)
        base = shown_text(conflict.base)
        for view in self.query(VersionView):
            name = view.name_of_version
            view.set_class(choice == name, "chosen")
            view.border_title = Content(f" {_TITLES[name]} ({key_of(f'conflicts.{name}')})")
            view.display = name != "both" or conflict.both is not None
            text = shown_both(conflict) if name == "both" else shown_text(conflict.version(name))  # type: ignore[arg-type]
            view.show(text, None if name == "base" else base)
        self.query_one("#versions").set_class(conflict.both is not None, "four")
        self.conflict_list.refresh()
        self.query_one(KeysBar).update()

    def _say_how_far(self) -> None:
        open_ones = sum(conflict.place not in self._answer for conflict in self._conflicts)
        count = f"{open_ones} of {len(self._conflicts)} conflicts to decide"
        self.status.say(
            count if open_ones else f"All decided. {key_of('conflicts.done')} merges, the next {key_of('save')} saves."
        )

    # --- commands ------------------------------------------------------------------------------------------

    def action_move(self, step: int) -> None:
        """Go to another conflict."""
        self.conflict_list.action_move(step)
        self._show()

    def action_scroll_values(self, direction: int) -> None:
        """Scroll all versions."""
        for view in self.query(VersionView):
            view.scroll_relative(y=direction * view.page(), animate=False)

    def action_choose(self, choice: ConflictChoice) -> None:
        """Decide the selected conflict and go to the next open one."""
        if choice == "both" and self._selected.both is None:
            self.status.say(f"These versions cannot be combined. {key_of('conflicts.edit')} writes another version.")
            return
        self._answer[self._selected.place] = choice
        places = range(len(self._conflicts))
        at = self.conflict_list.cursor
        after = [*places[at:], *places[:at]]
        following = next((n for n in after if self._conflicts[n].place not in self._answer), None)
        if following is not None:
            self.action_move(following - at)
        self._show()
        self._say_how_far()

    def action_edit(self) -> None:
        """Write the value by hand."""
        conflict = self._selected
        if conflict.is_order:
            self.status.say("An order cannot be edited here. Merge first, then move the items.")
            return

        from evaltui.tui.screens.value_dialog import ValueDialog

        source = conflict.mine if conflict.mine is not None else conflict.theirs

        def answered(text: bytes | None) -> None:
            if text is not None:
                self.action_choose(text)

        self.app.push_screen(ValueDialog(conflict.where, source or json_text("")), answered)

    def action_done(self) -> None:
        """Merge, once all is decided."""
        if any(conflict.place not in self._answer for conflict in self._conflicts):
            self._say_how_far()
        else:
            self.dismiss(self._answer)

    def action_leave(self) -> None:
        """Back, with nothing done."""
        self.dismiss(None)
