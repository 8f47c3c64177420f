"""All private names of Textual that evaltui touches. Each has a contract test in tests/tui/test_textual_compat.py."""

from __future__ import annotations

from collections.abc import Iterable

from textual.binding import BindingsMap, BindingType
from textual.dom import DOMNode


def add_bindings(node: DOMNode, bindings: Iterable[BindingType]) -> None:
    """Give bindings to one widget or screen, as BINDINGS does for a class. A key has its new meaning only."""
    node._bindings.key_to_bindings.update(BindingsMap(bindings).key_to_bindings)
