"""The settings file: what holds, what does not and where, and that nothing in it stops the app."""

import os
from pathlib import Path

import pytest
from textual.theme import BUILTIN_THEMES

from evaltui.settings.user_settings import THEMES, Settings, load_settings
from evaltui.tui.commands import all_commands
from evaltui.tui.key_remaps import keys_in_force


def loaded(folder: Path, text: str) -> Settings:
    path = folder / "config.toml"
    path.write_text(text)
    return keys_in_force(load_settings(path))


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    settings = load_settings(tmp_path / "none.toml")
    assert (settings.theme, settings.mouse, settings.journal, settings.keys) == ("auto", True, True, {})
    assert settings.complaints == ()
    assert settings.first_complaint() == ""


def test_each_setting_is_read(tmp_path: Path) -> None:
    settings = loaded(
        tmp_path,
        'theme = "nord"\nmouse = false\njournal = false\ninline_data_limit = "1.5 MB"\n[keys]\n"tree.add" = "f10"\n',
    )
    assert (settings.theme, settings.mouse, settings.journal) == ("nord", False, False)
    assert settings.inline_data_limit == 1_500_000
    assert settings.keys == {"tree.add": "f10"}
    assert settings.in_file == {"theme", "mouse", "journal", "inline_data_limit", "keys.tree.add"}
    assert settings.complaints == ()


def test_a_pane_keeps_its_own_key_unless_it_is_wanted_for_every_pane(tmp_path: Path) -> None:
    assert loaded(tmp_path, "[keys.run]\nchanged = 'o, f10'").keys == {"run.changed": "o,f10"}
    (_, sentence), *_ = loaded(tmp_path, "[keys.run]\nchanged = 'O'").complaints
    assert sentence.endswith("O is already the key of list.review (review)")
    (_, sentence), *_ = loaded(tmp_path, "[keys.list]\nreview = 'f10, o'").complaints
    assert sentence.endswith("o is already the key of run.changed (changed)")
    assert loaded(tmp_path, "[keys.list]\nreview = 'f10'").keys == {"list.review": "f10"}


def test_the_themes_are_those_of_textual() -> None:
    assert {*THEMES} == {*BUILTIN_THEMES, "evaltui-dark", "evaltui-light"}


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("\ntheme = 'norrd'", 2, 'theme: there is no theme "norrd"; did you mean nord?'),
        ("mouse = 1", 1, "mouse: 1 is not true or false"),
        ("thme = 'nord'", 1, "thme: there is no such setting; did you mean theme?"),
        ("inline_data_limit = '5 potatoes'", 1, 'inline_data_limit: "5 potatoes" is not a size'),
        ("keys = 3", 1, "keys: write a section [keys] with lines like"),
        ("[keys]\nundoo = 'f10'", 2, "keys.undoo: there is no such command; did you mean undo?"),
        ("[keys]\nsave = 'x'", 2, "keys.save: x would act while typing"),
        ("[keys]\n'tree.add' = 'ctrl+i'", 2, "keys.tree.add: most terminals send ctrl+i as tab"),
        ("[keys]\n'tree.add' = 'hyper+x'", 2, 'keys.tree.add: there is no key "hyper+x"'),
        ("[keys]\n'tree.add' = ''", 2, "keys.tree.add: a key is missing"),
        ("[keys.tree]\nadd = 'j'", 2, "keys.tree.add: j is already the key of list.down (down)"),
        (
            "[keys]\nsave = 'f10'\n'quit.save' = 'd'",
            3,
            "keys.quit.save: d is already the key of quit.discard (quit without saving)",
        ),
        ("x = [", 0, "not TOML"),
        ("a = 1\nb = = 2", 2, "not TOML"),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_the_default_holds(
    tmp_path: Path, text: str, line: int, sentence: str
) -> None:
    settings = loaded(tmp_path, text)
    assert len(settings.complaints) == 1
    complained_line, complaint = settings.complaints[0]
    assert sentence in complaint
    assert complained_line in (line, 1)
    if line:
        assert complained_line == line
    assert (settings.theme, settings.mouse) == ("auto", True)
    assert sentence in settings.first_complaint()


def test_what_is_right_beside_it_holds(tmp_path: Path) -> None:
    settings = loaded(tmp_path, "theme = 'norrd'\nmouse = false\nx = 1\n[keys]\nundo = 'f10'\nredo = 'f10'")
    assert settings.mouse is False
    assert settings.keys == {"undo": "f10"}
    assert "2 more: see `evaltui config`" in settings.first_complaint()


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[" * 5000, b"theme = \x00"])
def test_no_content_of_the_file_stops_the_app(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(content)
    assert load_settings(path).complaints


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "config.toml").mkdir()
    assert load_settings(tmp_path / "config.toml").complaints == (
        (0, "cannot be read: not a regular file; evaltui uses the defaults"),
    )


@pytest.mark.parametrize(
    ("written", "key"),
    [("^e", "ctrl+e"), ("Ctrl+E", "ctrl+e"), ("?", "question_mark"), ("F10", "f10"), ("Z", "Z"), ("+", "plus"),
     ("#", "number_sign"), ("alt+↑", "alt+up"), ("ins", "insert"), ("/", "slash"), ("ctrl+\\\\", "ctrl+backslash")],
)  # fmt: skip
def test_keys_are_written_as_people_do(tmp_path: Path, written: str, key: str) -> None:
    settings = loaded(tmp_path, f'[keys]\n"tree.clone" = "{written}"')
    assert settings.keys == {"tree.clone": key} or "already" in settings.first_complaint()
    assert written not in ("^e", "F10", "Z", "#", "ins") or settings.keys == {"tree.clone": key}


def test_two_commands_may_change_places(tmp_path: Path) -> None:
    settings = loaded(tmp_path, '[keys]\n"tree.add" = "d"\n"tree.delete" = ["a", "delete"]')
    assert settings.keys == {"tree.add": "d", "tree.delete": "a,delete"}
    assert settings.complaints == ()


def test_the_keys_of_the_registry_could_be_written_in_the_settings(tmp_path: Path) -> None:
    lines = "\n".join(f'"{command.id}" = "{command.keys}"' for command in all_commands())
    settings = loaded(tmp_path, f"[keys]\n{lines}")
    assert settings.complaints == ()
    assert settings.keys == {command.id: command.keys for command in all_commands()}


def test_the_example_in_the_documents_holds(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "settings.md").read_text("utf-8")
    settings = loaded(tmp_path, page.partition("```toml\n")[2].partition("```")[0])
    assert settings.complaints == ()
    assert {"theme", "mouse", "journal", "inline_data_limit", "keys.tree.clone"} <= settings.in_file
    assert all(f"`{theme}`" in page for theme in THEMES)


def test_what_is_no_file_or_too_large_is_not_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    large = tmp_path / "large.toml"
    large.write_text("x = 1\n" * 50_000)
    said = [load_settings(path).first_complaint() for path in (pipe, large)]
    assert said == [
        "pipe.toml: cannot be read: not a regular file; evaltui uses the defaults",
        "large.toml: the file has more than 200,000 bytes; evaltui uses the defaults",
    ]
