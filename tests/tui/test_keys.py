"""The registry of commands: no clash, nothing a terminal cannot send, everything in the help and in docs/keys.md."""

import re
from itertools import combinations
from pathlib import Path

import pytest
from textual.keys import Keys, _character_to_key
from textual.widgets import TextArea

from evaltui.tui.command import PLACES, Command
from evaltui.tui.commands import all_commands, commands_at, commands_shown, key_name
from evaltui.tui.editor.edit_screen import EditScreen
from evaltui.tui.key_remaps import clashing_keys
from evaltui.tui.screens.text_pages import HelpScreen
from evaltui.tui.terminal.driver import InputDecoder
from tests.tui.scenario import Scenario, scenario
from tests.tui.sets import SNAKE

SENT_ALIKE = {
    "ctrl+i",
    "ctrl+m",
    "ctrl+h",
    "ctrl+left_square_bracket",
    "alt+enter",
    "ctrl+enter",
    "shift+enter",
    "ctrl+space",
}
"""Keys that many terminals send as tab, enter, backspace or esc, or not at all."""

NEEDS_ANOTHER = {"ctrl+backspace", "shift+space"}
"""Keys that some terminals send: never the only ones of a command."""

AT_ONCE = {
    "tree": ("everywhere", "list", "tree"),
    "form": ("everywhere", "list", "form"),
    "why": ("everywhere", "why"),  # before those of the form and of every pane
    "recorded": ("everywhere", "list", "recorded"),
    "field": ("everywhere", "field"),
    "problems": ("everywhere", "list", "problems"),
    "run": ("everywhere", "list", "run"),
    "repair": ("everywhere", "list", "repair"),
    "review": ("review",),
    "recordings": ("lists", "picker", "recordings"),
    "conversations": ("lists", "picker", "conversations"),
    "runs": ("lists", "picker", "runs"),
    "adding": ("lists", "adding"),
    "chats": ("lists", "adding", "chats"),
    "chat": ("lists", "adding", "chat"),
    "criteria": ("everywhere", "criteria", "form"),  # before those of every pane
    "fixes": ("fixes",),
    "repairs": ("repairs",),
    "recovery": ("recovery",),
    "filter": ("everywhere", "filter"),
    "jump": ("jump",),
    "unsaved": ("unsaved",),
    "pasted": ("pasted",),
    "sets": ("everywhere", "list", "sets"),
    "watch": ("watching", "watch"),
    "palette": ("palette",),
    "losses": ("losses",),
    "replacement": ("replacement",),
    "converted": ("converted",),
    "reading": ("reading",),
    "conflicts": ("conflicts",),
    "reload": ("reload",),
    "overwrite": ("overwrite",),
    "replace": ("replace",),
    "hits": ("replace", "hits"),
    "agent": ("agent",),
    "trust": ("trust",),
    "unsaved_run": ("unsaved_run",),
    "quit": ("quit",),
    "copy": ("copy",),
    "outside": ("outside",),
    "outdated": ("outdated",),
    "choice": ("choice",),
    "name": ("name",),
    "value": ("value",),
    "dialog": ("dialog",),
}
AT_ONCE = {place: ("anywhere", *places) for place, places in AT_ONCE.items()}
"""For each place where keys can go, the places whose commands act there."""


def keys_of(command: Command) -> list[str]:
    return command.keys.split(",")


def test_every_command_acts_at_a_known_place_and_has_an_id_of_its_own() -> None:
    assert {command.place for command in all_commands()} == set(PLACES)
    assert len({command.id for command in all_commands()}) == len(all_commands())
    assert set(PLACES) == {place for places in AT_ONCE.values() for place in places}


@pytest.mark.parametrize("place", AT_ONCE)
def test_a_key_means_one_thing_at_one_place(place: str) -> None:
    for one, other in combinations(commands_at(*AT_ONCE[place]), 2):
        shared = clashing_keys(one, other)
        assert not shared or one.does == other.does, f"{shared}: {one.id} and {other.id}"


def test_no_key_is_one_that_terminals_cannot_send() -> None:
    assert not {key for command in all_commands() for key in keys_of(command)} & SENT_ALIKE


def test_every_command_has_a_key_that_all_terminals_send() -> None:
    for command in all_commands():
        assert set(keys_of(command)) - NEEDS_ANOTHER, command.id


def test_every_key_is_one_that_textual_knows() -> None:
    named = {key.value for key in Keys} | {_character_to_key(chr(code)) for code in range(0x21, 0x7F)} | {"space"}
    for command in all_commands():
        for key in keys_of(command):
            modifiers, _, last = key.rpartition("+")
            assert last in named, f"{command.id}: {key}"
            assert set(filter(None, modifiers.split("+"))) <= {"ctrl", "alt", "shift"}


def test_no_command_acts_on_a_letter_while_typing() -> None:
    for command in commands_at("field", "everywhere"):
        assert all(
            (len(key) > 1 and "+" in key)
            or key in ("escape", "tab", "enter", "f4", "f5", "f6", "shift+f6", "f7", "f8", "f9")
            for key in keys_of(command)
        ) or command.id in ("field.toggle", "field.take"), (
            command.id
        )  # space types a blank but in a boolean; right only moves, or takes what is suggested


