"""Differences of texts by word. A thread compares long texts, so that keys stay fast."""

from __future__ import annotations

from collections.abc import Callable

from evaltui.review.text_difference import TextDifference, TextRun, text_difference
from evaltui.tui.base_app import BaseApp

_AT_ONCE = 20_000
"""Characters of both texts up to which they are compared at once; that takes 10 ms."""
_KEPT = 64


class TextDifferences:
    """Computes and caches differences. Until a long one is ready, both texts count as equal."""

    def __init__(self, app: BaseApp, made: Callable[[], object]) -> None:
        """`made` is called when a long difference is ready."""
        self._app = app
        self._made = made
        self._known: dict[tuple[str, str], TextDifference] = {}
        self._wanted: set[tuple[str, str]] = set()

    def of(self, expected: str, actual: str) -> TextDifference:
        """The difference of two texts."""
        texts = expected, actual
        if (known := self._known.get(texts)) is not None:
            return known
        if len(expected) + len(actual) <= _AT_ONCE or expected == actual:
            return self._keep(texts, text_difference(expected, actual))
        if texts not in self._wanted:
            self._wanted.add(texts)
            self._app.start_thread(
                "texts", lambda: text_difference(*texts), lambda it: self._take(texts, it), self._failed
            )
        return TextDifference((TextRun(expected, is_shared=True),), (TextRun(actual, is_shared=True),))

    def _keep(self, texts: tuple[str, str], difference: TextDifference) -> TextDifference:
        while len(self._known) >= _KEPT:
            del self._known[next(iter(self._known))]
        self._known[texts] = difference
        return difference

    def _take(self, texts: tuple[str, str], difference: TextDifference) -> None:
        self._wanted.discard(texts)
        self._keep(texts, difference)
        self._made()

    def _failed(self, error: Exception) -> None:
        self._app.note_fault(error)
