"""The questions that the editor asks before it goes on, with their sentences."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from textual.content import Content

from evaltui.printable import printable
from evaltui.tui.commands import Command, commands_at, key_of
from evaltui.tui.screens.question_dialog import QuestionDialog

if TYPE_CHECKING:
    from textual.screen import Screen

    from evaltui.tui.session.session import Session


def quit_question(
    session: Session,
    show_unsaved: Callable[[], Screen[None]],
    then: str = "quit",
    unsaved: str = "",
    *,
    journalled: bool = False,
) -> QuestionDialog:
    """Asked before quitting with unsaved changes: `save`, `discard` or `stay`.

    `then` is what follows unless one stays. `unsaved` says what is unsaved, if not the session does. `journalled` is
    whether drafts can outlive the session.
    """

    def title_of(command: Command) -> str:
        return f"{command.title.replace('quit', then)}{_fate_of_drafts(session, command.id, journalled=journalled)}"

    sentence = f"{session.file_name}: {unsaved}." if unsaved else _unsaved_sentence(session)
    return QuestionDialog("quit", sentence, title_of=title_of, unsaved=show_unsaved)


def _unsaved_sentence(session: Session) -> str:
    name, drafts = session.file_name, session.drafts.said()
    if session.disk.is_lost:
        return f"{name}: {session.disk.trouble}. Its text is in memory only."
    if drafts and not session.document.is_dirty:
        return f"{name}: {drafts}."
    return f"{name} has unsaved changes. {drafts}".rstrip() + "." * bool(drafts)


def _fate_of_drafts(session: Session, command: str, *, journalled: bool) -> str:
    """The words about drafts on the button of a command; "" if there are none, or if it keeps them."""
    drafts = session.drafts.counted()
    if not drafts or command not in ("quit.save", "quit.discard"):
        return ""
    if command == "quit.discard":
        return f" ({drafts} lost, too)" if session.document.is_dirty else f" ({drafts} lost)"
    return f" ({drafts} kept for next time)" if journalled else f" ({drafts} lost: no journal)"


def reload_question(file_name: str) -> QuestionDialog:
    """Asked before the file is reloaded while something is unsaved: `discard`, `merge` or `stay`."""
    return QuestionDialog("reload", f"{file_name} has unsaved changes. Reload the file?")


def overwrite_question(file_name: str) -> QuestionDialog:
    """Asked before a save removes changes of others, whose merge or reload was undone: `save`, `merge` or `stay`."""
    said = f"Saving removes changes that someone else made to {file_name} and you undid here."
    return QuestionDialog("overwrite", said)


def outside_question(called: str, problem: str) -> QuestionDialog:
    """Asked where the text that an editor left is no value for its place: `again`, `keep` or `drop`."""
    return QuestionDialog("outside", printable(f"{called}:\n{problem}.", keep_lines=True))


def pasted_question(count: int) -> QuestionDialog:
    """Shown after a paste of `count` characters, too many for a field. It keeps further keys from the form."""
    editor = f"{key_of('edit_outside')} edits it in $EDITOR"
    return QuestionDialog("pasted", f"Pasted {count:,} characters. The text is too long for a field:\n{editor}.")


def copy_question(forms: Collection[str]) -> QuestionDialog:
    """Asks for one of the `forms` in which a row or value can be copied; "" for none."""
    names = {command.id: command.action.split("'")[1] for command in commands_at("copy")}
    return QuestionDialog("copy", "Copy", without=[id for id, name in names.items() if name and name not in forms])


def fixes_question(counts: Mapping[str, int]) -> QuestionDialog:
    """Asks whether to do all safe fixes, with their number by rule: `fix`, or "" for none."""
    from evaltui.validation.rules.registry import RULES

    total, longest = sum(counts.values()), max(map(len, counts))
    fixes = {code: RULES[code].fix if code in RULES else "" for code in counts}
    details = [
        Content.assemble(f"{count:>6,}  {code:<{longest}}  ", (fixes[code], "dim")) for code, count in counts.items()
    ]
    question = Content.styled(f"{total:,} safe fix{'es' * (total != 1)}, as one step", "bold")
    return QuestionDialog("fixes", question, details=details)
