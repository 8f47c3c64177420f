"""`evaltui edit`: the app, on a file or on the list of the eval sets in a folder."""

from __future__ import annotations

import sys
from argparse import Namespace
from importlib import import_module

from evaltui.commands.parser import CommandParser
from evaltui.commands.set_options import CONFIG, add_recordings

USAGE = "edit [OPTIONS] [SET]"
DESCRIPTION = "Open an eval set or dataset in the editor. `evaltui SET` does the same."
EXAMPLE = "evaltui edit trip_planner.evalset.json -r recordings"


def add_options(parser: CommandParser) -> None:
    """Add the options of `evaltui edit`."""
    file = "An eval set or dataset. The first save creates a new file. Default: a list of the eval sets in this folder."
    parser.add_argument_group("Arguments").add_argument("set", metavar="SET", nargs="?", help=file)
    add_recordings(parser)
    parser.add_argument_group("Criteria").add_argument("--config", metavar="FILE", help=CONFIG)
    view = parser.add_argument_group("View")
    view.add_argument("--case", metavar="ID", help="Begin at the case with this eval_id.")
    view.add_argument("--readonly", action="store_true", help="Allow no change.")


def run(options: Namespace) -> int:
    """Open the app; the exit code is 2, with a sentence on stderr, if it cannot open."""
    from evaltui.tui.terminal.early_keys import kept_terminal

    # The imports of the app take 0.2 s. Keys that are typed meanwhile are kept for it.
    with kept_terminal():
        import_asyncio_without_tls()
        from evaltui.runs.run_options import RunOptions
        from evaltui.tui.launch import launch

        scored_with = RunOptions(tuple(options.recording), options.config, all_runs=options.runs == "all")
        return launch(options.set, options.case, readonly=options.readonly, scored_with=scored_with)


def import_asyncio_without_tls() -> None:
    """Import asyncio without OpenSSL, which it loads if available and the app does not need.

    This saves 2 % of the time to the first frame. A later `import ssl` works.
    """
    if "ssl" not in sys.modules:
        sys.modules["ssl"] = None  # type: ignore[assignment] # as on a Python without it
        import_module("asyncio")
        del sys.modules["ssl"]
