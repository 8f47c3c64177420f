"""What a test can wait for on a screen."""

import inspect
import re
from collections.abc import Callable

Wanted = str | re.Pattern[str] | Callable[[list[str]], bool]


def holds(wanted: Wanted, lines: list[str]) -> bool:
    """Whether the screen has the substring, matches the pattern or meets the condition."""
    if callable(wanted):
        return wanted(lines)
    text = "\n".join(lines)
    return wanted in text if isinstance(wanted, str) else wanted.search(text) is not None


def words(wanted: Wanted) -> str:
    """How to name it in a failure: a condition by its source."""
    if not callable(wanted):
        return repr(wanted)
    try:
        return inspect.getsource(wanted).strip()
    except (OSError, TypeError):
        return repr(wanted)
