"""Undo, redo, the save point, and which values differ from what was saved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from evaltui.document.node import Node
from evaltui.document.swaps import ContentSwap, ItemsSwap, Swap, TreeSwap

_PAUSE = 1.0
"""Seconds without typing after which a new undo step begins."""


@dataclass(frozen=True, slots=True)
class TakenOver:
    """That a step brought in what others wrote to the file."""

    base: bytes | None
    """What both sides had in common before; None where the file was not there."""


@dataclass(slots=True)
class Step:
    """What one undo takes back: a label for people, the changes in order, and the nodes they concern."""

    label: str
    swaps: list[Swap]
    concerned: tuple[Node, ...]
    """The changed nodes and all containers around them, as they stood when the step was made."""
    merge_key: Hashable = None
    time: float = 0.0
    taken: TakenOver | None = None

    @property
    def changes_nothing(self) -> bool:
        """Whether the values are again what they were before, as after a letter typed and deleted."""
        return all(isinstance(swap, ContentSwap) and swap.changes_nothing for swap in self.swaps)

    def take_back(self, then: Callable[[Swap], None] | None = None) -> None:
        """Undo the changes, last first; `then` hears of each."""
        for swap in reversed(self.swaps):
            swap.swap()
            if then is not None:
                then(swap)

    def do_again(self, then: Callable[[Swap], None] | None = None) -> None:
        """Redo the changes in order; `then` hears of each."""
        for swap in self.swaps:
            swap.swap()
            if then is not None:
                then(swap)


def concerned_by(swaps: Iterable[Swap]) -> tuple[Node, ...]:
    """The nodes that `swaps` change or add and all containers around them, each once."""
    nodes: dict[Node, None] = {}
    for swap in swaps:
        if isinstance(swap, (ItemsSwap, TreeSwap)):
            nodes.update(dict.fromkeys(swap.present))
        if isinstance(swap, TreeSwap):
            nodes.update((at, None) for node in swap.present for at in node.ancestors())
        nodes[swap.node] = None
        nodes.update(dict.fromkeys(swap.node.ancestors()))
    return tuple(nodes)


class History:
    """One undo/redo stack. `clock` gives seconds, so that tests can hold time still."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._steps: list[Step] = []
        self._done = 0
        self._anchor = 0
        """The save point; once that is out of reach, the place where the way back to it was lost."""
        self._save_point_lost = False
        self._left_out: TakenOver | None = None
        self._sealed = True
        self._changed: Counter[Node] = Counter()
        self.moves = 0
        """Grows with everything that is done, undone or typed on: whether the text is still the one of a moment ago."""
        self.on_swap: Callable[[Swap], None] | None = None
        """Hears of every change that undo, redo and retract make."""

    @property
    def unsaved_steps(self) -> int:
        """How many steps were done or undone since the save point; what became unreachable counts as one."""
        return abs(self._done - self._anchor) + self._save_point_lost

    @property
    def is_dirty(self) -> bool:
        """Whether the document is away from its save point."""
        return self._save_point_lost or self._anchor != self._done

    @property
    def left_out(self) -> TakenOver | None:
        """The first of what was taken over before the save point and undone since; None where all of it is there."""
        undone = (step.taken for step in self._steps[self._done : self._anchor])
        return next(filter(None, undone), self._left_out)

    def is_changed(self, node: Node) -> bool:
        """Whether `node` or something in it was changed between the save point and now."""
        return self._changed[node] > 0

    def changed_nodes(self) -> list[Node]:
        """All nodes changed since the save point, and the containers around them."""
        return [node for node, count in self._changed.items() if count > 0]

    @property
    def next_undo(self) -> str | None:
        """The label of the step that undo would take back."""
        return self._steps[self._done - 1].label if self._done else None

    @property
    def next_undo_key(self) -> Hashable:
        """The merge key of that step: which field was typed in."""
        return self._steps[self._done - 1].merge_key if self._done else None

    @property
    def next_redo(self) -> str | None:
        """The label of the step that redo would do again."""
        return self._steps[self._done].label if self._done < len(self._steps) else None

    def record(self, label: str, swaps: list[Swap], merge_key: Hashable = None, taken: TakenOver | None = None) -> None:
        """Take in changes just made; typing on in one field (`merge_key`) extends the last step."""
        now = self._clock()
        self.moves += 1
        if self._merges(swaps, merge_key, now):
            self._steps[-1].time = now
            if self._steps[-1].changes_nothing:
                self._drop()
            return
        self._forget_undone()
        step = Step(label, swaps, concerned_by(swaps), merge_key, now, taken)
        self._steps.append(step)
        self._go(step, self._done + 1)
        self._sealed = False

    def _drop(self) -> Step:
        """Strike the last step, whose changes are no more."""
        step = self._steps[self._done - 1]
        self._go(step, self._done - 1)
        self._forget_undone()
        return step

    def _forget_undone(self) -> None:
        self._left_out = self.left_out
        if self._anchor > self._done:
            self._anchor = self._done
            self._save_point_lost = True
        del self._steps[self._done :]

    def _merges(self, swaps: list[Swap], merge_key: Hashable, now: float) -> bool:
        """Whether the change continues the last step: then its older state alone is worth keeping."""
        if not self._is_open(merge_key, now):
            return False
        last = self._steps[-1]
        only_content = all(isinstance(swap, ContentSwap) for swap in (*swaps, *last.swaps))
        return only_content and [swap.node for swap in swaps] == [swap.node for swap in last.swaps]

    def _is_open(self, merge_key: Hashable, now: float) -> bool:
        """Whether the last step is what is being typed under `merge_key`, without a break."""
        if merge_key is None or self._sealed or self._done != len(self._steps) or self._anchor == self._done:
            return False
        return self._steps[-1].merge_key == merge_key and now - self._steps[-1].time <= _PAUSE

    def retract(self, merge_key: Hashable) -> Step | None:
        """Take back what is being typed under `merge_key` as if it had never been; None where nothing is."""
        if not self._is_open(merge_key, self._clock()):
            return None
        self._steps[-1].take_back(self.on_swap)
        return self._drop()

    def seal(self) -> None:
        """Let the next change begin a step of its own."""
        self._sealed = True

    def undo(self) -> Step | None:
        """Take back the last step and return it; None where there is none."""
        if not self._done:
            return None
        step = self._steps[self._done - 1]
        step.take_back(self.on_swap)
        self._go(step, self._done - 1)
        return step

    def redo(self) -> Step | None:
        """Do the next undone step again and return it; None where there is none."""
        if self._done == len(self._steps):
            return None
        step = self._steps[self._done]
        step.do_again(self.on_swap)
        self._go(step, self._done + 1)
        return step

    def point(self) -> Step | None:
        """The last step done: where the document stands, for `mark_saved` once its bytes are on disk."""
        return self._steps[self._done - 1] if self._done else None

    def mark_saved(self, point: Step | None) -> None:
        """The state at `point` is what is on disk; steps done or undone since then count as changes."""
        places = [0] if point is None else [n for n, step in enumerate(self._steps, 1) if step is point]
        self._save_point_lost = not places
        self._anchor = places[0] if places else self._done
        self._sealed = True
        if places:
            self._left_out = None
            between = self._steps[min(self._anchor, self._done) : max(self._anchor, self._done)]
            self._changed = Counter(node for step in between for node in step.concerned)

    @contextmanager
    def at_save_point(self) -> Iterator[bool]:
        """Within this context the document is as it was saved; False where the way back is lost. Makes no step."""
        start, stop = sorted((self._anchor, self._done))
        between = [] if self._save_point_lost else self._steps[start:stop]
        forward = self._anchor > self._done
        for step in between if forward else reversed(between):
            step.do_again() if forward else step.take_back()
        try:
            yield not self._save_point_lost
        finally:
            for step in reversed(between) if forward else between:
                step.take_back() if forward else step.do_again()

    def mark_merged(self, nodes: Iterable[Node]) -> None:
        """What is on disk has no step here; the present state differs from it in `nodes` and what is around them."""
        self._anchor = self._done
        self._save_point_lost = True
        self._left_out = None
        self._sealed = True
        self._changed = Counter(dict.fromkeys(nodes, 1))

    def _go(self, step: Step, target: int) -> None:
        """Stand at `target`, one step from here; count whether that leads away from the save point or back."""
        self.moves += 1
        forward = target > self._done
        away = target > self._anchor if forward else target < self._anchor
        for node in step.concerned:
            self._changed[node] += 1 if away else -1
        self._done = target
        self._sealed = True
