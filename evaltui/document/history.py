"""Undo, redo and the save point."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from itertools import takewhile

from evaltui.document.changed_nodes import ChangedNodes
from evaltui.document.node import Node
from evaltui.document.swaps import AsideSwap, ContentSwap, ItemsSwap, Swap

_PAUSE = 1.0  # seconds without a key after which more typing is a new undo step


TakenOver = tuple[bytes | None]
"""The mark of a step that took over changes from the disk: the common base of both sides; None if there was no file."""


@dataclass(slots=True, eq=False, repr=False)
class UndoStep:
    """A step of undo: a label for people, and the swaps in order."""

    label: str
    swaps: list[Swap]
    merge_key: Hashable = None
    time: float = 0.0
    taken_over: TakenOver | None = None
    left_out: TakenOver | None = None
    """If it restores the undo of a step that took over changes: the mark of that step."""

    @property
    def changes_nothing(self) -> bool:
        """Whether the values are as before the step, for example after a letter was typed and deleted."""
        return all(map(_is_reverted, self.swaps))

    @property
    def changes_no_byte(self) -> bool:
        """Whether it changes only side values, such as drafts."""
        return all(isinstance(swap, AsideSwap) for swap in self.swaps)


class History:
    """One undo/redo stack. `clock` returns seconds, so that tests can stop time."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._steps: list[UndoStep] = []
        self._done = 0
        self._anchor = 0
        """The save point. If undo and redo cannot reach it any more, the place where its branch was left."""
        self._save_point_lost = False
        self._left_out: TakenOver | None = None
        self._sealed = True
        self._settled: UndoStep | None = None
        self.differences = ChangedNodes()
        self.disk_is_unknown = False
        """Whether the bytes on disk belong to no state of this history."""
        self.moves = 0
        """A counter of all changes, also undo and typing. Equal counts mean equal text."""
        self.on_swap: Callable[[Swap], None] | None = None
        """Hears of every change that undo and redo make."""

    @property
    def unsaved_steps(self) -> int:
        """The number of steps done or undone since the save point. An unreachable save point counts as one step."""
        return sum(not step.changes_no_byte for step in self._between()) + self._save_point_lost

    def _between(self) -> list[UndoStep]:
        start, stop = sorted((self._anchor, self._done))
        return self._steps[start:stop]

    @property
    def left_out(self) -> TakenOver | None:
        """The first change taken over from disk that was undone since the save point; None if none was undone."""
        restored = (step.left_out for step in self._steps[self._anchor : self._done])
        return next(filter(None, restored), self._undone_take_over())

    def _undone_take_over(self) -> TakenOver | None:
        undone = (step.taken_over for step in self._steps[self._done : self._anchor])
        return next(filter(None, undone), self._left_out)

    def record(
        self, label: str, swaps: list[Swap], merge_key: Hashable = None, taken_over: TakenOver | None = None
    ) -> None:
        """Add changes that were just made. More typing in one field (`merge_key`) extends the last step."""
        time = self._clock()
        self.moves += 1
        self.differences.note(swaps)
        merges = self._merges(swaps, merge_key, time)
        if merges:
            last = self._steps[-1]
            last.label, last.time = label, time
            # Of each place the oldest state stays, unless the place is as before.
            places = {_place(swap) for swap in last.swaps}
            swaps = [*last.swaps, *(swap for swap in swaps if _place(swap) not in places)]
            last.swaps = [swap for swap in swaps if not _is_reverted(swap)] or swaps
            if not last.changes_nothing:
                return
            self._done -= 1  # its changes were reverted
        if self._done < len(self._steps):  # redo cannot reach the undone steps any more
            self._left_out = self._undone_take_over()
            self._save_point_lost |= self._anchor > self._done
            self._anchor = min(self._anchor, self._done)
            del self._steps[self._done :]
        if not merges:
            self._steps.append(UndoStep(label, swaps, merge_key, time, taken_over))
            self._done += 1
        self._sealed = merges

    def _merges(self, swaps: list[Swap], merge_key: Hashable, time: float) -> bool:
        """Whether the change continues the last step: then its older state alone is worth keeping."""
        if merge_key is None or self._sealed or self._done != len(self._steps) or self._anchor == self._done:
            return False
        last = self._steps[-1]
        if last.merge_key != merge_key or time - last.time > _PAUSE:
            return False
        previous = last.swaps
        if last.changes_no_byte:  # a draft that becomes a value, whatever that changes
            return True
        if not all(isinstance(swap, (ContentSwap, AsideSwap)) for swap in swaps):
            return False
        values, had = ([swap.node for swap in group if isinstance(swap, ContentSwap)] for group in (swaps, previous))
        if values:
            new_values = _made_by(previous)
            if all(not new_values.isdisjoint((node, *node.ancestors())) for node in values):
                return True  # the first letter made the value that is typed on
        can_merge = all(isinstance(swap, (ContentSwap, AsideSwap)) for swap in previous)
        return can_merge and (values == had or not values or not had)

    def typed_since(self, point: UndoStep | None, merge_key: Hashable) -> list[Swap]:
        """The swaps that would revert everything typed under `merge_key`; they are not done yet.

        Only steps after `point`, after the save point, and after the start of a save count.
        """
        typed: list[Swap] = []
        start = self._anchor if self._anchor <= self._done else 0
        for step in reversed(self._steps[start : self._done]):
            if merge_key is None or step.merge_key != merge_key or step is point or step is self._settled:
                break
            typed += reversed(step.swaps)
        return [replace(swap) for swap in _shortest(typed)]

    def seal(self) -> None:
        """Let the next change begin a step of its own."""
        self._sealed = True

    def settle(self) -> None:
        """End the current step of typing, because its text is about to be saved."""
        self.seal()
        self._settled = self.point()

    def step(self, way: int) -> UndoStep | None:
        """Undo the last step (-1) or redo the next undone one (1), and return it; None if there is none."""
        step = self.point() if way < 0 else self.redo_point()
        if step is not None:
            swaps = step.swaps[::way]
            for swap in swaps:
                swap.swap()
                if self.on_swap is not None:
                    self.on_swap(swap)
            self.differences.note(swaps)
            self.moves += 1
            self._done += way
            self._sealed = True
        return step

    def redo_point(self) -> UndoStep | None:
        """The step that redo would do again."""
        return self._steps[self._done] if self._done < len(self._steps) else None

    def has_done(self, step: UndoStep | None) -> bool:
        """Whether a step is done now; None stands for the state before all steps."""
        return step is None or any(done is step for done in self._steps[: self._done])

    def has_undone(self, step: UndoStep | None) -> bool:
        """Whether redo can still reach a step."""
        return any(undone is step for undone in self._steps[self._done :])

    def point(self) -> UndoStep | None:
        """The last step done: the present state, for `mark_saved` once its bytes are on disk."""
        return self._steps[self._done - 1] if self._done else None

    def has_edited_since(self, step: UndoStep | None) -> bool:
        """Whether steps were done after `step`, other than changes taken over from disk."""
        done = self._steps[: self._done]
        later = done[done.index(step) + 1 :] if step in done else done
        return any(edit.taken_over is None for edit in later)

    def mark_saved(self, point: UndoStep | None) -> None:
        """Make `point` the save point. Steps done or undone since then count as changes."""
        places = [0] if point is None else [n for n, step in enumerate(self._steps, 1) if step is point]
        self._save_point_lost = self.disk_is_unknown = not places
        self._anchor = places[0] if places else self._done
        self._sealed = True
        if places:
            self._left_out = None
            swaps = [swap for step in self._between() for swap in step.swaps]
            self.differences.begin(swaps if self._anchor <= self._done else swaps[::-1])

    def mark_merged(self, nodes: Iterable[Node]) -> None:
        """Set a save point that no step leads to: the present text differs from the disk in `nodes` only."""
        self._anchor = self._done
        self._save_point_lost = self.disk_is_unknown = True
        self._left_out = None
        self._sealed = True
        self.differences.begin()
        self.differences.add(nodes)


