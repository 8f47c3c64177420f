"""Resource names of CX Agent Studio for the short names that other formats use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

Collection = Literal["tools", "agents", "evaluationExpectations"]
"""The segment of a resource name before the id."""

PLACEHOLDER_APP: Final = "projects/PROJECT/locations/LOCATION/apps/APP"
"""The app of resource names that no mapping gives."""

_unfit = re.compile(r"[^A-Za-z0-9_.~-]+")


class ToolsetTool(NamedTuple):
    """A tool of a toolset (`google.cloud.ces_v1beta.types.ToolsetTool`)."""

    toolset: str
    tool_id: str


Resource = str | ToolsetTool
"""A resource name, or a tool that has none."""


@dataclass(frozen=True, slots=True)
class ResourceNames:
    """The resources of an app by short names (`--mapping FILE`)."""

    app: str = ""
    """"projects/P/locations/L/apps/A"; "" if the mapping names no app."""
    tools: Mapping[str, Resource] = field(default_factory=dict)
    agents: Mapping[str, str] = field(default_factory=dict)
    expectations: Mapping[str, str] = field(default_factory=dict)
    """The evaluation expectations that hold the texts of rubrics, by rubric ids."""
    _used: set[str] = field(default_factory=set, compare=False, repr=False)

    def tool(self, name: str) -> tuple[Resource, bool]:
        """The resource of a tool, and whether it is a placeholder, because the mapping does not name it.

        Without an entry in the mapping, the resource is made from the app and the short name.
        """
        return self._resource("tools", self.tools, name)

    def agent(self, name: str) -> tuple[Resource, bool]:
        """The resource of an agent, found in the same way as for a tool."""
        return self._resource("agents", self.agents, name)

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

    def _resource(self, collection: Collection, resources: Mapping[str, Resource], name: str) -> tuple[Resource, bool]:
        self._used.add(name)
        resource = resources.get(name)
        if resource is not None:
            return resource, False
        # Resource ids have few characters. A tool without a name still needs some id.
        segment = _unfit.sub("_", name) or collection[:-1].upper()
        return f"{self.app or PLACEHOLDER_APP}/{collection}/{segment}", not self.app


def last_segment(resource: str) -> str:
    """The last segment of a resource name."""
    return resource.rstrip("/").rpartition("/")[2]
