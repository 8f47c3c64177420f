"""Beginning where one left off: fold state, cursor and split of a file, from its last time."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import cast

from evaltui.document import DocumentError, Node
from evaltui.evalset.eval_set import EvalCase
from evaltui.tui.base_app import BaseApp
from evaltui.tui.editor.pane_layout import Arranging
from evaltui.tui.panes.tree_pane import TreePane
from evaltui.tui.view_state import PlaceSeen, ViewState, load_view, save_view


class Remembering(Arranging):
    """The part of the edit screen that remembers how the file was looked at; views of inner values do not."""

    _start: Node | None = None
    _remembered: TreePane | None = None
    """The tree, kept at hand: when the screen goes, its panes have left it already."""

    def on_mount(self) -> None:
        """Take up what is remembered; a case named on the command line goes before the cursor of last time."""
        path = self.session.document.path if cast(BaseApp, self.app).remembers_views else None
        if path is None or self.outline.root is not self.session.document.root:
            return
        self._remembered = self.tree_pane
        view = load_view(path)
        self.split = view.split
        self.place_panes()
        if view.unfolded is not None:
            self._unfold(filter(None, map(self._node_at, view.unfolded)))
        cursor = self._node_at(view.cursor) if view.cursor is not None else None
        if self._start is not None or cursor is not None:
            self.tree_pane.go_to(self._start or cursor or self.outline.root)
        self.form_pane.show(self.tree_pane.selected)

    def on_unmount(self) -> None:
        """Remember how it is now."""
        document, tree = self.session.document, self._remembered
        if document.path is None or tree is None or document.is_new:
            return
        unfolded = [node for node in tree.rows.nodes[1:] if tree.rows.is_open(node)]
        save_view(
            document.path, ViewState(self.split, self._place_of(tree.selected), tuple(map(self._place_of, unfolded)))
        )

    def _unfold(self, nodes: Iterable[Node]) -> None:
        """Show what is below these rows and no others."""
        wanted, rows = set(nodes), self.tree_pane.rows
        before = self.tree_pane.selected
        rows.fold_all(True)
        at = 1
        while at < len(rows.nodes):  # what opens brings more rows to look at
            if rows.nodes[at] in wanted:
                rows.open(at)
            at += 1
        self.tree_pane.refresh_size()
        if not self.tree_pane.go_to(before):
            self.tree_pane.go_to(self.outline.root)

    def _place_of(self, node: Node) -> PlaceSeen:
        case = self.session.eval_set.enclosing(node, "case") if self.session.eval_set else None
        return PlaceSeen(node.pointer(), EvalCase(case).eval_id if case is not None else "")

    def _node_at(self, place: PlaceSeen) -> Node | None:
        """The node at a place; in an eval set whose cases moved, the one of the case with that id."""
        node = self._at(place.pointer)
        if node is not None and self._place_of(node).eval_id == place.eval_id:
            return node
        eval_set, parts = self.session.eval_set, place.pointer.split("/", 3)
        if eval_set is None or not place.eval_id or len(parts) < 3:
            return None
        spelt = json.dumps(place.eval_id, ensure_ascii=False).encode("utf-8", "replace")
        near = (case for case in eval_set.cases if spelt in case.source())  # only these are unfolded
        case = next((case for case in near if EvalCase(case).eval_id == place.eval_id), None)
        return self._at("/".join([case.pointer(), *parts[3:]])) if case is not None else None

    def _at(self, pointer: str) -> Node | None:
        root = self.session.document.root
        try:
            return root.at(pointer) if root is not None else None
        except DocumentError:
            return None
