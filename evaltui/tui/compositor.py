"""Where the widgets of a screen are drawn, with what comes into sight never left out."""

from __future__ import annotations

from textual._compositor import Compositor, CompositorMap, ReflowResult
from textual.geometry import Size
from textual.widget import Widget


class WholeCompositor(Compositor):
    """Compares each layout with the last one, whatever was placed in between.

    Textual 8.2 places all widgets again when one without a place changes. If a pane was shown just before, the next
    layout finds it in its place already: it counts as drawn, and its lines keep what was there before.
    """

    def __init__(self) -> None:
        super().__init__()
        self._laid_out: CompositorMap = {}

    def reflow(self, parent: Widget, size: Size) -> ReflowResult:
        """Lay out all widgets; what has moved, come or gone since the last layout is to be drawn."""
        self._full_map = self._laid_out
        result = super().reflow(parent, size)
        self._laid_out = self._full_map
        return result

    def clear(self) -> None:
        """Forget all widgets."""
        super().clear()
        self._laid_out = {}
