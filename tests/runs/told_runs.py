"""Runs in memory, on disk and on a cluster, told in the same way, and random sets for them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from evaltui.commands.set_options import set_arguments
from evaltui.report.run_notes import note_lines
from evaltui.report.run_reports import preparation_of, report_pieces
from evaltui.runs.run_options import RunOptions
from evaltui.runs.score_sets import RefusedInput, ScoredRun, score_sets


class Engine(NamedTuple):
    """The machines that score."""

    name: str = "local"
    jobs: int | None = None
    """The number of processes on this machine; None chooses."""
    address: str | None = None
    """The address of a Ray cluster."""


FORMS = ("json", "table", "junit", "markdown", "github")
SAMPLES = Path(__file__).parents[2] / "sample_sets"
SETS = sorted(SAMPLES.glob("*.json"))
REPORTS = partial(preparation_of, True)


def told(scored: ScoredRun) -> dict[str, object]:
    """All that a command says about a run."""
    return {
        **{form: "".join(report_pieces(scored.runs, form)) for form in FORMS},
        "notes": [*scored.notes, *note_lines(scored.runs)],
        "files": (scored.inputs, scored.recordings, scored.broken),
        "exit code": scored.exit_code(allow_not_evaluated=False),
    }


def in_memory(sets: Sequence[str], options: RunOptions) -> object:
    try:
        return told(score_sets(set_arguments(sets), options))
    except RefusedInput as error:
        return str(error)


def in_batch(sets: Sequence[str], options: RunOptions, engine: Engine = Engine(jobs=1)) -> object:  # noqa: B008
    """The run as the command carries it out, with all records in files."""
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("evaltui.files.spool.MOST", 0)
            if engine.name == "local":
                arguments, jobs = set_arguments(sets), engine.jobs
                return told(score_sets(arguments, options, jobs=jobs, preparation=REPORTS, keeps_turns=False))
            return told(_on_cluster(sets, options, engine.address))
    except RefusedInput as error:
        return str(error)


def _on_cluster(sets: Sequence[str], options: RunOptions, address: str | None) -> ScoredRun:
    from evaltui.runs.ray import connection
    from evaltui.runs.ray.ray_run import score_on_cluster

    return score_on_cluster(
        set_arguments(sets),
        options,
        REPORTS,
        connected=lambda: connection.connected(address, lambda: nullcontext(print)),
        reading=lambda *_: nullcontext(lambda _: None),
        scoring=lambda _: nullcontext(lambda _: None),
    )


def random_set(chance: random.Random, cases: int, most_turns: int) -> object:
    """A set whose cases share ids and messages, some with a time."""
    return {
        "eval_set_id": chance.choice(["s", "other"]),
        "eval_cases": [
            {
                "eval_id": chance.choice(["a", "b", "c", "", "\ud800"]),
                "conversation": [
                    {
                        "invocation_id": f"e{turn}",
                        "user_content": {
                            "parts": [{"text": f"question {chance.randrange(3)}" * chance.choice((1, 20))}]
                        },
                        "final_response": {"parts": [{"text": chance.choice(["answer", "another answer"])}]},
                    }
                    for turn in range(chance.randrange(most_turns + 1))
                ],
                **({"creation_timestamp": 1760000000.0 + chance.randrange(3)} if chance.random() < 0.7 else {}),
            }
            for _ in range(cases)
        ],
    }
