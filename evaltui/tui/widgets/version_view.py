"""One version of a value in a conflict, wrapped, its lines marked that differ from what it was before."""

from __future__ import annotations

from evaltui.document.diff.value_comparison import edits_between
from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.evalset.merge.conflicts import Conflict
from evaltui.tui.lines import Line, folded
from evaltui.tui.widgets.line_view import LineView


def shown_text(source: bytes | None) -> str | None:
    """A value as people read it: a text without its quotes, other values as JSON; None where there is none."""
    if source is None:
        return None
    node = Node(source.strip())
    return node.text() if node.kind == "string" else _outdented(source).decode("utf-8", "replace")


def shown_both(conflict: Conflict) -> str | None:
    """The result of taking both versions, in the layout of the version on disk; None if both cannot be taken."""
    if conflict.both is None or conflict.theirs is None:
        return None
    # Without the indent of its place in the file, which would be taken for that of one level.
    theirs, both = Document(_outdented(conflict.theirs)), Node(conflict.both)
    if both.kind == "string" or theirs.root is None:
        return shown_text(conflict.both)
    theirs.apply(edits_between(theirs.root, both, ""), "take both")
    return shown_text(theirs.to_bytes())


def _outdented(source: bytes) -> bytes:
    """A value as it would stand at the margin: its lines without the indent of the last one."""
    first, *others = source.strip().split(b"\n")
    if not others:
        return first
    indent = others[-1][: len(others[-1]) - len(others[-1].lstrip())]
    return b"\n".join([first, *(line.removeprefix(indent) for line in others)])


class VersionView(LineView, can_focus=False):
    """The lines of a version; `name_of_version` is base, mine, theirs or both."""

    def __init__(self, name: str) -> None:
        super().__init__(id=f"version-{name}")
        self.add_class("version")
        self.name_of_version = name
        self._text: str | None = None
        self._base: str | None = None
        self._wrapped: list[Line] = []
        self._wrapped_for: tuple[str | None, str | None, int] | None = None

    def show(self, text: str | None, base: str | None) -> None:
        """Show a version; lines that `base` has not are marked, where there is a base."""
        self._text, self._base = text, base
        self._wrap()
        self.scroll_to(y=0, animate=False)
        self.refresh()

    def on_resize(self) -> None:
        """Wrap for another width."""
        self._wrap()

    def _wrap(self) -> None:
        width = max(10, self.size.width - 5)  # with room for a scrollbar, which is there only after this
        if self._wrapped_for == (self._text, self._base, width) or not self.size:
            return  # it has no size before it is laid out
        self._wrapped_for = self._text, self._base, width
        if self._text is None:
            self._wrapped = [[("not there", "dim")]]
        else:
            known = set(self._base.split("\n")) if self._base is not None else None
            self._wrapped = []
            for line in self._text.split("\n"):
                is_new = known is not None and line not in known
                for part in folded(line, width):
                    self._wrapped.append([("± " if is_new else "  ", "accent"), (part, "" if is_new else "dim")])
        self.refresh_size()

    def line_count(self) -> int:
        """All lines, wrapped."""
        return len(self._wrapped)

    def line(self, index: int) -> Line:
        """One line."""
        return self._wrapped[index]
