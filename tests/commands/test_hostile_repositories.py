"""Commands in a repository that somebody made to stop them."""

import json
import os
from pathlib import Path

import pytest

from evaltui.files import folder_search
from tests.commands.conftest import Evaltui
from tests.commands.runs import GREETING, eval_set, result, write
from tests.nested import nested
from tests.sampling import Extent

SET = "trips.evalset.json"
NESTED, DIGITS = "[" * 2_000 + "]" * 2_000, "1" * 5_000


@pytest.fixture(autouse=True)
def _set(tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(GREETING))


def test_patterns_of_gitignore_take_no_time(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*a" * 60 + "b\n")
    (tmp_path / f"{'a' * 200}.evalset.json").write_bytes((tmp_path / SET).read_bytes())
    done = evaltui("validate", ".", "--format", "json")
    assert (done.code, len(json.loads(done.out)["files"])) == (0, 2)


def test_globs_of_recordings_take_no_time(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "evaltui.toml").write_text(f'recordings = ["{"**/" * 60}*.x"]\n')
    with nested(tmp_path, 40):
        assert evaltui("run", SET).code == 3


def test_a_folder_that_is_too_large_is_refused_as_a_whole(
    evaltui: Evaltui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_search, "MOST_ENTRIES", 3)
    for number in range(3):
        write(tmp_path / f"{number}.json", result(GREETING))
    (tmp_path / "evaltui.toml").write_text('recordings = ["*.json"]')
    for arguments in (("validate", "."), ("run", SET, "-r", "."), ("run", SET)):
        done = evaltui(*arguments)
        assert (done.code, done.out) == (2, b"")
        assert "the search ended after 3 files and folders" in done.err


def test_folders_nested_a_thousand_deep_are_searched(evaltui: Evaltui, tmp_path: Path) -> None:
    with nested(tmp_path, 1_050) as inner:
        (inner / "deep.evalset.json").write_bytes((tmp_path / SET).read_bytes())
        write(inner / "run.json", result(GREETING))
        done = evaltui("validate", ".", "--format", "json")
        assert (done.code, len(json.loads(done.out)["files"])) == (0, 2)
        assert evaltui("run", SET, "-r", "d").code == 0
        assert evaltui("validate", inner).code == 0


@pytest.mark.parametrize("value", [NESTED, DIGITS])
@pytest.mark.parametrize("name", ["evaltui.toml", "pyproject.toml"])
def test_settings_that_no_parser_takes_are_one_sentence(
    evaltui: Evaltui, tmp_path: Path, name: str, value: str
) -> None:
    (tmp_path / name).write_text(f"[tool.evaltui]\nstrict = {value}\n" if name[0] == "p" else f"strict = {value}\n")
    for arguments in (("validate", SET), ("validate", "."), ("run", SET)):
        done = evaltui(*arguments)
        assert (done.code, done.out, done.err.count("\n")) == (2, b"", 1)
        assert f"{name}: " in done.err


def test_a_key_of_many_parts_takes_no_time(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "evaltui.toml").write_text(".".join("a" * 40_000) + " = 1\n")
    done = evaltui("validate", SET)
    assert (done.code, done.out) == (2, b"")
    assert "evaltui.toml: a key has too many parts" in done.err


def test_a_broken_pyproject_of_others_is_theirs_and_one_with_our_table_is_ours(
    evaltui: Evaltui, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text("[project\ndependencies = ['evaltui']\n")
    assert evaltui("validate", SET).code == 0
    (tmp_path / "other").mkdir()
    write(tmp_path / "other" / SET, eval_set(GREETING))
    (tmp_path / "other" / "pyproject.toml").write_text("[project\n[tool.evaltui]\nstrict = true\n")
    done = evaltui("validate", f"other/{SET}")
    assert (done.code, done.out) == (2, b"")
    assert "pyproject.toml: " in done.err


@pytest.mark.parametrize("value", [NESTED, DIGITS])
def test_settings_of_the_person_that_no_parser_takes_are_said(
    evaltui: Evaltui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config" / "evaltui").mkdir(parents=True)
    (tmp_path / "config" / "evaltui" / "config.toml").write_text(f"theme = {value}\n")
    done = evaltui("config")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "config.toml: not TOML: " in done.err


@pytest.mark.parametrize("value", [NESTED, DIGITS])
@pytest.mark.parametrize("text", ['{"criteria": %s}', '{"criteria": {"response_match_score": %s}}'])
def test_a_config_that_no_parser_takes_is_said(evaltui: Evaltui, tmp_path: Path, text: str, value: str) -> None:
    (tmp_path / "test_config.json").write_text(text % value)
    assert evaltui("validate", "test_config.json").code == 1
    assert evaltui("run", SET).code == 2
    done = evaltui("validate", SET)
    assert (done.code, done.err.count("\n")) == (0, 2)
    assert "test_config.json is not valid JSON: " in done.err
    assert "recursion" not in done.err
    assert "sys." not in done.err


def test_pipes_and_loops_are_never_waited_for(evaltui: Evaltui, tmp_path: Path) -> None:
    for name in (
        "pipe.evalset.json",
        "a.json",
        ".gitignore",
        "evaltui.toml",
        "pyproject.toml",
        "test_config.json",
        "__init__.py",
    ):
        os.mkfifo(tmp_path / name)
    (tmp_path / "loop.json").symlink_to("loop.json")
    (tmp_path / "zero.evalset.json").symlink_to("/dev/zero")
    done = evaltui("validate", ".", "--format", "json")
    assert (done.code, [each["path"] for each in json.loads(done.out)["files"]]) == (0, [SET])
    write(tmp_path / "run.json", result(GREETING))
    assert evaltui("run", SET, "-r", ".").code == 0
    for name in ("a.json", "loop.json", "zero.evalset.json"):
        refused = evaltui("run", SET, "-r", name)
        assert (refused.code, refused.out, refused.err.count("\n")) == (2, b"", 1)


def test_a_pipe_that_a_glob_finds_is_left_out(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "evaltui.toml").write_text('recordings = ["*.json"]\n')
    os.mkfifo(tmp_path / "a.json")
    write(tmp_path / "run.json", result(GREETING))
    done = evaltui("run", SET)
    assert done.code == 0
    assert "a.json: this is a device or pipe" in done.err


def test_a_name_that_is_too_long_is_one_sentence_that_has_it(evaltui: Evaltui) -> None:
    name = "n" * 300 + ".json"
    for arguments in (("validate", name), ("run", name), ("run", SET, "-r", name), ("run", SET, "--config", name)):
        done = evaltui(*arguments)
        assert (done.code, done.out, done.err.count("\n")) == (2, b"", 1)
        assert name in done.err


def test_paths_that_are_too_long_for_the_system_are_left_out_and_the_rest_is_not(
    evaltui: Evaltui, tmp_path: Path
) -> None:
    """Relative to here a set can be named whose config beside it, and whose absolute path, can not."""
    here = os.open(tmp_path, os.O_RDONLY)
    for name in ["d" * 203] * 19 + ["d" * 201]:  # 4,078 characters with slashes; a path has at most 4,095
        os.mkdir(name, dir_fd=here)
        below = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    with os.fdopen(os.open("s.json", os.O_CREAT | os.O_WRONLY, dir_fd=here), "wb") as file:
        file.write((tmp_path / SET).read_bytes())
    os.close(here)
    done = evaltui("validate", ".", "--format", "json")
    assert (done.code, len(json.loads(done.out)["files"])) == (0, 2)
    done = evaltui("run", ".", "--format", "json")
    assert (done.code, len(json.loads(done.out)["runs"])) == (3, 2)


TOO_DEEP = "values are nested too deeply"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("validate", "deep.json"), 1),
        (("validate", "--fix", "--diff", "deep.json"), 1),
        (("run", "deep.json", "-r", "result.json"), 2),
        (("run", SET, "-r", "deep.json"), 2),
        (("run", SET, "-r", "result.json", "--config", "deep.json"), 2),
        (("review", "deep.json", "-r", "result.json", "--format", "json"), 2),
        (("record", "--list", "deep.json"), 2),
        (("convert", "deep.json", "--to", "legacy-cases", "--dry-run"), 2),
        (("patch", "deep.json", "patch.json"), 2),
        (("patch", SET, "deep.json"), 2),
    ],
)
def test_half_a_million_brackets_are_refused_with_a_sentence(
    evaltui: Evaltui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int
) -> None:
    """More than a limit, which is lower where the run is not thorough."""
    brackets = 250_000 if Extent.is_thorough else 6_000
    monkeypatch.setattr("evaltui.document.node._MOST_DEEP", brackets * 2 // 5)
    write(tmp_path / "result.json", result(GREETING))
    (tmp_path / "patch.json").write_text("[]")
    (tmp_path / "deep.json").write_text('{"eval_cases": ' + "[" * brackets + "]" * brackets + "}")
    done = evaltui(*arguments)
    assert done.code == code
    assert TOO_DEEP in done.err + done.out.decode()
