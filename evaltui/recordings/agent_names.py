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


ComparableNames = tuple[frozenset[str], ...]
"""Names of apps, of services and of agents, in the form that is compared."""
NO_APPS: tuple[ComparableNames, ComparableNames] = ((frozenset(),) * 3, (frozenset(),) * 3)


def joined_names(names: Iterable[AgentNames], earlier: ComparableNames = NO_APPS[0]) -> ComparableNames:
    """The `earlier` names, and the names of more conversations."""
    return tuple(map(frozenset[str]().union, earlier, *map(_comparable, names)))


def is_of_apps(names: AgentNames, proven: ComparableNames, likely: ComparableNames) -> bool | None:
    """Whether a conversation is of an app of an eval set; None if the names do not tell.

    `proven` are the names in the cases, and in recordings that surely belong to a case. `likely` are those in other
    recordings of cases. Agents of several apps are greeted alike, so the likely names exclude nothing.
    """
    app, service, agents = _comparable(names)
    proven_apps, proven_services, proven_agents = proven
    likely_apps, likely_services, likely_agents = likely
    # An app is compared only with apps: services and agents have other names.
    if app and proven_apps:
        return app <= proven_apps | likely_apps
    # A likely trace that has the name of the app shows how traces of this app are named.
    is_named_alike = not proven_apps.isdisjoint(likely_services | likely_agents)
    has_services = proven_services or (is_named_alike and likely_services)
    has_agents = proven_agents or (is_named_alike and likely_agents)
    # The service alone proves nothing, because one agent can be deployed twice; nor do the agents, because a trace may
    # have only some of an app.
    if service and agents and has_services and has_agents:
        is_known = service <= proven_apps | proven_services | likely_services
        return is_known or not agents.isdisjoint(proven_agents | likely_agents)
    return None


def _comparable(names: AgentNames) -> ComparableNames:
    """The names in the form that is compared. An app that google-adk made up for an evaluation is none."""
    kinds = (["" if names.app == _PLACEHOLDER else names.app], [names.service], names.agents)
    # adk's folders have underscores where services of OpenTelemetry have hyphens.
    folded = ([(name or "").strip().casefold().replace("-", "_") for name in kind] for kind in kinds)
    return tuple(frozenset(filter(None, kind)) for kind in folded)
