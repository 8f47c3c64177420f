"""The recovery screen: unsaved changes of an earlier session, with keys to restore or discard them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from time import monotonic

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from evaltui.document.errors import DocumentError
from evaltui.document.journals.recovery import Unsaved
from evaltui.tui.commands import bindings, commands_at, key_name, key_of
from evaltui.tui.lines import counted, folded
from evaltui.tui.open_file.left_work import LeftWork, changed_cases, restore, unsaved_said
from evaltui.tui.open_file.open_file import OpenFile
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.process_end import result_of
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.screens.diff_screens import DiffScreen, DiffView, readable_diff

_WIDE = 60
"""Columns from which the keys line also names the keys that scroll and help."""


class RecoveryScreen(DiffScreen[None], CommandScreen[None]):
    """Shows each leftover journal, oldest first, then calls `done` with a message about the decisions."""

    PLACE = "recovery"
    BINDINGS = bindings("recovery")
    SHARED = ()

    def __init__(self, file: OpenFile, done: Callable[[str], None]) -> None:
        super().__init__()
        self.file = file
        self._works = file.journal.left if file.journal is not None else []
        self._done = done
        self._position = 0
        self._messages: list[str] = []
        self._asking = False
        self._asked_at = monotonic()
        """When the work, or the question before it is discarded, was shown."""

    @property
    def work(self) -> LeftWork:
        """The unsaved work on screen."""
        return self._works[self._position]

    def compose(self) -> ComposeResult:
        """Title, facts, diff, and the bars below."""
        yield Static(id="title", markup=False)
        yield Static(id="recovery-facts", markup=False)
        yield DiffView()
        # The keys line may have several lines: in a narrow terminal each answer has its own.
        yield Vertical(StatusBar(), Static(id="keys", markup=False), id="recovery-answers")

    def on_mount(self) -> None:
        """Show the first."""
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        work, count = self.work, len(self._works)
        self._asked_at = monotonic()
        number = f" ({self._position + 1} of {count})" if count > 1 else ""
        title = Content.styled(f"   {self.file.file_name}", "bold")
        title += Content.styled(f" · unsaved changes of an earlier session{number}", "dim")
        self.query_one("#title", Static).update(title)
        self._say("")
        facts = [work.problem] if work.unsaved is None else self._facts(work.unsaved)
        lines = [line for fact in facts for line in folded(fact, max(20, self.size.width - 2))]
        text = "\n".join(f" {line}" for line in lines[: max(3, self.size.height // 2)])
        self.query_one("#recovery-facts", Static).update(Content(text))
        self.diff.show([] if work.unsaved is None else ["comparing …"])
        if work.unsaved is not None:
            self.run_worker(self._compare(work.unsaved), exclusive=True, group="diff")

    async def _compare(self, unsaved: Unsaved) -> None:
        self.diff.show(await result_of(partial(_compared, unsaved)))

    def _facts(self, unsaved: Unsaved) -> list[str]:
        facts = []
        if unsaved.entries:
            when = datetime.fromtimestamp(unsaved.time).strftime("%Y-%m-%d %H:%M:%S")
            facts.append(f"{counted(unsaved.steps, 'unsaved change')}, the last at {when}.")
        if unsaved.drafts:
            facts.append("Drafts: " + "; ".join(f"{draft['where']}: {draft['text'][:60]}" for draft in unsaved.drafts))
        if unsaved.trial:
            facts.append(f"{unsaved.trial['said'][:1].upper()}{unsaved.trial['said'][1:]}.")
        if unsaved.damage:
            facts.append(f"{unsaved.damage.capitalize()}.")
        if not unsaved.fits(self.file.document.on_disk):
            seen = (
                "After a restore you see the text of that session. The next save merges it with the changed file."
                if unsaved.entries
                else "After a restore you see the changed file."
            )
            facts.append(f"The file has changed since then. {seen}")
        return facts

    def _say(self, text: str, answers: Sequence[tuple[str, str]] = ()) -> None:
        """Show a message, with the keys and titles of its `answers` if it is a question, else those of the screen."""
        self._asking = bool(answers)
        self.status.say(text)
        offered = [c for c in commands_at("recovery") if c.footer and (c.id != "recovery.restore" or self.work.unsaved)]
        keys = [*answers] or [(key_name(command.keys.split(",")[0]), command.title) for command in offered]
        if self.size.width >= _WIDE:
            keys += [("↑ ↓", "scroll"), (key_of("help"), "help")]
        parts = [Content.assemble((key, "bold $text-accent"), (f" {title}", "dim")) for key, title in keys]
        is_wide = sum(part.cell_length + 2 for part in parts) < self.size.width
        gap = Content("  " if is_wide else "\n ")
        self.query_one("#keys", Static).update(gap.join([Content(" ") + parts[0], *parts[1:]]))

    # --- what there is to do -------------------------------------------------------------------------------

    def restore(self) -> None:
        """Restore the changes, and delete the old journal."""
        if self.work.unsaved is None:
            self._say(
                f"These changes cannot be restored. Press {key_of('recovery.keep')} to keep them "
                f"or {key_of('recovery.discard')} to delete them."
            )
            return
        try:
            message = restore(self.file, self.work.unsaved)
        except DocumentError as error:
            self._say(str(error))
            return
        # If the journal of this process cannot be written, the old one stays the only copy.
        if self.file.journal is not None and self.file.journal.flush():
            self.work.journal.remove()
        else:
            self.work.journal.release()
        self._next(message)

    def keep(self) -> None:
        """Keep the journal for the next time; while asked whether to discard, answer no."""
        if self._asking:
            self._say("Nothing was discarded.")
            return
        self.work.journal.release()
        self._next(f"{unsaved_said(self.work.unsaved) if self.work.unsaved else 'journal'} kept for later")

    def discard(self) -> None:
        """Ask once more."""
        if self._is_answered():
            really = key_of("recovery.really")
            question = f"You cannot undo this. Press {really} to discard the changes, or esc to go back."
            self._say(question, [(really, "discard"), ("esc", "go back")])
            self._asked_at = monotonic()

    def discard_really(self) -> None:
        """Delete the journal, if the user was asked."""
        if self._asking and self._is_answered():
            self.work.journal.remove()
            self._next("unsaved changes discarded")

    def _is_answered(self) -> bool:
        # A key typed ahead must not discard what nobody has seen.
        return self.app.input_order.typed_at > self._asked_at

    def quit(self) -> None:
        """Quit without changing anything."""
        self.app.exit()

    def _next(self, message: str) -> None:
        self._messages.append(message)
        if self._position + 1 < len(self._works):
            self._position += 1
            self._show()
        else:
            self._done(" · ".join(self._messages))


def _compared(unsaved: Unsaved) -> list[str]:
    """A line with the changed cases, and the diff. Slow for large files."""
    cases = changed_cases(unsaved)
    heading = f"{len(cases)} case{'s' * (len(cases) != 1)}: {', '.join(cases[:20])}{' …' * (len(cases) > 20)}"
    diff = readable_diff(unsaved.base, unsaved.mine) or ["A restore does not change the text of the file."]
    return [heading, "", *diff] if cases else diff
