"""Sets of a command line scored on a Ray cluster, for `run`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence

from evaltui.commands.set_options import run_options, set_arguments
from evaltui.report.output import clear_progress, progress, progress_on
from evaltui.runs.batch.batch_run import BatchRun
from evaltui.runs.batch.work_folder import WorkFolder, work_folder
from evaltui.runs.run_options import RunOptions, SetArgument
from evaltui.runs.score_sets import Preparation, ScoredRun, input_files, refuse_stdin_twice, size_of
from evaltui.runs.sets_to_score import SetsToScore


def run_on_cluster(options: Namespace, run: Callable[[Callable[[Namespace, Preparation], ScoredRun]], int]) -> int:
    """Call `run` in a process that may use Ray, with the function that scores. Returns its exit code."""
    from evaltui.runs.cluster.driver_process import run_in_driver

    with work_folder() as folder:

        def score(options: Namespace, preparation: Preparation) -> ScoredRun:
            arguments = set_arguments(options.sets)
            return score_on_cluster(arguments, run_options(options), options.address, preparation, folder)

        return run_in_driver(lambda: run(score), folder.path, clear_progress)


def score_on_cluster(
    arguments: Sequence[SetArgument],
    options: RunOptions,
    address: str | None,
    preparation: Preparation,
    folder: WorkFolder,
) -> ScoredRun:
    """Score each set. The results lie in `folder`. Raises one of `RefusedInput`."""
    refuse_stdin_twice(arguments, options)
    scored = ScoredRun()
    with progress(sum(size_of(argument.name) for argument in arguments), "reading") as tick:
        batch = BatchRun(folder, options, tick)
        sets = SetsToScore(options.recordings, scored.say, tick, inputs=scored.inputs)
        for to_score in sets.read(arguments):
            batch.add(to_score.subject, to_score.chosen)
        scored.broken = sets.broken
    from evaltui.runs.cluster.connection import connected, load_ray

    load_ray()
    from evaltui.runs.cluster.cluster_run import ClusterRun
    from evaltui.runs.cluster.driver_process import terminal, waiting

    cluster_run = ClusterRun(batch, lambda total: progress_on(terminal(), total, "scoring", waiting))
    cluster_run.find_inputs(scored.recordings.add)
    with connected(address, lambda: progress_on(terminal(), None, "connecting to Ray", waiting)):
        scored.runs.extend(cluster_run.scored(scored.say, preparation))
    scored.inputs.update(path for subject, _ in batch.sets for path in input_files(subject, options))
    return scored
