"""One measured quantity, and the line it makes in the table."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

_HEADINGS = ("figure", "n", "median", "p95", "target", "")
_WIDTHS = (58, 4, 10, 10, 18, 5)
_DIGITS = {"ms": 1, "MB": 0, "×": 2}


class MeasurementError(Exception):
    """Something could not be measured. The message names what is missing."""


@dataclass(frozen=True)
class Figure:
    """Samples in one unit, compared with a target for their median, or for their 95th percentile."""

    name: str
    samples: Sequence[float] = field(repr=False)
    unit: str = "ms"
    target: float | None = None
    judged: str = "median"

    @property
    def median(self) -> float:
        return statistics.median(self.samples)

    @property
    def p95(self) -> float:
        """The 95th percentile: at least 95 of 100 samples are not larger."""
        ranked = sorted(self.samples)
        return ranked[math.ceil(0.95 * len(ranked)) - 1]

    @property
    def verdict(self) -> str:
        if self.target is None:
            return ""
        value = self.median if self.judged == "median" else self.p95
        return "ok" if value <= self.target else "OVER"

    def line(self) -> str:
        single = len(self.samples) == 1
        target = "" if self.target is None else f"{self.judged} ≤ {self._amount(self.target)}"
        p95 = "" if single else self._amount(self.p95)
        return row(self.name, str(len(self.samples)), self._amount(self.median), p95, target, self.verdict)

    def _amount(self, value: float) -> str:
        digits = 0 if value == round(value) else _DIGITS[self.unit] + (value < 1)
        return f"{value:,.{digits}f} {self.unit}"


def ratio(name: str, above: Figure, below: Figure, target: float | None = None) -> Figure:
    """The ratio of two medians."""
    return Figure(name, [above.median / below.median], "×", target)


def row(name: str, *cells: str) -> str:
    """A line of the table: the name at the left, the values at the right."""
    aligned = [f"{cell:>{width}}" for cell, width in zip(cells, _WIDTHS[1:], strict=True)]
    return (f"{name:<{_WIDTHS[0]}}" + "  ".join(aligned)).rstrip()


def heading() -> str:
    """The first two lines of the table."""
    names = row(*_HEADINGS)
    return f"{names}\n{'─' * (sum(_WIDTHS) + 2 * (len(_WIDTHS) - 2))}"
