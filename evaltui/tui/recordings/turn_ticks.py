"""Keys of the screen to add conversations: ticks of turns, and decisions about their volatile values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from evaltui.tui.command import Command
from evaltui.tui.commands import key_of
from evaltui.tui.lines import counted
from evaltui.tui.recordings.found_conversations import Picks, ValueDecision, why_no_case_turn

if TYPE_CHECKING:
    from evaltui.recordings.conversation import RecordedTurn
    from evaltui.tui.recordings.add_screen import AddScreen

_NEXT_TITLES: Mapping[ValueDecision, str] = {"undecided": "drop ≈", "dropped": "keep ≈", "kept": "undecide ≈"}
"""The title of the key after each decision: it makes the next one."""
_DECIDED: Mapping[ValueDecision, str] = {
    "undecided": "undecided (≈), written as recorded",
    "kept": "kept, no longer marked ≈",
    "dropped": "dropped from the expected tool call. The case fails unless the criterion sets ignore_args",
}


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


class TickCommands:
    """Keys of the screen to add conversations: ticks, decisions about values, and the turns to add."""

    def __init__(self, screen: AddScreen) -> None:
        self._screen, self._found = screen, screen.found

    # --- ticks -----------------------------------------------------------------------------------------------

    def _show_ticks(self, more: str, why: str = "") -> None:
        """Show changed ticks, and say how many there are, or why there is no further one."""
        self._screen.show_ticks()
        self._screen.status.say(why or f"{self._found.ticked_text() or 'Nothing is ticked'}.{more}")

    def tick(self) -> None:
        """Tick the selected conversation, or untick it, and go on to the next."""
        entry = self._screen.conversations.selected
        if entry is None:
            return
        why, ticked = self._found.toggle(entry), self._found.ticked.get(entry, ())
        # The turns that the tick left out would surprise a person later, in the new case.
        omitted = omitted_turns(turn for number, turn in enumerate(entry.turns) if number not in ticked)
        self._show_ticks(f" Not ticked: {omitted}." if ticked and omitted else "", why)
        if not why:
            self._screen.shown_list.move(1)

    def tick_all(self) -> None:
        """Tick all listed conversations that are no case yet, the oldest first; untick them if all are ticked.

        Conversations of evaluations and of other apps are ticked only if no other conversation is listed.
        """
        found, listed = self._found, self._found.shown
        groups = Counter(map(found.group_of, listed))
        # A person who ticks all means conversations with the own agent, unless the filter left only others.
        chosen = [entry for entry in listed if not groups[0] or found.group_of(entry) == 0]
        unknown = [entry for entry in chosen if not entry.known_as and entry.countable_turns]
        unticked = [entry for entry in unknown if found.tick_state(entry) != "all"]
        # Cases are added in the order of the ticks, and the oldest conversation is the last of the list.
        for entry in reversed(unticked or unknown):
            found.toggle(entry)
        counts = {"already in the set": sum(bool(entry.known_as) for entry in chosen)}
        if groups[0]:
            counts |= {"of other apps": groups[2], "of evaluations": groups[1]}
        omitted = ", ".join(f"{count:,} {reason}" for reason, count in counts.items() if count)
        self._show_ticks(f" Not ticked: {omitted}." if omitted else "")

    def tick_turn(self) -> None:
        """Tick the turn of the selected line, or untick it."""
        entry, row = self._screen.conversations.selected, self._screen.chat.row
        if entry is None or row is None or row.turn < 0:
            return
        why = self._found.toggle_turn(entry, row.turn)
        is_rewound = entry.turns[row.turn].is_rewound and row.turn in self._found.ticked.get(entry, ())
        self._show_ticks(" A rewind removed this turn from the session." if is_rewound else "", why)

    def tick_or_fold(self) -> None:
        """Fold or unfold the selected row; if it cannot be unfolded, tick its turn."""
        # Space folds a long row, but ticks its turn on the first row of the turn, where the tick stands.
        row, chat = self._screen.chat.row, self._screen.chat
        if row is not None and chat.can_fold and row.kind != "user":
            chat.toggle()
        else:
            self.tick_turn()

    def untick_all(self) -> None:
        """Remove all ticks."""
        has_ticks = bool(self._found.ticked)
        self._found.ticked.clear()
        self._screen.show_ticks()
        self._screen.status.say("All ticks are removed." if has_ticks else "Nothing is ticked.")

    def title_of(self, command: Command) -> str:
        """The title of a command for the selected row of the turns; "" if it would do nothing there."""
        entry, chat, row = self._screen.conversations.selected, self._screen.chat, self._screen.chat.row
        if entry is None or row is None:
            return command.title if command.id in ("chat.close", "chat.list") else ""
        is_foldable, is_open = chat.can_fold and row.kind != "user", self._screen.drawing.is_open(row)
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
                values = entry.values.get((row.turn, row.call), {}) if row.call is not None else {}
                return _NEXT_TITLES[next(iter(values.values()))] if values else ""
            case "chat.values":
                return command.title if entry.values else ""
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
        elif (decision := entry.decide((row.turn, row.call))) is None:
            self._screen.status.say("This tool call has no argument marked ≈.")
        else:
            chat.redraw(row.key)
            names = [str(value.path[-1]) for value in entry.values[row.turn, row.call]]
            self._screen.status.say(f"{', '.join(names[:3])}: {_DECIDED[decision]}.")

    def decide_all(self) -> None:
        """Keep or drop all volatile values of the selected conversation."""
        entry = self._screen.conversations.selected
        if entry is None or (decision := entry.decide()) is None:
            self._screen.status.say("This conversation has no argument marked ≈ (likely to change).")
            return
        self._screen.chat.redraw()
        count = counted(sum(map(len, entry.values.values())), "value")
        self._screen.status.say(f"{count} marked ≈: {_DECIDED[decision]}.")

    # --- what is to be added ---------------------------------------------------------------------------------

    def picks(self, *, adds_turns: bool) -> Picks:
        """The ticked turns; else the selected turn if turns are added, or the selected conversation."""
        entry = self._screen.conversations.selected
        if self._found.ticked or entry is None:
            return {**self._found.ticked}
        if not adds_turns:
            return {entry: entry.countable_turns}
        return {entry: [turn]} if (turn := self.turn_here()) is not None else {}

    def turn_here(self) -> int | None:
        """The selected turn, from 0. In the list: the only turn that counts, else None."""
        entry, row = self._screen.conversations.selected, self._screen.chat.row
        if entry is None:
            return None
        # The list shows no turn as selected, so there the only countable turn is meant.
        if self._screen.chat.has_focus:
            return row.turn if row is not None and row.turn >= 0 else None
        return entry.countable_turns[0] if len(entry.countable_turns) == 1 else None
