"""Pages of text in front of the screen: the help, the last messages, a rule, a long text in full."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from textual import getters
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from evaltui.printable import printable
from evaltui.tui.command import PLACES
from evaltui.tui.commands import bindings, commands_at, key_name, key_of, places_beside
from evaltui.tui.lines import folded

if TYPE_CHECKING:
    from evaltui.tui.open_file.problem_list import Problem
    from evaltui.validation.rule_types import Diagnostic

_WIDTH = 92
"""The least width of a page, as the stylesheet has it; it takes 60 % of a wide terminal, and 90 % of a narrow one."""
_FRAME = 6
"""Cells of the border, the padding and the scrollbar."""
_COLUMN, _MEANING = 18, 28
"""Cells for the keys, and the least for their meaning beside them; in a narrower page it stands below them."""
_INDENT = "  "

_OF_CASES = (
    ("✓ ✗ –", "A passed, failed or not evaluated case or metric."),
    ("~", "An outdated case: it was edited after it was scored."),
)
_OF_CHANGES = (
    ("▲ ▼", "A higher or lower score than in the previous run, or in the baseline. Above the cases: how many."),
    ("new", "A case without an earlier verdict."),
    ("changed", "No score changed, but the named part did: the case, a text, arguments or tools."),
    ("last runs ▂▄█", "The share of cases that passed in the last runs, the latest at the right. █ is all of them."),
)
_OF_COLUMNS = (
    (
        "4 more",
        "Metrics without room for a column. In this pane, the status line shows their scores for the selected case.",
    ),
    ("1/3 run 2 of 3", "One of three runs passed; the second of three runs is scored."),
    ("scored 10:42:07", "The time of the last scoring. Without more words, it scored the text of the file."),
)
_OF_TURNS = (
    ("= ~", "The actual value equals the expected one, or it differs."),
    ("- +", "Expected but not called, or called but not expected. Also for arguments and turns."),
    ("↕", "A tool call in another place than expected: call 2 instead of 1."),
)

LEGENDS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "run": (*_OF_CASES, *_OF_CHANGES, *_OF_COLUMNS),
    "watch": (*_OF_CASES, *_OF_CHANGES),
    "why": _OF_TURNS,
    "review": _OF_TURNS,
}
"""Signs with their meanings, by the place where they appear."""


class TextScreen(ModalScreen[None]):
    """A page with a text, such as a line that was cut, in full. A subclass gives another text."""

    PLACE = "dialog"
    BINDINGS = bindings("dialog")

    page = getters.query_one(VerticalScroll)

    def __init__(self, title: str, text: str | Content = "") -> None:
        super().__init__()
        self._page_title, self._text = title, text

    def content(self, width: int) -> Content:
        """The text of the page, in lines of at most `width` cells; the page wraps longer ones."""
        return self._text if isinstance(self._text, Content) else Content(printable(self._text, keep_lines=True))

    def compose(self) -> ComposeResult:
        """The frame and the text in it."""
        with VerticalScroll(classes="dialog help") as page:
            page.border_title = Content(printable(self._page_title))
            page.border_subtitle = f"↑ ↓ scroll · {key_of('dialog.close')} closes"
            yield Static(self._wrapped(), markup=False)

    def _wrapped(self) -> Content:
        width = self.app.size.width
        return self.content(min(max(_WIDTH, width * 6 // 10), width * 9 // 10) - _FRAME)

    def on_resize(self) -> None:
        """Wrap the text for another width."""
        self.query_one(Static).update(self._wrapped())

    def close(self) -> None:
        """Close the page."""
        self.dismiss()


class HelpScreen(TextScreen):
    """The help: all keys, those of the current place first."""

    def __init__(self, place: str) -> None:
        super().__init__("Keys")
        self._place = place

    def content(self, width: int) -> Content:
        """One section for each place: the present one first, with the meanings of its signs, then those beside it."""
        place = self._place
        parts: list[Content] = []
        order = [place, *places_beside(place)]
        for section in sorted(PLACES, key=lambda section: order.index(section) if section in order else len(order)):
            parts.append(Content.styled(f"{PLACES[section]}\n", "bold $text-accent"))
            for command in commands_at(section):
                names = " ".join(key_name(key) for key in command.keys.split(","))
                parts += _explained(names, command.help, width)
            if section == place and section in LEGENDS:
                parts.append(Content.styled("\nSigns\n", "bold $text-accent"))
                for signs, meaning in LEGENDS[section]:
                    parts += _explained(signs, meaning, width)
            parts.append(Content("\n"))
        return Content.assemble(*parts)


def _explained(names: str, meaning: str, width: int) -> list[Content]:
    """Keys or signs with their meaning, in lines of at most `width` cells."""
    is_beside = width >= _COLUMN + _MEANING
    column = _COLUMN if is_beside else 2 * len(_INDENT)
    keys, indent = f"{_INDENT}{names}", " " * column
    start = f"{keys:<{column}}" if is_beside and len(keys) < column else f"{keys}\n{indent}"
    lines = wrap(meaning, max(10, width - column))
    return [Content(start), Content.styled(f"\n{indent}".join(lines) + "\n", "dim")]


class MessagesScreen(TextScreen):
    """The last messages, newest first, one paragraph each."""

    def __init__(self, messages: Sequence[str]) -> None:
        """`messages` must be safe to show, newest first."""
        super().__init__("Messages, newest first")
        self._messages = messages

    def content(self, width: int) -> Content:
        """The messages, wrapped."""
        if not self._messages:
            return Content.styled("No messages yet.", "dim")
        lines = []
        for message in self._messages:
            # Only the first line begins at the edge: a reader sees where a message begins.
            first, *rest = folded(message, width - len(_INDENT))
            lines += [f"• {first}", *(f"{_INDENT}{line}" for line in rest)]
        return Content("\n".join(lines))


class RuleScreen(TextScreen):
    """A problem, and the rule that found it."""

    def __init__(self, problem: Problem | Diagnostic) -> None:
        from evaltui.validation.rules.rule_registry import RULES

        parts = [Content(f"{printable(problem.message)}\n")]
        if problem.fix is not None:
            safe = "safe" if problem.fix.safe else "unsafe: check that you want the result"
            parts.append(Content.styled(f"Fix: {printable(problem.fix.title)} ({safe})\n", "$text-accent"))
        rule = RULES.get(problem.code)
        if rule is not None:
            sections = [("What", rule.summary), ("Why", rule.why), ("The fix", rule.fix)]
            examples = [("Instead of", rule.bad.text), ("write", rule.good.text)]
            for heading, text in [*sections, *examples]:
                if text:
                    safe_text = printable(text, keep_lines=True)
                    parts.append(Content.assemble((f"\n{heading}\n", "bold"), f"{safe_text}\n"))
        super().__init__(f"{problem.severity}: {problem.code}", Content.assemble(*parts))
