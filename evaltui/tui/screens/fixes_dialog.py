"""Shows how many safe fixes there are of which kind, before they are done."""

from __future__ import annotations

from collections.abc import Mapping

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from evaltui.tui.commands import bindings, commands_at
from evaltui.tui.widgets.answer_button import answer_button


class FixesDialog(ModalScreen[bool]):
    """Gives True to do them all."""

    PLACE = "fixes"
    BINDINGS = bindings("fixes")

    def __init__(self, counts: Mapping[str, int]) -> None:
        """`counts` by the code of the rule."""
        super().__init__()
        self._counts = counts

    def compose(self) -> ComposeResult:
        """A line a rule, and what the keys do."""
        from evaltui.validation.rules.registry import RULES

        total = sum(self._counts.values())
        with Vertical(classes="dialog help"):
            yield Static(Content.styled(f"{total:,} safe fix{'es' * (total != 1)}, as one step", "bold"), markup=False)
            with VerticalScroll(id="fixes"):
                longest = max(map(len, self._counts))
                for code, count in self._counts.items():
                    said = RULES[code].fix if code in RULES else ""
                    yield Static(Content.assemble(f"{count:>6,}  {code:<{longest}}  ", (said, "dim")), markup=False)
            yield from map(answer_button, commands_at("fixes"))

    def action_answer(self, wanted: bool) -> None:
        """Do them, or not."""
        self.dismiss(wanted)
