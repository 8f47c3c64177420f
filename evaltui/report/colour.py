"""Whether a stream gets colour."""

from __future__ import annotations

import os
from typing import TextIO


def wants_colour(stream: TextIO, choice: str = "auto") -> bool:
    """Whether to colour what goes to `stream`: as `choice` says, then NO_COLOR and FORCE_COLOR, then if a terminal."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"
