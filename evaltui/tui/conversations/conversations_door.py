"""Opens the conversations screen from the editor, and adds the picked conversations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError, EditError
from evaltui.tui.commands import key_of
from evaltui.tui.messages import in_past_tense
from evaltui.tui.open_file.score_sentences import why_no_conversations

if TYPE_CHECKING:
    from evaltui.recordings.conversation import ConversationKey
    from evaltui.tui.conversations.adding_keys import MakeAddition
    from evaltui.tui.editor.edit_screen import EditScreen
    from evaltui.tui.recordings.conversation_additions import AddTarget


class ConversationsDoor:
    """Opens the conversations at the selected row."""

    def __init__(self, screen: EditScreen) -> None:
        self._screen, self._file, self._panes = screen, screen.file, screen.panes

    def conversations(self) -> None:
        """Show conversations, to add some after the selected row."""
        panes, eval_set = self._panes, self._file.eval_set
        if eval_set is None:
            panes.status.say(why_no_conversations(self._file))
            return
        if self._file.readonly:
            panes.status.say(self._file.refusal)
            return
        if panes.outline.root is not eval_set.root:
            panes.status.say(f"Press {key_of('list.back')} to go back to the cases. Add conversations there.")
            return
        panes.form.write_typed()
        from evaltui.tui.recordings.conversation_additions import AddTarget, target_at

        is_of_tree = panes.current in ("tree", "form")
        self._open(target_at(eval_set, panes.tree.selected) if is_of_tree else AddTarget(self._screen.case_here()))

    def show_conversation(self, key: ConversationKey) -> None:
        """Show one conversation, to add it as a case after the selected one."""
        from evaltui.tui.recordings.conversation_additions import AddTarget

        self._open(AddTarget(self._screen.case_here()), key)

    def _open(self, target: AddTarget, only: ConversationKey | None = None) -> None:
        from evaltui.tui.conversations.conversations_screen import ConversationsScreen

        panes, screen = self._panes, ConversationsScreen(self._file, target, only)

        def left(_: str | None) -> None:
            if (wanted := screen.wanted) is None:
                return
            is_case = target.turn is None
            if screen.said_meanwhile:
                panes.status.say(screen.said_meanwhile)
                self._file.app.input_order.call_in_next_frame(
                    panes.status.screen, lambda: self._add(wanted, is_case=is_case)
                )
            else:
                self._add(wanted, is_case=is_case)

        self._file.app.push_screen(screen, left)

    def _add(self, make: MakeAddition, *, is_case: bool) -> None:
        """Add as one undo step. The first new row is selected; for a case, its eval_id is opened for typing."""
        status, eval_set = self._panes.status, self._file.eval_set
        try:
            if eval_set is None:
                raise EditError("The file is no longer an eval set.")
            addition = make(eval_set)
        except DocumentError as error:
            status.say(str(error))
            return
        if self._screen.reviser.apply(addition.revision, goto_new=True, begin=is_case):
            return
        undo = key_of("field.undo" if is_case else "list.undo")
        said = [in_past_tense(addition.revision.label), *addition.remarks]
        status.say(" · ".join(said), f"{undo}: undo")