def test_keys_of_the_text_box_that_a_command_replaces_are_meant() -> None:
    own = {key for binding in TextArea.BINDINGS for key in binding.key.split(",")}
    replaced = {key for command in commands_at("field", "everywhere") for key in keys_of(command)} & own
    assert replaced == {"ctrl+z", "ctrl+y", "ctrl+backspace", "alt+backspace", "ctrl+u", "f6", "f7", "right"}


@pytest.mark.thorough
def test_the_help_lists_every_command_with_all_its_keys() -> None:
    text = HelpScreen("tree").content(300).plain
    for command in all_commands():
        names = " ".join(key_name(key) for key in keys_of(command))
        # A long name has a line of its own, with the help below.
        assert re.search(rf"^  {re.escape(names)}\s+{re.escape(command.help)}$", text, re.MULTILINE), command.id
    for heading in PLACES.values():
        assert heading in text.split("\n")


def test_the_help_explains_the_signs_of_the_place_where_it_opens() -> None:
    of_scores, of_tree = (HelpScreen(place).content(80).plain for place in ("run", "tree"))
    assert of_scores.index("In the scores") < of_scores.index("Signs") < of_scores.index("In every pane")
    for sign in ("✓ ✗ –", "▲ ▼", "last runs", "4 more", "changed"):
        assert f"  {sign} " in of_scores
    assert "\nSigns\n" not in of_tree


def test_the_page_of_keys_lists_every_command() -> None:
    page = (Path(__file__).parents[2] / "docs" / "keys.md").read_text("utf-8")
    for command in all_commands():
        assert f"`{command.id}`" in page
        assert command.help in page


@pytest.mark.thorough
async def test_the_help_opens_scrolls_and_closes() -> None:
    async with scenario(SNAKE) as s:
        await s.press("down", "f1")
        s.expect("In the tree")
        await s.press("end")
        s.expect("In a dialog")
        for closing in ["escape", "q", "question_mark", "f1"]:
            assert s.focused == "HelpScreen"
            await s.press(closing)
            assert s.focused == "tree"
            await s.press("question_mark")


def titled_commands(s: Scenario) -> list[tuple[Command, str]]:
    screen = s.app.screen
    assert isinstance(screen, EditScreen)
    commands = commands_shown(screen.panes.keys.place, ())
    return [(command, title) for command in commands if (title := screen.title_of(command))]


@pytest.mark.thorough
async def test_every_title_in_the_keys_line_is_that_of_a_command() -> None:
    async with scenario(SNAKE, (200, 30)) as s:
        for keys, place in [((), "tree"), (("enter",), "form"), (("enter",), "field")]:
            await s.press(*keys)
            offered = titled_commands(s)
            shown = {c.id for c in commands_at(*AT_ONCE[place]) if c.footer} | {"help"}
            assert {command.id for command, _ in offered} <= shown
            assert len(offered) > 4
            for command, title in offered:
                assert f"{key_name(keys_of(command)[0])} {title}" in s.keys


@pytest.mark.thorough
async def test_the_keys_line_offers_only_what_the_selected_line_can_do() -> None:
    async with scenario(SNAKE, (200, 30)) as s:
        await s.enter("Is it raining")
        assert "a add tool call" in s.keys
        assert "r rename" not in s.keys
        await s.enter("get_weather")
        await s.to("name")
        assert "d delete" not in s.keys
        await s.to("city")
        for offered in ("enter edit", "a add argument", "d delete", "r rename", "t type"):
            assert offered in s.keys


@pytest.mark.thorough
@pytest.mark.parametrize("width", [20, 40, 60, 80])
async def test_the_keys_line_never_cuts_a_key_in_two(width: int) -> None:
    async with scenario(SNAKE, (width, 20)) as s:
        shown = [part for part in s.keys.split("  ") if part]
        titles = {f"{key_name(keys_of(command)[0])} {title}" for command, title in titled_commands(s)}
        assert shown
        assert {part.strip() for part in shown} <= titles


@pytest.mark.thorough
async def test_a_letter_with_alt_is_a_command_and_no_text() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("greeting", "eval_id")
        assert s.focused == "field"
        await s.press("alt+w", "alt+k")
        assert s.bytes() == s.original


async def test_a_character_with_alt_is_not_typed_into_a_field_or_a_prompt() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("greeting", "eval_id")
        for sent in (b"\x1b1", b"\x1b.", b"\x1b.\x1b.", b"\x1b!"):
            for message in InputDecoder().feed(sent):
                s.app.post_message(message)
            await s.settle()
        assert s.focused == "field"
        assert s.bytes() == s.original
        await s.press("escape", "escape", "slash")
        for message in InputDecoder().feed(b"\x1b1"):
            s.app.post_message(message)
        await s.type("thanks")
        s.expect(re.compile("[^1¡]thanks"))
