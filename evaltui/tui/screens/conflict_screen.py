"""The conflicts of a merge: all versions side by side, and a choice or a typed value for each conflict."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.containers import Horizontal
from textual.content import Content

from evaltui.document.document import Document
from evaltui.document.edits import json_text
from evaltui.document.node import Node
from evaltui.document.value_comparison import edits_between
from evaltui.evalset.merge.three_way import Conflict, ConflictChoice
from evaltui.tui.command import Command
from evaltui.tui.commands import key_of
from evaltui.tui.lines import FILL, PASSED, WARNING, Line, folded
from evaltui.tui.panes.score_lines import cut_place
from evaltui.tui.screens.list_screen import ListScreen
from evaltui.tui.screens.text_dialogs import ValueDialog
from evaltui.tui.widgets.entry_list import EntryList
from evaltui.tui.widgets.line_view import LineView

Answer = dict[str, ConflictChoice]
"""The choices by place of the conflict."""
_TITLES = {"base": "Before", "mine": "Mine", "theirs": "On disk", "both": "Both", "edit": "Edited"}
"""The titles of the versions; `edit` is what the person wrote, which stands in the place of `mine`."""
_VERSIONS = ("base", "mine", "theirs", "both")


class VersionView(LineView, can_focus=False):
    """The lines of a version; `name_of_version` is one of `_VERSIONS`."""

    def __init__(self, name: str) -> None:
        super().__init__(id=f"version-{name}")
        self.add_class("version")
        self.name_of_version = name
        self._titled = name
        self._text: str | None = None
        self._base: str | None = None

    def show(self, text: str | None, base: str | None, *, is_edited: bool = False) -> None:
        """Show a version, or what the person wrote; lines that are not in `base` are marked, if there is a base."""
        self._titled = "edit" if is_edited else self.name_of_version
        # A choice shows the same texts again: of many pages, wrapping them would take long.
        if (text, base) == (self._text, self._base):
            self.watch_scroll_y(self.scroll_y, self.scroll_y)
            return
        self._text, self._base = text, base
        self.scroll_to(y=0, animate=False)
        self.on_resize()

    def on_resize(self) -> None:
        """Wrap the lines for another width, and say how many are out of sight."""
        width = max(10, self.size.width - 5)  # leave room for a scrollbar, which appears only later
        if self.size:  # none before the first layout
            wrapped: list[Line] = [] if self._text is not None else [[("not in this version", "dim")]]
            base_lines = set(self._base.split("\n")) if self._base is not None else None
            for line in self._text.split("\n") if self._text is not None else ():
                is_new = base_lines is not None and line not in base_lines
                for part in folded(line, width):
                    wrapped.append([("± " if is_new else "  ", "accent"), (part, "" if is_new else "dim")])
            self.all_lines = wrapped
            self.refresh_size()
            # As many lines as before need no other size, so nothing else would draw them.
            self.refresh()
        self.watch_scroll_y(self.scroll_y, self.scroll_y)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Name the version, its key, and the lines below the last one in sight: a low view has no room for a mark."""
        super().watch_scroll_y(old_value, new_value)
        below = self.line_count() - round(new_value) - self.size.height
        more = f"· {key_of('conflicts.scroll_down')}: {below} more line{'s' * (below != 1)} " if below > 0 else ""
        self.border_title = Content(f" {_TITLES[self._titled]} ({key_of(f'conflicts.{self._titled}')}) {more}")


