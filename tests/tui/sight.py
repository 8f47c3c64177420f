"""What a person sees of a running app: the other half of `scenario.py`."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from itertools import takewhile

from rich.cells import cell_len
from textual.geometry import Region
from textual.screen import ModalScreen
from textual.strip import Strip

from evaltui.document.document import Document
from evaltui.printable import is_unsafe
from evaltui.tui.app import EvaltuiApp
from evaltui.tui.editor.edit_screen import EditScreen
from evaltui.tui.lines import FILL, text_of
from evaltui.tui.open_file.pending_checks import config_of
from evaltui.tui.open_file.problem_list import Problem
from evaltui.tui.panes.form_lines import FormLines
from evaltui.tui.screens.questions import QuestionDialog
from evaltui.tui.widgets.line_view import LineView
from evaltui.validation.case_checks import check_document


class Sight:
    """Reads the screen of `app`."""

    app: EvaltuiApp
    document: Document

    has_looked = False
    """Whether the screen was looked at, and so is known to be harmless."""
    _lines: list[str] | None = None

    def screen(self) -> list[str]:
        """The lines on screen, none of which may act on a terminal."""
        self.has_looked = True
        if self._lines is None:
            self._lines = self._draw_lines()
            asyncio.get_running_loop().call_soon(self._forget_lines)  # nothing changes before the app runs again
        return self._lines

    def _forget_lines(self) -> None:
        self._lines = None

    def _draw_lines(self) -> list[str]:
        return [self._safe_line(strip) for strip in self.app.screen._compositor.render_strips()]

    def _line(self, number: int) -> str:
        """One line of the screen, which alone is drawn; negative numbers count from the bottom."""
        if self._lines is not None:
            return self._lines[number]
        row = range(self.app.size.height)[number]
        chops = self.app.screen._compositor._render_chops(Region(0, row, self.app.size.width, 1), row.__eq__)
        return self._safe_line(Strip.join(chops[row].values()))

    def _safe_line(self, strip: Strip) -> str:
        line = "".join(segment.text for segment in strip)
        assert not is_unsafe(line), line
        assert cell_len(line) == self.app.size.width, line
        return line.rstrip()

    def expect_harmless(self) -> None:
        """No line on screen acts on a terminal, and each is as wide as the terminal."""
        self.screen()

    def expect(self, *wanted: str | re.Pattern[str]) -> None:
        """Each text or pattern is on screen."""
        screen = "\n".join(self.screen())
        for part in wanted:
            assert _holds(screen, part), f"not on screen: {part!r}\n{screen}"

    def shows(self, wanted: str | re.Pattern[str]) -> bool:
        """Whether a text or pattern is on screen."""
        return _holds("\n".join(self.screen()), wanted)

    def line_with(self, text: str) -> str:
        """The first line on screen that holds a text."""
        self.expect(text)
        return next(line for line in self.screen() if text in line)

    def cursor(self) -> str:
        """The text of the selected row of the pane in which keys act, in sight or not."""
        view = self._view()
        return _text(view, [n for n in range(view.line_count()) if view.emphasis(n)[1] in "▌▏"]) if view else ""

    def rows(self) -> list[str]:
        """The texts of all rows of that pane at which the cursor can stop."""
        view = self._view()
        if isinstance(view, FormLines):
            return [_text(view, view.lines_of(number)) for number, _ in view.stops]
        return [_text(view, [n]) for n in range(view.line_count())] if view else []

    def _view(self) -> LineView | None:
        focused = self.app.focused
        if self.focused == "field":
            return self.app.screen.query_one(FormLines)
        return focused if isinstance(focused, LineView) else None

    @property
    def title(self) -> str:
        """The first line."""
        return self._line(0)

    @property
    def status(self) -> str:
        """The line above the keys."""
        return self._line(-2)

    @property
    def keys(self) -> str:
        """The line of keys."""
        return self._line(-1)

    @property
    def focused(self) -> str:
        """Where keys go: tree, form, field, problems, or the name of the dialog in front."""
        if isinstance(self.app.screen, QuestionDialog):
            return f"{self.app.screen.PLACE} question"
        if isinstance(self.app.screen, ModalScreen):
            return type(self.app.screen).__name__
        return str(getattr(self.app.focused, "PLACE", None))

    @property
    def ended(self) -> bool:
        """Whether the app has quit."""
        return self.app._exit

    def expect_rows_and_form_of_the_document(self) -> None:
        """Nothing drawn is left over from before an edit."""
        if self.ended or not isinstance(screen := self.app.screen, EditScreen):
            return
        tree, outline, form = screen.panes.tree, screen.panes.outline, screen.panes.form
        rows = tree.rows
        for row, (node, depth) in enumerate(zip(rows.nodes, rows.depths, strict=True)):
            inner = takewhile(lambda at, depth=depth: rows.depths[at] > depth, range(row + 1, len(rows.depths)))
            below = [at for at in inner if rows.depths[at] == depth + 1]
            assert [rows.nodes[at] for at in below] == (rows.children(node) if node in rows.open_nodes else [])
            shown, wanted = text_of(tree.line(row)), text_of(outline.label(node))
            assert wanted in shown, f"row {row} shows {shown!r} for {wanted!r}"
            if "✎" not in shown:
                holder = outline.holder(node)
                changed = self.document.is_changed(node) or (holder is not None and self.document.is_changed(holder))
                assert ("●" in shown) == (depth > 0 and changed)
        assert form.node is tree.selected
        shown_form = form.form
        form.show(form.node)
        made_anew = form.form
        assert shown_form.title == made_anew.title
        fresh = [getattr(item, "text", None) or getattr(item, "line", None) for item in made_anew.items]
        assert [getattr(item, "text", None) or getattr(item, "line", None) for item in shown_form.items] == fresh
        self._expect_problems_of_the_document()

    def _expect_problems_of_the_document(self) -> None:
        """What was found while the file was edited is what is found in the file as a whole."""
        problems = self.app.file.problems
        if not problems.is_of_rules:
            return
        assert not problems.is_checking
        config = config_of(self.document, self.app.file.options.config) if self.app.file.format == "eval_set" else None
        every = check_document(self.document, config, kind=self.app.file.format)
        shown = [(each.code, f"{_pointer(each)}{each.pointer}", each.message) for each in problems.all]
        found = [(each.code, each.pointer, each.message) for each in every]
        assert sorted(shown) == sorted(each for each in found if problems.shows(each[0]))


def _holds(screen: str, wanted: str | re.Pattern[str]) -> bool:
    return wanted in screen if isinstance(wanted, str) else wanted.search(screen) is not None


def _pointer(problem: Problem) -> str:
    assert problem.owner is not None
    return problem.owner.pointer()


def _text(view: LineView, lines: Iterable[int]) -> str:
    runs = ((text if role != FILL else "  " for text, role in view.line(n)) for n in lines)
    return "\n".join("".join(line) for line in runs)
