"""The conflicts of a merge: all versions side by side, and a choice or a typed value for each conflict."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen

from evaltui.document.document import Document
from evaltui.document.edits import json_text
from evaltui.document.node import Node
from evaltui.document.value_comparison import edits_between
from evaltui.evalset.merge.three_way import Conflict, ConflictChoice
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.lines import FILL, PASSED, WARNING, Line, folded
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.score_lines import cut_place
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.screens.text_dialogs import ValueDialog
from evaltui.tui.widgets.line_view import LineList, LineView

Answer = dict[str, ConflictChoice]
"""The choices by place of the conflict."""
_DECISIONS = {"mine": "mine", "theirs": "on disk", "base": "before", "both": "both"}
_AROUND, _LEAST_PLACE = 8, 16
"""Cells of the mark and the gaps around the texts of a conflict, and the least cells of its place."""
_TITLES = {"base": "Before", "mine": "Mine", "theirs": "On disk", "both": "Both"}


class ConflictList(LineList):
    """One row for each conflict: its decision, its place, what happened."""

    PLACE = "conflicts"

    def __init__(self, conflicts: Sequence[Conflict], answer: Answer) -> None:
        super().__init__(id="conflicts")
        self._conflicts, self._answer = conflicts, answer

    def line_count(self) -> int:
        """One line for each conflict."""
        return len(self._conflicts)

    def line(self, index: int) -> Line:
        """Mark, place, what happened, and the choice."""
        conflict = self._conflicts[index]
        choice = self._answer.get(conflict.place)
        decision = "edited" if isinstance(choice, bytes) else _DECISIONS.get(choice or "", "?")
        mark = PASSED if choice is not None else WARNING
        room = self.scrollable_content_region.width - cell_len(conflict.why) - len(decision) - _AROUND
        place = cut_place(conflict.where, max(_LEAST_PLACE, room))
        return [mark, (place, "name"), (f"  {conflict.why}", "dim"), ("", FILL), (f" {decision} ", "accent")]


class VersionView(LineView, can_focus=False):
    """The lines of a version; `name_of_version` is base, mine, theirs or both."""

    def __init__(self, name: str) -> None:
        super().__init__(id=f"version-{name}")
        self.add_class("version")
        self.name_of_version = name
        self._text: str | None = None
        self._base: str | None = None
        self._wrapped: list[Line] = []
        self._wrapped_for: tuple[str | None, str | None, int] | None = None

    def show(self, text: str | None, base: str | None) -> None:
        """Show a version; lines that are not in `base` are marked, if there is a base."""
        self._text, self._base = text, base
        self._wrap()
        self.scroll_to(y=0, animate=False)
        self.refresh()

    def on_resize(self) -> None:
        """Wrap for another width."""
        self._wrap()

    def _wrap(self) -> None:
        width = max(10, self.size.width - 5)  # leave room for a scrollbar, which appears only later
        if self._wrapped_for == (self._text, self._base, width) or not self.size:
            return  # no size before the first layout
        self._wrapped_for = self._text, self._base, width
        self._wrapped = [] if self._text is not None else [[("not in this version", "dim")]]
        base_lines = set(self._base.split("\n")) if self._base is not None else None
        for line in self._text.split("\n") if self._text is not None else ():
            is_new = base_lines is not None and line not in base_lines
            for part in folded(line, width):
                self._wrapped.append([("± " if is_new else "  ", "accent"), (part, "" if is_new else "dim")])
        self.refresh_size()

    def line_count(self) -> int:
        """All lines, wrapped."""
        return len(self._wrapped)

    def line(self, index: int) -> Line:
        """One line."""
        return self._wrapped[index]


class ConflictScreen(Screen[Answer]):
    """Returns all choices once they are made; None to merge nothing."""

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
        conflicts.border_title = Content(f" {self._file_name}: changed here and on disk ")
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
        is_useless = {"conflicts.both": self._selected.both is None, "conflicts.edit": self._selected.is_order}
        return "" if is_useless.get(command.id) else command.title

    def _show(self) -> None:
        conflict, choice = self._selected, self._answer.get(self._selected.place)
        base = shown_text(conflict.base)
        for view in self.query(VersionView):
            name = view.name_of_version
            view.set_class(choice == name, "chosen")
            view.border_title = Content(f" {_TITLES[name]} ({key_of(f'conflicts.{name}')}) ")
            view.display = name != "both" or conflict.both is not None
            text = shown_both(conflict) if name == "both" else shown_text(conflict.version(name))  # type: ignore[arg-type]
            view.show(text, None if name == "base" else base)
        self.query_one("#versions").set_class(conflict.both is not None, "four")
        self.conflict_list.refresh()
        self.query_one(KeysBar).update()

    def _say_how_far(self) -> None:
        open_count = sum(conflict.place not in self._answer for conflict in self._conflicts)
        count = len(self._conflicts)
        if open_count:
            self.status.say(f"{open_count} of {count} conflict{'s' * (count != 1)} to decide")
        else:
            done, save = key_of("conflicts.done"), key_of("save")
            self.status.say(f"All conflicts are decided. Press {done} to merge, then {save} to save.")

    # --- commands ------------------------------------------------------------------------------------------

    def move(self, step: int) -> None:
        """Go to another conflict."""
        self.conflict_list.move(step)
        self._show()

    def scroll_values(self, direction: int) -> None:
        """Scroll all versions."""
        for view in self.query(VersionView):
            view.scroll_relative(y=direction * view.page(), animate=False)

    def choose(self, choice: ConflictChoice) -> None:
        """Decide the selected conflict and go to the next open one, from the end on to the first."""
        if choice == "both" and self._selected.both is None:
            self.status.say(
                f"These versions cannot be combined. Press {key_of('conflicts.edit')} to write another version."
            )
            return
        self._answer[self._selected.place] = choice
        count, cursor = len(self._conflicts), self.conflict_list.cursor
        steps = (step for step in range(count) if self._conflicts[(cursor + step) % count].place not in self._answer)
        self.conflict_list.move_to((cursor + next(steps, 0)) % count)
        self._show()
        self._say_how_far()

    def edit(self) -> None:
        """Write the value by hand."""
        conflict = self._selected
        if conflict.is_order:
            self.status.say("An order cannot be edited here. Merge first, then move the items.")
            return

        source = conflict.mine if conflict.mine is not None else conflict.theirs

        def answered(text: bytes | None) -> None:
            if text is not None:
                self.choose(text)

        self.app.push_screen(ValueDialog(conflict.where, source or json_text("")), answered)

    def done(self) -> None:
        """Merge, once all is decided."""
        if any(conflict.place not in self._answer for conflict in self._conflicts):
            self._say_how_far()
        else:
            self.dismiss(self._answer)

    def leave(self) -> None:
        """Go back without merging."""
        self.dismiss(None)


def shown_text(source: bytes | None) -> str | None:
    """A value for people: a text without quotes, other values as JSON; None if the version has no value."""
    if source is None:
        return None
    node = Node(source.strip())
    return node.text() if node.kind == "string" else _outdented(source).decode("utf-8", "replace")


def shown_both(conflict: Conflict) -> str | None:
    """The result of taking both versions, in the layout of the version on disk; None if both cannot be taken."""
    if conflict.both is None or conflict.theirs is None:
        return None
    # Without the indent of its place in the file: the edits would take that for the indent of one level.
    theirs, both = Document(_outdented(conflict.theirs)), Node(conflict.both)
    if both.kind == "string" or theirs.root is None:
        return shown_text(conflict.both)
    theirs.apply(edits_between(theirs.root, both, ""), "take both")
    return shown_text(theirs.to_bytes())


def _outdented(source: bytes) -> bytes:
    """A value with its lines unindented by the indent of the last line."""
    lines = source.strip().split(b"\n")
    indent = lines[-1][: len(lines[-1]) - len(lines[-1].lstrip())]
    return b"\n".join([lines[0], *(line.removeprefix(indent) for line in lines[1:])])
