"""Ticked turns of conversations, decisions about their volatile values, and the keys for both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from evaltui.evalset.volatile_values import VolatileValue, without_values
from evaltui.tui.command import Command
from evaltui.tui.commands import key_of
from evaltui.tui.lines import MARKED, NO_MARK, Run, counted
from evaltui.tui.recordings.found_conversations import FoundConversation, why_no_case_turn

if TYPE_CHECKING:
    from evaltui.recordings.conversation import ConversationKey, RecordedTurn
    from evaltui.tui.recordings.add_screen import AddScreen

TickState = Literal["none", "some", "all"]
TICKED: Mapping[TickState, Run] = {"none": NO_MARK, "some": ("◇ ", "accent"), "all": MARKED}
"""Marks of conversations by their ticked turns."""
VOLATILE: Run = ("≈ ", "warning")
"""Mark of a value that is likely to change in the next run."""
ValueDecision = Literal["undecided", "kept", "dropped"]
_NEXT: Mapping[ValueDecision, ValueDecision] = {"undecided": "dropped", "dropped": "kept", "kept": "undecided"}
_NEXT_TITLES: Mapping[ValueDecision, str] = {"undecided": "drop ≈", "dropped": "keep ≈", "kept": "undecide ≈"}
"""The title of the key after each decision: it makes the next one."""
_DECIDED: Mapping[ValueDecision, str] = {
    "undecided": "undecided (≈), written as recorded",
    "kept": "kept, no longer marked ≈",
    "dropped": "dropped from the expected tool call. The case fails unless the criterion sets ignore_args",
}


class Pick(NamedTuple):
    """Turns of a conversation to add."""

    entry: FoundConversation
    turns: Sequence[int]
    """Their places in the conversation, from 0, in order."""


class TurnTicks:
    """The ticked turns of each conversation, as indexes from 0."""

    def __init__(self) -> None:
        self.picks: dict[ConversationKey, Pick] = {}
        """The ticked turns of each conversation, in the order in which these were ticked first."""

    def turns(self, entry: FoundConversation) -> Sequence[int]:
        """The ticked turns of a conversation, in order."""
        return self.picks[entry.key].turns if entry.key in self.picks else ()

    def state(self, entry: FoundConversation) -> TickState:
        """Whether none, some or all countable turns are ticked."""
        if entry.key not in self.picks:
            return "none"
        return "all" if {*self.turns(entry)}.issuperset(entry.countable_turns) else "some"

    def toggle(self, entry: FoundConversation) -> str:
        """Tick all countable turns, or untick the conversation; returns why nothing can be ticked, or ""."""
        # A conversation with some ticked turns gets all of them; only the next press unticks it.
        turns = () if self.state(entry) == "all" else entry.countable_turns
        if not turns and self.state(entry) != "all":
            return entry.why_nothing_counts
        self._set(entry, turns)
        return ""

    def toggle_turn(self, entry: FoundConversation, turn: int) -> str:
        """Tick a turn, or untick it; returns why it cannot be ticked, or ""."""
        ticked = set(self.turns(entry))
        # A single turn may be rewound, or the agent may have failed in it: the person sees that, and ticks it alone.
        if turn not in ticked and (why := entry.why_unread or why_no_case_turn(entry.turns[turn])):
            return why
        self._set(entry, ticked ^ {turn})
        return ""

    def _set(self, entry: FoundConversation, turns: Iterable[int]) -> None:
        # A case has its turns in the order of the conversation, whatever the order of the ticks.
        if in_order := sorted(turns):
            self.picks[entry.key] = Pick(entry, in_order)
        else:
            self.picks.pop(entry.key, None)

    def summary(self) -> str:
        """`2 conversations and 1 turn ticked`; "" without ticks."""
        partly = [len(turns) for entry, turns in self.picks.values() if self.state(entry) == "some"]
        entire, single = len(self.picks) - len(partly), sum(partly)
        counts = [counted(entire, "conversation")] * bool(entire) + [counted(single, "turn")] * bool(single)
        return f"{' and '.join(counts)} ticked" if counts else ""


def omitted_turns(turns: Iterable[RecordedTurn]) -> str:
    """Omitted turns, counted by reason: `1 turn rewound, 2 turns not ticked`."""
    reasons: Counter[str] = Counter()
    for turn in turns:
        if turn.is_rewound:
            reasons["rewound"] += 1
        elif why_no_case_turn(turn):
            reasons["without user message"] += 1
        else:
            reasons["in which the agent failed" if turn.has_failed else "not ticked"] += 1
    return ", ".join(f"{counted(count, 'turn')} {reason}" for reason, count in sorted(reasons.items()))


class ValueDecisions:
    """A person's decisions about volatile values: arguments of calls that are likely to change from run to run."""

    def __init__(self) -> None:
        self._by_call: dict[ConversationKey, dict[tuple[int, int], list[VolatileValue]]] = {}
        self._decided: dict[ConversationKey, dict[VolatileValue, ValueDecision]] = {}

    def _values_by_call(self, entry: FoundConversation) -> Mapping[tuple[int, int], list[VolatileValue]]:
        # The search in a conversation of hundreds of turns takes longer than a frame, so its result is kept.
        if (by_call := self._by_call.get(entry.key)) is None:
            by_call = self._by_call[entry.key] = {}
            for value in entry.volatile_values:
                by_call.setdefault((value.turn, value.call), []).append(value)
        return by_call

    def values(self, entry: FoundConversation) -> list[VolatileValue]:
        """The volatile values of a conversation; turn numbers are indexes from 0 over all its turns."""
        return [*chain.from_iterable(self._values_by_call(entry).values())]

    def of_call(self, entry: FoundConversation, turn: int, call: int) -> list[tuple[VolatileValue, ValueDecision]]:
        """The volatile values of one call, each with its decision."""
        return [(value, self.decision(entry, value)) for value in self._values_by_call(entry).get((turn, call), ())]

    def decision(self, entry: FoundConversation, value: VolatileValue) -> ValueDecision:
        """The decision about a value."""
        return self._decided.get(entry.key, {}).get(value, "undecided")

    def cycle(self, entry: FoundConversation, turn: int | None = None, call: int | None = None) -> ValueDecision | None:
        """Give all values of a call or of the conversation the next decision; None if there are no values."""
        values = [value for value in self.values(entry) if turn is None or (value.turn, value.call) == (turn, call)]
        if not values:
            return None
        # The first value decides for all: after different decisions, one press makes them equal again.
        following = _NEXT[self.decision(entry, values[0])]
        self._decided.setdefault(entry.key, {}).update(dict.fromkeys(values, following))
        return following

    def decided(self, entry: FoundConversation, turns: Iterable[int], decision: ValueDecision) -> list[VolatileValue]:
        """The values in these turns with this decision; undecided ones are written as recorded."""
        chosen, values = {*turns}, self.values(entry)
        return [value for value in values if value.turn in chosen and self.decision(entry, value) == decision]

    def invocations(self, entry: FoundConversation, turns: Iterable[int]) -> list[Mapping[str, Any]]:
        """The invocations of some turns, without the dropped values."""
        # Values name turns by their place in the whole conversation, so all turns are copied before some are chosen.
        chosen = [*turns]
        invocations = [turn.invocation for turn in entry.turns]
        dropped = self.decided(entry, chosen, "dropped")
        without = without_values(invocations, dropped) if dropped else invocations
        return [without[turn] for turn in chosen]