def _is_reverted(swap: Swap) -> bool:
    return isinstance(swap, ContentSwap | AsideSwap) and swap.changes_nothing


def _made_by(swaps: Iterable[Swap]) -> set[Node]:
    """The values that a step put into the document: new items, and the items of containers it wrote."""
    new_values: set[Node] = set()
    for swap in swaps:
        if isinstance(swap, ItemsSwap):
            new_values.update(set(swap.present).difference(swap.opposite))
        elif isinstance(swap, ContentSwap) and swap.node.is_container:
            new_values.update(swap.node.items)
    return new_values


def _shortest(swaps: Iterable[Swap]) -> list[Swap]:
    """Fewer swaps with the same effect on the text: what went back and forth at one place cancels out."""
    # Each draft goes back over all that was typed before it, so without this each step would be twice as long as the
    # step before it.
    short: list[Swap] = []
    for swap in swaps:
        last = short[-1] if short else None
        if isinstance(swap, ContentSwap):
            # Only contents may have been swapped since: their order does not matter.
            contents = takewhile(lambda earlier: isinstance(earlier, ContentSwap), reversed(short))
            if (earlier := next((earlier for earlier in contents if earlier.node is swap.node), None)) is not None:
                short.remove(earlier)
            content = swap.node.content()
            is_present = content[2] is swap.opposite[2] and content == swap.opposite  # with the very list of items
            if not is_present or any(earlier.node is swap.node for earlier in short):
                short.append(swap)
        elif (
            isinstance(swap, ItemsSwap)
            and isinstance(last, ItemsSwap)
            and (last.node, last.index, last.present, last.opposite)
            == (swap.node, swap.index, swap.opposite, swap.present)
        ):
            short.pop()  # the list gets the items from before
        elif not isinstance(swap, AsideSwap):
            short.append(swap)
    return short


def _place(swap: Swap) -> tuple[Hashable, ...]:
    return (swap.node, swap.key) if isinstance(swap, AsideSwap) else (swap.node,)
