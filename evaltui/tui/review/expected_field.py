"""A dialog that edits the expected value of a line of the review."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from evaltui.document.edits import Edit, Set
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.evalset.call_views import expected_uses
from evaltui.evalset.case_file import expected_rows
from evaltui.evalset.content_parts import parts_of
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.keys import filled
from evaltui.review.review_changes import Place
from evaltui.tui.editor.reviser import reason_of
from evaltui.tui.forms.value_text import shown_text, value_edits

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile


class ExpectedField:
    """Edits one value of the set in a dialog, as one undo step."""

    def __init__(self, file: OpenFile, say: Callable[[str], object], edited: Callable[[Revision], object]) -> None:
        """`edited` does the revision and shows what came of it."""
        self._file = file
        self._say = say
        self._edited = edited

    def edit(self, case: Node, place: Place) -> None:
        """Ask for another value at a place of a case."""
        session = self._file
        node = _node_at(case, place)
        if session.readonly:
            self._say(session.refusal)
            return
        if node is None:
            self._say("No expected value here yet. Accept the actual value, or add one in the editor.")
            return
        from evaltui.tui.screens.conflict_screen import ValueDialog

        where = session.path_to(node)
        begun = node.source() if node.kind == "string" else shown_text(node).encode("utf-8", "surrogateescape")

        def answered(source: bytes | None) -> None:
            if source is None or source == begun:
                return
            try:
                self._edited(Revision(f"edit {where}", _edits(node, source)))
            except DocumentError as error:
                self._say(reason_of(error))

        self._file.app.push_screen(ValueDialog(where, begun), answered)


def _edits(node: Node, source: bytes) -> list[Edit]:
    """The edits that give a value this JSON text. Unchanged parts keep their bytes."""
    if node.kind == "string":
        return [Set(node.pointer(), source)]
    return value_edits(node, source.decode("utf-8", "surrogateescape"))


def _node_at(case: Node, place: Place) -> Node | None:
    """The value at a place: the text of the response, the arguments of a call, or a value within them."""
    turns = expected_rows(case)
    if place.turn is None or place.turn >= len(turns):
        return None
    turn = turns[place.turn]
    if place.action == "response":
        response = filled(turn, "final_response") if turn is not case else filled(filled(case, "reference"), "response")
        if response is not None and response.kind == "string":
            return response
        parts = [part for part in parts_of(response) if part.is_text]
        return filled(parts[0].node, "text") if parts else None
    calls = expected_uses(turn).calls
    if place.call is None or place.call >= len(calls):
        return None
    args = calls[place.call].args
    try:
        return args.at(place.pointer) if args is not None else None
    except DocumentError:
        return None
