"""Navigation: panes, cases, forms, views of inner values, and the way back."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from evaltui.document.node import Node
from evaltui.tui.forms.form import WhyLine
from evaltui.tui.messages import ENDED, UNSAFE

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen


class StartsAt(NamedTuple):
    """The place where a view starts."""

    node: Node | None = None
    """The node to start at; None for the first row."""
    in_form: bool = False
    """Whether to start in the form of the outermost value, if it has a form of its own."""
    begin: bool = False
    """Whether to start typing in its first field."""
    is_first: bool = False
    """Whether this is the first file that the person opens with evaltui."""


class Navigator:
    """Moves the focus, and opens and closes views."""

    def __init__(self, screen: EditScreen) -> None:
        self._screen, self._file, self._panes = screen, screen.file, screen.panes
        self.came_in_form = False
        """Whether the screen started in the form of its outermost value, so that esc there closes it."""
        self._left_at: dict[Node, Hashable] = {}
        """The line of Why from which a form was left, by node, for the way back."""

    # --- panes ---------------------------------------------------------------------------------------------

    def show_pane(self, name: str) -> None:
        """Go to a pane: tree, form, problems or run."""
        panes = self._panes
        if name == "problems" and not self._file.problems.has_any:
            panes.status.say(self._file.problems.none_shown)
            return
        if name == "run" and self._file.case_file is None:
            from evaltui.tui.open_file.score_sentences import NOT_SCORED

            panes.status.say(NOT_SCORED)
            return
        panes.current = name
        if name in ("problems", "run"):
            panes.below = name
        if name == "tree":
            panes.trail.clear()
        self._panes.place()
        # `focus` acts later, so keys pressed after this one would act in the old pane.
        below = {"problems": panes.problems, "run": panes.run}
        self._screen.set_focus(panes.form.lines if name == "form" else below.get(name, panes.tree))

    def go_to_pane(self, name: str) -> None:
        """Go to a pane: tree, form, problems or run. The message about the pane that is left goes."""
        if name != self._panes.current:
            self._panes.status.say("")
        self.show_pane(name)

    def next_pane(self, step: int) -> None:
        """Go to the next or previous pane."""
        current = self._panes.current
        has_problems = self._file.problems.has_any or current == "problems"
        names = ["tree", "form", *(["problems"] if has_problems else [])]
        names += ["run"] if self._file.scores.has_news or current == "run" else []
        self.go_to_pane(names[(names.index(current) + step) % len(names)])

    def to_recorded(self) -> None:
        """Go to the recorded turn beside the form, at the line of the form."""
        panes, recorded = self._panes, self._panes.recorded
        if recorded is None or not recorded.display:
            why = "" if recorded is not None and recorded.has_room else ": the terminal needs 160 columns"
            panes.status.say(f"No recorded turn beside this form{why}.")
            return
        selected = panes.form.lines.selected
        if not recorded.lines.enter(selected.top if selected is not None else 0):
            panes.status.say("No difference from the recording here.")

    def leave_recorded(self) -> None:
        """Go back from the recorded turn to the form."""
        if self._panes.recorded is not None:
            self._panes.recorded.lines.leave()

    # --- cases and rows ------------------------------------------------------------------------------------

    def step_case(self, step: int) -> None:
        """Go to the next or previous case, from any pane."""
        self._panes.form.editor.stop()
        self._panes.tree.step_case(step)

    def go_to(self, node: Node) -> bool:
        """Select the row of a node and show its form; False if the tree has no row for it."""
        if not self._panes.tree.go_to(node):
            return False
        self._panes.form.show(node)
        return True

    # --- back ----------------------------------------------------------------------------------------------

    def go_back(self) -> None:
        """Go back to the previous form, to the tree, or out of a view of a value; at the root do nothing."""
        panes = self._panes
        for beginning in (ENDED, UNSAFE):  # what they say of the keys is untrue at another place
            panes.status.forget(beginning)
        if panes.are_keys_in_recorded:
            self.leave_recorded()
        elif panes.current == "form" and panes.trail:
            came_from = panes.form.node
            back_to = panes.trail.pop()
            self.go_to(back_to)
            if not panes.form.lines.go_to(self._left_at.pop(back_to, None)):
                panes.form.lines.go_to_node(came_from)
        elif panes.current == "form" and self.came_in_form and panes.form.node is panes.outline.root:
            self._screen.dismiss()
        elif panes.current != "tree":
            self.show_pane("tree")
        elif self._screen.row_commands.unmark():
            return
        elif not self.is_outermost:
            self._screen.dismiss()

    @property
    def is_outermost(self) -> bool:
        """Whether this is the view of the whole file, with nothing in front."""
        return len(self._screen.app.screen_stack) <= 1

    # --- going to a place ----------------------------------------------------------------------------------

    def jump(self) -> None:
        """Ask for a place and go there."""
        from evaltui.tui.screens.jump_dialog import JumpDialog

        panes, root = self._panes, self._file.document.root
        assert root is not None

        def answered(target: tuple[Node, bool]) -> None:
            node, is_line = target
            is_outside = not panes.holds(node)
            if is_outside and not is_line:
                panes.status.say("That place is outside this view. Press esc to leave the view.")
                return
            panes.status.say("")  # it is about the place that is left
            panes.form.editor.stop()
            if not is_outside and panes.tree.go_to(node):
                self.show_pane("tree")
            elif is_line:
                self._file.lead_to(node).navigator.open_place(node)
            else:
                self.visit(node)

        self._file.app.ask(JumpDialog(root, self._file.case_file, self._file.words), answered)

    def open_place(self, node: Node, missing: str = "") -> None:
        """Open the nearest form of this view at the line of a value, or of a key missing in it."""
        panes = self._panes
        panes.trail.clear()
        panes.form.show(panes.tree.go_around(node))
        self.show_pane("form")
        if (link := panes.form.go_to_place(node, missing)) is not None:
            target = link.node  # this form only links to the value
            if target.is_container and panes.tree.rows.index(target) is None:
                self.view_value(target, node if node is not target else None, in_form=True)

    # --- values --------------------------------------------------------------------------------------------

    def visit(self, node: Node, *, begin: bool = False, edit: bool = False, line_of: Node | None = None) -> None:
        """Go to a node: to its form, or if the tree has no row for it, into a view of its own.

        `begin` starts typing in the first field of a new value, `edit` edits a value that is no object or list;
        `line_of` is the value whose line to select.
        """
        panes, root = self._panes, self._file.document.root
        came_from, stop = panes.form.node, panes.form.stop
        if root is None or not node.is_in(root):
            return  # deleted by another key of the same burst
        if self.go_to(node):
            if panes.current == "form" and came_from is not node:
                panes.trail.append(came_from)
                # On the way back, other lines are found by the value that they lead to.
                self._left_at[came_from] = stop.key if isinstance(stop, WhyLine) else None
            self.show_pane("form")
            panes.form.lines.go_to_node(line_of)
            is_edited = edit and not node.items and not self._file.readonly
            if begin or is_edited:
                panes.form.editor.begin(is_new=begin)
        elif node.is_container:
            self.view_value(node, begin=begin)
        elif node.parent is not None:
            self.view_value(node.parent, node, begin=edit)

    def view_value(self, node: Node, start: Node | None = None, *, begin: bool = False, in_form: bool = False) -> None:
        """Open a view of a value that has no row in the tree.

        It starts at `start`, a value in it: with `in_form` in its form if it has one of its own, else in the tree.
        """
        if node is self._panes.outline.root:
            self.go_to(node)
            self.show_pane("form")
            self._panes.form.lines.go_to_node(start)
            return
        from evaltui.tui.outlines.json_outline import JsonOutline

        outline = JsonOutline(node, partial(self._file.path_to, node), self._file.case_file)
        self._screen.open_view(outline, StartsAt(start, in_form or start is None, begin))
