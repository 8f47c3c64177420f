"""`python -m benchmarks [PART …]`: prints one line per figure, as soon as it is measured."""

import argparse
import sys
from collections.abc import Callable, Iterator

from benchmarks import (
    cluster,
    command_line,
    conversations,
    core_figures,
    followed_sources,
    key_latency,
    live_problems,
    live_scores,
    review,
    review_desk,
    scale,
    scoring,
    start_up,
    validation,
)
from benchmarks.figures import Figure, MeasurementError, heading

PARTS: dict[str, Callable[[], Iterator[Figure]]] = {
    "commands": command_line.figures,
    "start": start_up.figures,
    "document": core_figures.figures,
    "validate": validation.figures,
    "run": scoring.figures,
    "keys": key_latency.figures,
    "problems": live_problems.figures,
    "scores": live_scores.figures,
    "watch": followed_sources.figures,
    "review": review.figures,
    "desk": review_desk.figures,
    "chats": conversations.figures,
    "scale": scale.figures,
}
LONG_PARTS = {
    "half-million": scale.half_a_million,
    "cluster": cluster.figures,
    "cluster-half-million": cluster.half_a_million,
}
"""Parts that are measured only if they are named."""


def main() -> int:
    """Exit code: 1 if a part could not be measured. A missed target is printed and is no failure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure evaltui's speed and memory.")
    told = f"{', '.join(PARTS)} (default: all of these); {', '.join(LONG_PARTS)}"
    parser.add_argument("parts", nargs="*", metavar="PART", help=told)
    parts = PARTS | LONG_PARTS
    chosen = parser.parse_args().parts or list(PARTS)
    if unknown := [part for part in chosen if part not in parts]:
        parser.error(f"no part is called {unknown[0]}")
    print(heading(), flush=True)
    complete = [_print(parts[part]()) for part in chosen]
    return 0 if all(complete) else 1


def _print(figures: Iterator[Figure]) -> bool:
    try:
        for figure in figures:
            print(figure.line(), flush=True)
    except (MeasurementError, FileNotFoundError) as error:
        print(f"not measured: {error}", flush=True)
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
