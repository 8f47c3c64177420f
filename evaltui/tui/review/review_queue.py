"""The queue of a review: the turns that need a decision, in order, with the decision about each."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Literal, NamedTuple

from evaltui.document.node import Node
from evaltui.evalset.keys import items_of, text_of
from evaltui.evalset.titles import STEP, case_title
from evaltui.printable import one_line
from evaltui.recordings.matching import Unmatched, unmatched_of_set
from evaltui.review.decisions import Decision, DecisionKind, contradict
from evaltui.review.review_changes import KINDS
from evaltui.review.review_items import ReviewItem, needs_person
from evaltui.tui.lines import counted

if TYPE_CHECKING:
    from evaltui.scoring.results import CaseResult
    from evaltui.tui.open_file.set_scores import Scores
    from evaltui.tui.review.decision_history import DecisionHistory

Order = Literal["file", "loss", "kind"]
"""File order · largest distance from a threshold first · fills, then texts, arguments, sequences."""


class ReviewStart(NamedTuple):
    """The turns that are reviewed."""

    ids: tuple[str, ...] = ()
    """Ids of cases or globs of ids; none for all cases."""
    is_first: bool = False
    """Whether evaltui begins in the review, so that no editor is behind it."""
    passing: bool = False
    """Whether turns that pass and differ are reviewed, too."""


ALL_FAILING = ReviewStart()


@dataclass(eq=False, slots=True)
class QueueEntry:
    """A queue entry: a turn, added or deleted turns, a case that failed as a whole, or an unmatched recording."""

    case: Node | None
    """None for a recording without a case."""
    turn: int | None = None
    """The number of the turn, from 1, as in its `ReviewItem`."""
    unmatched: Unmatched | None = None
    decision: DecisionKind | None = None
    """The last decision about the entry; None while it is open."""
    passes_now: bool = False
    """Whether its turn passes since an edit."""
    came_again: bool = False
    """Whether it was shown again after a skip."""
    facts_of: CaseResult | None = None
    """The result from which the following facts were made. They put an entry without a turn last in every order."""
    loss: float = -math.inf
    """The largest distance of a failing score from its threshold; infinite without a score."""
    kind: int = len(KINDS)
    """The place in `KINDS` of its last kind of change."""
    fills: int = 0
    """Number of changes of kind `fill`."""

    @property
    def is_settled(self) -> bool:
        """Whether it needs no decision, because an edit made its turn pass."""
        return self.passes_now and self.decision is None

    @property
    def is_open(self) -> bool:
        """Whether a decision is still needed, and it was not skipped."""
        return self.decision is None and not self.passes_now


class ReviewQueue:
    """The turns of an open file that need a decision, in order, one of them current; a filter restricts them."""

    def __init__(self, scores: Scores, history: DecisionHistory, start: ReviewStart) -> None:
        """`start` says which cases are reviewed."""
        self._scores, self.history, self.start = scores, history, start
        self.items = scores.compared_turns
        self.every: list[QueueEntry] = []
        """All entries, filtered or not."""
        self.entries: list[QueueEntry] = []
        """The entries shown, in order."""
        self.at = 0
        """The index of the current entry."""
        self.is_over = False
        """Whether the summary at the end is shown."""
        self.query = ""
        """The filter that restricts the entries; "" for none."""
        self._is_shown: Callable[[QueueEntry], bool] | None = None
        self.order: Order = "file"
        self.are_kept = False
        """Whether the last decision of this review is in the sidecar."""
        self.unsaved = 0
        """The number of open turns that were accepted in an earlier review whose set was not saved."""
        self._places: dict[Node, int] = {}
        """The places of the cases in the set, from 0."""
        for entry in history.entries.values():
            entry.came_again = False
            if entry.decision == "agent is wrong":  # `build` looks it up again
                entry.decision = None

    @property
    def entry(self) -> QueueEntry | None:
        """The current entry, which stays current while the summary is shown; None if there is none."""
        return self.entries[self.at] if 0 <= self.at < len(self.entries) else None

    @property
    def shown_entry(self) -> QueueEntry | None:
        """The entry on screen; None at the summary."""
        return None if self.is_over else self.entry

    def restrict(self, query: str, is_shown: Callable[[QueueEntry], bool] | None) -> None:
        """Set the filter of the entries; None shows all. Without any entry, the summary is shown."""
        self.query, self._is_shown = query, is_shown
        self.arrange()
        self.is_over = not self.entries

    def arrange(self) -> None:
        """Filter and sort the entries, and keep the current one."""
        current = self.entry
        self.entries = [entry for entry in self.every if not self._is_shown or self._is_shown(entry)]
        if self.order != "file":
            # By facts that are known: those of all entries take seconds, and the screen finds them between the keys.
            self.entries.sort(key=lambda entry: -entry.loss if self.order == "loss" else entry.kind)
        last = max(0, len(self.entries) - 1)
        self.at = self.entries.index(current) if current in self.entries else min(self.at, last)

    def step(self, step: int) -> bool:
        """Go to the next (1) or previous (-1) entry; False at the ends."""
        goal = self.at + step
        if not 0 <= goal < len(self.entries):
            return False
        self.at = goal
        return True

    def select(self, entry: QueueEntry) -> None:
        """Go to an entry, if the filter shows it."""
        if entry in self.entries:
            self.at = self.entries.index(entry)
            self.is_over = False

    def go_to_open(self) -> bool:
        """Go to the next open turn around, then to skipped ones again, then to unmatched recordings; else False."""
        around = [*self.entries[self.at + 1 :], *self.entries[: self.at + 1]]
        skipped = {entry for entry in around[:-1] if entry.decision == "skipped" and not entry.came_again}
        waiting = (entry for entry in around if entry.is_open or entry in skipped)
        following = min(waiting, key=lambda entry: (entry.unmatched is not None, not entry.is_open), default=None)
        if following is not None:
            following.came_again = following.decision == "skipped"
            self.select(following)
            return True
        for entry in self.entries:  # the last one was skipped where it stands: the summary would only lead back to it
            entry.came_again = entry.decision == "skipped"
        return False

    def go_to(self, case: Node, turn: int | None) -> bool:
        """Go to the entry of a turn, else to the first of its case; False if there is none."""
        indexes = [index for index, entry in enumerate(self.entries) if entry.case is case]
        exact = (index for index in indexes if self.entries[index].turn == turn)
        self.at = next(exact, indexes[0] if indexes else self.at)
        return bool(indexes)

    def counts(self, *, of_unmatched: bool = False) -> Counter[DecisionKind | None]:
        """The number of turns and cases, or of recordings without a case, with each decision; None counts open ones."""
        entries = self.of_kind(is_unmatched=of_unmatched)
        return Counter(entry.decision for entry in entries if not entry.is_settled)

    def of_kind(self, *, is_unmatched: bool) -> list[QueueEntry]:
        """The entries of recordings without a case, else all others."""
        return [entry for entry in self.entries if (entry.unmatched is not None) is is_unmatched]

    @property
    def is_all_decided(self) -> bool:
        """Whether the queue has turns, and each has a decision. Skipping is not a decision."""
        counts = self.counts()
        return bool(counts.total()) and not counts[None] + counts["skipped"]

    def state_at_start(self) -> str:
        """The state when the review begins; "" if it has open turns only."""
        sentences = []
        if self.unsaved:
            verb, pronoun = ("is", "its") if self.unsaved == 1 else ("are", "their")
            reason = f"{pronoun} accepted values are not in the file"
            sentences.append(f"{counted(self.unsaved, 'turn')} {verb} open again: {reason}.")
        counts, unmatched = self.counts(), self.counts(of_unmatched=True)
        total, turns, recordings = counts.total(), counts[None], unmatched.total()
        if self.is_all_decided:
            sentences.append(f"All {total:,} turns are decided." if total > 1 else "The turn is decided.")
            if unmatched[None]:
                sentences.append(f"{counted(unmatched[None], 'recorded conversation')} without a case left.")
        elif recordings and turns and turns == total:
            come = f"come{'s' * (recordings == 1)} after {'it' if turns == 1 else 'them'}"
            conversations = f"{counted(recordings, 'recorded conversation')} without a case"
            sentences.append(f"{counted(turns, 'turn')} to review. {conversations} {come}.")
        return " ".join(sentences)

    # --- made --------------------------------------------------------------------------------------------------

    def build(self, root: Node | None) -> None:
        """Rebuild the entries from the last run of the set `root`; decisions about turns that still fail stay."""
        facts = self._scores.facts
        cases = items_of(root, "eval_cases") if root is not None and facts is not None else []
        self._places = {case: place for place, case in enumerate(cases)}
        failing = {entry: None for case in cases for entry in self._failing(case)}
        # Decided entries that pass now stay in the list, because the summary counts them.
        decided = (entry for entry in self.history.entries.values() if entry.decision and entry.case in self._places)
        self.every = [*(failing | dict.fromkeys(decided))]
        for entry in self.every:
            entry.passes_now = entry not in failing
        if root is not None and facts is not None and not self.start.ids:
            for recording in unmatched_of_set(facts.unmatched, text_of(root, "eval_set_id")):
                entry = self.history.entries.setdefault(recording.conversation.key, QueueEntry(None))
                entry.unmatched = recording
                self.every.append(entry)
        self.unsaved = self._look_up_decisions(failing)
        self._sort_by_place()

    def refresh(self, cases: Iterable[Node], *, is_undone: bool = False) -> None:
        """Update the entries of changed cases: a turn that needs a decision now gets an open entry.

        If a step `is_undone`, undecided entries of turns that came with it go.
        """
        before = self.every
        by_case: defaultdict[Node | None, list[QueueEntry]] = defaultdict(list)
        for entry in self.every:
            by_case[entry.case].append(entry)
        for case in cases:
            failing = self._failing(case)
            added = [entry for entry in failing if entry not in by_case[case]]
            for entry in (entries := [*by_case[case], *added]):
                entry.passes_now = entry not in failing
            # A turn that passed may fail again after an undo: an earlier decision then holds again.
            self._look_up_decisions(entries)
            has_gone = is_undone and self._scores.by_config(case) is not None
            gone = [entry for entry in entries if has_gone and entry.is_settled and self.item(entry) is None]
            if added or gone:
                self.every = [entry for entry in (*self.every, *added) if entry not in gone]
        if self.every is not before:
            self._sort_by_place()

    def _failing(self, case: Node) -> list[QueueEntry]:
        entries = self.history.entries
        return [entries.setdefault((case, turn), QueueEntry(case, turn)) for turn in self._turns_of(case)]

    def _sort_by_place(self) -> None:
        last = len(self._places)
        self.every.sort(key=lambda entry: (self._places.get(entry.case, last) if entry.case else last, entry.turn or 0))
        self.arrange()

    def _turns_of(self, case: Node) -> Sequence[int | None]:
        result, facts, start = self._scores.by_config(case), self._scores.facts, self.start
        if result is None or result.run is None or facts is None or facts.criteria is None:
            return ()
        if start.ids and not any(fnmatchcase(result.eval_id, pattern) for pattern in start.ids):
            return ()
        # From the scores where they suffice: items parse the text of the case, too slow for 10,000 cases.
        turns = [turn.number for turn in result.run.turns if needs_person(turn, facts.criteria)]
        if not start.passing and (turns or result.status == "passed"):
            return turns
        items = self.items.items(case, is_by_config=True)
        return [item.turn for item in items if item.status != "passed" or (start.passing and item.changes)]

    def _look_up_decisions(self, entries: Collection[QueueEntry]) -> int:
        """Give open entries the decisions that still apply. Returns how many were accepted without a save."""
        standing, unsaved = self.history.standing, 0
        for entry in entries:
            # Only a hash of both sides tells whether "agent is wrong" still applies: `standing.verdicts` compares it.
            if entry.decision == "agent is wrong" or (entry.decision == "accepted" and not entry.passes_now):
                entry.decision = None
        undecided = [entry for entry in entries if entry.decision is None]
        for entry, item in self._items_of(undecided, standing.every):
            verdicts = standing.verdicts(item).values()
            if not contradict(verdicts):
                wrong = (decision.verdict for decision in verdicts if decision.verdict == "agent is wrong")
                entry.decision = next(wrong, None)
            unsaved += entry.is_open and standing.is_acceptance_unsaved(item)
        return unsaved

    # --- items -------------------------------------------------------------------------------------------------

    def _items_of(
        self, entries: Iterable[QueueEntry], decisions: Iterable[Decision]
    ) -> Iterator[tuple[QueueEntry, ReviewItem]]:
        """The entries of the cases that decisions name, with their items."""
        # Only these: an item parses its case, and a sidecar names few of 10,000 cases.
        ids = {decision.eval_id for decision in decisions}
        for entry in entries if ids else ():
            scored = self._scores.of(entry.case) if entry.case is not None else None
            item = self.item(entry) if scored is not None and scored.eval_id in ids else None
            if item is not None:
                yield entry, item

    def notes(self) -> dict[QueueEntry, int]:
        """The entries that have notes, and how many."""
        standing = self.history.standing
        with_items = self._items_of(self.entries, [decision for decision in standing.every if decision.note])
        counts = {entry: sum(bool(about.note) for about in standing.about(item)) for entry, item in with_items}
        return {entry: count for entry, count in counts.items() if count}

    def item(self, entry: QueueEntry) -> ReviewItem | None:
        """The item of an entry under the last scores, passed or not; None if its turn is gone."""
        return self.items.item(entry.case, entry.turn)

    @property
    def shown_item(self) -> ReviewItem | None:
        """The item of the entry on screen; None for a recording without a case, and at the summary."""
        return self.item(self.shown_entry) if self.shown_entry is not None else None

    def name(self, entry: QueueEntry) -> str:
        """`book_flight › turn 2`."""
        if entry.unmatched is not None:
            return f"{entry.unmatched.conversation.path.name}{STEP}{one_line(entry.unmatched.conversation.id, 40)}"
        item, case = self.item(entry), case_title(entry.case) if entry.case is not None else "case"
        turn = item.turns_name if item is not None else f"turn {entry.turn}" if entry.turn is not None else ""
        return f"{case}{STEP}{turn}" if turn else case
