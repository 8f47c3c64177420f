"""The third column of a wide terminal: the recorded turn beside the form of the expected one."""

import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from evaltui.tui.editor.edit_screen import EditScreen
from evaltui.tui.forms.form import Form
from evaltui.tui.lines import Line
from evaltui.tui.panes import form_pane
from evaltui.tui.panes.form_layout import Placed, lay_out_form
from evaltui.tui.panes.form_lines import FormLines
from evaltui.tui.panes.recorded_pane import RecordedPane
from evaltui.tui.widgets.line_view import WIDEST
from tests.sampling import sampled
from tests.scored_sets import RECORDING, SET, a_set, recording_with, turn
from tests.tui.scenario import SAMPLES, WIDE, Scenario, scenario

BROAD, BROADEST = (160, 40), (200, 60)


@asynccontextmanager
async def at(
    *rows: str, size: tuple[int, int] = BROAD, set_: str = SET, recording: str = RECORDING
) -> AsyncIterator[Scenario]:
    async with scenario(set_, size, beside={"actual.json": recording}, recordings=["actual.json"]) as s:
        for row in rows:
            await s.enter(row)
        yield s


def pane(s: Scenario) -> RecordedPane:
    assert isinstance(s.app.screen, EditScreen)
    assert s.app.screen.panes.recorded is not None
    return s.app.screen.panes.recorded


def columns(s: Scenario, text: str) -> tuple[str, str]:
    """The form and the recording on the topmost line of the form that holds a text."""
    shown = [re.split(r"[│┐]", line) for line in s.screen() if line.count("│") == 2]
    form, recorded = next((form, recorded) for _, form, recorded in shown if text in form)
    return " ".join(form.split()), recorded.rstrip()


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([BROAD, BROADEST], 1))
async def test_each_part_of_the_recording_stands_beside_its_part_of_the_form(size: tuple[int, int]) -> None:
    async with at("Book the first", size=size) as s:
        s.expect("Actual · actual.json")
        assert columns(s, "User")[1].split() == ["User"]
        assert columns(s, "  Book the first")[1] == "   Book the first"
        assert columns(s, "1 book_flight")[1] == " ~ book_flight  flight_id=1"
        assert columns(s, "Expected response")[1] == " Actual response"
        assert columns(s, "Booking confirmed")[1].startswith(" ~ It is confirmed. [bold]Enjoy[/bold] ␛[31mred")
        lines = s.screen()
        called = next(n for n, line in enumerate(lines) if "~ book_flight  flight_id=1" in line)
        assert '+ send_email  to="a@b.c"  not expected' in lines[called + 1]
        s.expect_harmless()


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([(159, 40), WIDE, (80, 24)], 1))
async def test_there_is_no_third_column_in_a_narrower_terminal(size: tuple[int, int]) -> None:
    async with at("Book the first", size=size) as s:
        assert not s.shows("Actual · ")
        assert not s.app.screen.query("#recorded")


@pytest.mark.parametrize("small", [(80, 24), (100, 30)])
@pytest.mark.parametrize("keys", [(), ("enter",), ("4", "2"), ("4", "1")])
async def test_a_terminal_that_grows_has_room_for_the_recording(small: tuple[int, int], keys: tuple[str, ...]) -> None:
    async with at(size=small) as s:
        await s.to("Book the first")
        await s.press(*keys)
        await s.resize(*BROADEST)
        assert pane(s).lines.size.width > 60
        assert columns(s, "1 book_flight")[1] == " ~ book_flight  flight_id=1"
        assert '+ send_email  to="a@b.c"  not expected' in "\n".join(s.screen())


@pytest.mark.thorough
async def test_the_form_keeps_all_the_room_where_nothing_was_recorded() -> None:
    async with at() as s:
        widths = {}
        for row in ("trips", "book_flight", "Book the first", "Get me a human", "1 Long"):
            await s.to(row)
            widths[row] = s.app.screen.query_one("#form-lines").size.width
            assert pane(s).display is (row == "Book the first")
        assert len(set(widths.values())) == 2
        assert widths["Book the first"] < widths["trips"]


async def test_the_column_comes_goes_is_clicked_left_and_accepted() -> None:
    async with at("Book the first") as s:
        # The column comes and goes with the width and with zoom.
        await s.resize(120, 40)
        assert not s.shows("Actual · ")
        await s.resize(*BROADEST)
        assert columns(s, "1 book_flight")[1] == " ~ book_flight  flight_id=1"
        await s.press("z")
        assert not s.shows("Actual · ")
        await s.press("z")
        s.expect("Actual · ")
        await s.resize(*BROAD)

        # A click selects a difference and one elsewhere leaves.
        await s.click("send_email")
        assert "+ send_email" in marked(s)
        await s.click("Actual response")
        assert not pane(s).lines.has_focus
        await s.press("2")

        # What is accepted shows at once.
        await s.press("w", "A", "S", "home")
        assert columns(s, "1 book_flight")[1] == " = book_flight  flight_id=1"
        assert columns(s, "2 send_email")[1] == ' = send_email  to="a@b.c"'
        assert columns(s, "It is confirmed")[1].startswith(" = It is confirmed.")
        s.expect("Actual · actual.json ─")
        await s.press("u", "u")

        # Left goes back to the form and so does a terminal that became narrow.
        for key in ("left", "escape", "tab"):
            await s.press("right", key)
            assert not pane(s).lines.has_focus
            await s.press("2")
            assert s.app.focused is s.app.screen.query_one("#form-lines")
        await s.press("right")
        await s.resize(120, 40)
        assert not pane(s).display
        assert s.app.focused is s.app.screen.query_one("#form-lines")


