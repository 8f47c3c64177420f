"""The agents in the app details of a turn: named objects in `agent_details` (google-adk's `AppDetails`)."""

from __future__ import annotations

from evaltui.document import EditError, Insert, Node, json_text
from evaltui.document.pointer import escape
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.keys import snake
from evaltui.printable import one_line, printable


def is_of_agents(node: Node | None) -> bool:
    """Whether `node` is the object that holds the agents of app details by name."""
    if node is None or node.kind != "object" or node.parent is None:
        return False
    return snake(node.name) == "agent_details" and snake(node.parent.name) == "app_details"


def add_agent(agents: Node, name: str, behind: Node | None = None) -> Revision:
    """A new agent with empty instructions, `behind` another or last. Raises `EditError` for a name that will not do."""
    if not name:
        raise EditError("it needs a name")
    if agents.member(name) is not None:
        raise EditError(f"there is a {printable(name)!r} already")
    following = agents.items[behind.index() + 1 :][:1] if behind is not None else []
    value = json_text({"name": name, "instructions": ""})
    edit = Insert(f"{agents.pointer()}/{escape(name)}", value, following[0].name if following else None)
    return Revision(f"add agent {one_line(name, 40)}", [edit])
