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


_PLACEHOLDER = "EvaluationGenerator"
"""The app of sessions that `google.adk.evaluation` makes for cases without a `session_input`."""


class NameSets(NamedTuple):
    """Names of apps, services and agents, in the form that is compared."""

    apps: frozenset[str] = frozenset()
    services: frozenset[str] = frozenset()
    agents: frozenset[str] = frozenset()

    def joined(self, names: Iterable[AgentNames]) -> NameSets:
        """These names, and the names of more conversations."""
        folded = [*map(_comparable, names)]
        return NameSets(
            self.apps.union(name.app for name in folded if name.app),
            self.services.union(name.service for name in folded if name.service),
            self.agents.union(*(name.agents for name in folded)),
        )


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
        """Whether a conversation is of an app of the set; None if the names do not tell."""
        names, proven, likely = _comparable(names), self.proven, self.likely
        # An app is compared only with apps: services and agents have other names.
        if names.app and proven.apps:
            return names.app in proven.apps or names.app in likely.apps
        # A likely trace that has the name of the app shows how traces of this app are named.
        is_named_alike = not proven.apps.isdisjoint(likely.services | likely.agents)
        services = proven.services or (likely.services if is_named_alike else frozenset())
        agents = proven.agents or (likely.agents if is_named_alike else frozenset())
        # The service alone proves nothing, because one agent can be deployed twice; nor do the agents, because a trace
        # may have only some of an app.
        if names.service and names.agents and services and agents:
            known_services = proven.apps | proven.services | likely.services
            return names.service in known_services or not names.agents.isdisjoint(proven.agents | likely.agents)
        return None


def _comparable(names: AgentNames) -> AgentNames:
    """The names in the form that is compared. An app that google-adk made up for an evaluation is none."""
    as_written = ("" if names.app == _PLACEHOLDER else names.app, names.service, *names.agents)
    # adk's folders have underscores where services of OpenTelemetry have hyphens.
    app, service, *agents = ((name or "").strip().casefold().replace("-", "_") for name in as_written)
    return AgentNames(app or None, service or None, frozenset(filter(None, agents)))
