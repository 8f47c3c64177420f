"""What an edit means for the file, and how it is told from what it does."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from .scenario import Scenario, scenario
from .sets import in_camel_case


@dataclass(frozen=True)
class Editing:
    """Keys, from the tree with the first case selected, and the text of the file they change."""

    keys: Callable[[Scenario], Awaitable[None]]
    before: str
    after: str
    count: int = 1
    """In how many places."""

    def done_to(self, original: str) -> str:
        """The file with nothing but this edit done to it."""
        before, after = self.before, self.after
        if '"evalId"' in original:
            before, after = in_camel_case(before), in_camel_case(after)
        assert original.count(before) == self.count
        return original.replace(before, after)


async def saving_changes_nothing_else(text: str, editing: Editing) -> None:
    """Make the edit, save, compare."""
    async with scenario(text) as s:
        await editing.keys(s)
        assert s.is_dirty
        assert s.file_bytes() == s.original
        assert (await s.saved()).decode() == editing.done_to(text)
        assert "saved set.evalset.json" in s.status
        assert not s.is_dirty


async def undo_and_redo(text: str, editing: Editing) -> None:
    """Make the edit, take it back, do it again; everything shown keeps up."""
    async with scenario(text) as s:
        await editing.keys(s)
        edited = s.bytes()
        assert edited.decode() == editing.done_to(text)
        s.expect_rows_and_form_of_the_document()
        await s.press("ctrl+z")
        assert s.bytes() == s.original
        assert not s.is_dirty
        assert "undone: " in s.status
        s.expect_rows_and_form_of_the_document()
        await s.press("ctrl+y")
        assert s.bytes() == edited
        assert s.is_dirty
        assert "redone: " in s.status
        s.expect_rows_and_form_of_the_document()
        await s.press("ctrl+z", "ctrl+z")
        assert "Nothing to undo." in s.status
