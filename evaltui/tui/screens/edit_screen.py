"""The edit screen: tree, form and problems of one document or of a value inside it."""

from __future__ import annotations

from textual import events, getters, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import Screen

from evaltui.document import Change, DocumentError, Node
from evaltui.tui.commands import Command, bindings, in_past_tense
from evaltui.tui.outlines import JsonOutline, Outline
from evaltui.tui.panes.bars import KeysBar, StatusBar, TitleBar
from evaltui.tui.panes.form_lines import FormLines
from evaltui.tui.panes.form_pane import FormPane
from evaltui.tui.panes.problems_pane import ProblemsPane
from evaltui.tui.panes.requests import Ask, Revise, Say, Selected, Visit
from evaltui.tui.panes.tree_pane import TreePane
from evaltui.tui.saving import Saving
from evaltui.tui.session import Session


class EditScreen(Saving, Screen[str]):
    """Wires the panes to the session; the panes ask, the session changes, the panes refresh what changed."""

    BINDINGS = bindings("everywhere")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (140, "-wide")]

    title_bar = getters.query_one("#title", TitleBar)
    tree_pane = getters.query_one("#tree", TreePane)
    form_pane = getters.query_one("#form", FormPane)
    problems_pane = getters.query_one("#problems", ProblemsPane)
    status = getters.query_one("#status", StatusBar)
    keys = getters.query_one("#keys", KeysBar)

    def __init__(self, session: Session, outline: Outline, start: Node | None = None) -> None:
        super().__init__()
        self.session = session
        self.outline = outline
        self._start = start
        self._pane = "tree"
        self._trail: list[Node] = []
        """The nodes whose forms led to the present one, for the way back."""

    def compose(self) -> ComposeResult:
        """Title, panes, and the bars below."""
        yield TitleBar(self.session)
        with Horizontal(id="panes"):
            yield TreePane(self.session, self.outline)
            yield FormPane(self.session, self.outline)
        yield ProblemsPane(self.session)
        yield StatusBar()
        yield KeysBar(self._title_of)

    def on_mount(self) -> None:
        """Begin in the tree."""
        self.tree_pane.focus()
        if self._start is not None:
            self.tree_pane.go_to(self._start)
        self.form_pane.show(self.tree_pane.selected)
        self.show_findings()
        self._place_panes()

    # --- panes ---------------------------------------------------------------------------------------------

    @property
    def is_narrow(self) -> bool:
        """Whether there is room for one pane at a time only."""
        return self.app.size.width < 100

    def on_resize(self) -> None:
        """Show one pane or both."""
        self._place_panes()

    def _place_panes(self) -> None:
        narrow = self.is_narrow
        self.tree_pane.display = not narrow or self._pane == "tree"
        self.form_pane.display = not narrow or self._pane == "form"
        self.problems_pane.display = bool(self.session.findings) and (not narrow or self._pane == "problems")
        self.query_one("#panes").display = not narrow or self._pane != "problems"

    def action_show_pane(self, name: str) -> None:
        """Go to a pane: tree, form or problems."""
        if name == "problems" and not self.session.findings:
            self.status.say("No problems were found when opening this file.")
            return
        self._pane = name
        if name == "tree":
            self._trail.clear()
        self._place_panes()
        {"tree": self.tree_pane, "form": self.form_pane.lines, "problems": self.problems_pane}[name].focus()

    def action_next_pane(self, step: int) -> None:
        """Go to the next or previous pane."""
        names = ["tree", "form", *(["problems"] if self.session.findings else [])]
        self.action_show_pane(names[(names.index(self._pane) + step) % len(names)])

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """Show the keys of the pane that has the focus now."""
        # Of two changes in a row the events can come in any order.
        place = getattr(self.focused, "PLACE", None)
        if place is not None:
            self._pane = "form" if place == "field" else place
            self.keys.show_place(place)
            self.form_pane.lines.refresh()
            self.tree_pane.refresh()

    def _title_of(self, command: Command) -> str:
        """What the keys line calls a command at present; "" where it is of no use."""
        return self.form_pane.offer(command) if command.place in ("form", "field") else command.title

    @on(FormLines.CursorMoved)
    def _form_cursor_moved(self) -> None:
        self.keys.update()

    def action_step_case(self, step: int) -> None:
        """Go to the next or previous case, from any pane."""
        self.form_pane.stop_editing()
        self.tree_pane.step_case(step)

    def action_back(self) -> None:
        """Back to the form one came from, to the tree, or out of a view of a value; at the root nothing."""
        if self._pane == "form" and self._trail:
            came_from = self.form_pane.node
            self._go_to(self._trail.pop())
            self.form_pane.lines.go_to_target(came_from)
        elif self._pane != "tree":
            self.action_show_pane("tree")
        elif len(self.app.screen_stack) > 1:
            self.dismiss()

    async def action_back_or_quit(self) -> None:
        """Back; at the root, quit."""
        if self._pane == "tree" and len(self.app.screen_stack) <= 1:
            await self.app.run_action("screen.quit", default_namespace=self)
        else:
            self.action_back()

    def action_say_how_to_quit(self) -> None:
        """For those whose hands know ^c."""
        self.status.say("^q quits.")

    def action_help(self) -> None:
        """Show all keys."""
        from evaltui.tui.screens.help_screen import HelpScreen

        self.app.push_screen(HelpScreen(self.keys.place))

    # --- what panes ask ------------------------------------------------------------------------------------

    @on(Selected)
    def _selected(self, event: Selected) -> None:
        if event.node is not self.form_pane.node:
            self._trail.clear()
            # The cursor is drawn first; the form follows in the next frame, and of a held key only the last.
            self.call_after_refresh(self._show_selected)

    def _show_selected(self) -> None:
        if self in self.app.screen_stack:  # and not left since
            self.form_pane.show(self.tree_pane.selected)

    @on(Say)
    def _say(self, event: Say) -> None:
        self.status.say(event.text)

    @on(Visit)
    def _visit(self, event: Visit) -> None:
        came_from, root = self.form_pane.node, self.session.document.root
        if root is None or not event.node.is_in(root):
            return  # deleted by a key of the same burst
        if self._go_to(event.node):
            if self._pane == "form" and came_from is not event.node:
                self._trail.append(came_from)
            self.action_show_pane("form")
        elif event.node.is_container:
            self.view_value(event.node)
        elif event.node.parent is not None:
            self.view_value(event.node.parent, event.node)

    def _go_to(self, node: Node) -> bool:
        """Select the row of a node and show its form; False where the tree has no row for it."""
        if not self.tree_pane.go_to(node):
            return False
        self.form_pane.show(node)
        return True

    def view_value(self, node: Node, start: Node | None = None) -> None:
        """Open a view of a value that has no row in the tree."""
        if node is self.outline.root:
            self._go_to(node)
            self.action_show_pane("form")
            self.form_pane.lines.go_to(start.name if start else None)
            return
        screen = EditScreen(self.session, JsonOutline(node, self.session.path_to(node)), start)
        self.app.push_screen(screen, lambda said: self.refresh_all(said or ""))

    @on(Ask)
    def _ask(self, event: Ask) -> None:
        from evaltui.tui.screens.name_dialog import NameDialog

        def answered(name: str | None) -> None:
            if name is not None:
                self.revise(Revise(event.then(name), goto_new=event.goto_new))

        self.app.push_screen(NameDialog(event.question, event.text, event.then), answered)

    # --- changes -------------------------------------------------------------------------------------------

    @on(Revise)
    def revise(self, event: Revise) -> None:
        """Do what a pane asks for, and refresh what it changed."""
        try:
            change = self.session.revise(event.revision, event.merge_key)
        except DocumentError as error:
            self.status.say(str(error))
            return
        if change is None:
            # The value is what it was, but a draft of it may have gone.
            self.status.say("")
            self.form_pane.refresh_form()
            self.show_change(None)
            return
        remark = f" · {event.revision.remark}" if event.revision.remark else ""
        typing = event.merge_key is not None
        self.status.say(f"{in_past_tense(change.label)}{remark}", "" if typing else "u undoes it")
        self.apply_change(change, goto_new=event.goto_new)

    def apply_change(self, change: Change, *, goto_new: bool = False) -> None:
        """Refresh the rows and the form that a change concerned."""
        root = self.session.document.root
        if root is None or not self.outline.root.is_in(root):
            if self.is_current:
                self.dismiss(self.status.text)
            return
        came_from = self.form_pane.node
        self.tree_pane.apply_change(change, goto_new=goto_new)
        if self.tree_pane.selected is came_from:
            self.form_pane.refresh_form()
        else:
            self.form_pane.show(self.tree_pane.selected)
        if goto_new and self._pane == "form":
            if self.form_pane.node is not came_from:
                self._trail.append(came_from)
            self.form_pane.edit_new(change)
        self.title_bar.update()
        self.keys.update()

    def show_change(self, change: Change | None) -> None:
        """Refresh what a change made otherwise than by a revision concerned, and the marks of drafts."""
        if change is not None:
            self.apply_change(change)
        self.tree_pane.refresh()
        self.title_bar.update()

    def action_undo(self) -> None:
        """Take back the last step, and with it the draft of the field one is in; only that where it stands alone."""
        self.form_pane.write_typed()
        dropped = self.form_pane.drop_draft() if self._pane == "form" else None
        if dropped is not None and dropped != self.session.document.history.next_undo_key:
            self.status.say("undone: the draft is gone, the value is what it was before")
            self.show_change(None)
            return
        self._stepped(self.session.document.undo(), "undone", "Nothing to undo.")

    def action_redo(self) -> None:
        """Do the last undone step again."""
        self.form_pane.write_typed()
        self._stepped(self.session.document.redo(), "redone", "Nothing to redo.")

    def _stepped(self, change: Change | None, done: str, nothing: str) -> None:
        if change is None:
            self.status.say(nothing)
            return
        self.status.say(f"{done}: {change.label}")
        self.apply_change(change, goto_new=bool(change.added) and self._pane == "tree")
        self.form_pane.show_undone()

    def refresh_all(self, said: str = "") -> None:
        """Something may have changed while another screen was in front, which has `said` why it closed."""
        self.status.say(said)
        self.tree_pane.rebuild()
        self.form_pane.show(self.tree_pane.selected)
        self.title_bar.update()

    def show_findings(self) -> None:
        """The inspection of the file has found more."""
        self.problems_pane.refresh_findings()
        self.title_bar.update()
        self._place_panes()
