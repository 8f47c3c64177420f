"""The list of the eval sets of a folder, and the app that shows it."""

from __future__ import annotations

from pathlib import Path

from rich.cells import cell_len
from textual import events, getters, work
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import get_current_worker

from evaltui.evalset.file_formats import ENDINGS_OF_SETS
from evaltui.evalset.set_files import FoundSet, find_sets
from evaltui.file_access import is_file
from evaltui.files.folder_search import Bounds, SearchCancelledError, SearchLimitError
from evaltui.files.typed_paths import PathError, expanded, file_to_write
from evaltui.printable import printable
from evaltui.settings.user_settings import Settings
from evaltui.tui.base_app import BaseApp, OpenNext
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.dialog_commands import IN_SETS
from evaltui.tui.lines import FILL, Line, preview
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.process_end import result_of
from evaltui.tui.remembered_files import recent_files
from evaltui.tui.screens.command_screen import MOVES_AND_SETTINGS, CommandScreen
from evaltui.tui.widgets.line_view import LineList

_OF_USE = ("quit", "help", "messages", "list.help", "list.palette", "list.theme", "list.settings")
_BATCH = 20
_MOST_RECENT = 8


class SetsList(LineList):
    """One line for each set: path within the folder, name, number of cases."""

    PLACE = "sets"
    BINDINGS = bindings("list", "sets")

    def __init__(self, folder: Path, start: Path | None) -> None:
        """`start` is the file that the cursor goes to once it is found."""
        super().__init__(id="sets")
        self.folder, self._start = folder, start
        self.found: list[FoundSet] = []
        self._recent: set[Path] = set()
        """The recent files from other folders, at the end of `found`."""

    def add(self, found: list[FoundSet]) -> None:
        """Add found sets."""
        self.found += found
        self.refresh_size()
        wanted = next((n for n, each in enumerate(self.found) if each.path == self._start), None)
        if wanted is not None:
            self._start = None
            self.cursor = wanted
        self.refresh()

    def add_recent(self, paths: list[Path]) -> None:
        """Add recent files from other folders, below the found sets."""
        here = {each.path for each in self.found}
        elsewhere = [path for path in paths if path not in here]
        self._recent.update(elsewhere)
        self.add([FoundSet(path, None) for path in elsewhere])

    @property
    def selected(self) -> FoundSet | None:
        """The set under the cursor."""
        return self.found[self.cursor] if self.found else None

    def line_count(self) -> int:
        """One line for each set."""
        return len(self.found)

    def line(self, index: int) -> Line:
        """Path, name and cases."""
        found = self.found[index]
        if found.path in self._recent:
            folder = f"  {printable(str(_short(found.path.parent)))}"  # after the name, which must stay visible
            return [(printable(found.path.name), ""), (folder, "dim"), ("", FILL), ("  recent ", "dim")]
        path = found.path.relative_to(self.folder)
        folder = "" if path.parent == Path() else f"{printable(str(path.parent))}/"
        if found.cases is None:
            count = "other JSON" if found.is_json else "invalid JSON"
        else:
            count = f"{'dataset  ' if found.is_dataset else ''}{found.cases:,} case{'s' * (found.cases != 1)}"
        name = f"  {preview(found.name, 60)}" if found.name else ""
        return [(folder, "dim"), (printable(path.name), ""), (name, "dim"), ("", FILL), (f"  {count} ", "dim")]

    def enter(self) -> None:
        """Open the selected set."""
        if self.selected is not None:
            self.app.exit(OpenNext(self.selected.path))

    def on_click(self, event: events.Click) -> None:
        """Select a set; a second click opens it."""
        row = self.entry_under(event)
        if row is not None and row == self.cursor and event.chain > 1:
            self.enter()
        elif row is not None:
            self.cursor = row


