"""In a small terminal, dialogs show their answers and text boxes: the question is cut first."""

import re

import pytest
from textual.screen import ModalScreen
from textual.widgets import Button, Input, TextArea

from tests.sampling import sampled
from tests.scored_sets import RECORDING, SET
from tests.tui.editor.test_quitting import changed
from tests.tui.scenario import NARROW, scenario
from tests.tui.sets import SNAKE
from tests.tui.test_keys_of_everywhere import IN_FRONT

ASKING = sorted(
    set(IN_FRONT) - {"trust question"}
)  # its command must be read first, so that has room before its answers


@pytest.mark.parametrize("size", sampled([(20, 5), (20, 14), (30, 8), (40, 10)], 2), ids="{0[0]}x{0[1]}".format)
async def test_answers_and_text_boxes_are_visible(size: tuple[int, int]) -> None:
    async with scenario(SNAKE, size) as s:
        for name in ASKING:
            screen = IN_FRONT[name](s)
            if not isinstance(screen, ModalScreen):
                continue
            s.app.push_screen(screen)
            await s.settle()
            for kind in (Button, Input, TextArea):
                for part in screen.query(kind):
                    dialog = next(each for each in part.ancestors if each.parent is screen)
                    seen = dialog.region.intersection(screen.region)
                    assert part.region.height >= 1, (name, part)
                    assert seen.contains_region(part.region), (name, part)
            screen.dismiss(None)
            await s.settle()


@pytest.mark.thorough
async def test_the_question_before_quitting_shows_its_answers_in_five_lines() -> None:
    async with scenario(SNAKE, NARROW) as s:
        await changed(s)
        await s.resize(20, 5)
        await s.press("ctrl+q")
        assert [line.split()[0] for line in s.screen()[1:]] == ["s", "d", "esc", "v"]
        await s.press("escape")


@pytest.mark.thorough
async def test_at_40_columns_the_scores_stay_and_the_help_is_indented() -> None:
    async with scenario(SET, (40, 24), beside={"actual.json": RECORDING}, recordings=["actual.json"]) as s:
        await s.press("4")
        s.expect(re.compile(r"book_flight +✗ 0.50 < 1.00"))
        assert not s.shows(re.compile("book_flight.*actual.json"))
        await s.press("question_mark")
        narrow = ("│   c     ", "│     Open the criteria of the", "│     config as a form; each")
        s.expect(*narrow)
        await s.resize(100, 24)
        s.expect("Open the criteria of the config as a form")
        await s.resize(40, 24)
        s.expect(*narrow)


async def test_a_name_without_room_is_cut_and_not_left_out() -> None:
    async with scenario(SET, (40, 12), name="a_very_long_name_of_a_set_of_trips.evalset.json") as s:
        assert s.title.split()[0].startswith("a_ve")
        assert "4 cases" in s.title
    async with scenario(SET, (32, 12), beside={"actual.json": RECORDING}, recordings=["actual.json"]) as s:
        await s.enter("greeting", "eval_id")
        await s.type("x")
        await s.press("escape")
        assert s.title.split()[1].startswith("set.e")
        assert s.title.endswith(" 1 outdated")
        assert "case" not in s.title
