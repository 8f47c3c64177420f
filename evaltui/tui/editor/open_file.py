"""One open file, with the controllers that all its screens share."""

from __future__ import annotations

from pathlib import Path

from evaltui.tui.agent.agent_runner import AgentRunner
from evaltui.tui.base_app import BaseApp, OpenNext
from evaltui.tui.editor.checker import Checker
from evaltui.tui.editor.disk_follower import DiskFollower
from evaltui.tui.editor.exit_guard import ExitGuard
from evaltui.tui.editor.live_scores import LiveScores
from evaltui.tui.editor.save_as import SaveAs
from evaltui.tui.editor.saver import EditedText, Saver
from evaltui.tui.editor.scorer import Scorer
from evaltui.tui.editor.source_follower import SourceFollower
from evaltui.tui.editor.stage import Stage
from evaltui.tui.editor.trial_desk import TrialDesk
from evaltui.tui.session.scored_with import ScoredWith
from evaltui.tui.session.session import Session


class OpenFile:
    """Holds the session of a file and the controllers that save, follow, check and score it."""

    def __init__(self, session: Session, app: BaseApp, scored_with: ScoredWith) -> None:
        self.session = session
        self.stage = Stage(app)
        self.chat_sources: list[Path] = []
        """Files and folders whose conversations the person opened to make cases."""
        self.checker = Checker(session, self.stage)
        self.scorer = Scorer(session, self.stage, scored_with)
        self.live = LiveScores(session, self.stage, self.scorer)
        self.sources = SourceFollower(session, self.stage, self.scorer, self.checker)
        self.trial = TrialDesk(session, self.stage, scored_with, lambda: self.scorer.score(anew=True))
        self.disk = DiskFollower(session, self.stage, self.show_text, self.look_again)
        text = EditedText(session)
        self.saver = Saver(session, text, self.stage, self.disk.ask_to_overwrite)
        self.disk.saves_everything = self.saver.saves_everything
        self.save_as = SaveAs(session, self.saver, self.stage, self.follow_moved)
        self.exit = ExitGuard(session, text, self.saver, self.stage)
        self.agent = AgentRunner(session, self.stage, self.saver, self.scorer, self.exit)
        self.exit.keeps_open = self.agent.keeps_open
        self.disk.open_anew = lambda: self.exit.leave(OpenNext(session.document.path))
        self.saver.on_end = (self.scorer.save_ended, self.exit.save_ended, self.disk.save_ended)

        self._shown = ""
        """The message about the last replacement of the text."""

    def begin(self) -> None:
        """Start checks and scores after the file is on screen."""
        self.checker.begin()
        self.scorer.score(anew=True)

    def follow_moved(self) -> None:
        """The document has another path, with other sources beside it."""
        self.disk.follow_moved()
        self.sources.renew()

    def look_again(self) -> None:
        """Check and score a text that replaced another."""
        self.checker.begin()
        self.session.scores.compare()
        self.scorer.score_saved(self._shown)

    def show_text(self, said: str) -> None:
        """Show a text that replaced another, and close views of deleted values; `said` is the message."""
        self._shown = said
        root, outline = self.session.document.root, self.session.outline()
        assert root is not None
        assert outline is not None
        for view in self.stage.views[:1]:  # views in front show single values, whose outline stays the same
            if view.panes.outline.format is not outline.format:
                view.panes.take_outline(outline)
        self.stage.close_views_of_gone(root, said)
