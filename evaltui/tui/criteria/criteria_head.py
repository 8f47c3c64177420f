"""The head of the criteria screen: the file, and the verdicts before and after; and the faults of a broken file."""

from __future__ import annotations

from collections import Counter

from textual.widgets import Static

from evaltui.printable import printable
from evaltui.runs.tried_config import TriedConfig
from evaltui.scoring.eval_config import NAME
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.lines import FILL, STATUS_MARKS, Line, sign
from evaltui.tui.open_file.criteria_trial import CriteriaTrial
from evaltui.tui.open_file.score_sentences import first_progress
from evaltui.tui.open_file.set_scores import Scores
from evaltui.tui.widgets.line_view import LineBar


class CriteriaHead(LineBar):
    """Two lines above the form."""

    def __init__(self, trial: CriteriaTrial, scores: Scores) -> None:
        super().__init__(id="config-head")
        self._trial, self._scores = trial, scores

    def line(self, index: int) -> Line:
        """The file, then the scores."""
        config = self._trial.opened
        if index:
            return self._counts()
        if config is None:
            return [(" Criteria", "heading")]
        path, is_readonly = config.document.path, self._scores.owner.readonly
        name = printable(path.name) if path is not None else NAME
        line: Line = [(" Criteria", "heading"), (" · ", "dim")]
        if config.is_new and not config.is_changed:
            line.append(("google-adk's defaults", "key"))
            write = f". Edit, then press {key_of('criteria.write')} to write {name}."
            return [*line, ("  read-only" if is_readonly else write, "dim")]
        unwritable = f"cannot be written: {printable(config.unwritable)}"
        named = f"new: {name}" if config.is_new else name
        line.append((unwritable, "warning") if config.unwritable else (named, "key"))
        line += [("  read-only", "dim")] if is_readonly else []
        return [*line, ("", FILL), ("trial, not written " if config.is_changed else "", "warning")]

    def _counts(self) -> Line:
        scores = self._scores
        config = self._trial.opened
        if config is not None and config.document.root is None:
            return [(" ! invalid JSON: nothing is scored", "error")]
        if self._trial.trouble:
            return [(f" ! {printable(self._trial.trouble)}", "error")]
        trouble = (scores.facts.trouble or scores.facts.outdated) if scores.facts is not None else ""
        if trouble:
            return [(f" ! not scored: {printable(self._trial.without_folder(trouble))}", "error")]
        if progress := first_progress(scores):
            return [(f" {progress}", "dim")]
        if not scores.has_any:
            back, recordings = key_of("criteria.back"), key_of("list.recordings")
            return [(f" No recording, so no scores. Press {back}, then {recordings} to add one.", "dim")]
        if scores.trial.criteria is None:
            return [(f" {scores.counted()}", ""), (f"  with {self._trial.in_force_called}", "dim")]
        # Outdated scores were made for an earlier text, so they would count for one config only.
        results = [scores.by_config(case) for case in scores.rows if case not in scores.stale]
        counts = Counter[str](scored.status for scored in results if scored is not None)
        counted = " ".join(
            f"{counts[status]:,} {sign(STATUS_MARKS[status])}" for status in STATUS_MARKS if counts[status]
        )
        return [
            (f" {scores.counted()}", "warning"),
            ("", FILL),
            (f"{self._trial.in_force_called}: {counted} ", "dim"),
        ]


class ConfigFault(Static, can_focus=True):
    """Shows where a config is broken. It takes the focus, so that keys act as in a pane."""

    PLACE = "criteria"
    BINDINGS = bindings("list")

    def __init__(self, config: TriedConfig) -> None:
        document, key = config.document, key_of("list.edit_outside")
        name = document.path.name if document.path is not None else "the config"
        if document.fault is None:
            what = f"{name} is not a config. A config is a JSON object with criteria."
            lines = [f"{what} Press {key} to edit it in $EDITOR."]
        else:
            line, column = document.line_and_column(document.fault.offset)
            text = document.body().split(b"\n")[line - 1].decode("utf-8", "replace")
            where = f"{name}:{line}:{column}: invalid JSON: {document.fault.message}."
            lines = [where, "", f"{line:>5}  {text.rstrip()}", "", f"Press {key} to edit the config in $EDITOR."]
        super().__init__("\n".join(map(printable, lines)), id="config-fault", markup=False)
