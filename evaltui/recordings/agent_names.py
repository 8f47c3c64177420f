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


class NameSets(NamedTuple):
    """Names of apps, services and agents, in the form that is compared."""

    apps: frozenset[str] = frozenset()
    services: frozenset[str] = frozenset()
    agents: frozenset[str] = frozenset()

    def joined(self, names: Iterable[AgentNames]) -> NameSets:
        """These names, and the names of more conversations."""
        apps, services, agents = map(set, self)
        for each in map(_folded, names):
            if each.app:
                apps.add(each.app)
            if each.service:
                services.add(each.service)
            agents |= each.agents
        return NameSets(*map(frozenset, (apps, services, agents)))

    def have(self, names: AgentNames) -> bool:
        """Whether one of these names is among the names of a conversation."""
        return names.app in self.apps or names.service in self.services or not names.agents.isdisjoint(self.agents)


class AppsOfSet(NamedTuple):
    """The names of the apps that an eval set is for, from its cases and from the recordings of its cases."""

    proven: NameSets = NameSets()
    """Names in the cases, and in recordings that surely belong to a case."""
    likely: NameSets = NameSets()
    """Names in other recordings of cases. Agents of several apps are greeted alike, so these names exclude nothing."""

    def joined(self, proven: Iterable[AgentNames], likely: Iterable[AgentNames] = ()) -> AppsOfSet:
        """These names, and the names of more conversations."""
        return AppsOfSet(self.proven.joined(proven), self.likely.joined(likely))

    def is_own(self, names: AgentNames) -> bool | None:
        """Whether a conversation is of an app of the set; None if the names do not tell.

        An app is compared only with apps: services and agents have other names. The service alone proves nothing,
        because one agent can be deployed twice; nor do the agents, because a trace may have only some of an app.
        """
        names, proven, likely = _folded(names), self.proven, self.likely
        if names.app and proven.apps:
            return names.app in proven.apps or names.app in likely.apps
        # A likely trace that has the name of the app shows how traces of this app are named.
        is_named_alike = not proven.apps.isdisjoint(likely.services | likely.agents)
        services = proven.services or (likely.services if is_named_alike else frozenset())
        agents = proven.agents or (likely.agents if is_named_alike else frozenset())
        if names.service and names.agents and services and agents:
            traced = names._replace(app=None)
            return names.service in proven.apps or proven.have(traced) or likely.have(traced)
        return None


def _folded(names: AgentNames) -> AgentNames:
    """The names in the form that is compared. An app that google-adk made up for an evaluation is none."""
    app = None if names.app == _PLACEHOLDER else _key(names.app or "")
    return AgentNames(app, _key(names.service or ""), frozenset(filter(None, map(_key, names.agents))))


def _key(name: str) -> str:
    return name.strip().casefold().replace("-", "_")


_PLACEHOLDER = "EvaluationGenerator"
"""The app of sessions that `google.adk.evaluation` makes for cases without a `session_input`."""
