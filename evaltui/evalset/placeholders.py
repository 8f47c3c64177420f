"""Texts that recorders write in the place of a value that they leave out."""

from __future__ import annotations

import re
from typing import Any

_TEXTS = frozenset(
    {
        "<elided>",  # google-adk and the instrumentations of OpenTelemetry, without message content
        "<not serializable>",  # google-adk, for a value that is no JSON
        "<REDACTED>",  # Claude Code; agentevals reads both as absent
        "__REDACTED__",  # OpenInference
        "[redacted]",  # LangSmith's anonymizer
    }
)
_SCRUBBED = re.compile(r"\[Scrubbed due to .*\]")
"""Logfire, with the word for which it leaves out the whole value."""


def is_placeholder(value: Any) -> bool:
    """Whether a value is such a text."""
    return isinstance(value, str) and ((text := value.strip()) in _TEXTS or bool(_SCRUBBED.fullmatch(text)))


def placeholder_in(value: Any) -> str | None:
    """The first such text in a value of any depth; None if there is none."""
    pending = [value]
    while pending:
        value = pending.pop()
        if isinstance(value, str):
            if is_placeholder(value):
                return value.strip()
        elif isinstance(value, dict):
            pending += value.values()
        elif isinstance(value, list):
            pending += value
    return None
