"""Reasons why a text was not read, in plain words: Python's own messages name Python's limits."""

from __future__ import annotations


def why_unreadable(error: Exception) -> str:
    """A clause for an error raised while reading or parsing a file."""
    if isinstance(error, RecursionError):
        return "its values nest too deep to be read"
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    if isinstance(error, OSError):
        return f"cannot be read: {(error.strerror or str(error)).lower()}"
    if "int_max_str_digits" in str(error):
        return "a number in it has too many digits"
    return " ".join(str(error).split()) or type(error).__name__


def refuse_larger(size: int, largest: int) -> None:
    """Raise ValueError if a file has more than `largest` bytes."""
    if size > largest:
        raise ValueError(f"it has more than {largest:,} bytes")
