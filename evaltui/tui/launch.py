"""Start of the app from the command line, and of the apps that follow it."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.disk.file_place import why_outside
from evaltui.document.document import Document
from evaltui.document.errors import DocumentError, MissingFileError
from evaltui.file_access import is_folder
from evaltui.garbage_collection import begin_seldom
from evaltui.interrupt import leave_to_python
from evaltui.printable import as_argument, write_line
from evaltui.runs.run_options import RunOptions
from evaltui.settings.user_settings import Settings, load_settings
from evaltui.tui.process_end import UnawaitedThreads, end_at_all_events
from evaltui.tui.terminal.early_keys import leave_terminal, leaving_on_signals

if TYPE_CHECKING:
    from evaltui.tui.base_app import BaseApp, OpenNext
    from evaltui.tui.review.review_queue import ReviewStart


def launch(
    file: str | None,
    case: str | None = None,
    *,
    readonly: bool = False,
    scored_with: RunOptions = RunOptions(),
    review: ReviewStart | None = None,
) -> int:
    """Open `file` in the editor, or the list of eval sets of a folder; without `file`, of the current folder.

    Cases are scored with the named recordings and config, else with files found beside the set. With `review`, the app
    starts in the review. Returns the exit code: 2, with a message on stderr, if the file cannot be opened.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        command, others = "edit", "`evaltui patch`, `evaltui validate` or `evaltui run`"
        if review is not None:
            command, others = "review", "`evaltui review SET --format text` and `evaltui accept`"
        write_line("stderr", f"evaltui: {command} needs a terminal. Elsewhere, use {others}.")
        return 2
    gc.disable()  # until the first frame: objects loaded before it stay alive anyway
    os.environ.setdefault("TEXTUAL_ANIMATIONS", "none")  # read once, when textual is imported
    path = Path(file or ".")
    try:
        is_any_named = scored_with.recordings or scored_with.config is not None
        scored_with = _named(scored_with) if is_any_named else scored_with
        editor = partial(_editor, readonly=readonly, scored_with=scored_with, review=review)
        if is_folder(path):
            from evaltui.evalset.set_files import find_sets

            if next(filter(None, find_sets(path)), None) is None:
                advice = "`evaltui edit NAME.evalset.json` makes one"
                write_line("stderr", f"evaltui: {path}: there is no eval set in this folder; {advice}")
                return 2
            return _follow(_sets(path.absolute()), editor, path.absolute())
        return _follow(editor(path, case), editor, path.absolute().parent, path)
    except DocumentError as error:
        write_line("stderr", f"evaltui: {error}")
        return 2


def _named(named: RunOptions) -> RunOptions:
    """`named` with absolute paths. Raises `DocumentError` for a missing file; the run reports unusable ones."""
    from evaltui.files.session_source import session_file

    for name in (*named.recordings, *([named.config] if named.config is not None else [])):
        if name == "-":
            raise DocumentError("-: standard input is the keyboard here; give a file name")
        if not os.path.exists(session_file(Path(name))):  # noqa: PTH110 - a name that is too long is no file, and no error
            raise MissingFileError(f"{name}: there is no such file")
    recordings = tuple(str(Path(name).absolute()) for name in named.recordings)
    config = str(Path(named.config).absolute()) if named.config is not None else None
    return named._replace(recordings=recordings, config=config)


def _follow(app: BaseApp, editor: Callable[..., BaseApp], folder: Path, opened: Path | None = None) -> int:
    """Run an app, then the next file or list that it asks for, until it asks for none. `editor` opens a file."""
    while True:
        following = run_app(app)
        if app.file is not None:
            _remember(app.file.document)
        if following is None:
            code = app.return_code or 0
            end_at_all_events(code)  # Python waits for all threads at exit, and one may hang
            return code
        if following.path is None:
            app = _sets(folder, opened)
            continue
        opened = following.path
        try:
            from_list = app.is_list or app.came_from_list
            app = editor(opened, following=following)
            app.came_from_list = from_list
        except DocumentError as error:
            app = _sets(folder, opened, str(error))


