"""Members found by name quickly, also where an object has very many."""

from __future__ import annotations

from evaltui.document.node import Node


class Lookup:
    """Remembers the members of the objects it was asked about, for as long as nothing is edited."""

    def __init__(self) -> None:
        self._members: dict[Node, dict[str, Node]] = {}

    def members(self, node: Node) -> dict[str, Node]:
        """The members of an object by name, the last of equal ones; none for anything else."""
        found = self._members.get(node)
        if found is None:
            found = {item.name: item for item in node.items} if node.kind == "object" else {}
            self._members[node] = found
        return found

    def step(self, node: Node, token: str | int) -> Node | None:
        """The member or item that a step leads to; None where there is none."""
        if node.kind != "array":
            return self.members(node).get(token) if isinstance(token, str) else None
        index = token if isinstance(token, int) else int(token) if token.isdecimal() else len(node.items)
        return node.items[index] if index < len(node.items) else None