class SetsScreen(CommandScreen):
    """Shows the found sets while the search runs."""

    BINDINGS = bindings("everywhere")
    OWN_WAYS = IN_SETS
    SHARED = MOVES_AND_SETTINGS

    sets = getters.query_one("#sets", SetsList)
    status = getters.query_one("#status", StatusBar)

    class MoreFound(Message):
        """The search has found more sets, or has ended."""

        def __init__(self, found: list[FoundSet], *, done: bool = False, limit: str = "") -> None:
            super().__init__()
            self.found, self.done, self.limit = found, done, limit

    def __init__(self, folder: Path, start: Path | None, said: str) -> None:
        """`said` is the first message of the status line."""
        super().__init__()
        self.folder, self._start, self._said = folder, start, said

    def compose(self) -> ComposeResult:
        """Title, list and bars."""
        yield Static(markup=False, id="title")
        yield SetsList(self.folder, self._start)
        yield StatusBar()
        yield KeysBar(self.title_of)

    def on_mount(self) -> None:
        """Begin the search."""
        self.sets.focus()
        self.query_one(KeysBar).show_place("sets")
        self.status.say(self._said)
        self._show_title("searching …")
        self._search()

    @work(thread=True, exclusive=True, group="search")
    def _search(self) -> None:
        """Post the first found set at once, more of them in batches."""
        worker = get_current_worker()
        batch: list[FoundSet] = []
        size = 1
        try:
            for found in find_sets(self.folder, Bounds(cancelled=lambda: worker.is_cancelled)):
                if found is not None:
                    batch.append(found)
                if len(batch) >= size:
                    self.post_message(self.MoreFound(batch))
                    batch, size = [], _BATCH
        except SearchCancelledError:
            return
        except SearchLimitError as error:
            self.post_message(self.MoreFound(batch, done=True, limit=error.reason))
            return
        self.post_message(self.MoreFound(batch, done=True))

    def on_sets_screen_more_found(self, event: MoreFound) -> None:
        """Show more sets; at the end of the search, their number."""
        self.sets.add(event.found)
        count, datasets = len(self.sets.found), sum(each.is_dataset for each in self.sets.found)
        counts = {"eval set": count - datasets, "dataset": datasets}
        said = [f"{number:,} {what}{'s' * (number != 1)}" for what, number in counts.items() if number]
        self._show_title((", ".join(said) or "0 eval sets") if event.done else "searching …")
        if event.limit:
            self.status.say(event.limit)
        elif event.done and not count:
            self.status.say("No eval sets here. Press a to create one.")
        if event.done:
            self.run_worker(self._add_recent(), group="recent", exit_on_error=False)

    async def _add_recent(self) -> None:
        paths = await result_of(recent_files)
        self.sets.add_recent(paths[:_MOST_RECENT])

    def _show_title(self, right: str) -> None:
        width, said = self.app.size.width, "   Eval sets in "
        folder = printable(str(_short(self.folder)))
        room = width - len(said) - len(right) - 3
        if cell_len(folder) > room:
            folder = "…" + folder[1 - room :]  # the last folders say more than the first
        blanks = " " * max(1, width - len(said) - cell_len(folder) - len(right) - 1)
        title = Content.assemble(said, (folder, "bold"), blanks, (right, "dim"))
        self.query_one("#title", Static).update(title)

    def title_of(self, command: Command) -> str:
        """The title of a command in the keys line; "" if it is of no use here."""
        return command.title if command.place == "sets" or command.id in _OF_USE else ""

    def make(self) -> None:
        """Ask for the name of a new set and open it. The first save creates the file."""
        from evaltui.tui.screens.name_dialog import NameDialog

        path = Path()

        def check(name: str) -> None:
            nonlocal path
            path = self.new_path(name)

        def answered(name: str | None) -> None:
            if name is not None:
                self.app.exit(OpenNext(path))

        dialog = NameDialog("Name of the new eval set", "", check, is_path=True, folder=self.folder)
        self.app.push_screen(dialog, answered)

    def new_path(self, name: str) -> Path:
        """The path of a new set called `name` in this folder. Raises `PathError` if it cannot be created."""
        path = expanded(name, self.folder)
        whole = str(path if path.suffix == ".json" else path.with_name(path.name + ENDINGS_OF_SETS[0]))
        if is_file(Path(whole)):
            raise PathError(f"{Path(whole).name} already exists; select it in the list and press enter")
        return file_to_write(whole)

    def on_key(self, event: events.Key) -> None:
        """Say that a key of the editor does nothing here, and hold the letters that are typed for what it opens."""
        key, what = ("sets.open", "open a set") if self.sets.found else ("sets.make", "create a set")
        self.refuse_key_of_editor(event, f"not in this list. Press {key_of(key)} to {what}.")

    def say_how_to_quit(self) -> None:
        """Show how to quit: many people press ^c."""
        self.status.say(f"Press {key_of('quit')} to quit.")

    def quit(self) -> None:
        """Leave."""
        self.app.exit()


def _short(folder: Path) -> Path:
    """A folder with `~` for the home folder."""
    home = Path.home()
    return Path("~") / folder.relative_to(home) if folder.is_relative_to(home) else folder


class SetsApp(BaseApp):
    """The app with the list; it returns the file to open next."""

    is_list = True

    def __init__(self, folder: Path, start: Path | None, said: str, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self._sets = folder, start, said or self.settings.first_complaint()

    def get_default_screen(self) -> Screen[str]:
        """The list."""
        self.read_rest_of_css()
        return SetsScreen(*self._sets)
