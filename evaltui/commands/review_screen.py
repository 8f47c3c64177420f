"""The review screen, opened from the command line."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from evaltui.commands.edit import import_asyncio_without_tls


def open_review(given: Namespace) -> int:
    """Open the review of one set; the exit code is 2, with a sentence on stderr, if it cannot open."""
    from evaltui.tui.terminal.kept_terminal import kept_terminal

    with kept_terminal():
        return _open(given)


def _open(given: Namespace) -> int:
    import_asyncio_without_tls()
    from evaltui.commands.set_options import refuse_all_runs, set_arguments
    from evaltui.document.errors import DocumentError
    from evaltui.file_access import exists, is_folder
    from evaltui.printable import say

    try:
        refuse_all_runs(given)
        chosen, *others = set_arguments(given.sets)
    except DocumentError as error:
        say(error)
        return 2
    name = chosen.name
    if others or name == "-" or is_folder(Path(name)):
        say(f"{name}: the review screen shows only one eval set; give one, or use --format for several")
        return 2
    if not exists(Path(name)):
        say(f"{name}: there is no such file")
        return 2
    from evaltui.tui.launch import launch
    from evaltui.tui.session.review_start import ReviewStart
    from evaltui.tui.session.scored_with import ScoredWith

    named = ScoredWith(
        tuple(given.recording),
        given.config,
        tuple(given.metric),
        given.match_type,
        given.ignore_args,
        given.profile,
    )
    return launch(name, scored_with=named, review=ReviewStart(chosen.ids, is_first=True, passing=given.all))
