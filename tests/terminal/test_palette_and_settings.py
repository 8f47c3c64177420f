"""The command palette and the settings file in a real terminal."""

from tests.terminal.desk import written
from tests.terminal.terminal import EVALTUI, Terminal


def test_settings_give_keys_the_palette_does_a_command_and_a_file_opens_as_it_was_left(
    terminal: Terminal,
) -> None:
    config = terminal.home / "config" / "evaltui" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('theme = "norrd"\n[keys]\n"tree.delete" = "f10"\n')
    written(terminal)
    terminal.start([*EVALTUI, "edit", "desk.evalset.json"])
    terminal.until('config.toml:1: theme: there is no theme "norrd"; did you mean nord?')
    terminal.until("f10 delete")
    terminal.keys("F10")
    terminal.until("deleted")
    terminal.keys("C-p")
    terminal.until("a few letters")
    terminal.type("undo")
    terminal.until("▌undo")
    terminal.keys("Enter")
    terminal.until("2 cases")
    terminal.keys("-", "End")
    terminal.until("▌  farewell")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0
    terminal.start([*EVALTUI, "edit", "desk.evalset.json"])
    terminal.until("▌  farewell")
    assert not any("Good morning" in line for line in terminal.screen())
