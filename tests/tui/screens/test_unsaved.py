"""What is unsaved, shown: the difference between the file and the text here, and the drafts."""

import asyncio

import pytest
from rich.cells import cell_len

from evaltui.tui.lines import text_of
from evaltui.tui.screens import diff_screens
from evaltui.tui.screens.diff_screens import DiffView, UnsavedScreen
from tests.tui.editor.test_disk_changes import others_write
from tests.tui.editor.test_quitting import changed
from tests.tui.open_file.test_drafts import half_type_a_list
from tests.tui.scenario import NARROW, NORMAL, Scenario, scenario
from tests.tui.sets import SNAKE


@pytest.mark.thorough
async def test_a_key_shows_the_difference_to_the_file_and_esc_leads_back() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await changed(s)
        for leaving in ("escape", "q", "C"):
            await s.press("C")
            assert isinstance(s.app.screen, UnsavedScreen)
            s.expect("set.evalset.json · unsaved changes", '"Thanks"}]', '+          "user_content"', '"Thanks!"}]')
            assert "1 lines added, 1 removed" not in s.status
            assert "1 line added, 1 removed" in s.status
            await s.press(leaving)
            assert s.focused == "form"


@pytest.mark.thorough
async def test_the_palette_has_it_where_something_is_unsaved() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.press("ctrl+p", *"unsaved")
        assert not s.shows("Show unsaved changes")
        await s.press("escape", "C")
        assert "No unsaved changes" in s.status
        await changed(s)
        await s.press("ctrl+p", *"unsaved", "enter")
        s.expect("unsaved changes")


async def test_drafts_are_shown_before_the_difference() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await half_type_a_list(s)
        await s.press("escape", "C")
        s.expect(
            "✎ rain_in_bergen › turn 1 › tool call 1 › hours: [6, 12 (invalid JSON",
            "The text is the same as in the file.",
        )
        assert "1 draft, not in the file" in s.status


@pytest.mark.thorough
async def test_it_is_shown_before_answering_whether_to_quit() -> None:
    async with scenario(SNAKE, NARROW) as s:
        await changed(s)
        await s.press("ctrl+q")
        s.expect("v  show unsaved changes")
        await s.press("v")
        s.expect("Thanks!")
        await s.press("escape")
        assert s.focused == "quit question"
        await s.press("d")
        assert s.ended


async def test_what_others_wrote_and_was_merged_is_not_shown_as_mine() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await changed(s)
        await s.press("escape")
        await others_write(s, SNAKE.replace("Good morning to you.", "Theirs"))
        await s.press("C")
        s.expect("Thanks!")
        assert not s.shows("Theirs")


async def test_in_a_file_that_is_no_json_it_is_what_the_fixes_change() -> None:
    async with scenario('{"a": 1,}', NORMAL) as s:
        await s.press("C")
        assert "No unsaved changes" in s.status
        await s.press("escape", "f", "C")
        s.expect('-{"a": 1,}', '+{"a": 1}')
        await s.press("escape", "colon", *"unsaved")
        s.expect("Show drafts and unsaved changes")


async def test_a_new_set_is_not_on_disk_yet() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await changed(s)
        s.document.is_new = True
        await s.press("C")
        s.expect("The file is not on disk yet.", '+  "eval_set_id"')


async def test_a_set_in_one_line_is_compared_value_by_value() -> None:
    long = '{"a": ["' + '", "'.join(f"text number {n}" for n in range(1000)) + '"], "z": 1}'
    async with scenario(long, NORMAL) as s:
        await s.press("end", "enter", "end", "2", "escape", "C")
        s.expect('-  "z": 1', '+  "z": 12')


async def test_a_long_difference_is_cut_and_scrolled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diff_screens, "MOST_LINES", 50)
    async with scenario("[\n" + ",\n".join(map(str, range(500))) + "\n]", NARROW) as s:
        await s.press("end", "m", "home", "down", "v", "d", "C", "end")
        s.expect("… and 4")
        await s.press("g")
        s.expect("@@ -1,")


@pytest.mark.thorough
async def test_a_difference_that_takes_long_is_waited_for_without_holding_up_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await changed(s)
        may_go_on = asyncio.Event()
        loop = asyncio.get_running_loop()

        def slow(*_: bytes) -> list[str]:
            asyncio.run_coroutine_threadsafe(may_go_on.wait(), loop).result()
            return ["+compared"]

        monkeypatch.setattr(diff_screens, "readable_diff", slow)
        await _press_unwaited(s, "C")
        s.expect("comparing …")
        await _press_unwaited(s, "escape")
        assert not isinstance(s.app.screen, UnsavedScreen)
        may_go_on.set()
        await s.settle()
        assert s.focused == "form"


async def _press_unwaited(s: Scenario, key: str) -> None:
    """Press a key and let all but threads do their work."""
    s._send(key)
    for _ in range(100):
        await asyncio.sleep(0)
        s._draw()


@pytest.mark.thorough
async def test_a_long_line_breaks_between_words_and_loses_none_of_them() -> None:
    words = [f"word{number}" for number in range(40)]
    async with scenario(SNAKE, NARROW) as s:
        await s.enter("Thanks")
        await s.press("enter")
        await s.paste(" ".join(["", *words]))
        await s.press("escape", "C")
        added = [line.removeprefix(" ") for line in s.screen() if line.startswith(" +")]
        begin = next(n for n, line in enumerate(added) if "word0" in line)
        text = " ".join(line[1:].strip() for line in added[begin:])
        assert [word for word in text.replace('"', " ").split() if word.startswith("word")] == words
        own, *others = (len(line[1:]) - len(line[1:].lstrip()) for line in added[begin : begin + 4])
        assert {other - own for other in others} == {4}, "further pieces are indented"


def test_wide_characters_are_folded_by_their_cells() -> None:
    pieces = diff_screens._folded("+" + "機内食" * 30, 40)
    assert all(cell_len(piece) <= 40 for piece in pieces)
    assert "".join(piece[1:].strip() for piece in pieces) == "機内食" * 30


async def test_a_difference_is_folded_and_drawn_again_after_a_resize(monkeypatch: pytest.MonkeyPatch) -> None:
    fold = DiffView.on_resize

    def draw_before_folding(view: DiffView) -> None:
        view.screen._compositor.render_strips()  # a slow terminal sees a frame between the layout and the folding
        fold(view)

    monkeypatch.setattr(DiffView, "on_resize", draw_before_folding)
    async with scenario(SNAKE, NARROW) as s:
        await s.enter("Thanks")
        await s.press("enter")
        await s.paste(" ".join(f"word{number}" for number in range(30)))
        await s.press("escape", "C")
        view = s.app.screen.query_one(DiffView)
        for width in (79, 76, 74, 72, 70):
            await s.resize(width, 24)
            drawn = [line.strip() for line in s.screen()[view.region.y : view.region.bottom]]
            folded = [text_of(view.line(number)).strip() for number in range(view.line_count())]
            assert folded[: len(drawn)] == [line for line in drawn if line][: len(folded)], width
        await s.press("escape")
