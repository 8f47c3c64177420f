"""Notes on written eval sets and legacy lists: what they expect where the source states nothing."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.interop.portable_set import PortableSet


def eval_set_notes(portable: PortableSet) -> Iterator[str]:
    """A sentence about the cases that state no tool calls. In an eval set, a turn without calls expects none."""
    last = [case.turns[-1] for case in portable.cases if case.turns]
    if count := sum(1 for turn in last if not turn.events and not turn.expects_no_calls and turn.shape is None):
        cases = "1 case states" if count == 1 else f"{count:,} cases state"
        yield f"{cases} no tool calls for the last turn, so the written turn expects that no tool is called."
