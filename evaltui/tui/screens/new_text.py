"""Puts a text that came from the disk in the place of the one that is shown, and says what has become of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.tui.commands import key_of
from evaltui.tui.outlines import EvalOutline
from evaltui.tui.screens.panes_screen import PanesScreen
from evaltui.tui.step_words import undo_said

if TYPE_CHECKING:
    from evaltui.evalset.merge.changed_file import Reread


class NewText(PanesScreen):
    """The part of the edit screen that shows another text in the same place."""

    def take_over(self, result: Reread, merging: bool) -> None:
        """Make the text of `result` that of the document, as one step."""
        assert result.target is not None
        name, summary = self.session.file_name, result.summary or "changed"
        label = f"merge with {name} on disk" if merging else f"reload {name}"
        drafts = len(self.session.drafts.live())
        self.session.document.become(result.target, result.pair, label, result.data)
        drafts -= len(self.session.drafts.live())
        said = "merged with the file on disk" if merging else "reloaded"
        rest = "your changes are unsaved" if self.session.document.is_dirty else undo_said()
        if drafts:
            went = f"{drafts} drafts went with their fields" if drafts > 1 else "1 draft went with its field"
            rest = f"{went} · {key_of('list.undo')} brings {'them' if drafts > 1 else 'it'} back"
        self.settled(f"{said}: {summary} · {rest}")
        self.app.inspect_again()  # type: ignore[attr-defined]

    def settled(self, said: str) -> None:
        """All is well with the disk again."""
        self.session.disk.trouble, self.session.disk.is_lost, self.session.disk.waits = "", False, False
        self.show_new_text(said)

    def show_new_text(self, said: str) -> None:
        """Any part of the text may be another: show it, and close views of what is gone."""
        root = self.session.document.root
        assert root is not None
        if isinstance(self.outline, EvalOutline) != (self.session.eval_set is not None):
            outline = self.session.outline()
            assert outline is not None
            self.outline = outline
            self.tree_pane.take(outline)
            self.form_pane.outline = outline
        screens = [screen for screen in self.app.screen_stack if isinstance(screen, PanesScreen)]
        first_gone = next((n for n, screen in enumerate(screens) if not screen.outline.root.is_in(root)), len(screens))
        for screen in screens[:first_gone]:
            screen.refresh_all(said)
            screen.form_pane.show_undone()
        while self.app.screen in screens[first_gone:]:
            self.app.pop_screen()

    def lost(self, trouble: str, said: str) -> None:
        """The text is in memory only."""
        self.session.disk.trouble, self.session.disk.is_lost = trouble, True
        keys = f"{key_of('list.save_as')} saves it elsewhere, {key_of('save')} here"
        self.tell(f"{said}. Your text is kept: {keys}.")

    def tell(self, said: str | None) -> None:
        """Show on all screens what has become of the file."""
        for screen in self.app.screen_stack:
            if isinstance(screen, PanesScreen):
                if said is not None:
                    screen.status.say(said)
                screen.tree_pane.refresh()
                screen.title_bar.update()
