"""The settings file as it is written: one value changes, all else stays."""

from pathlib import Path

import pytest

from evaltui.document.errors import SaveError
from evaltui.settings.user_settings import keep_theme, load_settings, make_settings


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'theme = "nord"\n'),
        ('theme = "dracula" # mine\n[keys]\n', 'theme = "nord" # mine\n[keys]\n'),
        ('mouse = false\n[keys]\nsave="f6"\n', 'mouse = false\ntheme = "nord"\n\n[keys]\nsave="f6"\n'),
    ],
)
def test_a_theme_is_kept_and_all_else_stays(tmp_path: Path, before: str, after: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(before)
    keep_theme("nord", path)
    assert path.read_text() == after
    assert load_settings(path).theme == "nord"


def test_a_first_file_says_all_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "evaltui" / "config.toml"
    assert make_settings(path)
    text = path.read_text()
    settings = load_settings(path)
    assert not settings.in_file
    assert not settings.complaints
    assert not make_settings(path)
    assert path.read_text() == text
    keep_theme("nord", path)
    assert text in path.read_text()
    path.write_text("\n".join(line.removeprefix("# ") for line in text.splitlines()[2:]))
    assert load_settings(path).in_file >= {
        "theme",
        "mouse",
        "journal",
        "inline_data_limit",
        "ignore",
        "keys.tree.clone",
    }
    assert not load_settings(path).complaints


def test_what_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SaveError, match="the settings file cannot be created: "):
        make_settings(tmp_path / "file" / "config.toml")
    broken = tmp_path / "config.toml"
    broken.write_text("x = [")
    with pytest.raises(SaveError, match="the theme was not saved: the settings are not TOML"):
        keep_theme("nord", broken)
    assert broken.read_text() == "x = ["


def test_settings_that_are_a_link_to_dotfiles_stay_a_link(tmp_path: Path) -> None:
    path, kept = tmp_path / "config" / "config.toml", tmp_path / "dotfiles" / "evaltui.toml"
    for folder in (path.parent, kept.parent, path.parent / ".git"):
        folder.mkdir()
    kept.write_text("mouse = false\n")
    path.symlink_to(kept)
    keep_theme("nord", path)
    assert (path.is_symlink(), kept.read_text()) == (True, 'mouse = false\ntheme = "nord"\n')
