"""The open file: its document, its decisions, its workers, and the screens that show it."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaltui.document.document import Change, Document
from evaltui.document.node import Node
from evaltui.runs.run_options import RunOptions
from evaltui.tui.base_app import BaseApp
from evaltui.tui.late_parts import LatePart
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.screens.command_screen import CommandScreen

if TYPE_CHECKING:
    from evaltui.tui.agent.agent_runner import AgentRunner
    from evaltui.tui.editor.edit_screen import EditScreen
    from evaltui.tui.open_file.criteria_trial import CriteriaTrial
    from evaltui.tui.open_file.disk_follower import DiskFollower
    from evaltui.tui.open_file.leaving import Leaving
    from evaltui.tui.open_file.pending_checks import CaseChecks
    from evaltui.tui.open_file.saver import EditedText, FollowUp, SaveJob, Saver
    from evaltui.tui.open_file.scorer import Scorer
    from evaltui.tui.open_file.source_follower import SourceFollower
    from evaltui.tui.review.decision_history import DecisionHistory
    from evaltui.tui.review.review_queue import Order
    from evaltui.tui.review.review_screen import ReviewScreen


class OpenFile(EditedDocument):
    """The document of an app, with everything that its screens share."""

    checks: LatePart[CaseChecks] = LatePart("evaltui.tui.open_file.pending_checks.CaseChecks")
    scorer: LatePart[Scorer] = LatePart("evaltui.tui.open_file.scorer.Scorer")
    saver: LatePart[Saver] = LatePart("evaltui.tui.open_file.saver.Saver")
    text: LatePart[EditedText] = LatePart("evaltui.tui.open_file.saver.EditedText")
    """The text that a save writes; the repair screen puts the broken text here."""
    trial: LatePart[CriteriaTrial] = LatePart("evaltui.tui.open_file.criteria_trial.CriteriaTrial")
    leaving: LatePart[Leaving] = LatePart("evaltui.tui.open_file.leaving.Leaving")
    disk: LatePart[DiskFollower] = LatePart("evaltui.tui.open_file.disk_follower.DiskFollower")
    sources: LatePart[SourceFollower] = LatePart("evaltui.tui.open_file.source_follower.SourceFollower")
    agent: LatePart[AgentRunner] = LatePart("evaltui.tui.agent.agent_runner.AgentRunner")
    decisions: LatePart[DecisionHistory] = LatePart("evaltui.tui.review.decision_history.DecisionHistory")

    def __init__(
        self, document: Document, app: BaseApp, options: RunOptions = RunOptions(), *, readonly: bool = False
    ) -> None:
        """`options` are the recordings, config and criteria that the command line names."""
        super().__init__(document, readonly=readonly)
        self.app = app
        self.options = options
        self.chat_sources: list[Path] = []
        """Files and folders whose conversations the person opened to make cases."""
        self.decisions_in_use: DecisionHistory | None = None
        self.review: ReviewScreen | None = None
        """The open review, which covers the views."""
        self.review_order: Order = "file"

    # --- what happens to the file ----------------------------------------------------------------------------

    def begin(self) -> None:
        """Start checks and scores after the file is on screen."""
        _ = self.document.on_disk  # made now: of a large file it takes 20 ms, for which the first edit need not wait
        self.checks.begin()
        self.scorer.score(anew=True)

    def changed(
        self, change: Change, screen: EditScreen | None = None, *, goto_new: bool = False, begin: bool = False
    ) -> None:
        """Tell everyone affected that the document was changed, in an order that matters.

        The change is shown on `screen`, by default the view in front; below a review, on all views. With `goto_new`
        the cursor goes to an added value, with `begin` typing starts there.
        """
        has_other_scores = self.scores.changed(change)  # edited cases are outdated
        # Accepted values may come or go with it.
        decided = self.decisions_in_use.follow(change) if self.decisions_in_use is not None else ()
        if self.review is not None:
            self.review.note_change(decided)
        elif decided:
            self.scores.arrange()
        has_other_scores |= bool(decided)
        if self.scores.is_live:
            has_other_scores |= self.scorer.score_live()  # or live mode scores them at once
        front = screen or self.front
        views = self.views if self.review is not None else [front] if front is not None else []
        # The frame in which typing begins comes first, as later the letters do.
        if begin or any(view.form.edited is not None for view in views):
            self.checks.typed_at = time.monotonic()
        self.problems.changed(change)
        self.app.run_once("check", self.checks.run)
        if self.words_in_use is not None:
            self.words_in_use.forget(change.nodes)

        for view in views:  # with the state above
            show = partial(view.show_change, change, has_other_scores, goto_new=goto_new, begin=begin)
            if self.review is None:
                show()
            else:  # in the next frame, so that the review answers at once
                self.app.input_order.call_in_next_frame(self.review, show)

    def saved(self, job: SaveJob, message: str, error: Exception | None, follow_up: FollowUp) -> None:
        """A save has ended. The order matters: scores are wanted before the file is left, and the disk read last.

        `message` was shown of it, and `follow_up` left the file after it.
        """
        # A save that follows at once, or the end of the app, makes scores useless. A file under repair has no cases.
        if not (error or job.is_copy or follow_up or self.saving) and self.document.root is not None:
            self.scorer.score_saved(message, elsewhere=job.is_elsewhere, counts=True)
        if self.leaving.is_waiting:
            self.leaving.save_ended(is_saved=error is None)
        self.disk.save_ended(error, follow_up)
        for screen in self.screens:
            screen.save_ended(is_saved=error is None)

    def moved(self) -> None:
        """The document has another path, with other sources beside it."""
        if self.journal is not None:  # a journal belongs to one path
            self.journal.move()
        self.disk_state.settle()
        self.disk.follow_moved()
        self.sources.renew()

    def replaced(self, message: str) -> None:
        """Another text has taken the place of the document: show, check and score it."""
        self.show_text(message)
        if self.review is not None:
            self.review.show_message(message)
        self.checks.begin()
        self.scores.compare()
        self.scorer.score_saved(message)

    def show_text(self, message: str) -> None:
        """Show a text that replaced another, and close the views of values that are gone."""
        root, outline = self.document.root, self.outline()
        assert root is not None
        assert outline is not None
        views = self.views
        # It may have become an eval set, or be none any more. Views in front show single values, whose outline stays.
        if views and (panes := views[0].panes).outline.format is not outline.format:
            panes.outline = panes.form.outline = outline
            panes.tree.take(outline)
        first_gone = next((n for n, view in enumerate(views) if not view.panes.outline.root.is_in(root)), len(views))
        for view in views[:first_gone]:
            view.refresh_all(message)
            view.panes.form.editor.show_undone()
        # A dialog in front stays open: its answer may be about the whole file.
        while self.front in views[first_gone:]:
            self.app.pop_screen()

    # --- screens ---------------------------------------------------------------------------------------------

    @property
    def views(self) -> list[EditScreen]:
        """The screens with panes: of the whole document first, then views of inner values."""
        # Not at the top of this file: the screen imports the controllers, which would import this file.
        from evaltui.tui.editor.edit_screen import EditScreen

        return [screen for screen in self.app.screen_stack if isinstance(screen, EditScreen)]

    @property
    def front(self) -> EditScreen | None:
        """The view in front; None if a dialog or another screen is in front."""
        views = self.views
        return views[-1] if views and views[-1] is self.app.screen else None

    @property
    def screens(self) -> list[CommandScreen[Any]]:
        """The screens that show the file, the last one in front; no dialogs."""
        return [screen for screen in self.app.screen_stack if isinstance(screen, CommandScreen)]

    @property
    def is_free(self) -> bool:
        """Whether no dialog is in front, or a screen with places of the present text."""
        return isinstance(self.app.screen, CommandScreen) and self.app.screen.may_move

    @property
    def may_move(self) -> bool:
        """Whether the text may change now: no field is edited and no question is open."""
        front = self.front
        return front.panes.form.edited is None if front is not None else self.is_free

    def write_typed(self) -> None:
        """Write what is being typed into the document."""
        if (front := self.front) is not None:
            front.panes.form.write_typed()

    def tell(self, message: str | None) -> None:
        """Show a message on all screens; None only refreshes the marks of the file."""
        for screen in self.screens:
            screen.show_message(message)

    def say(self, message: str) -> None:
        """Show a message on the front screen only."""
        if isinstance(self.app.screen, CommandScreen):
            self.app.screen.show_message(message)

    def show_problems(self) -> None:
        """Show changed problems on all screens."""
        for view in self.views:
            if view.is_mounted:  # a view that is not mounted yet shows them when it is
                view.show_problems()

    def show_scores(self) -> None:
        """Show changed scores on all screens."""
        for screen in self.screens:
            if screen.is_mounted:  # others show them when they are
                screen.show_scores()

    def lead_to(self, node: Node) -> EditScreen:
        """Close the views that do not show a value; returns the view that is in front then."""
        while len(views := self.views) > 1 and not views[-1].panes.holds(node):
            self.app.pop_screen()
            views[-2].refresh_all()  # it was covered, so changes since then are not on it
        return views[-1]
