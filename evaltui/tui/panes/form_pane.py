"""The form of the selected node: lines at rest, and one text box over the field that is edited."""

from __future__ import annotations

from textual import events, getters, on
from textual.app import ComposeResult

from evaltui.document import EditError, Node
from evaltui.tui.commands import Command, bindings
from evaltui.tui.forms.form import Field, Form, Link
from evaltui.tui.forms.values import TYPES, shown_text
from evaltui.tui.outlines import Outline
from evaltui.tui.panes.field_editing import FieldEditing
from evaltui.tui.panes.form_layout import lay_out_form
from evaltui.tui.panes.form_lines import FormLines
from evaltui.tui.panes.requests import Ask, Revise, Say, Visit, ask_now
from evaltui.tui.session import Session
from evaltui.tui.widgets.pane_title import PaneTitle
from evaltui.tui.widgets.text_field import TextField


class FormPane(FieldEditing):
    """Shows the form of a node and writes what is typed back at once."""

    BINDINGS = bindings("form")

    title_line = getters.query_one(PaneTitle)
    lines = getters.child_by_id("form-lines", FormLines)
    box = getters.child_by_id("field", TextField)

    DEFAULT_CSS = """
    FormPane { layers: below above; }
    FormPane > PaneTitle, FormPane > FormLines { layer: below; }
    """

    def __init__(self, session: Session, outline: Outline) -> None:
        super().__init__(id="form")
        self.session = session
        self.outline = outline
        self.node = outline.root
        self.form = Form("")
        self._retyped: tuple[Node, Node] | None = None
        """The value whose type is being changed, and a copy of what it was before."""

    def compose(self) -> ComposeResult:
        """The title, the lines, and above them the box."""
        yield PaneTitle()
        yield FormLines()
        yield TextField(self.leave)

    # --- what is shown -------------------------------------------------------------------------------------

    def show(self, node: Node) -> None:
        """Show the form of another node; its first field is selected."""
        if node is not self.node:
            self.stop_editing()
            self.node = node
            self.lines.set_reactive(FormLines.cursor, -1)
            if self.lines.scroll_offset.y:
                self.lines.scroll_to(y=0, animate=False, force=True)
        self.refresh_form()

    def refresh_form(self) -> None:
        """Make the form anew: the node, the drafts, the size or the field being edited have changed."""
        self.form = self.outline.form(self.node)
        self.title_line.name_shown = self.form.title
        self._keep_editing(self.form)
        self.lay_out()

    def lay_out(self) -> None:
        """Place the items; put the box over the field being edited."""
        region = self.lines.scrollable_content_region
        tall = self.box_height() if self.edited else 0
        layout = lay_out_form(
            self.form,
            max(20, region.width),
            max(4, region.height // 2),
            lambda key: self.session.drafts.get((self.node, key)),
            (self.edited.key, tall) if self.edited else None,
        )
        self.lines.show(self.form, layout)
        if self.edited:
            self.lines.show_cursor()
        self.place_box()

    @on(FormLines.Resized)
    def _wrap_anew(self) -> None:
        self.lay_out()
        if self.edited:
            self.wrap_box()
            self.lay_out()

    @property
    def selected_field(self) -> Field | None:
        """The field under the cursor."""
        placed = self.lines.selected
        return placed.item if placed is not None and isinstance(placed.item, Field) else None

    @property
    def selected_node(self) -> Node:
        """The node that the selected line is about; that of the form where it has none of its own."""
        placed = self.lines.selected
        item = placed.item if placed is not None else None
        if isinstance(item, Link):
            return item.target
        return item.node if isinstance(item, Field) and item.node is not None else self.node

    @property
    def selected_text(self) -> str | None:
        """The selected value as text; None where there is none."""
        placed = self.lines.selected
        item = placed.item if placed is not None else None
        if isinstance(item, Link):
            return shown_text(item.target)
        return item.text if isinstance(item, Field) else None

    def offer(self, command: Command) -> str:
        """What a command would do to the selected line or the edited field, in a word or two; "" for nothing."""
        placed = self.lines.selected
        item = placed.item if placed is not None else None
        field, link = (item if isinstance(item, kind) else None for kind in (Field, Link))
        match command.id:
            case "form.enter":
                return "edit" if field else "open" if link else ""
            case "form.add":
                return f"add {self.form.adds}" if self.form.adds else ""
            case "form.delete":
                return command.title if getattr(item, "delete", None) else ""
            case "form.rename":
                return command.title if getattr(item, "rename", None) else ""
            case "form.type":
                return command.title if getattr(item, "retype", None) else ""
            case "field.newline":
                return command.title if self.edited and not self.edited.block else ""
        return command.title

    # --- commands ------------------------------------------------------------------------------------------

    def action_enter(self) -> None:
        """Edit the selected field, or go where the selected line leads."""
        placed = self.lines.selected
        if placed is None:
            self.post_message(Say("Nothing to edit here."))
        elif isinstance(placed.item, Field):
            self.start_editing(placed.item)
        elif isinstance(placed.item, Link):
            self.post_message(Visit(placed.item.target))

    def action_add(self) -> None:
        """Add what the form lists; ask for a name where it needs one."""
        add = self.form.add
        if add is None:
            self.post_message(Say("There is nothing to add here."))
        elif self.form.asks_name:
            self.post_message(Ask(f"Name of the new {self.form.adds}", "", add, goto_new=True))
        else:
            try:
                ask_now(self, Revise(add(""), goto_new=True))
            except EditError as error:
                self.post_message(Say(str(error)))

    def action_delete(self) -> None:
        """Delete the selected argument, part, call or member."""
        placed = self.lines.selected
        delete = placed.item.delete if placed and isinstance(placed.item, (Field, Link)) else None
        if delete is None:
            self.post_message(Say("This line cannot be deleted."))
        else:
            ask_now(self, Revise(delete()))

    def action_rename(self) -> None:
        """Ask for another name of the selected argument or member."""
        placed = self.lines.selected
        if placed is None or not isinstance(placed.item, Field) or placed.item.rename is None:
            self.post_message(Say("Only arguments and members have names to change."))
        else:
            name = placed.item.node.name if placed.item.node is not None else ""
            self.post_message(Ask(f"New name for {placed.item.label}", name, placed.item.rename))

    def action_retype(self) -> None:
        """Give the selected value the next JSON type; going round comes back to the value it was."""
        placed = self.lines.selected
        field = placed.item if placed is not None and isinstance(placed.item, Field) else None
        if field is None or field.retype is None or field.node is None:
            self.post_message(Say("This line has no type to change."))
            return
        if self._retyped is None or self._retyped[0] is not field.node:
            self._retyped = (field.node, Node(field.node.source()))
        following = TYPES[(TYPES.index(field.kind) + 1) % len(TYPES)]
        self.session.forget_draft(self.node, field.key)
        ask_now(self, Revise(field.retype(following, self._retyped[1]), merge_key=("type", field.node)))

    # --- mouse ---------------------------------------------------------------------------------------------

    @on(events.Click, "#form-lines")
    def _clicked(self, event: events.Click) -> None:
        line = self.lines.line_at(event.get_content_offset_capture(self.lines).y)
        number = self.lines.layout_of_form.at(line) if line is not None else None
        if number is None or not self.lines.layout_of_form.placed[number].can_be_selected:
            return
        placed = self.lines.layout_of_form.placed[number]
        again = number == self.lines.cursor
        self.lines.cursor = number
        if isinstance(placed.item, Field) or again:
            self.action_enter()
