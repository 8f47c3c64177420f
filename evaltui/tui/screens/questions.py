"""The questions that the editor asks, and their dialog with a button for each answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, cast

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen, Screen
from textual.widgets import Button, Static

from evaltui.printable import printable
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, commands_at, key_name, key_of
from evaltui.tui.textual_compat import add_bindings
from evaltui.tui.widgets.line_view import LOW

if TYPE_CHECKING:
    from evaltui.tui.base_app import BaseApp


def overwrite_question(file_name: str, *, is_deleted: bool = False) -> QuestionDialog:
    """Asked before a save removes changes of others, whose merge or reload was undone: `save`, `merge` or `stay`."""
    changes = "changes that someone else made"
    if not is_deleted:
        return QuestionDialog("overwrite", f"Saving removes {changes} to {file_name} and you undid here.")
    # Without a file there is nothing to merge with.
    titles = {"overwrite.save": "save it again without their changes"}
    return QuestionDialog(
        "overwrite",
        f"{file_name} was deleted on disk. Your text lacks {changes} and you undid here.",
        without=["overwrite.merge"],
        title_of=lambda command: titles.get(command.id, command.title),
    )


def pasted_question(count: int) -> QuestionDialog:
    """Shown after a paste of `count` characters, too many for a field. It keeps further typing out of the form."""
    editor = f"Press {key_of('edit_outside')} to edit the text in $EDITOR"
    return QuestionDialog("pasted", f"Pasted {count:,} characters. The text is too long for a field.\n{editor}.")


def copy_question(forms: Collection[str]) -> QuestionDialog:
    """Asks in which of the `forms` to copy a row or value; "" for none."""
    offered = {"copy.cancel", *(f"copy.{form.lower()}" for form in forms)}
    return QuestionDialog(
        "copy", "Copy", without=[command.id for command in commands_at("copy") if command.id not in offered]
    )


def fixes_question(counts: Mapping[str, int]) -> QuestionDialog:
    """Asks whether to apply all safe fixes, with their number by rule: `fix`, or "" for none."""
    from evaltui.validation.rules.rule_registry import RULES

    total, longest = sum(counts.values()), max(map(len, counts))
    fixes = {code: RULES[code].fix if code in RULES else "" for code in counts}
    details = [(f"{count:>6,}  {code:<{longest}}  ", fixes[code]) for code, count in counts.items()]
    question = Content.styled(f"Apply {total:,} safe fix{'es' * (total != 1)} as one step?", "bold")
    return QuestionDialog("fixes", question, details=details)


class AnswerButton(Button):
    """An answer, with the key that gives it, in a line of the dialog."""

    def __init__(self, key: str, title: str, action: str) -> None:
        self.text = f"{key}  {title}"
        super().__init__(self.text, action=action, compact=True)
        self._key, self._title = key, title

    def render(self) -> Content:
        """The key and the title; on the selected answer also enter, if there is room."""
        # In reverse, the colour of the key would be a patch in the line.
        is_reversed = self.has_focus and self.app.native_ansi_color
        key = Content.styled(self._key, "bold" if is_reversed else "bold $text-accent")
        label = key + Content(f"  {self._title}")
        room = self.content_size.width - 2 * self.styles.line_pad - label.cell_length
        enter = "enter" if self.has_focus and room > len("enter") else ""
        return label.pad_right(max(0, room - len(enter))) + Content(enter)


class QuestionDialog(ModalScreen[str]):
    """Dialog with a question and a button for each answer. Returns the answer of the chosen command."""

    def __init__(
        self,
        place: str,
        question: str | Content,
        *,
        details: Sequence[tuple[str, str]] = (),
        without: Collection[str] = (),
        title_of: Callable[[Command], str] = lambda command: command.title,
        unsaved: Callable[[], Screen[None]] | None = None,
    ) -> None:
        """The answers are the commands of `place`, except those whose id is in `without`.

        `question` must be safe to show; `details` are heads, each with its text, that scroll below it. `title_of`
        gives the text of a button. `unsaved` makes the screen for the answer that shows unsaved changes.
        """
        super().__init__()
        self.PLACE = place
        self._question, self._details = Content(question) if isinstance(question, str) else question, details
        self._answers = [command for command in commands_at(place) if command.id not in without]
        self._title_of, self._unsaved = title_of, unsaved
        self._asked_at = monotonic()
        rows = [binding for binding in bindings(place) if isinstance(binding, Binding)]
        add_bindings(self, [binding for binding in rows if binding.id not in without])

    def compose(self) -> ComposeResult:
        """The question, its details and the answers."""
        with Vertical(classes="dialog help" if self._details else "dialog"):
            keys = [key_name(command.keys.split(",")[0]) for command in self._answers]
            answers = [
                AnswerButton(
                    f"{key:>{max(map(len, keys))}}", self._title_of(command), f"app.run_command({command.id!r})"
                )
                for key, command in zip(keys, self._answers, strict=True)
            ]
            yield Question(self._question, [" "] * bool(self._details) + [answer.text for answer in answers])
            yield from self.compose_details()
            yield from answers

    def compose_details(self) -> ComposeResult:
        """The lines between the question and its answers."""
        if self._details:
            with VerticalScroll(id="details"):
                for head, text in self._details:
                    with Horizontal():
                        yield Static(head, markup=False)
                        yield Static(text, markup=False, classes="said")

    def answer(self, answer: str) -> None:
        """Close with an answer, if its key was typed after the question was asked."""
        # A key typed ahead was meant for the screen behind: it must not overwrite a file. A copy changes nothing.
        is_answer = cast("BaseApp", self.app).input_order.typed_at > self._asked_at
        if is_answer or self.PLACE == "copy":
            self.dismiss(answer)

    def leave(self, answer: str) -> None:
        """Close with an answer that changes nothing."""
        # Also if its key was typed before the question was asked.
        self.dismiss(answer)

    def show_unsaved(self) -> None:
        """Show the unsaved changes in front of the question."""
        if self._unsaved is not None:
            self.app.push_screen(self._unsaved())


def lines_of_dialog(terminal: Size) -> int:
    """The most lines inside a dialog."""
    return terminal.height if terminal.height < LOW else terminal.height * 9 // 10 - 2


class Question(Static):
    """The question of a dialog."""

    def __init__(self, question: Content, below: Sequence[str] = ("", "", "")) -> None:
        """`below` are the texts in the dialog that must stay visible: the answers, or room for a text box."""
        super().__init__(question, classes="question", markup=False)
        self._below = below

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The lines of the question, as far as there is room."""
        # In a low terminal the answers or the text box must stay visible, and their lines are cut instead of wrapped.
        wraps = viewport.height >= LOW
        below = sum(len(Content(text).wrap(max(2, width))) if wraps else 1 for text in self._below)
        room = lines_of_dialog(viewport) - below
        return min(super().get_content_height(container, viewport, width), max(1, room))


class Objection(Static):
    """Takes no room while there is nothing to object."""

    def __init__(self) -> None:
        super().__init__(id="objection", markup=False)
        self.display = False

    def say(self, text: str) -> None:
        """Show a text, which may be untrusted; an empty one hides the line."""
        self.update(Content(printable(text)))
        self.display = bool(text)
