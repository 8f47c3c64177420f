"""Notes on written datasets: values that are kept, but that readers of a dataset use in another way."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.interop.evaluation_datasets.writer import fits_a_prompt
from evaltui.interop.portable_set import PortableSet


def dataset_notes(portable: PortableSet) -> Iterator[str]:
    """Sentences about earlier turns, tool calls beside agent_data, and scenarios beside other cases."""
    talks = [case.turns for case in portable.cases if case.turns]
    if earlier := [len(turns) - 1 for turns in talks if len(turns) > 1]:
        turns = f"{_counted(sum(earlier), 'earlier turn')} in {_counted(len(earlier), 'case')}"
        verb = "gives" if sum(earlier) == 1 else "give"
        yield f"In a dataset, only the last turn of a case is compared. {turns} {verb} only context."
    beside = sum(1 for case in portable.cases if case.turns and case.turns[-1].events and not fits_a_prompt(case))
    if beside:
        yield (
            f"The expected tool calls of {_counted(beside, 'case')} are in intermediate_events beside agent_data. "
            "agents-cli ignores this field there, but evaltui scores the calls."
        )
    scenarios = sum(1 for case in portable.cases if case.scenario is not None and not case.turns)
    if scenarios and talks:
        yield (
            f"`agents-cli eval generate` does not run this file, because {_counted(scenarios, 'case')} "
            f"{'is a scenario' if scenarios == 1 else 'are scenarios'}. Move scenarios to a separate file."
        )


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"