class TickCommands:
    """Keys of the screen to add conversations: ticks, decisions about values, and the turns to add."""

    def __init__(self, screen: AddScreen) -> None:
        self._screen = screen
        # The screen keeps both, because its columns and rows draw them.
        self._ticks, self._decided = screen.ticks, screen.decided

    # --- ticks -----------------------------------------------------------------------------------------------

    def _say_ticked(self, more: str = "") -> None:
        self._screen.status.say(f"{self._ticks.summary() or 'Nothing is ticked'}.{more}")

    def tick(self) -> None:
        """Tick the selected conversation, or untick it, and go on to the next."""
        entry = self._screen.conversations.selected
        if entry is None:
            return
        why = self._ticks.toggle(entry)
        self._screen.show_ticks()
        if why:
            self._screen.status.say(why)
            return
        # The turns that the tick left out would surprise a person later, in the new case.
        ticked = self._ticks.turns(entry)
        omitted = omitted_turns(turn for number, turn in enumerate(entry.turns) if number not in ticked)
        self._say_ticked(f" Not ticked: {omitted}." if ticked and omitted else "")
        self._screen.shown_list.move(1)

    def tick_all(self) -> None:
        """Tick all listed conversations that are no case yet, the oldest first; untick them if all are ticked.

        Conversations of evaluations and of other apps are ticked only if no other conversation is listed.
        """
        listed = self._screen.found.shown
        groups = Counter(map(self._screen.found.group_of, listed))
        # A person who ticks all means conversations with the own agent, unless the filter left only others.
        chosen = [entry for entry in listed if not groups[0] or self._screen.found.group_of(entry) == 0]
        unknown = [entry for entry in chosen if not entry.known_as and entry.countable_turns]
        unticked = [entry for entry in unknown if self._ticks.state(entry) != "all"]
        # Cases are added in the order of the ticks, and the oldest conversation is the last of the list.
        for entry in reversed(unticked or unknown):
            self._ticks.toggle(entry)
        self._screen.show_ticks(everywhere=True)
        counts = {"already in the set": sum(bool(entry.known_as) for entry in chosen)}
        if groups[0]:
            counts |= {"of other apps": groups[2], "of evaluations": groups[1]}
        omitted = ", ".join(f"{count:,} {reason}" for reason, count in counts.items() if count)
        self._say_ticked(f" Not ticked: {omitted}." if omitted else "")

    def tick_turn(self) -> None:
        """Tick the turn of the selected line, or untick it."""
        entry, row = self._screen.conversations.selected, self._screen.chat.row
        if entry is None or row is None or row.turn < 0:
            return
        why = self._ticks.toggle_turn(entry, row.turn)
        self._screen.show_ticks()
        if why:
            self._screen.status.say(why)
            return
        is_rewound = entry.turns[row.turn].is_rewound and row.turn in self._ticks.turns(entry)
        self._say_ticked(" A rewind removed this turn from the session." if is_rewound else "")

    def tick_or_fold(self) -> None:
        """Fold or unfold the selected row; if it cannot be unfolded, tick its turn."""
        # Space folds a long row, but ticks its turn on the first row of the turn, where the tick stands.
        row, chat = self._screen.chat.row, self._screen.chat
        if row is not None and chat.can_fold and not row.is_head:
            chat.toggle()
        else:
            self.tick_turn()

    def untick_all(self) -> None:
        """Remove all ticks."""
        has_ticks = bool(self._ticks.picks)
        self._ticks.picks.clear()
        self._screen.show_ticks(everywhere=True)
        self._screen.status.say("All ticks are removed." if has_ticks else "Nothing is ticked.")

    def title_of(self, command: Command) -> str:
        """The title of a command for the selected row of the turns; "" if it would do nothing there."""
        entry, chat, row = self._screen.conversations.selected, self._screen.chat, self._screen.chat.row
        if entry is None or row is None:
            return command.title if command.id in ("chat.close", "chat.list") else ""
        is_foldable, is_open = chat.can_fold and not row.is_head, self._screen.drawing.is_open(row)
        match command.id:
            case "chat.fold":
                return "" if is_foldable else command.title
            case "chat.tick":
                return command.title if is_foldable else ""
            case "chat.open":
                return command.title if chat.can_fold and not is_open else ""
            case "chat.close":
                return "fold" if is_open else command.title
            case "chat.value":
                values = self._decided.of_call(entry, row.turn, row.call) if row.call is not None else []
                return _NEXT_TITLES[values[0][1]] if values else ""
            case "chat.values":
                return command.title if self._decided.values(entry) else ""
        return command.title

    # --- volatile values -------------------------------------------------------------------------------------

    def decide(self) -> None:
        """Keep or drop the volatile values of the selected call."""
        entry, chat = self._screen.conversations.selected, self._screen.chat
        if entry is None or (row := chat.row) is None:
            return
        if row.call is None:
            all_values = key_of("chat.values")
            self._screen.status.say(f"Select a tool call marked ≈, or press {all_values} for all tool calls.")
            return
        decision = self._decided.cycle(entry, row.turn, row.call)
        if decision is None:
            self._screen.status.say("This tool call has no argument marked ≈.")
            return
        # Only the call: wrapping a long conversation again takes longer than a frame.
        self._screen.drawing.forget(row.key)
        chat.redraw()
        names = [str(value.path[-1]) for value, _ in self._decided.of_call(entry, row.turn, row.call)]
        self._screen.status.say(f"{', '.join(names[:3])}: {_DECIDED[decision]}.")

    def decide_all(self) -> None:
        """Keep or drop all volatile values of the selected conversation."""
        entry = self._screen.conversations.selected
        decision = self._decided.cycle(entry) if entry is not None else None
        if entry is None or decision is None:
            self._screen.status.say("This conversation has no argument marked ≈ (likely to change).")
            return
        self._screen.drawing.forget()
        self._screen.chat.redraw()
        count = counted(len(self._decided.values(entry)), "value")
        self._screen.status.say(f"{count} marked ≈: {_DECIDED[decision]}.")

    # --- what is to be added ---------------------------------------------------------------------------------

    def picks(self, *, adds_turns: bool) -> list[Pick]:
        """The ticked turns; else the selected turn if turns are added, or the selected conversation."""
        entry = self._screen.conversations.selected
        if self._ticks.picks:
            return [*self._ticks.picks.values()]
        if entry is None:
            return []
        if not adds_turns:
            return [Pick(entry, entry.countable_turns)]
        return [Pick(entry, [turn])] if (turn := self.turn_here()) is not None else []

    def turn_here(self) -> int | None:
        """The selected turn, from 0. In the list: the only turn that counts, else None."""
        entry, row = self._screen.conversations.selected, self._screen.chat.row
        if entry is None:
            return None
        # The list shows no turn as selected, so there the only countable turn is meant.
        if self._screen.chat.has_focus:
            return row.turn if row is not None and row.turn >= 0 else None
        return entry.countable_turns[0] if len(entry.countable_turns) == 1 else None
