"""A small language for scenarios: open a file, press keys, read the screen, look at the bytes.

    async with scenario(SAMPLES / "trip_planner.evalset.json") as s:
        await s.enter("Great. Can you add")
        await s.edit("Great. Can you add", "Add a bag")
        s.expect("edit user text")
        assert await s.saved() == s.original.replace(b"Great. Can you add one checked bag, 23 kg?", b"Add a bag")

However a scenario ends, what is drawn after an edit must be the rows and the form of the document, and taking back
every step must give the bytes of the file again.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from evaltui.document.document import Document
from evaltui.runs.run_options import RunOptions
from evaltui.tui.app import EvaltuiApp
from evaltui.tui.base_app import OpenNext
from evaltui.tui.review.review_queue import ReviewStart
from tests.sampling import Extent
from tests.tui.hands import Hands

SAMPLES = Path(__file__).parents[2] / "sample_sets"
NARROW, NORMAL, WIDE = (80, 24), (110, 30), (140, 40)


@asynccontextmanager
async def scenario(
    file: Path | bytes | str,
    size: tuple[int, int] = NARROW,
    *,
    name: str = "set.evalset.json",
    case: str | None = None,
    beside: Mapping[str, str | Path] | None = None,
    recordings: Sequence[str] = (),
    config: str | None = None,
    starts_with: ReviewStart | None = None,
    as_json: bool = False,
    is_new: bool = False,
    is_first_start: bool = False,
) -> AsyncIterator[Scenario]:
    """The app on a copy of a file, or on a file called `name` with these contents.

    A file of another format is shown as an eval set, unless it is wanted `as_json`.

    `beside` are other files in its folder by name, some of them named as `recordings` or `config`. It
    `starts_with` a review, else in the editor. A file that `is_new` is not on disk yet.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / (file.name if isinstance(file, Path) else name)
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, file)
        for other, content in (beside or {}).items():
            (path.parent / other).parent.mkdir(parents=True, exist_ok=True)
            _write(path.parent / other, content)
        # A clock that stands still: how fast a test runs must not decide what one undo takes back.
        document = Document(path.read_bytes(), path, clock=lambda: 0.0)
        if is_new:
            path.unlink()
            document = Document.new(path, document.to_bytes())
        named = RunOptions(
            tuple(str(path.parent / each) for each in recordings),
            str(path.parent / config) if config is not None else None,
        )
        app = EvaltuiApp(document, case, as_json=as_json, scored_with=named, review=starts_with)
        app.is_first_start = is_first_start
        async with app.run_test(size=size) as pilot:
            running = Scenario(app, pilot, path)
            await running.settle()
            running.first_row = getattr(app.focused, "cursor", 0)
            yield running
            if Extent.is_thorough and not running.ended and not running.has_looked:
                running.expect_harmless()
            if document.history.point() or document.history.redo_point() or running.document is not document:
                running.expect_rows_and_form_of_the_document()
        while document.undo():
            pass
        assert document.to_bytes() == running.original, "undoing everything does not give the file's bytes"


def _write(path: Path, content: Path | bytes | str) -> None:
    if isinstance(content, Path):
        content = content.read_bytes()
    path.write_bytes(content.encode() if isinstance(content, str) else content)


class Scenario(Hands):
    """A running app with its file."""

    first_row: int
    """The row that was selected at the start."""

    def __init__(self, app: EvaltuiApp, pilot: Pilot[OpenNext | None], path: Path) -> None:
        super().__init__(app, pilot)
        self.path = path
        self.original = path.read_bytes() if path.exists() else app.file.document.to_bytes()

    async def to(self, text: str) -> None:
        """Go to the first row that holds a text, from the top down; columns may be wider than in the text."""
        rows = self.rows()
        wanted = re.compile(re.escape(text).replace(r"\ \ ", r"\ {2,}"))
        found = next((n for n, row in enumerate(rows) if wanted.search(row)), None)
        assert found is not None, f"no row with {text!r} among:\n" + "\n".join(rows)
        await self.burst("home", *["down"] * found)
        assert self.cursor() == rows[found]

    async def enter(self, *texts: str) -> None:
        """Go to the row with each text in turn and press enter there."""
        for text in texts:
            await self.to(text)
            await self.press("enter")

    async def edit(self, field: str, text: str) -> None:
        """Put another text into the field of the form whose lines hold `field`, and leave it."""
        await self.enter(field)
        assert self.focused == "field", f"{field!r} is no field"
        await self.press("f7")
        await (self.type(text) if text else self.press("delete"))
        await self.press("escape")

    async def edit_id(self, case: str, text: str) -> None:
        """Give a case another eval_id, from the tree."""
        await self.enter(case)
        await self.edit("eval_id", text)

    async def start_over(self) -> None:
        """Close what is open, undo every step and select the row that was selected at the start."""
        for _ in range(9):
            if self.focused == "tree" and len(self.app.screen_stack) == 1:
                break
            await self.press("escape")
        while self.bytes() != self.original:
            await self.press("u")
            assert "Nothing to undo" not in self.status
        await self.press("home", *["down"] * self.first_row)
        assert self.focused == "tree"

    # --- the file ------------------------------------------------------------------------------------------

    def bytes(self) -> bytes:
        """The file as a save would write it now."""
        return self.document.to_bytes()

    def file_bytes(self) -> bytes:
        """The file on disk."""
        return self.path.read_bytes()

    async def saved(self) -> bytes:
        """Save, and give what is on disk then."""
        await self.press("ctrl+s")
        return self.file_bytes()

    @property
    def is_dirty(self) -> bool:
        """Whether the title says that something is unsaved."""
        return "●" in self.title
