"""Keep keys from acting that were meant for a place that did not open, or whose effect nobody has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

from textual import events
from textual.screen import Screen

from evaltui.tui.command import Command
from evaltui.tui.commands import CHANGING, OPENED_BY, commands_of, is_harmless, key_name
from evaltui.tui.widgets.line_view import has_room

if TYPE_CHECKING:
    from evaltui.tui.base_app import BaseApp
    from evaltui.tui.panes.title_and_status import StatusBar

_TEXT = frozenset({"field", "name", "value", "choice", "replace", "filter", "jump"})
"""Places where letters are typed as text."""
_TYPED_INTO = frozenset({"field", "filter"})
"""Places where a person sees the letters that are typed after a key that opened nothing."""
_DELETING = frozenset({"delete", "backspace", "ctrl+backspace", "alt+backspace"})
_OF_PLACE = frozenset({"undo", "redo", "list.quit"}) | {
    f"form.{end}" for end in ("add", "more", "delete", "delete_response", "rename", "type", "fresh", "toggle")
}
"""Ids of commands that do another thing at another place: undo in the review, back from a pane, edits of a line."""
_PAUSE = 1.0
"""Seconds after which a person has seen that nothing has opened."""
_NOTED_LATE = 0.02
"""The most seconds from the frame with a message to the note that it was drawn."""
_LEAVING = frozenset({"back", "quit", "leave", "close"})
"""Ends of ids of commands that lead elsewhere."""


@dataclass
class _Opener:
    """A key that opens another place, the state of the screen before it, and what happened since."""

    key: str
    opens: tuple[str, ...]
    screen: Screen[Any]
    place: str
    moves: int
    message: str = ""
    """The message in the status line before the key."""
    why: str = ""
    """Why letters wait, as a clause, if no key is the reason."""
    seen: float | None = None
    """When the screen was drawn after the key, or when a key was last ignored, by `time.monotonic`."""
    has_ignored: bool = False
    reason: str = ""
    """What the key said about why it opened nothing."""
    sentence: str = ""
    """The last sentence about an ignored key."""

    def note_drawn(self) -> None:
        """Remember when the screen was drawn, unless a key was ignored since."""
        self.seen = self.seen or monotonic()


class OpenerGuard:
    """Ignores letters after a key that should have opened a place and could not, such as `d` after `R`.

    All letters are ignored until a pause, esc, enter or another key that types nothing, but not a first one that moves,
    that would have done the same there, or that the message names. The status line says so.
    """

    def __init__(self, app: BaseApp) -> None:
        self._app = app
        self._opener: _Opener | None = None

    def note(self, command: Command, key: str = "") -> None:
        """Remember the state before a command runs, if it opens a place: at once, or after work in a thread."""
        place, moves, message = self._state()
        opens = () if place in _TYPED_INTO else OPENED_BY.get(command.does, ())
        if self._opener is not None and opens:  # it opened nothing, and letters for it may still follow
            opens = (*self._opener.opens, *opens)
        self._opener = None
        if opens:
            key = key or command.keys.split(",")[0]
            self._opener = _Opener(key, opens, self._app.screen, place, moves, message)
            self._app.screen.call_after_refresh(self._opener.note_drawn)

    def hold(self, why: str) -> None:
        """Ignore letters until a pause: what they act on came or went by itself. `why` is a clause."""
        place, moves, _ = self._state()
        screen, now = self._app.screen, monotonic()
        self._opener = _Opener("", ("name",), screen, place, moves, why=why, seen=now, has_ignored=True)

    def ignores(self, event: events.Event) -> bool:
        """Whether a key or paste must not act. Call it once for each event, before the event acts."""
        if isinstance(event, events.MouseDown):
            self.forget()
        if not isinstance(event, (events.Key, events.Paste)) or event.is_forwarded:
            return False
        opener = self._opener
        if opener is not None and opener.seen is not None and event.time - opener.seen > _PAUSE:
            self.forget()
        elif opener is not None and self._is_meant_for_unopened(opener, event):
            opener.has_ignored, opener.seen = True, max(event.time, opener.seen or event.time)
            self._say(opener, event)
            return True
        if isinstance(event, events.Key):
            if self._opener is not None and self._opener.has_ignored and event.key in ("escape", "enter"):
                self.forget()
                for bar in self._bars():
                    bar.say("")
                return True
            is_typed = event.is_printable and getattr(self._app.screen.focused, "PLACE", "") in _TYPED_INTO
            if self._opener is not None or not is_typed:  # a letter in a text opens nothing
                self._note_key(event.key)
        return False

    def forget(self) -> None:
        """Let the next keys act: the last command opened something, such as an external editor."""
        self._opener = None

    # --- what the last key opened ----------------------------------------------------------------------------

    def _state(self) -> tuple[str, int, str]:
        """The place whose keys act, a number that grows with each change of the file, and the message shown."""
        file = self._app.file
        message = next((bar.text for bar in self._bars()), "")
        return self._app.place_of(), file.document.history.moves if file is not None else 0, message

    def _is_meant_for_unopened(self, opener: _Opener, event: events.Key | events.Paste) -> bool:
        place, moves, _ = self._state()
        has_opened = self._app.screen is not opener.screen or moves != opener.moves
        if not opener.why:
            has_opened = has_opened or place != opener.place or opener.place in opener.opens
        if has_opened:
            self.forget()
            return False
        is_text = not _TEXT.isdisjoint(opener.opens)
        if isinstance(event, events.Paste):
            return is_text
        commands = commands_of(event.key, place)
        if self._is_refused(commands):
            return False
        if opener.why and any(command.does in ("undo", "review.undo") for command in commands):
            return False
        if is_text and event.key in _DELETING:
            return True
        if opener.has_ignored:
            return event.is_printable or is_letter(event.key)
        if event.key == opener.key or is_harmless(event.key, place):
            return False
        if is_text:
            return event.is_printable
        return (is_letter(event.key) or event.key == "delete") and not (
            _does_the_same(event.key, opener) or self._is_named(event.key)
        )

    def _is_named(self, key: str) -> bool:
        """Whether the message about why a place did not open names a key: *No recordings. Press H to add one.*"""
        name = key_name(key)
        for bar in self._bars():
            words = [word.lstrip("(") for word in bar.text.split()]
            for previous, word in pairwise(["", *words]):
                is_key = name != "a" or previous.lower() == "press"  # the word `a` is no key
                if is_key and name in (word, word.rstrip(")."), word.rstrip(").,:")):
                    return True
        return False

    def _is_refused(self, commands: Sequence[Command]) -> bool:
        """Whether the key of these commands only says that the file is read-only."""
        file = self._app.file
        return file is not None and file.readonly and any(command.id in CHANGING for command in commands)

    # --- the next key ----------------------------------------------------------------------------------------

    def _note_key(self, key: str) -> None:
        """Remember the command that a key is about to run."""
        place = self._app.place_of()
        commands = sorted(commands_of(key, place), key=lambda command: command.place != place)  # its own first
        command = next((command for command in commands if self._app.does(command)), None)
        if command is not None and command.does in OPENED_BY:
            self.note(command, key)
        # After a letter that only moved or was refused, more letters may follow.
        elif self._opener is not None and (
            key in ("up", "down", "pageup", "pagedown") or not (is_harmless(key, place) or self._is_refused(commands))
        ):
            self.forget()

    def _bars(self) -> list[StatusBar]:
        from evaltui.tui.panes.title_and_status import StatusBar

        return list(self._app.screen.query(StatusBar))

    def _say(self, opener: _Opener, event: events.Key | events.Paste) -> None:
        subject = "Paste" if isinstance(event, events.Paste) else key_name(event.key)
        # What the command itself said is the best reason, unless it is an older message or one about ignored keys.
        _, _, message = self._state()
        if not opener.why and message not in (opener.message, opener.sentence):
            opener.reason = message
        if opener.reason:
            opener.sentence = f"{subject} ignored until a pause. {opener.reason}"
        else:
            why = opener.why or f"{key_name(opener.key)} has led nowhere yet"
            opener.sentence = f"{subject} ignored, because {why}. Keys act again after a pause."
        for bar in self._bars():
            bar.say(opener.sentence)


class SecondPress:
    """Tells whether a key was pressed twice in a row. The message that asks for the second press goes with any key."""

    def __init__(self, app: BaseApp) -> None:
        self._app = app
        self._shown: tuple[object, int] | None = None
        """What was shown, and the number of inputs then."""
        self._asked_at = 0.0
        self._drawn_at: float | None = None
        """When that was drawn, by `time.monotonic`."""
        self._messages: list[tuple[StatusBar, str]] = []
        """The status lines with what they said then."""

    def is_second(self, subject: object) -> bool:
        """Whether the previous key asked for the same; else this is the first press, and the caller shows it."""
        return self.is_answer(subject) or self.ask(subject)

    def is_answer(self, subject: object) -> bool:
        """Whether the previous key asked for the same."""
        # Two presses in one burst are two first ones: nobody has read what the second one does.
        typed_at, drawn_at = self._app.input_order.typed_at, self._drawn_at
        is_seen = drawn_at is not None and typed_at > max(self._asked_at, drawn_at - _NOTED_LATE)
        is_answer = self._shown == (subject, self._app.input_order.inputs - 1) and is_seen
        if is_answer:
            self._shown = None
        return is_answer

    def ask(self, subject: object) -> Literal[False]:
        """Wait for the second press from now on: the caller shows a message about it."""
        self._shown, self._asked_at, self._drawn_at = (subject, self._app.input_order.inputs), monotonic(), None
        self._app.second_press = self
        self._app.screen.call_after_refresh(self._note_drawn)
        return False

    def _note_drawn(self) -> None:
        from evaltui.tui.panes.title_and_status import StatusBar

        self._drawn_at = monotonic()
        self._messages = [(bar, bar.text) for bar in self._app.screen.query(StatusBar)]

    def drop_message(self) -> None:
        """Remove the message before the next key, click or paste acts, unless another one has replaced it."""
        for bar, text in self._messages:
            if bar.text == text:
                bar.say("")
        self._messages = []


def _does_the_same(key: str, opener: _Opener) -> bool:
    """Whether a key does here what it would have done in the place that did not open."""
    opened = {command.does for place in opener.opens for command in commands_of(key, place)}
    at_place = {command.does for command in commands_of(key, opener.place)} - _OF_PLACE
    return bool(opened) and opened <= at_place


def is_letter(key: str) -> bool:
    """Whether a key types a character, such as a letter or `?`; arrows have names of one character, too."""
    name = key_name(key)
    return key == "space" or (len(name) == 1 and name.isascii())


def lacks_room(app: BaseApp, event: events.Event) -> bool:
    """Whether a key or paste would act on a row that has no room on the screen."""
    if not isinstance(event, (events.Key, events.Paste)) or event.is_forwarded or has_room(app.screen):
        return False
    if isinstance(event, events.Paste):
        return True
    key, place = event.key, app.place_of()
    commands = commands_of(key, place)
    if any(command.id in CHANGING and command.id != "save" for command in commands):
        return True
    leads_elsewhere = is_harmless(key, place) or any(command.id.rpartition(".")[2] in _LEAVING for command in commands)
    return (is_letter(key) or key in ("enter", "delete", "backspace")) and (place == "field" or not leads_elsewhere)
