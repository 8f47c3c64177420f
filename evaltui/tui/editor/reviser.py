"""Revisions of the document, and the questions before them. No pane changes the document itself."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError, PointerError
from evaltui.evalset.editing.revision import Revision
from evaltui.files.typed_paths import file_to_write
from evaltui.printable import printable
from evaltui.tui.forms.form import Choice, Field, Stop
from evaltui.tui.messages import in_past_tense, undo_said
from evaltui.tui.open_file.drafts import DraftPlace
from evaltui.tui.open_file.edited_document import EditedDocument

if TYPE_CHECKING:
    from evaltui.tui.criteria.criteria_screen import CriteriaScreen
    from evaltui.tui.editor.edit_screen import EditScreen


class Reviser:
    """Applies revisions as undo steps, and asks the questions before them."""

    def __init__(self, screen: EditScreen | CriteriaScreen, edited: EditedDocument | None = None) -> None:
        """`edited` is the document that changes, such as the config of the criteria; by default the open file."""
        self._edited: EditedDocument = edited or screen.file
        self._screen, self._status = screen, screen.status
        self._repeated = ("", "")
        """The label of the last step and its message, which stays the same while a person types on."""

    def apply(
        self,
        revision: Revision,
        *,
        merge_key: Hashable = None,
        instead_of: DraftPlace | None = None,
        relabel: Callable[[], str] | None = None,
        goto_new: bool = False,
        begin: bool = False,
        message: str = "",
    ) -> str:
        """Apply a revision and show its change; returns why it failed, which the status line says, or "".

        `instead_of` is the place of a draft that the revision replaces. `relabel` gives the label after the revision,
        for labels with a name that the revision changes. With `goto_new`, the cursor goes to the added value; `begin`
        also starts editing it. `message` is the message afterwards; by default, the label.
        """
        status = self._status
        try:
            change = self._edited.apply(revision, merge_key, instead_of)
        except DocumentError as error:
            status.say(reason := reason_of(error))
            return reason
        if change is None:
            status.say("")
            return ""
        if relabel is not None and revision.edits:
            change = self._edited.document.relabel(change, relabel())
        if merge_key is None or (change.label, status.text) != self._repeated:
            remark = f" · {revision.remark}" if revision.remark else ""
            text = (message or f"{in_past_tense(change.label)}{remark}") if revision.edits else ""
            aside = undo_said(is_typing=self._screen.is_typing) if merge_key is None else ""
            status.say(text, aside, merge_key)  # before the change is shown: the display may add to it
            self._repeated = change.label, text
        self._screen.apply_change(change, goto_new=goto_new, begin=begin)
        return ""

    def try_to(self, make: Callable[[], Revision], *, goto_new: bool = False, begin: bool = False) -> bool:
        """Apply the revision of `make`, or say why it failed. Returns whether it was applied."""
        try:
            revision = make()
        except DocumentError as error:
            self._status.say(str(error))
            return False
        return not self.apply(revision, goto_new=goto_new, begin=begin)

    # --- questions -----------------------------------------------------------------------------------------

    def ask_name(
        self,
        question: str,
        text: str,
        make: Callable[[str], Revision],
        *,
        goto_new: bool = False,
        suggestions: Sequence[str] = (),
        is_path: bool = False,
        if_none: str = "",
    ) -> None:
        """Ask for a name, and apply the revision that `make` makes of it, or raises `EditError` for an invalid name.

        `if_none` is the message if the person cancels.
        """
        status = self._status
        if self._edited.readonly:  # else the refusal would come only after a name was typed
            status.say(self._edited.refusal)
            return

        from evaltui.tui.screens.text_dialogs import NameDialog

        def check(name: str) -> str:
            make(name)
            return name

        def answered(name: str | None) -> None:
            if name is None:
                if if_none:
                    status.say(if_none)
                return
            # It may fail although the dialog has checked the name: the file may be deleted since.
            self.try_to(lambda: make(name), goto_new=goto_new, begin=goto_new)

        dialog = NameDialog(question, text, check, suggestions, is_path=is_path)
        self._screen.app.push_screen(dialog, answered)

    def rename(self, line: Stop | None, refusal: str) -> None:
        """Ask for another name of the key of a line or row; show `refusal` if it has none to change."""
        if line is None or line.rename is None or line.node is None:
            self._screen.say(refusal)
        else:
            self.ask_name(f"New name for {printable(line.node.name)}", line.node.name, line.rename)

    def decide(self, place: DraftPlace, value: str, go_on: Callable[[], None]) -> None:
        """Ask whether an outdated draft or the newer `value` stays. `go_on` continues the draft."""
        from evaltui.tui.screens.questions import QuestionDialog

        drafts = self._edited.drafts
        draft = drafts.kept[place]
        label = f"drop draft of {draft.where}"

        def answered(answer: str | None) -> None:
            if answer == "draft":
                drafts.kept[place] = draft._replace(began=value)  # it replaces the newer value now
                go_on()
            elif answer == "drop":
                self.apply(Revision(label), instead_of=place)
                self._status.say(in_past_tense(label), undo_said())

        question = f"The value has changed since this draft was begun: {printable(draft.where)}."
        self._screen.app.push_screen(QuestionDialog("outdated", question), answered)

    def choose(self, question: str, choices: tuple[Choice, ...], field: Field | None = None) -> None:
        """Show the choices, and do the chosen one; a `field` gets the chosen or typed text."""
        from evaltui.tui.screens.choice_dialog import ChoiceDialog

        app = self._screen.app

        def chosen(choice: Choice) -> None:
            asked, suggestion = choice.question, choice.suggestion
            if choice.revise is not None:
                self.try_to(choice.revise, goto_new=True, begin=True)
            elif field is not None:
                self.apply(field.write(choice.label))
            elif choice.write is not None:
                self.ask_name(asked, suggestion, choice.write, goto_new=True, is_path=choice.is_path)
            elif (export := choice.export) is not None:
                from evaltui.tui.screens.text_dialogs import NameDialog

                dialog = NameDialog(asked, suggestion, lambda path: export(file_to_write(path)), is_path=True)
                app.ask(dialog, self._status.say)

        text = field.text if field is not None else ""
        check = field.write if field is not None and not field.is_fixed else None
        app.ask(ChoiceDialog(question, choices, text, check), chosen)


def reason_of(error: DocumentError) -> str:
    """A sentence about a failed edit, with the most important part first."""
    if isinstance(error, PointerError) and error.duplicate:
        return f"{error.duplicate}: delete the duplicate in a text editor first"
    return str(error)
