"""Pasted text: its line breaks, in fields of several lines and of one, and the refusal of a text that is too long."""

from __future__ import annotations

import re

from textual.widget import Widget

_BREAK = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")


def unix_breaks(text: str) -> str:
    """The text with a line feed for each carriage return or CR LF; terminals paste carriage returns."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def on_one_line(text: str) -> str:
    """The text with a space for each line break. Breaks at the end are dropped: copied lines often have one."""
    end = len(text)
    while end and _BREAK.match(text, end - 1):
        end -= 1
    return _BREAK.sub(" ", text[:end])


def refusal(pasted: str, most: int) -> str:
    """A message that nothing was pasted, with both numbers of characters."""
    return f"{len(pasted):,} characters are too many here; the most is {most:,}. Nothing was pasted."


def refuse_paste(box: Widget, pasted: str, most: int) -> None:
    """Show the message as a notification above the screen."""
    box.app.notify(refusal(pasted, most), severity="warning", markup=False)
