"""How a file was looked at: its folds, cursor and split, taken up the next time it is opened."""

from __future__ import annotations

import json
from collections.abc import Iterable

from evaltui.document import DocumentError, Node
from evaltui.evalset.eval_set import EvalCase
from evaltui.tui.editor.pane_layout import PaneLayout
from evaltui.tui.editor.panes import Panes
from evaltui.tui.session.session import Session
from evaltui.tui.view_state import PlaceSeen, ViewState, load_view, save_view


class ViewMemory:
    """Remembers the view of a whole file; views of inner values are not remembered."""

    def __init__(self, session: Session, panes: Panes, layout: PaneLayout, start: Node | None) -> None:
        """`start` is the case named on the command line; it goes before the cursor of last time."""
        self._session = session
        self._panes = panes
        self._layout = layout
        self._start = start

    def recall(self) -> None:
        """Take up what is remembered."""
        path, panes, start = self._session.document.path, self._panes, self._start
        if path is None:
            return
        view = load_view(path)
        self._layout.split = view.split
        self._layout.place()
        if view.unfolded is not None:
            self._unfold(filter(None, map(self._node_at, view.unfolded)))
        cursor = self._node_at(view.cursor) if view.cursor is not None else None
        if start is not None or cursor is not None:
            panes.tree.go_to(start or cursor or panes.outline.root)
        panes.form.show(panes.tree.selected)

    def keep(self) -> None:
        """Remember how the file is looked at now."""
        document, tree = self._session.document, self._panes.tree
        if document.path is None or document.is_new:
            return
        unfolded = [node for node in tree.rows.nodes[1:] if tree.rows.is_open(node)]
        places = tuple(map(self._place_of, unfolded))
        save_view(document.path, ViewState(self._layout.split, self._place_of(tree.selected), places))

    def _unfold(self, nodes: Iterable[Node]) -> None:
        """Show what is below these rows and no others."""
        tree = self._panes.tree
        wanted, rows, before = set(nodes), tree.rows, tree.selected
        rows.fold_all(True)
        at = 1
        while at < len(rows.nodes):  # what opens brings more rows to look at
            if rows.nodes[at] in wanted:
                rows.open(at)
            at += 1
        tree.refresh_size()
        if not tree.go_to(before):
            tree.go_to(self._panes.outline.root)

    def _place_of(self, node: Node) -> PlaceSeen:
        case = self._session.eval_set.enclosing(node, "case") if self._session.eval_set else None
        return PlaceSeen(node.pointer(), EvalCase(case).eval_id if case is not None else "")

    def _node_at(self, place: PlaceSeen) -> Node | None:
        """The node at a place; in an eval set whose cases moved, the one of the case with that id."""
        node = self._at(place.pointer)
        if node is not None and self._place_of(node).eval_id == place.eval_id:
            return node
        eval_set, parts = self._session.eval_set, place.pointer.split("/", 3)
        if eval_set is None or not place.eval_id or len(parts) < 3:
            return None
        spelt = json.dumps(place.eval_id, ensure_ascii=False).encode("utf-8", "replace")
        near = (case for case in eval_set.cases if spelt in case.source())  # only these are unfolded
        case = next((case for case in near if EvalCase(case).eval_id == place.eval_id), None)
        return self._at("/".join([case.pointer(), *parts[3:]])) if case is not None else None

    def _at(self, pointer: str) -> Node | None:
        root = self._session.document.root
        try:
            return root.at(pointer) if root is not None else None
        except DocumentError:
            return None
