"""What an edit means for the file, and how it is told from what it does."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from tests.sampling import Extent
from tests.tui.scenario import Scenario, scenario
from tests.tui.sets import in_camel_case


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


async def assert_changes_nothing_else(text: str, editings: Mapping[str, Editing]) -> None:
    """Make each edit, take it back, do it again: the text differs by the edit alone, and all shown keeps up.

    The last one is saved.
    """
    async with scenario(text) as s:
        for name, editing in editings.items():
            try:
                await _assert_changes_nothing_else(s, editing)
            except BaseException as error:
                error.add_note(name)
                raise
            if editing is not list(editings.values())[-1]:
                await s.start_over()
        edited = s.bytes()
        assert s.file_bytes() == s.original
        assert await s.saved() == edited
        assert "Saved set.evalset.json" in s.status
        expect(s, edited, dirty=False)


async def _assert_changes_nothing_else(s: Scenario, editing: Editing) -> None:
    await editing.keys(s)
    edited = editing.done_to(s.original.decode()).encode()
    expect(s, edited, dirty=True)
    await s.press("ctrl+z")
    assert "Undone: " in s.status
    expect(s, s.original, dirty=False)
    await s.press("ctrl+z")
    assert "Nothing to undo." in s.status
    await s.press("ctrl+y")
    assert "Redone: " in s.status
    expect(s, edited, dirty=True)


def share(editings: Mapping[str, Editing], number: int, of: int) -> dict[str, Editing]:
    """One of so many shares of the edits; all of them in a thorough run."""
    return dict(editings if Extent.is_thorough else list(editings.items())[number::of])


def expect(s: Scenario, data: bytes, *, dirty: bool) -> None:
    """These would be saved, and everything on screen shows them."""
    assert s.bytes() == data
    assert s.is_dirty == dirty
    s.expect_rows_and_form_of_the_document()
