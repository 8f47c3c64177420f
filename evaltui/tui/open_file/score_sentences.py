"""Sentences for missing scores: nothing was scored, or no case failed."""

from __future__ import annotations

from evaltui.evalset.file_formats import is_dataset
from evaltui.printable import as_argument, printable
from evaltui.tui.commands import key_of
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.open_file.set_scores import Scores


def none_failed(scores: Scores) -> str:
    """The sentence that no case failed, with counts of cases without a verdict; or why nothing is scored."""
    if not scores.has_any:
        waits = scores.facts is None or scores.is_running
        return f"No scores yet: {_progress(scores)}" if waits else why_none(scores)
    silent, outdated = scores.counts["not_evaluated"], len(scores.stale)
    counts = ((silent, "not evaluated"), (outdated, "outdated"), (scores.unscored, "not scored yet"))
    clauses = [f"{count:,} case{' is' if count == 1 else 's are'} {word}" for count, word in counts if count]
    return f"No case failed{'; ' * bool(clauses)}{', '.join(clauses)}."


def without_recordings(scores: Scores) -> str:
    """Says that a set with cases has no recordings and which keys help; "" if it has any, and before the first run."""
    facts, eval_set = scores.facts, scores.owner.eval_set
    if facts is None or scores.is_running or scores.has_any or eval_set is None:
        return ""
    is_silent = not (facts.trouble or facts.dropped or facts.remarks or facts.recordings)
    return why_none(scores) if is_silent and eval_set.cases else ""


def first_progress(scores: Scores) -> str:
    """How far the first run is; "" after it, and for a file that is not scored."""
    return _progress(scores) if scores.facts is None and scores.is_running else ""


def _progress(scores: Scores) -> str:
    return scores.progress or "scoring …"


def why_none(scores: Scores, *, in_editor: bool = True) -> str:
    """Why the file has no scores, and the keys that help, which work in the editor and in the review.

    Recorded conversations can be added `in_editor` only.
    """
    facts, again = scores.facts, f"{key_of('run.again')} to try again"
    if facts is None or scores.is_running:
        return _progress(scores)
    if facts.trouble == NOT_SCORED:
        return NOT_SCORED
    if facts.trouble:
        return f"not scored: {printable(facts.trouble)} · press {again}"
    if facts.dropped and not facts.recordings:
        return f"All recordings are dropped, so nothing is scored · {key_of('list.recordings')}: restore them"
    case_file = scores.owner.case_file
    # A dataset may have its cases elsewhere; one whose last case was deleted has none.
    is_empty = case_file is not None and not case_file.cases and not is_dataset(case_file.root)
    if (facts.remarks or facts.recordings) and not (is_empty and facts.recordings):
        return f"No recording could be read. Press {key_of('list.recordings')} to add another, or {again}."
    if case_file is not None and case_file.is_dataset and not is_empty:
        return f"No responses to score. Press {key_of('list.recordings')} to add a recording."
    can_add = in_editor and not scores.owner.readonly
    nearby = f"{key_of('list.conversations')} for conversations" if can_add and facts.databases else ""
    if is_empty:
        tree = f"{key_of('list.tree')} to add a case in the tree" if can_add else ""
        return " ".join(filter(None, ["No cases to score.", _joined(nearby, tree)]))
    adds, runs = f"{key_of('list.recordings')} to add one", f"{key_of('agent.run')} to run the agent"
    return f"No recordings. {_joined(adds, runs, nearby)} {printable(' '.join(facts.rivals))}".rstrip()


def not_scored_yet(scores: Scores) -> str:
    """The sentence on a case or turn added since the run, and the keys that score it."""
    again = key_of("run.again")
    if scores.is_paused or not scores.owner.document.is_dirty:
        return f"Not scored yet. Press {again} to score now."
    return f"Not scored yet. Press {key_of('save')} to save and score, or {again} to score now."


def _joined(*offers: str) -> str:
    keys = ", ".join(filter(None, offers))
    return f"Press {keys}." if keys else ""


def places_searched(scores: Scores) -> list[str]:
    """The places without recordings, and the way from the recordings picker to conversations near the set."""
    facts = scores.facts
    if facts is None:
        return []
    keys = f"press {key_of('picker.leave')}, then {key_of('list.conversations')} in the editor"
    nearby = [f"Conversations were found near this set: {keys}."] if facts.databases else []
    return [*facts.rivals, *(nearby if not scores.owner.readonly else ()), *facts.searched]


NOT_SCORED = "Only cases of eval sets are scored."
NO_AGENT = "Agents run only for eval sets and datasets"


def why_no_conversations(file: EditedDocument) -> str:
    """Why conversations cannot be added here; for a dataset, the command that adds them."""
    if file.case_file is None or not file.case_file.is_dataset:
        return "Conversations can be added only to eval sets."
    return f"Add conversations to a dataset with: evaltui record SOURCE --into {as_argument(file.file_name)}"


def no_command(file: EditedDocument, *, in_editor: bool) -> str:
    """Where to set the command of the agent; the key that opens the settings works `in_editor` only."""
    settings, leave = key_of("list.settings"), key_of("review.leave")
    pressed = f"press {settings}" if in_editor else f"{leave}, then {settings}"
    if file.eval_set is None:
        return f'No agent command. Set run = "agents-cli eval run --dataset {{set}}" in evaltui.toml ({pressed}).'
    return f"No agent command. Set `run` in evaltui.toml or in the settings ({pressed})."
