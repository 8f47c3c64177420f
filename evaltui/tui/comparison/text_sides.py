"""Two texts side by side: differing words are marked, and long texts are folded around them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from evaltui.review.text_difference import TextDifference, folded, text_difference
from evaltui.scoring.words import TextRun
from evaltui.tui.base_app import BaseApp
from evaltui.tui.lines import Line, Run, paragraphs

_AROUND = 25
"""Words that are shown on each side of a difference in a folded text."""
_MOST_FOLDED = 1_200
"""The most characters of a side that are shown while a text is folded."""
Lines = list[Line]
"""Paragraphs of one side, to be wrapped."""


class TextSides:
    """Compares texts, caches the differences, and makes the lines of both sides."""

    def __init__(self, app: BaseApp | None = None, redraw: Callable[[], object] = bool) -> None:
        """Without `app`, long texts are not compared. With it, a thread compares them and then calls `redraw`."""
        self._app, self._redraw = app, redraw
        self._differences: dict[tuple[str, str], TextDifference] = {}
        self._awaited: set[tuple[str, str]] = set()

    def difference(self, expected: str, actual: str) -> TextDifference:
        """The difference of two texts. Until that of long ones is ready, they count as equal."""
        texts = expected, actual
        if (difference := self._differences.get(texts)) is not None:
            return difference
        if len(expected) + len(actual) <= 20_000 or expected == actual:  # at most 10 ms
            return self._keep(texts, text_difference(expected, actual))
        if self._app is not None and texts not in self._awaited:
            self._awaited.add(texts)

            def take(difference: TextDifference) -> None:
                self._awaited.discard(texts)
                self._keep(texts, difference)
                self._redraw()

            self._app.start_thread("texts", lambda: text_difference(*texts), take, self._app.note_fault)
        return ((expected, True),), ((actual, True),)

    def _keep(self, texts: tuple[str, str], difference: TextDifference) -> TextDifference:
        while len(self._differences) >= 64:
            del self._differences[next(iter(self._differences))]
        self._differences[texts] = difference
        return difference

    def both(
        self, expected: str | None, actual: str | None, *, is_open: bool, empty: str = '""'
    ) -> tuple[Lines, Lines, bool]:
        """The lines of both sides, and whether a part of them is not shown.

        `empty` stands for an empty text; a side that is None has no lines.
        """
        difference = self.difference(expected or "", actual or "")
        sides = [_shown(runs, is_open=is_open) for runs in difference]
        left, right = (
            [] if text is None else paragraphs(runs) if text else [[(empty, "dim")]]
            for (runs, _), text in zip(sides, (expected, actual), strict=True)
        )
        return left, right, any(is_cut for _, is_cut in sides)

    def actual(self, expected: str, actual: str, most: int) -> Lines:
        """The first `most` characters of the actual side, unfolded."""
        _, runs = self.difference(expected, actual)
        return paragraphs(_start_of(map(_marked, runs), most))


def _marked(run: TextRun) -> Run:
    text, is_shared = run
    return text, "" if is_shared else "differs"


def _start_of(runs: Iterable[Run], most: int) -> Iterable[Run]:
    for text, role in runs:
        yield text[:most], role
        most -= len(text)
        if most <= 0:
            return


def _shown(runs: Sequence[TextRun], *, is_open: bool) -> tuple[list[Run], bool]:
    """The runs of a side with their roles, and whether something is left out."""
    if is_open:
        return [_marked(run) for run in runs], False
    shown: list[Run] = []
    is_cut, room = False, _MOST_FOLDED
    for run, hidden in folded(runs, _AROUND):
        text, role = _marked(run)
        if hidden:
            shown.append((f" … {hidden:,} more words … ", "dim"))
            is_cut = True
        elif len(text) > room:
            shown += [(text[:room], role), (f" … {len(text) - room:,} more characters", "dim")]
            return shown, True
        else:
            shown.append((text, role))
            room -= len(text)
    return shown, is_cut
