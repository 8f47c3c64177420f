"""Names of agents in recordings, which tell whether a conversation belongs to the app of an eval set."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class AgentNames(NamedTuple):
    """The names that a recording has for the agent of a conversation."""

    app: str | None = None
    """google-adk's `app_name`."""
    service: str | None = None
    """OpenTelemetry's `service.name`, in a trace."""
    agents: frozenset[str] = frozenset()
    """`gen_ai.agent.name` of all spans, in a trace."""

    @property
    def shown(self) -> str:
        """The name to show: the app, else the service; "" if neither is known."""
        return self.app or self.service or ""


NO_NAMES = AgentNames()


class AppsOfSet(NamedTuple):
    """The names of the apps that an eval set is for, from its cases and from the recordings of its cases."""

    apps: frozenset[str] = frozenset()
    services: frozenset[str] = frozenset()
    agents: frozenset[str] = frozenset()

    def joined(self, names: Iterable[AgentNames]) -> AppsOfSet:
        """These names, and the names of more conversations."""
        apps, services, agents = map(set, self)
        for each in names:
            if each.app:
                apps.add(each.app)
            if each.service:
                services.add(each.service)
            agents |= each.agents
        return AppsOfSet(*map(frozenset, (apps, services, agents)))

    def is_own(self, names: AgentNames) -> bool | None:
        """Whether a conversation is of an app of the set; None if the names do not tell.

        An app is compared only with apps: services and agents have other names. The service alone proves nothing,
        because one agent can be deployed twice; nor do the agents, because a trace may have only some of an app.
        """
        if names.app and self.apps:
            return names.app in self.apps
        if names.service and names.agents and self.services and self.agents:
            return names.service in self.services or not names.agents.isdisjoint(self.agents)
        return None
