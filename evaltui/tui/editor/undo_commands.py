"""Undo, redo, revert and the drop of drafts, which go to what they change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from evaltui.document.document import Change, Document
from evaltui.document.node import Node
from evaltui.evalset.keys import items_of
from evaltui.evalset.titles import title
from evaltui.printable import one_line
from evaltui.tui.commands import key_of
from evaltui.tui.messages import in_past_tense, undo_said, with_full_stop
from evaltui.tui.open_file.drafts import DraftPlace

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen

_LOOKED_AT = 20
"""The most added values, and of each the most inner ones, that are searched for one with its own row."""
_LEVELS = 2
"""The first tool call of a turn is added with the object and the list around it."""


class UndoCommands:
    """Undoes and redoes steps of the document."""

    def __init__(self, screen: EditScreen) -> None:
        self._screen, self._file, self._panes = screen, screen.file, screen.panes

    def step(self, way: Literal["undo", "redo"]) -> None:
        """Undo the last step, or redo the one undone last, and go to what it changed.

        Typing that became a draft is a step, too.
        """
        panes, document, decisions = self._panes, self._file.document, self._file.decisions_in_use
        if was_typing := panes.form.edited is not None:
            panes.form.write_typed()  # typing that was not valid yet is a step of its own: the draft
        change = document.undo() if way == "undo" else document.redo()
        if change is None:
            nothing = f"Nothing to {way}."
            if way == "undo" and decisions is not None and decisions.next_undo is not None:
                review = key_of("list.review")
                nothing = f"Nothing to undo in the editor. Press {review} to undo the decision in the review."
            panes.status.say(nothing)
        else:
            self._show_step(change, "Undone" if way == "undo" else "Redone")
        if way == "undo" and was_typing and panes.form.edited is None:
            self._file.app.opener_guard.hold("undo has left the text box")

    def revert_case(self) -> None:
        """Revert the case of the selected row to the file on disk, as one step."""
        from evaltui.evalset.merge.paired_items import id_name, pair_items, paired

        status, case_file = self._panes.status, self._file.case_file
        case = case_file.enclosing(self._panes.tree.selected, "case") if case_file is not None else None
        if self._file.readonly:
            status.say(self._file.refusal)
            return
        if case_file is None or case is None or case.parent is None:
            status.say("Select a case to revert to its text on disk.")
            return
        document, cases, name = self._file.document, case_file.cases, title(case_file, case)
        # As it was last read or written; a case may have another place or another id since then.
        cases_on_disk = items_of(Document(document.base).root, "eval_cases") if document.base is not None else []
        index = pair_items(cases_on_disk, cases, id_name(case.parent))[cases.index(case)]
        if index is None:
            status.say(f"{name} is not on disk. Press {key_of('tree.delete')} to delete it.")
            return
        source = cases_on_disk[index].source()
        change = document.restore(case, source, paired, f"revert {name} to its text on disk")
        if change is None:
            is_new = document.is_changed(case)  # a case that was cut and pasted is a new value with the old text
            moved = f"{name} has the text on disk; only its place is unsaved. {key_of('list.unsaved')} shows it."
            status.say(moved if is_new else f"{name} has no unsaved changes.")
            return
        status.say(f"reverted {name} to its text on disk", undo_said())
        self._screen.apply_change(change)

    def drafts_here(self) -> list[DraftPlace]:
        """The drafts of the selected line or problem; in the tree, of the row and all rows below it."""
        drafts, panes = self._file.drafts, self._panes
        if not drafts.kept:
            return []
        if panes.current == "problems":
            problem = panes.problems.problem
            return [problem.draft] if problem is not None and problem.draft is not None else []
        if panes.current == "form":
            stop = panes.form.edited or panes.form.stop
            place = DraftPlace(panes.form.node, stop.key) if stop is not None else None
            return [place] if place is not None and place in drafts.kept else []
        return drafts.within(panes.tree.selected)

    def drop_draft(self) -> None:
        """Drop the current drafts as one step."""
        places = self.drafts_here()
        if not places:
            self._panes.status.say("No draft here.")
            return
        first = self._file.drafts.kept[places[0]]
        rest = f" and {len(places) - 1} more" if len(places) > 1 else ""
        change = self._file.drop_drafts(places, f"draft of {first.where}{rest}")
        assert change is not None
        self._panes.status.say(in_past_tense(change.label), undo_said())
        self._screen.apply_change(change)
        self._panes.form.editor.show_undone()

    def _show_step(self, change: Change, done: str) -> None:
        if self._file.document.lacks_theirs:
            done += f" without the changes on disk ({key_of('list.merge')}: merge)"
        panes, label = self._panes, change.label
        node = change.nodes[0] if len(change.nodes) == 1 and not (change.everywhere or change.structural) else None
        if node is not None and node.kind == "string" and node.key and node.name in ("eval_id", "eval_case_id"):
            # The label has the new id, and the title of the case the earlier one: neither would be understood.
            label = f'{node.name} is "{one_line(node.text(), 40)}" again' if node.is_in(change.root) else label
        message = f"{done}: {with_full_stop(label)}"
        form, trail = panes.form.node, [*panes.trail]
        looks = panes.form.looks() if form.is_in(change.root) else {}
        panes.status.say(message)  # a view that closes because its value is gone takes the message along
        self._file.changed(change, self._screen, goto_new=bool(change.added) and panes.current == "tree")
        if panes.form.edited is not None:
            panes.form.editor.show_undone()
        if panes.current == "form" and not change.everywhere and not form.is_in(change.root):
            self._go_back_from_removed(trail, change)
        elif not change.everywhere:
            self._go_to_change(change)
            if panes.form.node is form and panes.form.edited is None:
                panes.form.go_to_only_difference(looks)
        # If the step deleted the value of the front view, that view has closed.
        if (view := self._file.front) is not None:
            view.panes.status.say(message)
        decisions = self._file.decisions_in_use
        if decisions is not None and (trouble := decisions.trouble):
            self._panes.status.say(f"The saved decision was not updated: {trouble}")

    def _go_back_from_removed(self, trail: list[Node], change: Change) -> None:
        """Go back to where the removed value of the form was added: to an earlier form, else to the tree."""
        # Not to the form of a value beside it: the next letters would edit what nobody has chosen.
        panes = self._panes
        while trail and not trail[-1].is_in(change.root):
            trail.pop()
        if not trail:
            self._screen.navigator.show_pane("tree")
            self._go_to_change(change)
            return
        panes.form.show(panes.tree.go_around(trail.pop()))
        panes.trail[:] = trail
        place = self._node_of(change)
        if place is not None:
            panes.form.go_to_place(place, "")

    def _go_to_change(self, change: Change) -> None:
        place = change.merge_key if isinstance(change.merge_key, DraftPlace) else None
        node = place.node if place is not None else self._node_of(change)
        if node is None or not node.is_in(change.root):
            return
        view = self._file.lead_to(node)
        panes, form = view.panes, view.panes.form  # the focus stays in its pane
        if panes.current == "run" and (case := self._file.scores.case_around(node)) is not None:
            panes.run.select(case)
        if panes.current == "problems":
            self._file.checks.catch_up()
            panes.problems.select_at(node)
        if form.edited is not None and place == (form.node, form.edited.key):
            return
        row = form.node
        if panes.current != "form" or not (form.node is node or form.shows(node)):
            selected = panes.tree.selected
            is_inside = bool(change.added) and node in selected.ancestors()
            row = panes.tree.go_around(selected if is_inside else node)
            if form.node is not row:
                form.show(row)
                panes.trail.clear()
        if place is not None and row is place.node:
            form.lines.go_to(place.key)
        elif row is not node:
            form.go_to_place(node, "")
        if form.edited is not None and form.stop is not None and form.stop.key != form.edited.key:
            form.editor.stop()

    def _node_of(self, change: Change) -> Node | None:
        # Values with their own row first: a tool call before its response, a call before the list around it.
        case_file, first = self._file.case_file, change.added[:_LOOKED_AT]
        added = [inner for node in first for inner in _within(node, _LEVELS)]
        added.sort(key=lambda node: case_file is None or case_file.kind(node) == "value")
        candidates = (*added, change.beside, *change.nodes)
        return next((node for node in candidates if node is not None and node.is_in(change.root)), None)


def _within(node: Node, levels: int) -> Iterator[Node]:
    yield node
    if levels and node.is_container:
        for item in node.items[:_LOOKED_AT]:
            yield from _within(item, levels - 1)
