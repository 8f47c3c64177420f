"""Checks of what the cases of a set expect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaltui.validation.case_facts import CaseFacts, Found
from evaltui.validation.rules.conversations import NO_EXPECTATION


def check(cases: Sequence[CaseFacts]) -> Iterator[Found]:
    """Cases with which nothing can be compared; said once where that is all of them."""
    talks = [facts for facts in cases if facts.expects_text]
    bare = [number for number, facts in enumerate(cases) if facts.expects_text and facts.expects_nothing]
    sound = [number for number in bare if cases[number].is_accepted]  # what is misspelt may be what is missed
    if len(sound) == len(talks) > 1:
        said = f"nothing is expected in any turn of the {len(talks)} cases: no tool call, no final response, no rubric"
        yield None, NO_EXPECTATION.at("/eval_cases", said)
        return
    for number in sound:
        said = "nothing is expected in any turn: no tool call, no final response, no rubric"
        yield number, NO_EXPECTATION.at("", said)
