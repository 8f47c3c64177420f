"""Options of a run, the sets that a command line names, and the choices of a person about its recordings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from evaltui.printable import quoted

if TYPE_CHECKING:  # the editor imports this module before anything is scored
    from evaltui.recordings.conversation import ConversationKey
    from evaltui.recordings.matching import CaseMatch, Matching
    from evaltui.scoring.criteria import Profile


class RunOptions(NamedTuple):
    """Options for scoring sets. Missing options are found beside the set, or are google-adk's defaults."""

    recordings: Sequence[str] = ()
    config: str | None = None
    metrics: Sequence[str] = ()
    """Each `NAME` or `NAME=THRESHOLD`."""
    match_type: str | None = None
    ignore_args: bool = False
    profile: Profile = "adk"
    all_runs: bool = False
    """Whether all recordings of a case count, not only the last."""


SetArgument = tuple[str, tuple[str, ...]]
"""One SET of a command line: `SET` or `SET:ID,ID` as in `adk eval`, with globs.

The file, or `-`, and ids or globs of ids; none for all cases.
"""


class RunChoices(NamedTuple):
    """Choices of a person in the app. Immutable: each change returns new choices."""

    added: tuple[str, ...] = ()
    """Absolute paths of additional files and folders with recordings."""
    dropped: Mapping[str, Path] = {}
    """Files that are not used, however they were found, by their real paths, in the order of the drops."""
    by_hand: Mapping[ConversationKey, str] = {}
    """The eval_id of the case for each conversation that was matched by hand."""
    counting: Mapping[ConversationKey, str] = {}
    """Conversations that count instead of the latest one of their case, with the title of the case at that time."""
    all_runs: bool = False
    """Whether all runs of a case are scored, not only the one that counts."""

    def adding(self, name: str) -> RunChoices:
        """With one more file or folder. If it was dropped, it is restored."""
        added = self.added if name in self.added else (*self.added, name)
        return self.restoring(Path(name))._replace(added=added)

    def dropping(self, path: Path) -> RunChoices:
        """Without a file."""
        return self._replace(dropped={**self.restoring(path).dropped, os.path.realpath(path): path})

    def restoring(self, path: Path) -> RunChoices:
        """With a file that was dropped."""
        real = os.path.realpath(path)
        return self._replace(dropped={place: file for place, file in self.dropped.items() if place != real})

    def drops(self, path: Path) -> bool:
        """Whether a file is dropped."""
        return bool(self.dropped) and os.path.realpath(path) in self.dropped

    def matching(self, key: ConversationKey, eval_id: str) -> RunChoices:
        """With a conversation matched by hand."""
        return self._replace(by_hand={**self.by_hand, key: eval_id})

    def unmatching(self, key: ConversationKey) -> RunChoices:
        """With a conversation that is matched automatically again."""
        return self._replace(by_hand={other_key: case for other_key, case in self.by_hand.items() if other_key != key})

    def counting_on(self, key: ConversationKey, runs: Iterable[ConversationKey], case: str) -> RunChoices:
        """With one of the `runs` of a case as the one that counts."""
        return self._replace(counting={**self.latest_of(runs).counting, key: case})

    def latest_of(self, runs: Iterable[ConversationKey]) -> RunChoices:
        """With the latest of the `runs` of a case as the one that counts."""
        keys = set(runs)
        return self._replace(counting={key: case for key, case in self.counting.items() if key not in keys})

    def place_in(self, matches: Sequence[CaseMatch]) -> int:
        """The index of the run that counts among the runs of a case, the newest last."""
        runs = enumerate(matches if self.counting else ())
        chosen = [place for place, match in runs if match.conversation.key in self.counting]
        return chosen[-1] if chosen else len(matches) - 1

    def lost(self, matching: Matching) -> list[str]:
        """A sentence for each chosen run that no case has now."""
        if not self.counting:
            return []
        keys = {match.conversation.key for matches in matching.cases for match in matches}
        return [
            f"{case}: the chosen run {quoted(id_)} of {Path(path).name} is gone; the latest run is used"
            for (path, id_), case in self.counting.items()
            if (path, id_) not in keys
        ]
