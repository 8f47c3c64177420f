"""Ticked turns of conversations, decisions about their volatile values, and the keys for both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from evaltui.evalset.volatile_values import VolatileValue, without_values
from evaltui.tui.command import Command
from evaltui.tui.commands import key_of
from evaltui.tui.lines import MARKED, NO_MARK, Run
from evaltui.tui.recordings.conversation_facts import counted
from evaltui.tui.recordings.found_conversations import FoundConversation, why_no_case_turn

if TYPE_CHECKING:
    from evaltui.recordings.conversation import ConversationKey, RecordedTurn
    from evaltui.tui.recordings.add_screen import AddScreen

TickState = Literal["none", "some", "all"]
TICKED: Mapping[TickState, Run] = {"none": NO_MARK, "some": ("◇ ", "accent"), "all": MARKED}
"""Marks of conversations by their ticked turns."""
VOLATILE: Run = ("≈ ", "warning")
"""Mark of a value that is likely to change in the next run."""
ValueDecision = Literal["found", "kept", "dropped"]
_NEXT: Mapping[ValueDecision, ValueDecision] = {"found": "dropped", "dropped": "kept", "kept": "found"}
_NEXT_TITLES: Mapping[ValueDecision, str] = {"found": "drop ≈", "dropped": "keep ≈", "kept": "undecide ≈"}
"""The title of the key after each decision: it makes the next one."""
_DECIDED: Mapping[ValueDecision, str] = {
    "found": "undecided (≈), written as recorded",
    "kept": "kept, no longer marked ≈",
    "dropped": "dropped from the expected tool call. The case fails unless the criterion sets ignore_args",
}


class Pick(NamedTuple):
    """Turns of a conversation to add."""

    found: FoundConversation
    turns: Sequence[int]
    """Their places in the conversation, from 0, in order."""


class TurnTicks:
    """The ticked turns of each conversation, as indexes from 0."""

    def __init__(self) -> None:
        self._ticked: dict[ConversationKey, tuple[FoundConversation, set[int]]] = {}

    @property
    def picks(self) -> list[Pick]:
        """The ticked turns of each conversation, in the order in which these were ticked first."""
        return [Pick(found, sorted(turns)) for found, turns in self._ticked.values()]

    def turns(self, found: FoundConversation) -> Sequence[int]:
        """The ticked turns of a conversation, in order."""
        return sorted(self._ticked[found.key][1]) if found.key in self._ticked else ()

    def state(self, found: FoundConversation) -> TickState:
        """Whether none, some or all countable turns are ticked."""
        if found.key not in self._ticked:
            return "none"
        return "all" if self._ticked[found.key][1].issuperset(found.countable_turns) else "some"

    def toggle(self, found: FoundConversation) -> str:
        """Tick all countable turns, or untick the conversation; returns why nothing can be ticked, or ""."""
        turns = () if self.state(found) == "all" else found.countable_turns
        if not turns and self.state(found) != "all":
            return found.why_nothing_counts
        self._set(found, set(turns))
        return ""

    def toggle_turn(self, found: FoundConversation, turn: int) -> str:
        """Tick a turn, or untick it; returns why it cannot be ticked, or ""."""
        ticked = set(self.turns(found))
        if turn not in ticked and (why := found.why_unread or why_no_case_turn(found.turns[turn])):
            return why
        self._set(found, ticked ^ {turn})
        return ""

    def _set(self, found: FoundConversation, turns: set[int]) -> None:
        if turns:
            self._ticked[found.key] = found, turns
        else:
            self._ticked.pop(found.key, None)

    def clear(self) -> None:
        """Remove all ticks."""
        self._ticked.clear()

    def summary(self) -> str:
        """`2 conversations and 1 turn ticked`; "" without ticks."""
        states = [self.state(found) for found, _ in self._ticked.values()]
        pairs = zip(states, self._ticked.values(), strict=True)
        entire, single = states.count("all"), sum(len(turns) for state, (_, turns) in pairs if state == "some")
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

    def values(self, found: FoundConversation) -> list[VolatileValue]:
        """The volatile values of a conversation; turn numbers are indexes from 0 over all its turns."""
        if found.key not in self._by_call:
            by_call = self._by_call[found.key] = {}
            for value in found.volatile_values():
                by_call.setdefault((value.turn, value.call), []).append(value)
        return [value for values in self._by_call[found.key].values() for value in values]

    def of_call(self, found: FoundConversation, turn: int, call: int) -> list[tuple[VolatileValue, ValueDecision]]:
        """The volatile values of one call, each with its decision."""
        if found.key not in self._by_call:
            self.values(found)
        return [(value, self.decision(found, value)) for value in self._by_call[found.key].get((turn, call), ())]

    def decision(self, found: FoundConversation, value: VolatileValue) -> ValueDecision:
        """The decision about a value."""
        return self._decided.get(found.key, {}).get(value, "found")

    def cycle(self, found: FoundConversation, turn: int | None = None, call: int | None = None) -> ValueDecision | None:
        """Give all values of a call or of the conversation the next decision; None if there are no values."""
        values = [value for value in self.values(found) if turn is None or (value.turn, value.call) == (turn, call)]
        if not values:
            return None
        following = _NEXT[self.decision(found, values[0])]
        self._decided.setdefault(found.key, {}).update(dict.fromkeys(values, following))
        return following

    def decided(self, found: FoundConversation, turns: Iterable[int], decision: ValueDecision) -> list[VolatileValue]:
        """The values in these turns with this decision; undecided ones are written as recorded."""
        chosen = {*turns}
        values = [value for value in self.values(found) if value.turn in chosen]
        return [value for value in values if self.decision(found, value) == decision]

    def invocations(self, found: FoundConversation, turns: Iterable[int]) -> list[Mapping[str, Any]]:
        """The invocations of some turns, without the dropped values."""
        chosen = [*turns]
        invocations = [turn.invocation for turn in found.turns]
        dropped = self.decided(found, chosen, "dropped")
        without = without_values(invocations, dropped) if dropped else invocations
        return [without[turn] for turn in chosen]


class TickCommands:
    """Keys of the screen to add conversations: ticks, decisions about values, and the turns to add."""

    def __init__(self, screen: AddScreen) -> None:
        self._screen = screen
        self._ticks, self._decided = screen.ticks, screen.decided

    # --- ticks -----------------------------------------------------------------------------------------------

    def _say_ticked(self, more: str = "") -> None:
        self._screen.status.say(f"{self._ticks.summary() or 'Nothing is ticked'}.{more}")

    def tick(self) -> None:
        """Tick the selected conversation, or untick it, and go on to the next."""
        found = self._screen.found_here
        if found is None:
            return
        why = self._ticks.toggle(found)
        self._screen.show_ticks()
        if why:
            self._screen.status.say(why)
            return
        ticked = self._ticks.turns(found)
        omitted = omitted_turns(turn for number, turn in enumerate(found.turns) if number not in ticked)
        self._say_ticked(f" Not ticked: {omitted}." if ticked and omitted else "")
        self._screen.shown_list.move(1)

    def tick_all(self) -> None:
        """Tick all listed conversations that are no case yet, the oldest first; untick them if all are ticked.

        Conversations of evaluations and of other apps are ticked only if no other conversation is listed.
        """
        listed = self._screen.found.shown
        groups = Counter(map(self._screen.found.group_of, listed))
        others, evaluations = (groups[2], groups[1]) if groups[0] else (0, 0)
        chosen = [found for found in listed if not groups[0] or self._screen.found.group_of(found) == 0]
        unknown = [found for found in chosen if not found.known_as and found.countable_turns]
        unticked = [found for found in unknown if self._ticks.state(found) != "all"]
        for found in reversed(unticked or unknown):
            self._ticks.toggle(found)
        self._screen.show_ticks(everywhere=True)
        known = sum(bool(found.known_as) for found in chosen)
        left = [f"{known:,} already in the set"] * bool(known) + [f"{others:,} of other apps"] * bool(others)
        left += [f"{evaluations:,} of evaluations"] * bool(evaluations)
        self._say_ticked(f" Not ticked: {', '.join(left)}." if left else "")

    def tick_turn(self) -> None:
        """Tick the turn of the selected line, or untick it."""
        found, row = self._screen.found_here, self._screen.chat.row
        if found is None or row is None or row.turn < 0:
            return
        why = self._ticks.toggle_turn(found, row.turn)
        self._screen.show_ticks()
        if why:
            self._screen.status.say(why)
            return
        is_rewound = found.turns[row.turn].is_rewound and row.turn in self._ticks.turns(found)
        self._say_ticked(" A rewind removed this turn from the session." if is_rewound else "")

    def tick_or_fold(self) -> None:
        """Fold or unfold the selected row; if it cannot be unfolded, tick its turn."""
        row = self._screen.chat.row
        if row is not None and row.is_open is not None and not row.is_head:
            self._screen.chat.fold(is_open=not row.is_open)
        else:
            self.tick_turn()

    def untick_all(self) -> None:
        """Remove all ticks."""
        has_ticks = bool(self._ticks.picks)
        self._ticks.clear()
        self._screen.show_ticks(everywhere=True)
        self._screen.status.say("All ticks are removed." if has_ticks else "Nothing is ticked.")

    def title_of(self, command: Command) -> str:
        """The title of a command for the selected row of the turns; "" if it would do nothing there."""
        found, row = self._screen.found_here, self._screen.chat.row
        if found is None or row is None:
            return command.title if command.id in ("chat.close", "chat.list") else ""
        is_foldable = row.is_open is not None and not row.is_head
        match command.id:
            case "chat.fold":
                return "" if is_foldable else command.title
            case "chat.tick":
                return command.title if is_foldable else ""
            case "chat.open":
                return command.title if row.is_open is False else ""
            case "chat.close":
                return "fold" if row.is_open else command.title
            case "chat.value":
                values = self._decided.of_call(found, row.turn, row.call) if row.call is not None else []
                return _NEXT_TITLES[values[0][1]] if values else ""
            case "chat.values":
                return command.title if self._decided.values(found) else ""
        return command.title

    # --- volatile values -------------------------------------------------------------------------------------

    def decide(self) -> None:
        """Keep or drop the volatile values of the selected call."""
        found, chat = self._screen.found_here, self._screen.chat
        if found is None or (row := chat.row) is None:
            return
        if row.call is None:
            all_values = key_of("chat.values")
            self._screen.status.say(f"Select a tool call marked ≈, or press {all_values} for all tool calls.")
            return
        decision = self._decided.cycle(found, row.turn, row.call)
        if decision is None:
            self._screen.status.say("This tool call has no argument marked ≈.")
            return
        chat.show_turn(row.turn)
        names = [str(value.path[-1]) for value, _ in self._decided.of_call(found, row.turn, row.call)]
        self._screen.status.say(f"{', '.join(names[:3])}: {_DECIDED[decision]}.")

    def decide_all(self) -> None:
        """Keep or drop all volatile values of the selected conversation."""
        found = self._screen.found_here
        decision = self._decided.cycle(found) if found is not None else None
        if found is None or decision is None:
            self._screen.status.say("This conversation has no argument marked ≈ (likely to change).")
            return
        self._screen.chat.show_again()
        count = counted(len(self._decided.values(found)), "value")
        self._screen.status.say(f"{count} marked ≈: {_DECIDED[decision]}.")

    # --- what is to be added ---------------------------------------------------------------------------------

    def picks(self, *, adds_turns: bool) -> list[Pick]:
        """The ticked turns; else the selected turn if turns are added, or the selected conversation."""
        found = self._screen.found_here
        if picks := self._ticks.picks:
            return picks
        if found is None:
            return []
        if not adds_turns:
            return [Pick(found, found.countable_turns)]
        return [Pick(found, [turn])] if (turn := self.turn_here()) is not None else []

    def turn_here(self) -> int | None:
        """The selected turn, from 0. In the list: the only turn that counts, else None."""
        found, row = self._screen.found_here, self._screen.chat.row
        if found is None:
            return None
        if self._screen.chat.has_focus:
            return row.turn if row is not None and row.turn >= 0 else None
        return found.countable_turns[0] if len(found.countable_turns) == 1 else None