EXPECTED_CALLS = (
    ("fly", {"to": "OSL", "bags": "1", "meal": True}),
    ("pay", {}),
    ("look", {}),
    ("ping", {}),
    ("pong", {}),
)
ACTUAL_CALLS = (
    ("hello", {}),
    ("fly", {"to": "OSL", "bags": 1, "seat": {"row": 3}}),
    ("ping", {}),
    ("pong", {}),
    ("look", {}),
    ("bye", {"now": None}),
)


def trip(response: str, calls: Sequence[tuple[str, dict[str, object]]]) -> str:
    return a_set({"trip": [turn(1, "Go", response, *calls)]})


@pytest.mark.thorough
async def test_calls_stand_beside_the_calls_they_are_compared_with_also_when_one_is_gone() -> None:
    async with at("Go", set_=trip("One", EXPECTED_CALLS), recording=trip("One", ACTUAL_CALLS)) as s:
        # Calls stand beside the calls that the scores compare them with.
        assert columns(s, "1 fly")[1].startswith(' ~ fly  to="OSL"  bags=1  seat={"row": 3}')
        assert columns(s, "2 pay")[1] == " - not called"
        assert columns(s, "3 look")[1].startswith(" ↕ look")
        shown = [line.rsplit("│", 1)[-1].split() for line in s.screen() if line.count("│") == 2]
        names = [words[1] for words in shown if len(words) > 1 and words[0] in "=~+-↕" and words[1] != "One"]
        assert names == ["hello", "fly", "not", "look", "ping", "pong", "bye"]

        # A call that is gone since leaves its recording in order.
        await s.to("1 fly")
        await s.press("d")
        assert len(json.loads(s.bytes())["eval_cases"][0]["conversation"][0]["intermediate_data"]["tool_uses"]) == 4
        assert columns(s, "1 pay")[1] == " - not called"
        assert columns(s, "4 pong")[1] == " = pong"
        s.expect(" ~ fly", "Actual ~ outdated · actual.json")


async def test_arguments_stand_beside_arguments_in_the_form_of_a_call() -> None:
    async with at("Go", "1 fly", set_=trip("One", EXPECTED_CALLS), recording=trip("One", ACTUAL_CALLS)) as s:
        assert columns(s, "name")[1] == " ~ fly"
        assert columns(s, "to ")[1] == ' = "OSL"'
        assert columns(s, "bags")[1] == " ~ 1  type differs"
        assert columns(s, "meal")[1] == " - not given"
        s.expect('+ seat={"row": 3}  not expected')
        await s.press("escape")
        await s.enter("2 pay")
        assert columns(s, "name")[1] == " - not called in the recording"


async def test_both_columns_scroll_together() -> None:
    long = "\n".join(f"Line {number}" for number in range(80))
    recorded = long.replace("Line 70", "Row 70")
    async with at("Go", set_=trip(long, ()), recording=trip(recorded, ())) as s:
        form = s.app.screen.query_one("#form-lines")
        for keys in (["end"], ["pageup"], ["home"]):
            await s.press(*keys)
            assert pane(s).lines.scroll_offset == form.scroll_offset
        await s.scroll(150, 10, 3)
        assert form.scroll_offset.y > 0
        assert pane(s).lines.scroll_offset == form.scroll_offset
        assert pane(s).lines.line_count() == pane(s).lines.virtual_size.height


@pytest.mark.thorough
async def test_many_arguments_that_were_not_expected_can_be_read_to_the_last() -> None:
    made = trip("One", [("fly", {f"extra_{number}": number for number in range(60)})])
    async with at("Go", "1 fly", set_=trip("One", [("fly", {})]), recording=made) as s:
        assert not s.shows("extra_59=59")
        await s.scroll(150, 10, 40)
        s.expect("+ extra_59=59  not expected")


@pytest.mark.thorough
async def test_the_column_follows_the_form_while_a_field_is_edited() -> None:
    async with at("Book the first", "Book the first") as s:
        assert s.focused == "field"
        await s.type(" one. " + "It has more words than fit on a line. " * 3)
        assert columns(s, "1 book_flight")[1] == " ~ book_flight  flight_id=1"
        s.expect("Actual ~ outdated · actual.json")


@pytest.mark.thorough
async def test_the_turn_is_compared_once_and_not_with_each_key() -> None:
    async with at("Book the first", "Booking confirmed") as s:
        await s.type("a")
        made = pane(s)._last
        await s.type("bcdef")
        assert pane(s)._last is made


