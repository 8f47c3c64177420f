"""The loop of a watch, with looks that come in the order a test says."""

from types import SimpleNamespace

from evaltui.commands.scored_sets import ScoredSets
from evaltui.commands.watch_loop import WatchLoop
from evaltui.commands.watched_sets import Look


def test_a_run_that_comes_while_a_file_goes_is_not_lost() -> None:
    looks = [
        Look(ScoredSets(), trigger=("set.json",)),
        Look(last := ScoredSets(), trigger=("run.json",), troubles=("gone.json: this file is gone",)),
    ]

    def look(_: object) -> Look:
        if len(looks) > 1:
            loop.score_again()  # a change during the first run
        return looks.pop(0)

    loop = WatchLoop(SimpleNamespace(signs=None, look=look), None)
    outcome = loop._settled_look(frozenset())
    assert outcome.scored is last
    assert outcome.trigger == ("set.json", "run.json")
