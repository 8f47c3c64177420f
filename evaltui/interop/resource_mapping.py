"""Resource names of CX Agent Studio by the short names of other formats, and the file of `--mapping`, JSON or YAML.

    {"app": "projects/P/locations/L/apps/A",
     "tools": {"find_flights": "6f1c", "search": {"toolset": "web", "toolId": "search"}},
     "agents": {"billing": "projects/P/locations/L/apps/A/agents/81d0"},
     "expectations": {"polite": "projects/P/locations/L/apps/A/evaluationExpectations/2b"}}

All members are optional. An id stands for a resource of the app, and a short name that the file lacks for one of the
same id. The app alone, `{"app": "projects/…"}`, thus names all tools and agents. A short name may also stand beside
`app` with its full resource name, whose collection (`/tools/`, `/agents/` …) tells its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final, Literal

from evaltui.document.errors import ReadError
from evaltui.document.node import Node
from evaltui.printable import printable

PLACEHOLDER_APP: Final = "projects/PROJECT/locations/LOCATION/apps/APP"
"""The app of resource names that no mapping gives."""

_COLLECTIONS = {"tools": "tools", "agents": "agents", "expectations": "evaluationExpectations"}
"""The segment of a resource name by the member of the mapping."""
_unfit = re.compile(r"[^A-Za-z0-9_.~-]+")


Resource = str | tuple[str, str]
"""A resource name, or the toolset and the id of a tool that has none (`google.cloud.ces_v1beta.types.ToolsetTool`)."""


@dataclass(frozen=True, slots=True)
class ResourceNames:
    """The resources of an app by short names."""

    app: str = ""
    """"projects/P/locations/L/apps/A"; "" if the mapping names no app."""
    tools: Mapping[str, Resource] = field(default_factory=dict)
    agents: Mapping[str, str] = field(default_factory=dict)
    expectations: Mapping[str, str] = field(default_factory=dict)
    """The evaluation expectations that hold the texts of rubrics, by rubric ids."""
    _used: set[str] = field(default_factory=set, compare=False, repr=False)

    def resource(self, collection: Literal["tools", "agents"], name: str) -> tuple[Resource, bool]:
        """The resource of a tool or agent, and whether it is a placeholder, because the mapping does not name it.

        Without an entry in the mapping, the resource is made from the app and the short name.
        """
        self._used.add(name)
        resource = self.tools.get(name) if collection == "tools" else self.agents.get(name)
        if resource is not None:
            return resource, False
        # Resource ids have few characters. A tool without a name still needs some id.
        segment = _unfit.sub("_", name) or collection[:-1].upper()
        return f"{self.app or PLACEHOLDER_APP}/{collection}/{segment}", not self.app

    def short_name(self, resource: Resource) -> str:
        """The short name that the mapping has for a resource; "" for none."""
        names = [*self.tools.items(), *self.agents.items()]
        short_name = next((name for name, full_name in names if full_name == resource), "")
        # The command warns about names that nobody used: they may be misspelt.
        self._used.add(short_name)
        return short_name

    def unused_names(self) -> list[str]:
        """The short names of tools and agents that nobody has asked for so far."""
        return [name for name in dict.fromkeys((*self.tools, *self.agents)) if name not in self._used]


def last_segment(resource: str) -> str:
    """The last segment of a resource name."""
    return resource.rstrip("/").rpartition("/")[2]


# --- the file ------------------------------------------------------------------------------------------------------


def read_mapping(root: Node) -> ResourceNames:
    """Read a mapping. Raises `ReadError` with a sentence."""
    if root.kind != "object":
        raise ReadError('a mapping must be an object such as {"app": "projects/P/locations/L/apps/A"}')
    node = root.member("app")
    app = node.text().strip("/") if node is not None else ""
    if node is not None and node.kind != "null" and not (app.startswith("projects/") and "/apps/" in app):
        raise ReadError('"app" in the mapping must be a name such as "projects/P/locations/L/apps/A"')
    tools: dict[str, Resource] = {}
    names: dict[str, dict[str, str]] = {"agents": {}, "expectations": {}}
    for member, node in _resources_in(root):
        # Tools of toolsets have no resource name: they are named by the toolset and an id.
        toolset, tool = node.member("toolset"), node.member("toolId") or node.member("tool_id")
        if member != "tools":
            names[member][node.name] = _full_name(app, node, _COLLECTIONS[member], node.text())
        elif node.kind == "object" and toolset is not None and tool is not None and tool.text():
            tools[node.name] = (_full_name(app, node, "toolsets", toolset.text()), tool.text())
        else:
            tools[node.name] = _full_name(app, node, "tools", node.text())
    return ResourceNames(app, tools, names["agents"], names["expectations"])


def _resources_in(root: Node) -> Iterator[tuple[str, Node]]:
    """The resources of a mapping, each with the member that its kind belongs to."""
    for item in root.items:
        if item.name in _COLLECTIONS:
            if item.kind not in ("object", "null"):
                raise ReadError(
                    f"{_quoted(item)} in the mapping must be an object with a resource name for each short name"
                )
            yield from ((item.name, resource) for resource in item.items)
        elif item.kind == "object" and item.member("toolset") is None:
            similar = get_close_matches(item.name, _COLLECTIONS, 1)  # such as "tools" for "tool"
            advice = f'write "{similar[0]}"' if similar else 'use "app", "tools", "agents" or "expectations"'
            raise ReadError(f"a mapping has no key {_quoted(item)}; {advice}")
        elif item.name != "app":
            # Beside `app`, the resource name itself tells the kind.
            members = [member for member, collection in _COLLECTIONS.items() if f"/{collection}/" in item.text()]
            if item.member("toolset") is None and not members:
                kinds = ", ".join(f"/{collection}/" for collection in _COLLECTIONS.values())
                sentence = f"the resource name of {_quoted(item)} in the mapping must contain one of {kinds}"
                raise ReadError(sentence)
            yield members[0] if item.member("toolset") is None else "tools", item


def _full_name(app: str, node: Node, collection: str, text: str) -> str:
    if text.startswith("projects/"):
        return text
    if not text:
        raise ReadError(f"the mapping has no resource name for {_quoted(node)}")
    if not app:
        raise ReadError(f'the mapping has only an id for {_quoted(node)}. Add "app" to the mapping')
    return f"{app}/{text}" if text.startswith(f"{collection}/") else f"{app}/{collection}/{text}"


def _quoted(node: Node) -> str:
    return f'"{printable(node.name)}"'
