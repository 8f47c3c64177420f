"""The queue of a review: the turns that need a decision, in order, with the decision about each."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from evaltui.document.node import Node
from evaltui.evalset.titles import STEP, case_title
from evaltui.printable import one_line
from evaltui.recordings.conversation import ConversationKey
from evaltui.recordings.matching import Unmatched
from evaltui.review.decisions import Decision, DecisionKind, ReviewDecisions, contradict
from evaltui.review.review_items import ReviewItem, needs_person
from evaltui.tui.open_file.set_scores import Scores
from evaltui.tui.review.decision_history import DecisionHistory
from evaltui.tui.review.entry_items import EntryItems
from evaltui.tui.review.queue_entry import ORDERS, Order, QueueEntry
from evaltui.tui.review.review_start import ALL_FAILING, ReviewStart


class ReviewQueue:
    """The entries of the review. It lives as long as the file; items of entries are made on demand."""

    def __init__(self, scores: Scores, history: DecisionHistory) -> None:
        self._scores, self._history = scores, history
        self._start = ALL_FAILING
        self.items = EntryItems(scores)
        self.are_kept = False
        """Whether the last decision of this review is in the sidecar."""
        self.unsaved = 0
        """The number of open turns that were accepted in an earlier review whose set was not saved."""
        self.order: Order = "file"
        self.entries: list[QueueEntry] = []
        """The entries shown, in order."""
        self.at = 0
        """The index of the current entry."""
        self.is_over = False
        """Whether the summary at the end is shown."""
        self.query = ""
        """The filter that restricts the entries; "" for none."""
        self._every: list[QueueEntry] = []
        # Entries stay for good: undo restores a deleted case, and steps of the history refer to its entries.
        self._turns: dict[tuple[Node, int | None], QueueEntry] = {}
        self._recordings: dict[ConversationKey, QueueEntry] = {}
        self._places: dict[Node, int] = {}
        """The places of the cases in the set, from 0."""
        self._is_shown: Callable[[QueueEntry], bool] = lambda _: True

    def begin(self, start: ReviewStart) -> str:
        """Begin another review, of the cases that `start` names. Returns a sentence about the sidecar, or ""."""
        trouble = self._history.read()
        self._start = start
        self.are_kept = self.is_over = False
        self.entries, self.at = [], 0
        self.query, self._is_shown = "", lambda _: True
        for entry in (*self._turns.values(), *self._recordings.values()):
            entry.came_again = False
            if entry.decision == "agent is wrong":  # `_take_over_decisions` restores it if both sides are unchanged
                entry.decision = None
        return trouble

    @property
    def decisions(self) -> ReviewDecisions:
        """The decisions of the sidecar, with those made here."""
        return self._history.standing

    @property
    def asked_ids(self) -> tuple[str, ...]:
        """The ids of cases, or globs of ids, that the command line asks for; none for all."""
        return self._start.ids

    # --- made --------------------------------------------------------------------------------------------------

    def build(self, cases: list[Node], unmatched: tuple[Unmatched, ...]) -> None:
        """Rebuild the entries from the last run; decisions of this review stay."""
        here = self.entry
        self.items.forget()
        self._places = {case: place for place, case in enumerate(cases)}
        found = [self._turn(case, turn) for case in cases for turn in self._turns_of(case)]
        for entry in found:
            entry.passes_now = False
            if entry.decision in ("accepted", "agent is wrong"):  # the case changed since, or it is looked up again
                entry.decision = None
        # Decided entries that pass now stay in the list, because the summary counts them.
        stays = set(found)
        decided = [entry for entry in self._turns.values() if entry.decision and entry not in stays]
        self._every = [*found, *(entry for entry in decided if entry.case in self._places)]
        if not self._start.ids:
            for recording in unmatched:
                entry = self._recordings.setdefault(recording.conversation.key, QueueEntry(None))
                entry.unmatched = recording
                self._every.append(entry)
        self.unsaved = self._take_over_decisions(self._every)
        self._sort()
        self.arrange(here)

    def _turn(self, case: Node, turn: int | None) -> QueueEntry:
        return self._turns.setdefault((case, turn), QueueEntry(case, turn))

    def refresh(self, cases: Iterable[Node]) -> None:
        """Update the entries of changed cases: a turn that needs a decision now gets an open entry."""
        count = len(self._every)
        for case in cases:
            turns = [*self._turns_of(case)]
            entries = [entry for entry in self._every if entry.case is case]
            added = [entry for turn in turns if (entry := self._turn(case, turn)) not in entries]
            self._every += added
            entries += added
            for entry in entries:
                entry.passes_now = entry.turn not in turns
                if (entry.decision == "accepted" and entry.turn in turns) or entry.decision == "agent is wrong":
                    entry.decision = None
            self._take_over_decisions(entries)
        if len(self._every) > count:
            self._sort()
            self.arrange()

    def needs_person(self, entry: QueueEntry) -> bool:
        """Whether an entry still fails under the criteria in force, or its turns differ from the recording's turns."""
        return entry.case is not None and entry.turn in self._turns_of(entry.case)

    def _sort(self) -> None:
        """Sort the entries by file order; recordings without a case come last."""
        last = len(self._places)
        self._every.sort(
            key=lambda entry: (self._places.get(entry.case, last) if entry.case else last, entry.turn or 0)
        )

    def _turns_of(self, case: Node) -> Iterator[int | None]:
        """The turns of a case that need a decision. Its text is not parsed if all turns were scored."""
        scored = self._scores.by_config(case)
        if scored is None or scored.result.run is None or self.items.criteria is None:
            return
        result, run = scored.result, scored.result.run
        if self._start.ids and not any(fnmatchcase(result.eval_id, each) for each in self._start.ids):
            return
        if self._start.passing:
            yield from (item.turn for item in self.items.in_force(case) if item.status != "passed" or item.changes)
            return
        if result.status == "passed" and not run.turns:
            return
        turns = [each.number for each in run.turns if needs_person(each, self.items.criteria)]
        if turns or result.status == "passed":
            yield from turns
        else:
            yield from (item.turn for item in self.items.in_force(case) if item.status != "passed")

    def _take_over_decisions(self, entries: Iterable[QueueEntry]) -> int:
        """Apply the decisions of the sidecar to open entries. Returns how many were accepted without a save."""
        unsaved = 0
        for entry, item in self._items_of([each for each in entries if each.decision is None], self.decisions.every):
            verdicts = self.decisions.verdicts(item).values()
            if not contradict(verdicts):
                entry.decision = next((each.verdict for each in verdicts if each.verdict == "agent is wrong"), None)
            unsaved += entry.is_open and self.decisions.is_acceptance_unsaved(item)
        return unsaved

    def _items_of(
        self, entries: Iterable[QueueEntry], decisions: Iterable[Decision]
    ) -> Iterator[tuple[QueueEntry, ReviewItem]]:
        """The entries of the cases that decisions name, with their items. No other items are made for this."""
        named = {each.eval_id for each in decisions}
        for entry in entries if named else ():
            scored = self._scores.of(entry.case) if entry.case is not None else None
            item = self.item(entry) if scored is not None and scored.result.eval_id in named else None
            if item is not None:
                yield entry, item

    def notes(self) -> dict[QueueEntry, int]:
        """The entries that have notes, and how many."""
        written = [each for each in self.decisions.every if each.note]
        found = {
            entry: sum(bool(each.note) for each in self.decisions.about(item))
            for entry, item in self._items_of(self.entries, written)
        }
        return {entry: count for entry, count in found.items() if count}

    # --- items -------------------------------------------------------------------------------------------------

    @property
    def entry(self) -> QueueEntry | None:
        """The current entry; None if there is none."""
        return self.entries[self.at] if 0 <= self.at < len(self.entries) else None

    def item(self, entry: QueueEntry) -> ReviewItem | None:
        """The item of an entry under the last scores, passed or not; None if its turn is gone."""
        return self.items.of_entry(entry)

    def name(self, entry: QueueEntry) -> str:
        """`book_flight › turn 2`."""
        if entry.unmatched is not None:
            return f"{entry.unmatched.conversation.path.name}{STEP}{one_line(entry.unmatched.conversation.id, 40)}"
        item = self.item(entry)
        case = one_line(item.eval_id, 60) if item is not None else case_title(entry.case) if entry.case else ""
        case = case or (f"case {item.case.number + 1}" if item is not None else "case")
        where = item.turns_name if item is not None else f"turn {entry.turn}" if entry.turn is not None else ""
        return f"{case}{STEP}{where}" if where else case

    # --- order and filter --------------------------------------------------------------------------------------

    def arrange(self, here: QueueEntry | None = None) -> None:
        """Sort the entries by the known facts, and keep the current one (or `here`)."""
        here = here or self.entry
        self.entries = [entry for entry in self._every if self._is_shown(entry)]
        if self.order != "file":
            known = {entry: self.items.last_facts(entry) for entry in self.entries}
            by_loss = self.order == "loss"
            self.entries.sort(key=lambda entry: -known[entry].loss if by_loss else known[entry].kind)
        self.at = self.entries.index(here) if here in self.entries else min(self.at, max(0, len(self.entries) - 1))

    def next_order(self) -> Order:
        """Change to the next order and return it."""
        self.order = ORDERS[(ORDERS.index(self.order) + 1) % len(ORDERS)]
        self.arrange()
        return self.order

    def cases(self) -> list[Node]:
        """The cases with an entry, filtered or not, each once."""
        return [*dict.fromkeys(entry.case for entry in self._every if entry.case is not None)]

    @property
    def every(self) -> Sequence[QueueEntry]:
        """All entries, filtered or not."""
        return self._every

    def restrict(self, query: str, is_shown: Callable[[QueueEntry], bool]) -> None:
        """Set the filter of the entries."""
        self.query, self._is_shown = query, is_shown
        self.arrange()

    def unknown(self) -> list[QueueEntry]:
        """The entries whose facts are still to be found."""
        return [entry for entry in self.entries if not self.items.has_facts(entry)]

    # --- going through it --------------------------------------------------------------------------------------

    def step(self, step: int) -> bool:
        """Go to the next (1) or previous (-1) entry; False at the ends."""
        goal = self.at + step
        if not 0 <= goal < len(self.entries):
            return False
        self.at = goal
        return True

    def go_to_open(self) -> bool:
        """Go to the next open turn, wrapping around, then once more to skipped turns; False if none is left.

        Recordings without a case come after all turns, in the same way.
        """
        around = [self.entries[at] for at in [*range(self.at + 1, len(self.entries)), *range(self.at + 1)]]
        turns, others = ([each for each in around if (each.unmatched is not None) is kind] for kind in (False, True))
        here = self.entry
        for entries in (turns, others):
            found = next((each for each in entries if each.is_open), None)
            found = found or next((each for each in entries if each.comes_again and each is not here), None)
            if found is not None:
                found.came_again = found.decision == "skipped"
                self.select(found)
                return True
        for entry in self.entries:  # the last one was skipped where it stands: the summary would only lead back to it
            entry.came_again = entry.decision == "skipped"
        return False

    def select(self, entry: QueueEntry) -> None:
        """Go to an entry, if the filter shows it."""
        if entry in self.entries:
            self.at = self.entries.index(entry)
            self.is_over = False

    def go_to_last_turn(self) -> None:
        """Go to the last turn if a recording without a case is the current entry."""
        turns = [each for each in self.entries if each.unmatched is None]
        if turns and self.entry not in turns:
            self.select(turns[-1])

    def go_to(self, case: Node, turn: int | None) -> bool:
        """Go to the entry of a turn, else to the first of its case; False if there is none."""
        of_case = [at for at, entry in enumerate(self.entries) if entry.case is case]
        found = next((at for at in of_case if self.entries[at].turn == turn), of_case[0] if of_case else None)
        self.at = found if found is not None else self.at
        return found is not None

    def counts(self, *, of_unmatched: bool = False) -> Counter[DecisionKind | None]:
        """The number of entries with each decision; the key None counts those that still need one.

        Counted are the turns and cases, as in the report of `evaltui review`, or the recordings without a case.
        """
        kind = [entry for entry in self.entries if (entry.unmatched is not None) is of_unmatched]
        return Counter(entry.decision for entry in kind if not entry.is_settled)

    def position(self) -> tuple[int, int]:
        """The number of the current entry and the number of all, among turns or among recordings without a case."""
        is_unmatched = self.entry is not None and self.entry.unmatched is not None
        alike = [at for at, each in enumerate(self.entries) if (each.unmatched is not None) is is_unmatched]
        return bisect_right(alike, self.at), len(alike)
