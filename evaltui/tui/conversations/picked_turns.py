"""Keys of the conversations screen that pick: ticks, decisions about volatile values, and the turns to add."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from evaltui.tui.command import Command
from evaltui.tui.commands import key_of
from evaltui.tui.conversations.chat_list import ChatList
from evaltui.tui.recordings.conversation_additions import AddTarget, Pick
from evaltui.tui.recordings.found_conversations import FoundConversation
from evaltui.tui.recordings.turn_ticks import TurnTicks, omitted_turns, whole
from evaltui.tui.recordings.value_decisions import DECIDED, ValueDecisions

if TYPE_CHECKING:
    from evaltui.tui.conversations.conversations_screen import ConversationsScreen

_OF_NEXT = {"found": "drop ≈", "dropped": "keep ≈", "kept": "undecide ≈"}
"""The title of the key after each decision: it makes the next one."""


class PickedTurns:
    """The actions that tick and decide, and the turns to add."""

    def __init__(self, view: ConversationsScreen, chat: ChatList, ticks: TurnTicks, decided: ValueDecisions) -> None:
        self._view, self._chat, self._ticks, self._decided = view, chat, ticks, decided

    # --- ticks -------------------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Tick the selected conversation, or untick it, and go on to the next."""
        found = self._view.found_here
        if found is None:
            return
        why = self._ticks.toggle(found)
        self._view.show_ticks()
        self._view.say(why or self._said(found))
        if not why:
            self._view.go_on()

    def _said(self, found: FoundConversation) -> str:
        said = self._ticks.said() or "Nothing is ticked"
        ticked = self._ticks.turns(found)
        left = omitted_turns([turn for number, turn in enumerate(found.turns) if number not in ticked])
        if ticked and left:
            return f"{said}. Not ticked: {left}."
        return f"{said}."

    def tick_all(self) -> None:
        """Tick all listed conversations that are no case yet, the oldest first; untick them if all are ticked.

        Conversations of evaluations and of other apps are ticked only if no other conversation is listed.
        """
        groups = Counter(map(self._view.group_of, self._view.listed))
        listed = [each for each in self._view.listed if not groups[0] or self._view.group_of(each) == 0]
        others, evaluations = (groups[2], groups[1]) if groups[0] else (0, 0)
        unknown = [each for each in listed if not each.known_as and whole(each)]
        ticked = [each for each in unknown if self._ticks.state(each) == "all"]
        for found in ticked if len(ticked) == len(unknown) else reversed(unknown):
            if len(ticked) == len(unknown) or self._ticks.state(found) != "all":
                self._ticks.toggle(found)
        self._view.show_ticks(everywhere=True)
        known = sum(bool(each.known_as) for each in listed)
        left = [f"{known:,} already in the set" if known else "", f"{others:,} of other apps" if others else ""]
        left += [f"{evaluations:,} of evaluations"] * bool(evaluations)
        not_ticked = f" Not ticked: {', '.join(filter(None, left))}." if any(left) else ""
        self._view.say(f"{self._ticks.said() or 'Nothing is ticked'}.{not_ticked}")

    def tick_turn(self) -> None:
        """Tick the turn of the selected line, or untick it."""
        found, row = self._view.found_here, self._chat.row
        if found is None or row is None or row.turn < 0:
            return
        why = self._ticks.toggle_turn(found, row.turn)
        self._view.show_ticks()
        rewound = " A rewind removed this turn from the session." if found.turns[row.turn].is_rewound else ""
        is_ticked = self._ticks.is_ticked(found, row.turn)
        self._view.say(why or f"{self._ticks.said() or 'Nothing is ticked'}.{rewound if is_ticked else ''}")

    def tick_or_fold(self) -> None:
        """Fold or unfold the selected row; if it cannot be unfolded, tick its turn."""
        row = self._chat.row
        if row is not None and row.is_open is not None and not row.is_head:
            self._chat.fold(is_open=not row.is_open)
        else:
            self.tick_turn()

    def untick_all(self) -> None:
        """Remove all ticks."""
        had = self._ticks.conversations
        self._ticks.clear()
        self._view.show_ticks(everywhere=True)
        self._view.say("All ticks are removed." if had else "Nothing is ticked.")

    def title_of(self, command: Command) -> str:
        """The title of a command for the selected row of the turns; "" if it would do nothing there."""
        found, row = self._view.found_here, self._chat.row
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
                return _OF_NEXT[values[0][1]] if values else ""
            case "chat.values":
                return command.title if self._decided.values(found) else ""
        return command.title

    # --- volatile values ---------------------------------------------------------------------------------------

    def decide(self) -> None:
        """Keep or drop the volatile values of the selected call."""
        found, row = self._view.found_here, self._chat.row
        if found is None or row is None:
            return
        if row.call is None:
            self._view.say(f"Select a tool call marked ≈, or press {key_of('chat.values')} for all tool calls.")
            return
        decision = self._decided.cycle(found, row.turn, row.call)
        if decision is None:
            self._view.say("This tool call has no argument marked ≈.")
            return
        self._chat.show_turn(row.turn)
        names = [str(value.path[-1]) for value, _ in self._decided.of_call(found, row.turn, row.call)]
        self._view.say(f"{', '.join(names[:3])}: {DECIDED[decision]}.")

    def decide_all(self) -> None:
        """Keep or drop all volatile values of the selected conversation."""
        found = self._view.found_here
        decision = self._decided.cycle(found) if found is not None else None
        if found is None or decision is None:
            self._view.say("This conversation has no argument marked ≈ (likely to change).")
            return
        self._chat.show_again()
        count = len(self._decided.values(found))
        self._view.say(f"{count:,} value{'s' * (count != 1)} marked ≈: {DECIDED[decision]}.")

    # --- what is to be added -----------------------------------------------------------------------------------

    def picks(self, target: AddTarget) -> list[Pick]:
        """The ticked turns; else the selected turn if turns are added, or the selected conversation."""
        ticked = [Pick(found, self._ticks.turns(found)) for found in self._ticks.conversations]
        if ticked:
            return ticked
        found = self._view.found_here
        if found is None:
            return []
        if target.turn is None:
            return [Pick(found, whole(found))]
        return [Pick(found, [turn])] if (turn := self.turn_here()) is not None else []

    def turn_here(self) -> int | None:
        """The selected turn, from 0. In the list: the only turn that counts, else None."""
        found, row = self._view.found_here, self._chat.row
        if found is None:
            return None
        if self._view.is_in_chat:
            return row.turn if row is not None and row.turn >= 0 else None
        turns = whole(found)
        return turns[0] if len(turns) == 1 else None
