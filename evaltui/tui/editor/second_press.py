"""Keys that are pressed twice: the first press shows what the second one does."""

from __future__ import annotations

from time import monotonic

from evaltui.tui.base_app import BaseApp


class SecondPress:
    """Tells whether a key was pressed twice in a row."""

    def __init__(self, app: BaseApp) -> None:
        self._app = app
        self._shown: tuple[object, int] | None = None
        """What was shown, and the number of inputs then."""
        self._drawn_at: float | None = None
        """When that was drawn, by `time.monotonic`."""

    def is_second(self, subject: object) -> bool:
        """Whether the previous key asked for the same; else this is the first press, and the caller shows it."""
        inputs = self._app.input_order.inputs
        # Two presses in one burst are two first ones: nobody has read what the second one does.
        is_seen = self._drawn_at is not None and self._app.input_order.typed_at > self._drawn_at
        if self._shown == (subject, inputs - 1) and is_seen:
            self._shown = None
            return True
        self._shown, self._drawn_at = (subject, inputs), None
        self._app.screen.call_after_refresh(self._note_drawn)
        return False

    def _note_drawn(self) -> None:
        self._drawn_at = monotonic()
