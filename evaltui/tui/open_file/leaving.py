"""Leaves a file: after a running save, or after a question if something would be lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.printable import printable
from evaltui.tui.base_app import OpenNext
from evaltui.tui.commands import key_of
from evaltui.tui.key_guards import SecondPress

if TYPE_CHECKING:
    from evaltui.tui.command import Command
    from evaltui.tui.open_file.open_file import OpenFile


class Leaving:
    """Quits or opens another file, unless unsaved changes would be lost."""

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self._following: OpenNext | None = None
        self.is_waiting = False
        """Whether to leave the file after the running save."""
        self.has_left = False
        self._inputs_when_leaving = 0
        """The number of inputs when the person asked to leave."""
        self._second_press = SecondPress(file.app)
        """The press that leaves although decisions are not saved."""

    def open_another(self) -> None:
        """Go to the list of eval sets; ask first if something would be lost."""
        self.leave(OpenNext())

    def say_how_to_quit(self) -> None:
        """For people who are used to ^c."""
        self._file.say(f"Press {key_of('quit')} to quit.")

    def show_unsaved(self) -> None:
        """Show unsaved changes: the diff to the file, and the drafts."""
        self._file.write_typed()  # what is being typed is unsaved, too
        if nothing := self._file.text.nothing_unsaved():
            self._file.say(nothing)
        else:
            self._file.app.push_screen(self._file.text.unsaved_screen())

    def leave(self, following: OpenNext | None = None) -> None:
        """Leave the file for another one; with None, quit. Ask first if something would be lost."""
        if self._file.is_agent_running and self._file.agent.keeps_open():
            return
        if (decisions := self._file.decisions_in_use) is not None:
            decisions.write_rest()  # the folder may be writable again
            unsaved = decisions.unwritten()
            if unsaved and not self._second_press.is_second(unsaved):
                self._file.tell(f"{unsaved} Press {key_of('quit')} again to leave without saving.")
                return
        self._following = following
        # A save on a network mount may never end, so a second key press does not wait.
        has_waited, self.is_waiting = self.is_waiting, False
        if not has_waited and self._file.saver.saves_everything():
            self.is_waiting, self._inputs_when_leaving = True, self._file.app.input_order.inputs
            step = f"{'Opens' if following else 'Quits'}{_name_of(following)}"
            self._file.tell(f"{step} after the save. Press {key_of('quit')} again to leave without waiting.")
        elif self._file.text.would_lose():
            self._ask()
        else:
            self._go(following)

    def _go(self, following: OpenNext | None) -> None:
        self.has_left = True
        self._file.app.exit(following)

    def leave_or_go_back(self) -> None:
        """Leave: to the list if the person came from there, else quit."""
        self.leave(OpenNext() if self._file.app.came_from_list else None)

    def save_ended(self, *, is_saved: bool) -> None:
        """Leave if that was asked for during the save; ask if something is still unsaved."""
        if self._file.saving:
            return
        self.is_waiting = False
        if self._file.text.would_lose():
            # Keys pressed since then were not meant as an answer, and one of them would discard the changes.
            input_order = self._file.app.input_order
            has_gone_on = self._inputs_when_leaving != input_order.inputs or bool(input_order.held)
            if self._file.is_free and not has_gone_on:
                self._ask()
        elif is_saved:
            self._go(self._following)

    def _ask(self) -> None:
        from evaltui.tui.screens.questions import QuestionDialog

        file, following = self._file, self._following
        step = f"{'open' if following else 'quit'}{_name_of(following)}"

        lost = " and ".join(filter(None, [file.drafts.counted(), "trial criteria" * bool(file.said_trial())]))
        is_kept = file.journal is not None and not file.journal.problem

        def title_of(command: Command) -> str:
            fate = ""
            if lost and command.id == "quit.discard":
                fate = f" ({lost} lost, too)" if file.document.is_dirty else f" ({lost} lost)"
            elif lost and command.id == "quit.save":
                fate = f" ({lost} kept for next time)" if is_kept else f" ({lost} lost: no journal)"
            return f"{command.title.replace('quit', step)}{fate}"

        def answered(answer: str | None) -> None:
            file.keeps_drafts = answer == "save"  # who discards everything wants no drafts back
            if answer == "save":
                file.saver.save(follow_up=lambda: self._go(following))
            elif answer == "discard":
                self._go(following)

        text, without = file.text, ["quit.save"] if file.readonly else []
        question = QuestionDialog("quit", text.loss(), title_of=title_of, unsaved=text.unsaved_screen, without=without)
        file.app.push_screen(question, answered)


def _name_of(following: OpenNext | None) -> str:
    """The name of the next file for a sentence: " the list", " trips-dataset.json"; "" for quitting."""
    if following is None:
        return ""
    return f" {printable(following.path.name)}" if following.path is not None else " the list"
