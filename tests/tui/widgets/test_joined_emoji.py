"""Emoji of several code points are one character of the screen: no line is cut or wrapped inside of them."""

import json

import pytest
from rich.cells import cell_len, split_graphemes
from rich.segment import Segment

from evaltui.printable import one_line
from evaltui.tui.lines import first_cells
from evaltui.tui.panes.form_layout import wrapped
from evaltui.tui.widgets.text_field import _wrap_offsets
from tests.sampling import sampled
from tests.tui.scenario import NARROW, NORMAL, scenario

FAMILY, HEART, FLAG, WAVE, ACCENT = "👨‍👩‍👧‍👦", "❤️", "🏳️‍🌈", "👋🏽", "e\u0301"
PICTURES = (FAMILY, HEART, FLAG, WAVE, ACCENT, "東")
TEXTS = [lead + picture * 40 + " " + picture for picture in PICTURES for lead in ("", "a", "a b")]


def starts(text: str) -> set[int]:
    """The indexes at which a character of the screen starts or the text ends."""
    return {start for start, *_ in split_graphemes(text)[0]} | {len(text)}


@pytest.mark.parametrize("text", TEXTS)
def test_a_segment_is_split_in_cells(text: str) -> None:
    for cut in range(1, 12):
        before, after = (part.text for part in Segment(text).split_cells(cut))
        assert (cell_len(before), cell_len(after)) == (cut, cell_len(text) - cut)
        assert cell_len(f"{before}│") == cut + 1, "a joiner at the end takes the border along"


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_box_wraps_between_characters(text: str) -> None:
    offsets = _wrap_offsets(text, 21, tab_size=4)
    assert starts(text).issuperset(offsets)
    ends = [*offsets, len(text)]
    assert max(cell_len(text[start:end]) for start, end in zip([0, *offsets], ends, strict=True)) <= 21


@pytest.mark.parametrize("text", TEXTS)
def test_a_field_at_rest_shows_all_of_a_text(text: str) -> None:
    lines = wrapped(text, 21, 99)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert max(map(cell_len, lines)) <= 21
    assert cell_len(first_cells(text, 21)) <= 21


@pytest.mark.parametrize("picture", (FAMILY, FLAG, WAVE, ACCENT))
def test_a_preview_ends_behind_a_character(picture: str) -> None:
    for width in range(len(picture) + 2, 40):
        shown = one_line(picture * 40, width).removesuffix("…")
        assert shown
        assert not shown.replace(picture, "").replace(HEART[0], "")


@pytest.mark.parametrize("picture", sampled([FAMILY, HEART, FLAG], 1))
@pytest.mark.parametrize("size", sampled([NARROW, NORMAL], 1), ids="{0[0]}x{0[1]}".format)
async def test_panes_boxes_and_dialogs_stay_straight(picture: str, size: tuple[int, int]) -> None:
    said = {"parts": [{"text": f"x{picture * 100}"}]}
    case = {"eval_id": f"a{picture * 45}", "conversation": [{"user_content": said}], f"{picture * 3}k": "v"}
    async with scenario(json.dumps({"eval_set_id": "s", "eval_cases": [case]}, ensure_ascii=False), size) as s:
        for keys in (
            ("home", "down", "enter"),
            ("enter",),
            ("end", "x"),
            ("escape", "ctrl+g"),
            ("x",),
            ("escape", "A"),
        ):
            await s.press(*keys)
            assert len(s.screen()) == size[1]  # reading it checks that each line has the width of the terminal
        await s.press("escape")
