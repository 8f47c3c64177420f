"""Sentences for missing scores: nothing was scored, or no case failed."""

from __future__ import annotations

from evaltui.evalset.formats import is_dataset
from evaltui.printable import printable
from evaltui.tui.commands import key_of
from evaltui.tui.session.scores import Scores


def none_failed(scores: Scores) -> str:
    """The sentence that no case failed, with counts of cases not evaluated or outdated; or that nothing is scored."""
    if not scores.has_any:
        return "Nothing is scored yet."
    silent = len(scores.cases) - scores.counts["passed"] - scores.counts["failed"] - len(scores.stale)
    said = ((silent, "not evaluated"), (len(scores.stale), "outdated"))
    known = [f"{count:,} case{' is' if count == 1 else 's are'} {word}" for count, word in said if count]
    return f"{'; '.join(['No case failed', ', '.join(known)] if known else ['No case failed'])}."


def why_none(scores: Scores, file_name: str, command: str = "edit") -> str:
    """Why the file has no scores, and what to do. `command` is the evaltui command that opened it."""
    facts, again = scores.facts, f"{key_of('run.again')} tries again"
    if facts is None:
        return scores.progress or "scoring …"
    if facts.trouble:
        return f"not scored: {printable(facts.trouble)} · {again}"
    if facts.dropped and not facts.recordings:
        return f"All recordings are dropped, so nothing is scored · {key_of('list.recordings')} restores them"
    if facts.remarks or facts.recordings:
        return f"No recording could be read, so nothing is scored · {again}"
    if is_dataset(scores.document_now().root):
        return f"No responses to score: evaltui {command} {file_name} -r RECORDING"
    runs = f"{key_of('agent.run')} runs the agent"
    return f"No recordings to score with: evaltui {command} {file_name} -r RECORDING · {runs}"
