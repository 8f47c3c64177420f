"""A few kills at random moments; `python -m tests.tui.kills 200` does more, and says how many seconds were lost."""

import sys

import pytest

from tests.sampling import sampled
from tests.tui.kills import killed


@pytest.mark.skipif(sys.platform == "win32", reason="no kill -9")
@pytest.mark.parametrize(("seed", "patience"), sampled([(3, 0.9), (1, 0.0), (2, 0.45), (4, 1.6)], 1))
def test_a_killed_session_loses_nothing_that_was_journalled(seed: int, patience: float) -> None:
    outcome = killed(seed, patience)
    assert outcome.lost is not None, "what came back is no state that ever was"
    assert outcome.found >= outcome.kept
