"""Annotations: commands in the log of a GitHub workflow that show a message at a line of a pull request."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal

from evaltui.printable import printable

Level = Literal["error", "warning", "notice"]
_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_ESCAPES_IN_PROPERTIES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def annotation(level: Level, message: str, properties: Mapping[str, object]) -> str:
    """The command. No text can end it or begin another. Properties that are None are left out."""
    pairs = ",".join(
        f"{name}={str(value).translate(_ESCAPES_IN_PROPERTIES)}"
        for name, value in properties.items()
        if value is not None
    )
    return f"::{level} {pairs}::{message.translate(_ESCAPES)}"


def annotated_path(path: str) -> str:
    """The path from the root of the checkout, as GitHub reads it; outside of a checkout, the path as it is."""
    root = os.environ.get("GITHUB_WORKSPACE")
    if root:
        with suppress(OSError, ValueError):  # the current folder is deleted, or the path has a null byte
            from_root = os.path.relpath(path, os.path.realpath(root))
            path = path if Path(from_root).parts[:1] == (os.pardir,) else from_root
    return printable(path)
