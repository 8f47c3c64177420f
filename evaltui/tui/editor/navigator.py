"""Going about in the edit screen: panes, cases, forms, views of inner values, and the way back."""

from __future__ import annotations

from collections.abc import Hashable
from typing import cast

from textual import events, on

from evaltui.document import Node
from evaltui.tui.base_app import BaseApp
from evaltui.tui.commands import CHANGING, Command, key_of
from evaltui.tui.editor.pane_layout import Arranging
from evaltui.tui.forms.form import Told
from evaltui.tui.outlines import InnerOutline, JsonOutline, Outline
from evaltui.tui.panes.form_lines import FormLines
from evaltui.tui.panes.requests import Browsed, Say, Selected, Visit
from evaltui.tui.session.session import Session


class Navigating(Arranging):
    """The part of the edit screen that moves the focus."""

    def __init__(self, session: Session, outline: Outline) -> None:
        super().__init__(session, outline)
        self._left_at: dict[Node, Hashable] = {}
        """The line of Why at which a form was left, for the way back to it."""

    def show_pane(self, name: str) -> None:
        """Go to a pane: tree, form, problems or run."""
        if name == "problems" and not self.session.problems.has_any:
            self.status.say("No problems.")
            return
        if name == "run" and self.session.eval_set is None:
            self.status.say("Only the cases of an eval set are scored.")
            return
        self.pane = name
        if name in ("problems", "run"):
            self.below = name
        if name == "tree":
            self.trail.clear()
        self.place_panes()
        # At once: `focus` would let the keys behind this one act in the old pane.
        panes = {"form": self.form_pane.lines, "problems": self.problems_pane, "run": self.run_pane}
        self.set_focus(panes.get(name, self.tree_pane))

    def action_show_pane(self, name: str) -> None:
        """Go to a pane: tree, form, problems or run."""
        self.show_pane(name)

    def action_next_pane(self, step: int) -> None:
        """Go to the next or previous pane."""
        has_problems = self.session.problems.has_any or self.pane == "problems"
        names = ["tree", "form", *(["problems"] if has_problems else [])]
        names += ["run"] if self.run_pane.has_news or self.pane == "run" else []
        self.show_pane(names[(names.index(self.pane) + step) % len(names)])

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """Show the keys of the pane that has the focus now."""
        # Of two changes in a row the events can come in any order.
        place = getattr(self.focused, "PLACE", None)
        if place is not None:
            self.pane = {"field": "form", "filter": "tree"}.get(place, place)
            self.keys.show_place(place)
            self._show_help_of_line()
            self.form_pane.lines.refresh_cursor()
            self.tree_pane.refresh_row(self.tree_pane.cursor)

    def title_of(self, command: Command) -> str:
        """What the keys line calls a command at present; "" where it is of no use."""
        if self.session.readonly and command.id in CHANGING:
            return ""
        history, action = self.session.document.history, command.action
        if (action == "screen.undo" and not history.next_undo) or (action == "screen.redo" and not history.next_redo):
            return ""
        if command.id == "list.unsaved":
            return command.title if self.session.has_unsaved else ""
        if command.id == "list.drop_draft":
            return command.title if self.drafts_here() else ""
        if command.id == "run.again":
            return "score" if self.run_pane.has_news else ""
        if command.id == "list.why":
            return command.title if self.session.scores.case_around(self.form_pane.node) is not None else ""
        if command.place == "tree":
            return self.tree_pane.offer(command)
        if command.place == "run":
            return self.run_pane.offer(command)
        if command.place == "problems":
            return self.problems_pane.offer(command)
        return self.form_pane.offer(command) if command.place in ("form", "field") else command.title

    @on(FormLines.CursorMoved)
    def _form_cursor_moved(self) -> None:
        self.keys.update()
        self._show_help_of_line()

    def forget_said(self) -> None:
        """The person goes on: there is room for the help of the line that is reached."""
        self.status.say("")

    def _show_help_of_line(self) -> None:
        stop = self.form_pane.stop if self.pane == "form" else None
        self.status.hint(stop.help if stop is not None else self.hint_at_rest())
        self.show_score_of_row()

    def action_step_case(self, step: int) -> None:
        """Go to the next or previous case, from any pane."""
        self.form_pane.stop_editing()
        self.tree_pane.step_case(step)

    def action_back(self) -> None:
        """Back to the form one came from, to the tree, or out of a view of a value; at the root nothing."""
        if self.pane == "form" and self.trail:
            came_from = self.form_pane.node
            back_to = self.trail.pop()
            self._go_to(back_to)
            if not self.form_pane.lines.go_to(self._left_at.pop(back_to, None)):
                self.form_pane.lines.go_to_target(came_from)
        elif self.pane == "form" and self.came_in_form and self.form_pane.node is self.outline.root:
            self.dismiss()
        elif self.pane != "tree":
            self.show_pane("tree")
        elif self.unmark():
            return
        elif len(self.app.screen_stack) > 1:
            self.dismiss()

    async def action_back_or_quit(self) -> None:
        """Back; at the root, to the list if one came from there, or quit."""
        if self.pane == "tree" and len(self.app.screen_stack) <= 1:
            leave = "open_another" if cast(BaseApp, self.app).came_from_list else "quit"
            await self.app.run_action(f"screen.{leave}", default_namespace=self)
        else:
            self.action_back()

    def action_say_how_to_quit(self) -> None:
        """For those whose hands know ^c."""
        self.status.say(f"{key_of('quit')} quits.")

    @on(Selected)
    def _selected(self, event: Selected) -> None:
        self.show_score_of_row()
        if event.node is not self.form_pane.node:
            self.trail.clear()
            # The cursor is drawn first; the form follows in the next frame, and of a held key only the last.
            self.call_after_refresh(self._show_selected)

    def _show_selected(self) -> None:
        if self in self.app.screen_stack:  # and not left since
            self.form_pane.show(self.tree_pane.selected)

    @on(Browsed)
    def _browsed(self) -> None:
        self.forget_said()
        self._show_help_of_line()
        self.keys.update()

    @on(Say)
    def _say(self, event: Say) -> None:
        self.status.say(event.text)
        self.keys.update()

    @on(Visit)
    def _visit(self, event: Visit) -> None:
        came_from, root, stop = self.form_pane.node, self.session.document.root, self.form_pane.stop
        if root is None or not event.node.is_in(root):
            return  # deleted by a key of the same burst
        if self._go_to(event.node):
            if self.pane == "form" and came_from is not event.node:
                self.trail.append(came_from)
                self._left_at[came_from] = stop.key if isinstance(stop, Told) else None
            self.show_pane("form")
            self.form_pane.lines.go_to_node(event.at)
        elif event.node.is_container:
            self.view_value(event.node, begin=event.begin)
        elif event.node.parent is not None:
            self.view_value(event.node.parent, event.node)

    def _go_to(self, node: Node) -> bool:
        """Select the row of a node and show its form; False where the tree has no row for it."""
        if not self.tree_pane.go_to(node):
            return False
        self.form_pane.show(node)
        return True

    def _outline_of(self, node: Node) -> Outline:
        eval_set = self.session.eval_set

        def path() -> str:
            return self.session.path_to(node)

        return InnerOutline(eval_set, node, path) if eval_set is not None else JsonOutline(node, path)

    def view_value(self, node: Node, start: Node | None = None, *, begin: bool = False) -> None:
        """Open a view of a value that has no row in the tree."""
        if node is self.outline.root:
            self._go_to(node)
            self.show_pane("form")
            self.form_pane.lines.go_to_node(start)
            return
        from evaltui.tui.editor.edit_screen import EditScreen

        screen = EditScreen(self.session, self._outline_of(node), start, in_form=start is None, begin=begin)
        self.app.push_screen(screen, lambda said: self.refresh_all(said or ""))
