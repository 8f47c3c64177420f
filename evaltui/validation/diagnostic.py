"""A diagnostic: one thing that is wrong, where, and how bad that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from evaltui.document import Node

Severity = Literal["error", "warning", "info"]
Group = Literal["syntax", "schema", "meaning", "config", "format"]
"""`schema`: google-adk's model rejects it; `meaning`: accepted, and wrong or misleading later."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding; it stands at `node`, or at the key of it, or (for what is missing) at the member `absent` of it."""

    code: str
    """In kebab-case; documented as a rule."""
    group: Group
    severity: Severity
    message: str
    """A sentence without its place and without a full stop."""
    node: Node
    at_key: bool = False
    """Whether the key is what is wrong, and not its value."""
    absent: str = ""
    """The name of a member that `node` has not got."""
