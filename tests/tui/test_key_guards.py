"""Letters typed for a place that a key could not open do nothing here, and the status line says so."""

import contextlib
from pathlib import Path

import pytest

from evaltui.tui import key_guards
from evaltui.tui.app import EvaltuiApp
from evaltui.tui.command import Command
from evaltui.tui.commands import OPENED_BY, commands_at, key_name, places_beside
from evaltui.tui.open_file.scorer import Scorer
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.review.review_screen import ReviewScreen
from tests.sampling import Extent, sampled
from tests.scored_sets import RECORDING, SET
from tests.tui.review.reviewed import review, sidecar
from tests.tui.scenario import WIDE, Scenario, scenario
from tests.tui.sets import SNAKE


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slowly a test runs, its keys count as typed without a pause."""
    monkeypatch.setattr(key_guards, "_PAUSE", 3600.0)


def letters_of(there: str, here: str) -> list[str]:
    """The letters of a place that mean something else here; where a text is typed, letters that change things here."""
    if there in ("name", "field", "choice"):
        return list("adxqc")
    same = {command.id for command in commands_at(here, *places_beside(here))}
    others = [each for each in commands_at(there, *places_beside(there)) if each.id not in same]
    keys = dict.fromkeys(key for command in others for key in command.keys.split(","))
    moves = ("j", "k", "g", "G", "question_mark", "colon", "slash")
    return [key for key in keys if len(key_name(key)) == 1 and key_name(key).isascii() and key not in moves]


def openers(s: Scenario) -> list[tuple[Command, str]]:
    """The keys that open something from here."""
    place = s.app.place_of()
    every = [each for each in commands_at(place, *places_beside(place)) if s.app.does(each)]
    return [(command, key) for command in every if command.does in OPENED_BY for key in command.keys.split(",")]


async def go_home(s: Scenario, keys: tuple[str, ...]) -> None:
    for _ in range(9):
        if s.focused == "tree" and len(s.app.screen_stack) == 1:
            break
        await s.press("escape")
    while s.bytes() != s.original:
        await s.press("u")
    await s.press("home", *keys)


async def refused_at(s: Scenario, keys: tuple[str, ...]) -> list[str]:
    """Press each opener at a place, then all letters of what it would have opened; the openers that were refused."""
    refused = []
    await go_home(s, keys)
    screen, place = s.app.screen, s.app.place_of()
    for command, key in openers(s):
        opens = OPENED_BY.get(command.does, ())
        if not {"quit", "sets"}.isdisjoint(opens):  # nothing is unsaved, so it quits or goes to the list of sets
            continue
        await s.press(key)
        is_refused = s.app.screen is screen and s.app.place_of() == place and place not in opens
        if is_refused and s.bytes() == s.original:
            refused.append(command.id)
            letters = [each for there in opens for each in letters_of(there, place) if each != key]
            for burst in [[letter] for letter in letters] if Extent.is_thorough else [letters]:
                await s.burst(*burst)
                assert s.bytes() == s.original, f"{key} {burst}"
                assert not s.ended, f"{key} {burst}"
                if "ignored" not in s.status:  # the letter does the same there and here
                    await go_home(s, keys)
                    await s.press(key)
                assert s.app.place_of() == place, f"{key} {burst} {s.status}"
                s.app.screen.query_one(StatusBar).say("")
        await s.press("escape")
        await go_home(s, keys)
    return refused


PANES = {
    "tree": (),
    "form": ("2",),
    "scores": ("4",),
    "turn": ("down", "right", "down", "2"),
}


@pytest.mark.parametrize("pane", sampled(PANES, most=1))
async def test_letters_of_what_did_not_open_do_nothing(pane: str) -> None:
    async with scenario(SNAKE) as s:
        refused = await refused_at(s, PANES[pane])
    assert {"list.reload", "list.unsaved", "list.review", "list.why", "list.fix_all", "agent.run"} <= set(refused)


async def test_letters_for_the_json_of_a_file_that_is_not_converted_do_nothing() -> None:
    async with scenario(SNAKE) as s:
        for place in ((), ("down", "right", "down", "2")):
            await go_home(s, place)
            await s.burst("6", "d")
            assert "d ignored until a pause. 6 shows a converted file as JSON." in s.status
            assert s.bytes() == s.original


async def test_letters_after_a_step_that_leads_nowhere_do_nothing() -> None:
    async with scenario(SNAKE) as s:
        for place in ((), ("down", "right", "down", "2")):
            for step in ("]", "[", *(() if place else "nN")):
                await go_home(s, place)
                await s.burst(step, "d", "A", "S")
                assert "S ignored" in s.status, step
                assert s.bytes() == s.original


async def test_letters_after_a_step_act_on_the_row_where_it_leads() -> None:
    async with scenario(SET, WIDE, beside={"actual.json": RECORDING}, recordings=["actual.json"]) as s:
        await s.burst("]", "d")
        assert b"Book the first" not in s.bytes()
        await s.press("u", "slash")
        await s.type("Longer")
        await s.press("enter")
        await s.burst("n", "d")
        assert b"Longer" not in s.bytes()
        await s.press("u")


async def test_words_typed_for_a_box_that_the_criteria_refuse_change_no_criterion() -> None:
    async with scenario(SNAKE) as s:
        await s.press("alt+c")
        for opener in ("ctrl+f", "slash", "ctrl+g", "ctrl+o"):
            await s.burst(opener, *"adx")
            assert "ignored" in s.status, opener
            await s.press("enter")
        assert not s.is_dirty
        await s.press("escape")


async def test_letters_typed_for_a_box_that_did_not_open_do_nothing() -> None:
    async with scenario('{"a": [1], "b": {}}') as s:
        refused = await refused_at(s, ("down", "down"))
    assert {"tree.rename", "replace", "criteria", "list.run", "list.review", "tree.conversations"} <= set(refused)
    async with scenario(SNAKE) as s:
        s.app.file.readonly = True
        refused = await refused_at(s, ())
    assert {"tree.add", "tree.add_inside", "tree.add_before", "list.save_as", "replace"} <= set(refused)


async def test_the_line_says_which_key_was_ignored_until_esc() -> None:
    async with scenario(SNAKE) as s:
        await s.press("R")
        await s.burst(*"dmx")
        assert "d ignored until a pause. set.evalset.json has not changed on disk." in s.app.messages.newest_first()
        assert s.bytes() == s.original
        await s.press("escape")
        await s.press("d")
        assert s.is_dirty


async def test_letters_that_the_unopened_place_does_not_have_do_nothing_either() -> None:
    async with scenario(SNAKE) as s:
        for place in ((), ("2",), ("down", "right", "down", "2")):
            for opener in "OCFRM5":
                await go_home(s, place)
                await s.press(*"jj" if place == ("2",) else "")
                for letter in "dxa":
                    await s.burst(opener, letter)
                    assert s.bytes() == s.original, (place, opener, letter)
                    await s.press("escape")


async def test_after_a_pause_keys_act_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with scenario(SNAKE) as s:
        await s.press("c", "r")
        monkeypatch.setattr(key_guards, "_PAUSE", 0.0)
        await s.press("u")
        assert s.bytes() == s.original
        await s.burst("R", "d")  # typed before the message was drawn
        assert s.bytes() == s.original
        await s.press("d")
        assert s.is_dirty


async def test_keys_that_move_or_that_the_message_names_act_at_once() -> None:
    async with scenario(SNAKE) as s:
        before = s.cursor()
        await s.press("O", "j")
        assert s.cursor() != before
        await s.press("H")
        assert s.focused == "recordings"
        await s.press("escape", "O", "j", "a")
        assert s.bytes() == s.original
        await s.press("escape", "C", "down", "d")
        assert s.is_dirty


async def test_a_command_of_the_palette_or_the_keys_line_that_opens_nothing_is_one_as_well() -> None:
    async with scenario(SNAKE) as s:
        await s.press("ctrl+p", *"reload", "enter")
        assert "has not changed on disk" in s.status
        await s.press("d")
        assert "d ignored" in s.status
        assert s.bytes() == s.original


async def test_letters_for_an_editor_that_did_not_open_edit_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.delenv("VISUAL", raising=False)
    async with scenario(SNAKE) as s:
        await s.press("e", *"dd:x")
        assert s.bytes() == s.original
        assert "x ignored until a pause. $EDITOR cannot run in this terminal." in s.status
        await s.press("escape")
        monkeypatch.setattr(EvaltuiApp, "suspend", lambda _: contextlib.nullcontext())
        await s.press("e", "d")
        assert s.is_dirty


async def test_letters_typed_into_a_field_are_never_ignored() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("greeting", "eval_id")
        await s.press("f6", *"xyq")
        assert b'"greetingxyq"' in s.bytes()


async def test_the_review_opens_before_the_first_scores_and_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    score = Scorer.score
    monkeypatch.setattr(Scorer, "score", lambda *_, **__: None)
    async with scenario(SET, WIDE, beside={"actual.json": RECORDING}, recordings=["actual.json"]) as s:
        await s.press("w")
        assert "No scores yet: scoring" in s.status
        await s.burst(*"aAS")
        assert s.bytes() == s.original
        await s.press("escape", "O")
        assert isinstance(s.app.screen, ReviewScreen)
        s.expect("scoring")
        for key in "aASimt":
            await s.press(key)
            assert "scoring" in s.status, key
        await s.burst(*"axAFStmiwyrsn")
        assert isinstance(s.app.screen, ReviewScreen)
        assert s.bytes() == s.original
        monkeypatch.setattr(Scorer, "score", score)
        s.app.file.scorer.score(anew=True)
        await s.settle()
        s.expect("Review [1/2]")
        await s.press("a")
        assert "a ignored, because the turn has just appeared." in s.status
        assert s.bytes() == s.original
        await s.press("escape", "escape")


async def test_in_the_review_letters_of_a_note_that_cannot_be_written_undo_no_decision() -> None:
    async with review() as s:
        await s.press("r", "r")
        s.expect("recorded conversation without a case")
        await s.press("n", *"uFuq")
        s.expect("q ignored until a pause. Only a turn of the set can have a note.")
        assert len(sidecar(s)) == 2
        await s.press("escape")


async def test_shift_tab_in_a_name_dialog_is_not_enter(tmp_path: Path) -> None:
    half = tmp_path / "half"
    async with scenario(SNAKE) as s:
        for key in "SW":
            await s.press(key, "ctrl+u")
            await s.paste(str(half))
            await s.press("shift+tab")
            assert s.focused == "NameDialog"
            await s.press("escape")
        assert s.app.file.document.path == s.path
    assert not half.exists()


async def test_tab_in_the_value_dialog_keeps_it_open() -> None:
    async with scenario(SET, WIDE, beside={"actual.json": RECORDING}, recordings=["actual.json"]) as s:
        await s.press("O", "end", "e")
        assert s.focused == "ValueDialog"
        await s.press("tab", "shift+tab")
        assert s.focused == "ValueDialog"
        await s.press("escape", "escape")
