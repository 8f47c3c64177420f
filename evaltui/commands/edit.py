"""`evaltui edit`: the app, on a file or on the list of the eval sets in a folder."""

from __future__ import annotations

from argparse import Namespace

from evaltui.tui.launch import launch


def run(options: Namespace) -> int:
    """Open the app; the exit code is 2, with a sentence on stderr, if it cannot open."""
    return launch(
        options.set,
        options.case,
        readonly=options.readonly,
        recordings=options.recording,
        config=options.config,
    )
