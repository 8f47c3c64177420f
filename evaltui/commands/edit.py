"""`evaltui edit`: the app, on a file or on the list of the eval sets in a folder."""

from __future__ import annotations

import sys
from argparse import Namespace
from importlib import import_module


def run(options: Namespace) -> int:
    """Open the app; the exit code is 2, with a sentence on stderr, if it cannot open."""
    from evaltui.tui.terminal.kept_terminal import kept_terminal

    with kept_terminal():
        return _open(options)


def _open(options: Namespace) -> int:
    import_asyncio_without_tls()
    from evaltui.tui.launch import launch
    from evaltui.tui.session.scored_with import ScoredWith

    named = ScoredWith(tuple(options.recording), options.config, all_runs=options.runs == "all")
    return launch(options.set, options.case, readonly=options.readonly, scored_with=named)


def import_asyncio_without_tls() -> None:
    """Import asyncio without OpenSSL, which it loads if available and the app does not need.

    This saves 2 % of the time to the first frame. A later `import ssl` works.
    """
    if "ssl" not in sys.modules:
        sys.modules["ssl"] = None  # type: ignore[assignment] # as on a Python without it
        import_module("asyncio")
        del sys.modules["ssl"]