def run_app(app: BaseApp) -> OpenNext | None:
    """Run an app until it ends. Returns the file or list to open next; None to quit."""
    app.survives_faults = True
    begin_seldom()
    # Seconds that a key waits for the interpreter while a thread checks cases; the default is 0.005.
    sys.setswitchinterval(0.0005)
    following = None
    with leaving_on_signals():  # until the app handles them itself
        leave_to_python()  # the app must restore the terminal first

        async def until_left() -> OpenNext | None:
            # Threads that still run at its end continue, and nothing waits for them.
            asyncio.get_running_loop().set_default_executor(UnawaitedThreads())
            return await app.run_async(mouse=app.settings.mouse)

        try:
            following = asyncio.run(until_left())
        finally:
            if following is None:
                leave_terminal()
            app.ended(app.return_code if app.return_code is not None else 1)
    return following


def _sets(folder: Path, start: Path | None = None, notice: str = "") -> BaseApp:
    from evaltui.tui.screens.sets_screen import SetsApp

    return SetsApp(folder, start.absolute() if start else None, notice, settings_in_force())


def _editor(
    path: Path,
    case: str | None = None,
    following: OpenNext | None = None,
    *,
    readonly: bool,
    scored_with: RunOptions,
    review: ReviewStart | None,
) -> BaseApp:
    document = _open(path, only_read=readonly)
    from evaltui.tui.app import EvaltuiApp
    from evaltui.tui.open_file.journal_keeper import has_left_work, start_journal
    from evaltui.tui.remembered_files import remembers_any

    settings = settings_in_force()
    keeps_journal = settings.journal and not readonly
    # A killed session that edited the JSON of another format left work that only the JSON can take.
    as_json = (following is not None and following.as_json) or (keeps_journal and has_left_work(document))
    app = EvaltuiApp(
        document, case, settings, readonly=readonly, as_json=as_json, review=review, scored_with=scored_with
    )
    if app.file.reading is None and document.root is None:
        _refuse_other_text(document, path)
    outside = why_outside(document.path) if document.path is not None and not readonly else None
    refused = f"This set cannot be saved: {outside.reason}" if outside is not None else ""
    app.notices += [following.notice if following is not None else "", refused]
    if keeps_journal and app.file.reading is None:
        app.notices.append(start_journal(app.file))
    app.remembers_views = app.follows_files = True
    app.is_first_start = not remembers_any()
    _remember(document)
    return app


def _refuse_other_text(document: Document, path: Path) -> None:
    """Raise `DocumentError` for YAML, and for a text with a value in each line, the first of which is a recording's."""
    from evaltui.interop.document_texts import what_yaml
    from evaltui.recordings.recording_search import looks_like_recording
    from evaltui.tui.commands import key_of

    if yaml := what_yaml(document, path.name):
        raise DocumentError(f"{path}: this is {yaml}")
    first, _, rest = document.body().partition(b"\n")
    if rest.strip() and Document(first).root is not None and looks_like_recording(path, first):
        file, key = as_argument(str(path)), key_of("list.conversations")
        runs, lists = f"`evaltui run SET -r {file}`", f"`evaltui record {file} --list`"
        use = f"{runs} scores a set against it, {lists} shows its conversations, and {key} in a set adds them"
        raise DocumentError(f"{path}: this is a recording, not an eval set; {use}")


def _remember(document: Document) -> None:
    """Add the file to the recent files; a new file only after its first save."""
    if document.path is not None and not document.is_new:
        from evaltui.tui.remembered_files import remember_file

        remember_file(document.path)


def settings_in_force() -> Settings:
    """The user's settings with valid key remaps, read again for each app."""
    settings = load_settings()
    if not settings.keys:
        return settings
    from evaltui.tui.key_remaps import keys_in_force

    return keys_in_force(settings)


def _open(path: Path, *, only_read: bool) -> Document:
    """Open or create the document at `path`. Its path becomes absolute. Raises `DocumentError`."""
    try:
        document = Document.open(path)
    except MissingFileError:
        if only_read:
            raise
        from evaltui.files.typed_paths import PathError, refuse_missing_folder
        from evaltui.tui.open_file.foreign_file import new_set_text

        try:
            refuse_missing_folder(path)
        except PathError as error:
            raise DocumentError(f"{path}: {error}") from None
        document = Document.new(path, new_set_text(path.name))
    try:
        document.path = path.absolute()
    except OSError as error:
        raise DocumentError(f"{path}: the working directory is gone; change to another and try again") from error
    return document
