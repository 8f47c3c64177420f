"""The start of a view: at a given place, or as the file was left."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.printable import printable
from evaltui.tui.commands import key_of
from evaltui.tui.editor.bar_texts import first_turn
from evaltui.tui.remembered_files import PlaceSeen, ViewState, load_view, save_view

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen


_WITHOUT_FORMS = ("", "rubrics", "behaviors", "events", "parts", "messages", "responses", "rubric_groups", "agents")
"""Places of lists and free JSON, whose tree shows everything."""


def select_start(screen: EditScreen) -> None:
    """Select the first row of a new view and show its form; in a new eval set, go to the form of its empty turn."""
    panes, navigator, case_file, start = screen.panes, screen.navigator, screen.file.case_file, screen.start
    has_form = case_file is not None and case_file.place(panes.outline.root) not in _WITHOUT_FORMS
    navigator.came_in_form = start.in_form and has_form
    turn = first_turn(screen.file) if panes.outline.root is screen.file.document.root else None
    panes.current = "form" if navigator.came_in_form or turn is not None else "tree"
    row = panes.outline.root if navigator.came_in_form else start.node or turn
    if row is not None:
        panes.tree.go_to(row)
    panes.form.show(panes.tree.selected)


def focus_start(screen: EditScreen) -> None:
    """Focus the pane where a new view starts. Start typing if requested."""
    panes, navigator, node = screen.panes, screen.navigator, screen.start.node
    navigator.show_pane(panes.current)
    if not screen.start.begin:
        if node is not None and navigator.came_in_form:
            panes.form.call_after_refresh(lambda: panes.form.go_to_place(node, ""))  # it has no lines yet
        return
    if node is not None:
        # A single value is edited in its own form, where its type and its help are.
        navigator.visit(node, edit=True)
        return
    if navigator.came_in_form and panes.form.editor.begin(is_new=True):
        return
    inner = panes.outline.root
    while inner.kind == "object" and len(inner.items) == 1:
        inner = inner.items[0]
    if inner.kind == "object" and not inner.items and panes.tree.go_to(inner):  # ask for its first key
        panes.form.show(inner)
        if navigator.came_in_form:
            panes.form.commands.ask_name(f"empty · press {key_of('form.add')} to add a key or esc to go back")
            return
        key = key_of("tree.add_inside")
        panes.tree.add(True, if_none=f"empty · press {key} to add a key or esc to go back")


class ViewMemory:
    """Remembers the view of a whole file; views of inner values are not remembered."""

    def __init__(self, screen: EditScreen) -> None:
        self._screen, self._file, self._panes = screen, screen.file, screen.panes
        self._to_offer: tuple[str, ...] = ()
        """Recordings of the last time, until the first run shows which are used anyway."""

    def recall(self) -> None:
        """Restore the remembered view."""
        path, panes = self._file.document.path, self._panes
        start = self._screen.start.node  # the case named on the command line wins over the remembered cursor
        if path is None:
            return
        view = load_view(path)
        self._file.earlier_recordings = self._to_offer = view.recordings
        panes.split = view.split
        panes.place()
        if view.unfolded is not None:
            tree, selected = panes.tree, panes.tree.selected
            # The remembered rows are those that were open; all others were folded.
            tree.rows.open_nodes = {*filter(None, map(self._node_at, view.unfolded))}
            tree.rows.sync_all()
            tree.refresh_size()
            if not tree.go_to(selected):
                tree.go_to(panes.outline.root)
        cursor = self._node_at(view.cursor) if view.cursor is not None else None
        if start is not None or cursor is not None:
            panes.tree.go_to(start or cursor or panes.outline.root)
        panes.form.show(panes.tree.selected)

    def keep(self) -> None:
        """Remember the current view of the file."""
        document, tree = self._file.document, self._panes.tree
        if document.path is None or document.is_new:
            return
        unfolded = [node for node in tree.rows.nodes[1:] if node in tree.rows.open_nodes]
        places = tuple(map(self._place_of, unfolded))
        named = (*self._file.options.recordings, *self._file.scorer.choices.added) or self._file.earlier_recordings
        save_view(document.path, ViewState(self._panes.split, self._place_of(tree.selected), places, named))

    def offer_recordings(self) -> None:
        """After the first run, say how recordings of the last time are used again, unless others are named now."""
        scores = self._file.scores
        if not self._to_offer or scores.facts is None or scores.is_running:
            return
        used = {os.path.realpath(file.path) for file in scores.facts.files}
        earlier = [name for name in self._to_offer if os.path.realpath(name) not in used]
        self._to_offer = ()
        if earlier and not self._file.options.recordings and not self._panes.status.text:
            count = len(earlier) - 1
            were = f"and {count:,} more were" if count else "was"
            name = printable(Path(earlier[0]).name)
            keys = f"{key_of('list.recordings')}, then {key_of('recordings.add')}"
            pronoun = "them" if count else "it"
            self._panes.status.say(f"{name} {were} used the last time. Press {keys} to add {pronoun} again.")

    def _place_of(self, node: Node) -> PlaceSeen:
        case_file = self._file.case_file
        case = case_file.enclosing(node, "case") if case_file is not None else None
        return PlaceSeen(node.pointer(), case_file.case_id(case) if case_file is not None and case is not None else "")

    def _node_at(self, place: PlaceSeen) -> Node | None:
        """The node at a remembered place; if the cases moved, in the case with the remembered id."""
        node = self._at(place.pointer)
        if node is not None and self._place_of(node).eval_id == place.eval_id:
            return node
        case_file, parts = self._file.case_file, place.pointer.split("/", 3)
        if case_file is None or not place.eval_id or len(parts) < 3:
            return None
        spelt = json.dumps(place.eval_id, ensure_ascii=False).encode("utf-8", "replace")
        near = (case for case in case_file.cases if spelt in case.source())  # only these are parsed
        case = next((case for case in near if case_file.case_id(case) == place.eval_id), None)
        return self._at("/".join([case.pointer(), *parts[3:]])) if case is not None else None

    def _at(self, pointer: str) -> Node | None:
        root = self._file.document.root
        try:
            return root.at(pointer) if root is not None else None
        except DocumentError:
            return None
