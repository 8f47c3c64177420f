"""Changes between two runs as text: of one case, of all cases, and the pass rates of the last runs as a bar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from evaltui.printable import printable
from evaltui.report.scores_text import short_name

if TYPE_CHECKING:
    from evaltui.scoring.score_change import RunChange, ScoreChange

RISEN, FALLEN = "▲", "▼"
_OTHERWISE = "changed"
"""The sign if no score changed; the words about the other changes replace it."""
_SIGNS: dict[ScoreChange, str] = {
    "improved": RISEN,
    "higher": RISEN,
    "regressed": FALLEN,
    "lower": FALLEN,
    "new": "new",
    "edited": "edited",
    "not_evaluated": "–",
}
_VERDICTS: dict[ScoreChange, str] = {
    "improved": "passes now",
    "regressed": "fails now",
    "not_evaluated": "not evaluated now",
}
_BLOCKS, _PLAIN = "▁▂▃▄▅▆▇█", ".:-=+*#@"
"""Characters for pass rates from 0 to 1; the second row is for terminals without block characters."""


class ChangeText(NamedTuple):
    """A change in words."""

    sign: str
    """`▲ +0.43`, `▼`, `new`; `changed` if no score changed."""
    words: tuple[str, ...]
    """`passes now`, `text changed`."""
    metric: str = ""
    """The metric of the difference; "" where none needs naming."""

    @property
    def whole(self) -> str:
        """`▼ -0.50 fails now, args changed (tool_trajectory)`."""
        return f"{self.without_metric} ({self.metric})" if self.metric else self.without_metric

    @property
    def without_metric(self) -> str:
        """`▼ -0.50 fails now, args changed`."""
        return self.first(len(self.words))

    def first(self, count: int) -> str:
        """The sign with the first words, and … if there are more; without the metric."""
        words = ", ".join(self.words[:count]) + (" …" if 0 < count < len(self.words) else "")
        if self.sign == _OTHERWISE and words:
            return words
        return f"{self.sign} {words}".rstrip()


def change_text(change: RunChange) -> ChangeText:
    """A change of a case in words."""
    sign = _SIGNS.get(change.change, _OTHERWISE)
    if change.difference is not None:
        sign = f"{sign} {difference_text(change.difference)}"
    verdict = _VERDICTS.get(change.change)
    metric = printable(short_name(change.metric)) if change.metric else ""
    return ChangeText(sign, (verdict, *change.words) if verdict else change.words, metric)


def difference_text(difference: float) -> str:
    """`+0.43`; a difference below 0.005 has one significant digit."""
    return f"{difference:+.2f}" if abs(difference) >= 0.005 else f"{difference:+.1g}"


def rate_text(passed: int, cases: int) -> str:
    """`9 of 12 pass (75 %)`; 100 % only if all pass, 0 % only if none passes."""
    rate = round(100 * passed / cases) if cases else 0
    return f"{passed:,} of {cases:,} pass ({min(max(rate, passed > 0), 100 - (passed < cases))} %)"


def rate_bar(rates: Sequence[float], *, is_plain: bool = False) -> str:
    """A character for each rate from 0.0 to 1.0. A rate of 1.0 is the full block, and only this rate."""
    heights = _PLAIN if is_plain else _BLOCKS
    top = len(heights) - 1
    return "".join(heights[int(rate * top)] for rate in rates)


def age_text(seconds: float | None) -> str:
    """The age of a recording: `now`, `3 min`, `5 h`, `2 d`, `4 y`; – if unknown."""
    if seconds is None:
        return "–"
    for unit, length in (("y", 365 * 86400), ("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{int(seconds // length)} {unit}"
    return "now"
