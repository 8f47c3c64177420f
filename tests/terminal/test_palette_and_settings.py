"""The command palette and the settings file in a real terminal."""

from tests.terminal.desk import opened, written
from tests.terminal.terminal import EVALTUI, Terminal


def test_the_palette_finds_and_does_a_command(terminal: Terminal) -> None:
    opened(terminal)
    terminal.keys(":")
    terminal.until("a few letters")
    terminal.type("fold all")
    terminal.until("▌fold all")
    terminal.keys("Enter")
    terminal.until(lambda lines: not any("Good morning" in line or "Commands" in line for line in lines))
    terminal.keys("C-p")
    terminal.until("a few letters")
    terminal.type("quit")
    terminal.until("▌quit")
    terminal.keys("Enter")
    assert terminal.until_exit() == 0


def test_settings_give_other_keys_and_say_what_does_not_hold(terminal: Terminal) -> None:
    config = terminal.home / "config" / "evaltui" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('theme = "norrd"\n[keys]\n"tree.delete" = "f10"\n')
    written(terminal)
    terminal.start([*EVALTUI, "edit", "desk.evalset.json"])
    terminal.until('config.toml:1: theme: there is no theme "norrd"; did you mean nord?')
    terminal.until("f10 delete")
    terminal.keys("F10")
    terminal.until("deleted")
    terminal.keys("C-q")
    terminal.until("unsaved changes")
    terminal.keys("d")
    assert terminal.until_exit() == 0


def test_a_file_opens_as_it_was_left(terminal: Terminal) -> None:
    path = opened(terminal)
    terminal.keys("-", "End")
    terminal.until("▌  farewell")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0
    terminal.start([*EVALTUI, "edit", path.name])
    terminal.until("▌  farewell")
    assert not any("Good morning" in line for line in terminal.screen())