async def test_texts_of_recordings_do_no_harm() -> None:
    odd = "[/nope] [red]x[/] \x1b]0;title\x07 \u202e \ud83d\n\r\t"
    answered = recording_with("greeting", turn(1, odd, odd, ("[/x]\x1b[2J", {"[/y]\x9b": "[/z]\x1b", "\x07": [odd]})))
    expected = a_set({"greeting": [turn(1, "Hello", "Hi", ("[/x]\x1b[2J", {"[/y]\x9b": 1}))]})
    async with at("Hello", set_=expected, recording=answered) as s:
        s.expect_harmless()
        await s.enter("1 [/x]")
        s.expect_harmless()


async def test_values_that_are_no_json_to_others_are_shown() -> None:
    odd = a_set({"greeting": [turn(1, "Hello", "Hi", ("count", {"n": float("nan"), "big": 10**400}))]})
    async with at("Hello", recording=odd) as s:
        s.expect("NaN")


async def test_the_next_failing_turn_is_shown_from_its_top_on() -> None:
    many = [turn(1, "Hello", "\n".join(f"Line {number}" for number in range(60)))]
    async with at(set_=a_set({"greeting": many}), recording=a_set({"greeting": [turn(1, "Hello", "No")]})) as s:
        await s.press("]")
        assert s.focused == "tree"
        assert columns(s, "Line 0")[1] == " ~ No"
        await s.press("w")
        s.expect("Why ")


@pytest.mark.thorough
async def test_long_names_of_recordings_leave_the_heading_whole() -> None:
    name = f"{'recorded_by_the_nightly_run_' * 3}.json"
    async with scenario(SET, BROAD, beside={name: RECORDING}, recordings=[name]) as s:
        await s.to("Book the first")
        s.expect("│ Why  ", re.compile("Actual · recorded_by.*….*run_.json ─"))


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([BROAD, (161, 41), BROADEST], 1))
async def test_the_form_is_laid_out_for_its_new_width_before_the_column_has_come(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    widths: list[int] = []

    def noted(form: Form, width: int, *others: Any) -> tuple[list[Line], list[Placed]]:
        widths.append(width)
        return lay_out_form(form, width, *others)

    monkeypatch.setattr(form_pane, "lay_out_form", noted)
    async with at(size=size) as s:
        lines = s.app.screen.query_one("#form-lines", FormLines)
        for row in ("greeting", "Hello", "greeting", "Hello"):
            await s.to("greeting" if row == "Hello" else "Hello")
            widths.clear()
            await s.press("down" if row == "Hello" else "up")
            assert {min(WIDEST, lines.scrollable_content_region.width)} == set(widths)
            assert pane(s).display is (row == "Hello")


# --- accepted in the column --------------------------------------------------------------------------------------


async def test_what_differs_is_accepted_beside_the_form_by_the_keys_of_the_review() -> None:
    async with at("Book the first") as s:
        await s.press("right")
        assert "~ book_flight" in marked(s), "the first line that differs has the keys"
        s.expect('flight_id: "1" → 1 (type differs)', "a accept", "A accept turn", "S accept calls")
        await s.press("a")
        assert s.bytes() == s.original.replace(b'"flight_id": "1"', b'"flight_id": 1')
        assert "+ send_email" in marked(s), "the next difference has them then"
        await s.press("a")
        s.expect("press S to accept it")
        await s.press("S")
        assert "~ It is confirmed." in marked(s)
        await s.press("a")
        s.expect("Accepted", "✓ tool_trajectory", "✓ response_match")
        assert not pane(s).lines.has_focus, "nothing is left: the form has the keys again"
        await s.press("u", "u", "u")
        assert s.bytes() == s.original


@pytest.mark.thorough
async def test_the_arguments_of_a_call_are_accepted_beside_its_form() -> None:
    async with at("Book the first", "book_flight") as s:
        await s.press("right", "down")
        assert marked(s).endswith("1  type differs")
        await s.press("a")
        assert s.bytes() == s.original.replace(b'"flight_id": "1"', b'"flight_id": 1')


async def test_where_nothing_differs_or_nothing_is_shown_the_key_says_so() -> None:
    async with at("Find me a flight") as s:
        await s.press("right")
        s.expect("No difference from the recording here.")
        await s.resize(120, 40)
        await s.press("right")
        s.expect("the terminal needs 160 columns")


def marked(s: Scenario) -> str:
    """The line of the recording that has the cursor."""
    return next((line.split("▌")[-1].rstrip() for line in s.screen() if line.count("│") == 2 and "▌" in line), "")


async def test_letters_after_the_last_difference_change_nothing_in_the_form() -> None:
    recorded = {"actual.json": SAMPLES / "recordings" / "trip_planner_first.evalset_result.json"}
    file = SAMPLES / "trip_planner.evalset.json"
    async with scenario(file, (200, 60), beside=recorded, recordings=["actual.json"]) as s:
        await s.press("down", "enter", "right", "a")
        assert "Accepted: passengers" in s.status
        accepted = s.bytes()
        await s.burst("a", "A", "d")
        assert "d ignored, because no difference is left beside the form." in s.status
        assert s.bytes() == accepted
