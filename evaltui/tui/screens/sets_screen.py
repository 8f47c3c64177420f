"""The list of the eval sets of a folder, and the app that shows it."""

from __future__ import annotations

from pathlib import Path

from rich.cells import cell_len
from textual import events, on, work
from textual.content import Content
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
from evaltui.tui.lines import FILL, Line, counted, preview
from evaltui.tui.remembered_files import recent_files
from evaltui.tui.screens.command_screen import MOVES_AND_SETTINGS
from evaltui.tui.screens.list_screen import ListScreen
from evaltui.tui.widgets.entry_list import EntryList

_OF_USE = ("quit", "help", "messages", "list.help", "list.palette", "list.theme", "list.settings")


class SetsScreen(ListScreen[None]):
    """Shows the found sets while the search runs."""

    BINDINGS = bindings("everywhere")
    OWN_WAYS = IN_SETS
    SHARED = MOVES_AND_SETTINGS

    def __init__(self, folder: Path, start: Path | None, message: str) -> None:
        """The cursor goes to the file `start` once it is found. `message` is the first one of the status line."""
        self.sets: EntryList[FoundSet] = EntryList("list", "sets", identity=lambda entry: entry.path)
        super().__init__([self.sets])
        self.folder, self._start, self._message = folder, start, message
        self._found: list[FoundSet] = []
        self._recent: set[Path] = set()
        """The recent files from other folders."""
        self._count = "searching …"

    def on_mount(self) -> None:
        """Begin the search."""
        self.status.say(self._message)
        self._search()

    @work(thread=True, exclusive=True, group="search")
    def _search(self) -> None:
        worker, limit = get_current_worker(), ""
        batch: list[FoundSet] = []
        size = 1  # the first set shows at once; a message for each of thousands would hold up the keys
        try:
            for found_set in find_sets(self.folder, Bounds(cancelled=lambda: worker.is_cancelled)):
                batch += [found_set] if found_set is not None else []
                if len(batch) >= size:
                    self.call_later(self._add_found, batch)
                    batch, size = [], 20
        except SearchCancelledError:
            return
        except SearchLimitError as error:
            limit = error.reason
        self.call_later(self._add_found, batch, limit)
        # In this thread as well: a recent file may be on a slow network mount.
        self.call_later(self._add_recent, recent_files())

    def _add_found(self, sets: list[FoundSet], limit: str | None = None) -> None:
        """Show more sets. With a `limit`, the search has ended: with a reason early, else with all."""
        # In the order of the search, which goes folder by folder: sorted lines would jump under the cursor.
        self._found += sets
        if limit is not None:
            datasets = sum(entry.is_dataset for entry in self._found)
            counts = {"eval set": len(self._found) - datasets, "dataset": datasets}
            texts = [counted(count, noun) for noun, count in counts.items() if count]
            self._count = ", ".join(texts) or "0 eval sets"
            if not (self._found or limit):
                self.status.say("No eval sets here. Press a to create one.")
        if limit:
            self.status.say(limit)
        self.show_again()

    def _add_recent(self, paths: list[Path]) -> None:
        in_folder = {entry.path for entry in self._found}
        # A recent file of this folder is in the list already.
        elsewhere = [path for path in paths[:8] if path not in in_folder]
        self._recent.update(elsewhere)
        self._found += [FoundSet(path, None) for path in elsewhere]
        self.fill()

    def fill(self) -> None:
        """Show the sets that are found so far."""
        start = next((entry.path for entry in self._found if entry.path == self._start), None)
        if start is not None:
            self._start = None  # only once: the person may have gone on since then
        self.sets.show(self._found, self._set_line, start)

    def _set_line(self, entry: FoundSet, width: int) -> Line:
        if entry.path in self._recent:
            folder = f"  {printable(str(_short(entry.path.parent)))}"  # after the name, which must stay visible
            return [(printable(entry.path.name), ""), (folder, "dim"), ("", FILL), ("  recent ", "dim")]
        path = entry.path.relative_to(self.folder)
        folder = "" if path.parent == Path() else f"{printable(str(path.parent))}/"
        if entry.cases is None:
            count = "other JSON" if entry.is_json else "invalid JSON"
        else:
            count = f"{'dataset  ' if entry.is_dataset else ''}{counted(entry.cases, 'case')}"
        name = f"  {preview(entry.name, 60)}" if entry.name else ""
        return [(folder, "dim"), (printable(path.name), ""), (name, "dim"), ("", FILL), (f"  {count} ", "dim")]

    def title_texts(self) -> tuple[Content | str, str]:
        """`Eval sets in ~/agents`, `3 eval sets`."""
        heading, folder = "   Eval sets in ", printable(str(_short(self.folder)))
        room = self.size.width - len(heading) - len(self._count) - 3
        if cell_len(folder) > room:
            folder = "…" + folder[1 - room :]  # the last folders say more than the first
        return Content.assemble(heading, (folder, "bold")), self._count

    def offered_title(self, command: Command) -> str:
        """The title of a command in the keys line; "" if it is of no use here."""
        return command.title if command.place == "sets" or command.id in _OF_USE else ""

    @on(EntryList.EntryOpened)
    def open(self) -> None:
        """Open the selected set."""
        if self.sets.selected is not None:
            self.app.exit(OpenNext(self.sets.selected.path))

    def make(self) -> None:
        """Ask for the name of a new set and open it. The first save creates the file."""
        from evaltui.tui.screens.text_dialogs import NameDialog

        def check(name: str) -> Path:
            path = expanded(name, self.folder)
            path = path if path.suffix == ".json" else path.with_name(path.name + ENDINGS_OF_SETS[0])
            if is_file(path):
                raise PathError(f"{path.name} already exists; select it in the list and press enter")
            return file_to_write(str(path))

        dialog = NameDialog("Name of the new eval set", "", check, is_path=True, folder=self.folder)
        self.app.ask(dialog, lambda path: self.app.exit(OpenNext(path)))

    def on_key(self, event: events.Key) -> None:
        """Say that a key of the editor does nothing here."""
        key, purpose = ("sets.open", "open a set") if self.sets.entries else ("sets.make", "create a set")
        self.refuse_key_of_editor(event, f"not in this list. Press {key_of(key)} to {purpose}.")

    def say_how_to_quit(self) -> None:
        """Show how to quit."""
        # Many people press ^c, which copies in a text box and must not lose anything elsewhere.
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

    def __init__(self, folder: Path, start: Path | None, message: str, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self._sets = folder, start, message or self.settings.first_complaint()

    def get_default_screen(self) -> SetsScreen:
        """The list."""
        self.read_rest_of_css()
        return SetsScreen(*self._sets)