class ConflictScreen(ListScreen[Answer]):
    """Returns all choices once they are made; None to merge nothing."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal")]

    def __init__(self, file_name: str, conflicts: Sequence[Conflict], *, leads_on: bool = False) -> None:
        """`file_name` is safe to show. `leads_on`: what waits for the save, such as quitting, follows the merge."""
        self._file_name, self._leads_on = file_name, leads_on
        self._conflicts = conflicts
        self._answer: Answer = {}
        self.conflicts: EntryList[Conflict] = EntryList("conflicts", identity=lambda conflict: conflict.place)
        self._versions = [VersionView(name) for name in _VERSIONS]
        super().__init__([self.conflicts], Horizontal(*self._versions, id="versions"))

    def on_mount(self) -> None:
        """Say how many conflicts there are."""
        self._say_how_far()

    def on_resize(self) -> None:
        """Leave room for the versions below many conflicts. Where not all keys fit, begin with those that lead on."""
        self.conflicts.styles.max_height = max(1, min(8, self.size.height // 3))
        # The titles of the versions name the keys that choose.
        width = self.size.width
        # All keys take 76 cells; those that end the screen or edit take 40.
        first = ("conflicts.done", "conflicts.leave", *(["conflicts.edit"] if width >= 40 else []))
        self.keys.first = first if width < 76 else ()
        self.keys.refresh()

    def title_texts(self) -> tuple[str, str]:
        """The file; the status line has the number of conflicts."""
        return f"{self._file_name}: changed here and on disk", ""

    def fill(self) -> None:
        """Show the conflicts."""
        self.conflicts.show(self._conflicts, self._conflict_line)

    def _conflict_line(self, conflict: Conflict, width: int) -> Line:
        """The line of a conflict. A long place is cut: what happened and the choice stay whole."""
        choice = self._answer.get(conflict.place)
        decision = _TITLES.get("edit" if isinstance(choice, bytes) else choice or "", "?").lower()
        mark = PASSED if choice is not None else WARNING
        # The mark and the gaps take eight cells.
        place = cut_place(conflict.where, max(16, width - cell_len(conflict.why) - len(decision) - 8))
        return [mark, (place, "name"), (f"  {conflict.why}", "dim"), ("", FILL), (f" {decision} ", "accent")]

    def show_detail(self) -> None:
        """Show all versions of the selected conflict."""
        conflict = self._selected
        base, choice = shown_text(conflict.base), self._answer.get(conflict.place)
        for view in self._versions:
            name = view.name_of_version
            is_edited = name == "mine" and isinstance(choice, bytes)
            view.set_class(is_edited or choice == name, "chosen")
            view.display = name != "both" or conflict.both is not None
            source = conflict.version(choice if is_edited else name)  # type: ignore[arg-type]
            text = shown_both(conflict) if name == "both" else shown_text(source)
            view.show(text, None if name == "base" else base, is_edited=is_edited)
        self.query_one("#versions").set_class(conflict.both is not None, "four")

    def offered_title(self, command: Command) -> str:
        """The title of a command in the keys line; "" if it would do nothing for this conflict."""
        is_useless = {"conflicts.both": self._selected.both is None, "conflicts.edit": self._selected.is_order}
        return "" if is_useless.get(command.id) else command.title

    @property
    def _selected(self) -> Conflict:
        return self._conflicts[self.conflicts.cursor]

    def _say_how_far(self, advice: str = "") -> None:
        open_count = sum(conflict.place not in self._answer for conflict in self._conflicts)
        count = len(self._conflicts)
        if open_count:
            self.status.say(f"{advice}{open_count} of {count} conflict{'s' * (count != 1)} to decide")
        else:
            rest = "merge and save" if self._leads_on else f"merge, then {key_of('save')} to save"
            self.status.say(f"All conflicts are decided. Press {key_of('conflicts.done')} to {rest}.")

    # --- commands ------------------------------------------------------------------------------------------

    def scroll_values(self, direction: int) -> None:
        """Scroll all versions by a page."""
        for view in self._versions:
            view.move_page(direction)

    def choose(self, choice: ConflictChoice) -> None:
        """Decide the selected conflict and go to the next open one, from the end on to the first."""
        conflict, cursor = self._selected, self.conflicts.cursor
        if choice == "both" and conflict.both is None:
            edit = key_of("conflicts.edit")
            self.status.say(f"These versions cannot be combined. Press {edit} to write another version.")
            return
        self._answer[conflict.place] = choice
        following = (place.place for place in [*self._conflicts[cursor:], *self._conflicts[:cursor]])
        open_place = next((place for place in following if place not in self._answer), None)
        # The list draws its lines again, because the choice stands in one of them.
        self.conflicts.show(self._conflicts, self._conflict_line, open_place)
        self._say_how_far()

    def edit(self) -> None:
        """Write the value by hand."""
        conflict = self._selected
        if conflict.is_order:
            self.status.say("An order cannot be edited here. Merge first, then move the items.")
            return
        chosen = conflict.version(self._answer.get(conflict.place, "mine"))
        versions = (chosen, conflict.mine, conflict.theirs, json_text(""))
        source = next(version for version in versions if version is not None)
        self.app.ask(ValueDialog(conflict.where, source), self.choose)

    def done(self) -> None:
        """Merge, once all is decided."""
        if all(conflict.place in self._answer for conflict in self._conflicts):
            self.dismiss(self._answer)
        else:
            self._say_how_far("Choose a version first: ")


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
