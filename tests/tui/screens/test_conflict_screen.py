"""The conflicts of a merge in small terminals, after a resize, and their help."""

import pytest

from evaltui.evalset.merge.three_way import Conflict
from evaltui.tui.lines import text_of
from evaltui.tui.screens.conflict_screen import ConflictScreen, VersionView
from tests.tui.editor.test_disk_changes import in_conflict, version
from tests.tui.scenario import NARROW, WIDE, Scenario, scenario
from tests.tui.sets import SNAKE

SMALL = (60, 15)
LONG = (
    "Thanks, that is a long sentence about the weather in Bergen and Oslo, and it goes on for a while, "
    "so that it is folded in every pane of the screen."
)
"""Folded into as many lines in 60 columns as in 80."""


async def long_conflict(s: Scenario) -> None:
    """Both sides change a text of several lines; the screen asks what to do."""
    await s.enter("Thanks, that", "Thanks, that")
    await s.type(" mine")
    await s.press("escape", "escape")
    s.path.write_bytes(s.file_bytes().replace(LONG.encode(), f"{LONG} theirs".encode()))
    await s.press("ctrl+s")


async def test_all_versions_are_wrapped_and_drawn_again_after_a_resize(monkeypatch: pytest.MonkeyPatch) -> None:
    wrap = VersionView.on_resize

    def draw_before_wrapping(view: VersionView) -> None:
        view.screen._compositor.render_strips()  # a slow terminal sees a frame between the layout and the wrapping
        wrap(view)

    monkeypatch.setattr(VersionView, "on_resize", draw_before_wrapping)
    async with scenario(SNAKE.replace('"Thanks"', f'"{LONG}"'), SMALL) as s:
        await long_conflict(s)
        for size in (NARROW, SMALL, WIDE, NARROW):
            await s.resize(*size)
            for view in s.app.screen.query(VersionView):
                left, top = view.content_region.offset
                drawn = s.screen()[top][left:].strip()
                assert drawn.startswith(text_of(view.line(0)).strip()), (size, view.id)
                assert len(drawn) > min(len(LONG), view.size.width) - 15, (size, view.id)
        await s.press("escape")


async def test_the_smallest_terminal_names_the_keys_that_answer_and_the_lines_out_of_sight() -> None:
    async with scenario(SNAKE.replace('"Thanks"', f'"{LONG}"'), SMALL) as s:
        await long_conflict(s)
        for part in ("enter merge", "esc back", "e edit", "? help"):
            assert part in s.keys
        s.expect("Before (o) · pgdn: 2 more lines", "On disk (t) · pgdn: 1 more line", "Both (b) · pgdn: 4 more lines")
        await s.press("pagedown")
        s.expect("Before (o) · pgdn: 1 more line ─", "On disk (t) ─", "Both (b) · pgdn: 3 more lines")
        await s.resize(*NARROW)
        s.expect("m mine  t on disk", "esc back  ? help", "Before (o) ─")
        await s.press("escape")


async def test_the_help_opens_with_its_key_and_scrolls_to_its_end_and_top() -> None:
    async with scenario(SNAKE, NARROW) as s:
        await in_conflict(s)
        await s.press("M", "question_mark")
        assert s.focused == "HelpScreen"
        s.expect("In conflicts with the file on disk")
        await s.press("G")
        assert not s.shows("In conflicts with the file on disk")
        await s.press("g")
        s.expect("In conflicts with the file on disk")
        await s.press("escape", "enter")
        s.expect("Choose a version first: 1 of 1 conflict to decide")
        assert version(s, "Mine (m)") == ["± Thanks mine"]


async def test_many_conflicts_leave_room_for_the_versions() -> None:
    conflicts = [Conflict(f"/{n}", f"case {n}", "both sides", b'"a"', b'"mine"', b'"c"') for n in range(11)]
    async with scenario(SNAKE, SMALL) as s:
        s.app.push_screen(ConflictScreen("set.json", conflicts))
        await s.settle()
        s.expect("case 4 ", "± mine")
        assert not s.shows("case 5 ")
        await s.press(*["m"] * 11)
        s.expect("case 10 ", "All conflicts are decided")
        await s.press("escape")
