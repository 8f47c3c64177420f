"""The files that a run reads, also those that may appear, and the folders in which a change shows."""

from pathlib import Path

import pytest

from evaltui.runs.watched_sources import signs_of
from evaltui.settings.project_settings import read_settings_again


def names(paths: object, folder: Path) -> set[str]:
    """Paths below a folder, by their names within it."""
    return {str(Path(path).relative_to(folder)) for path in paths if Path(path).is_relative_to(folder)}  # type: ignore[attr-defined]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sets").mkdir()
    (tmp_path / "sets/a.evalset.json").write_text("{}")
    return tmp_path


def test_config_history_and_settings_count_before_they_exist(folder: Path) -> None:
    files, folders = signs_of(folder / "sets/a.evalset.json", (), None)
    assert {"sets/a.evalset.json", "sets/test_config.json", "sets/evaltui.toml", "evaltui.toml"} <= names(files, folder)
    assert {"sets", "sets/.adk/eval_history"} <= names(folders, folder)
    assert files[folder / "sets/test_config.json"] is None


def test_results_of_the_history_count_where_nothing_is_named(folder: Path) -> None:
    history = folder / "sets/.adk/eval_history"
    history.mkdir(parents=True)
    (history / "one.evalset_result.json").write_text("{}")
    result = "sets/.adk/eval_history/one.evalset_result.json"
    assert result in names(signs_of(folder / "sets/a.evalset.json", (), None)[0], folder)
    assert result not in names(signs_of(folder / "sets/a.evalset.json", (str(folder / "b.json"),), None)[0], folder)


def test_a_named_folder_counts_with_all_folders_in_it(folder: Path) -> None:
    (folder / "runs/today/empty").mkdir(parents=True)
    (folder / "runs/today/one.json").write_text("{}")
    files, folders = signs_of(folder / "sets/a.evalset.json", (str(folder / "runs"),), None)
    assert "runs/today/one.json" in names(files, folder)
    assert {"runs", "runs/today", "runs/today/empty"} <= names(folders, folder)


def test_globs_of_the_settings_count_with_the_folders_where_more_may_appear(folder: Path) -> None:
    (folder / "evaltui.toml").write_text('recordings = ["traces/**/*.json"]')
    (folder / "traces/today").mkdir(parents=True)
    (folder / "traces/today/one.json").write_text("{}")
    files, folders = signs_of(folder / "sets/a.evalset.json", (), None)
    assert "traces/today/one.json" in names(files, folder)
    assert {"traces", "traces/today"} <= names(folders, folder)


def test_the_target_of_a_link_counts_by_its_folder(folder: Path) -> None:
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere/one.json").write_text("{}")
    (folder / "sets/latest.json").symlink_to(folder / "elsewhere/one.json")
    files, folders = signs_of(folder / "sets/a.evalset.json", (str(folder / "sets/latest.json"),), None)
    assert "elsewhere" in names(folders, folder)
    assert files[folder / "sets/latest.json"] is not None


def test_the_set_itself_is_left_out_where_somebody_else_follows_it(folder: Path) -> None:
    files, _ = signs_of(folder / "sets/a.evalset.json", (), None, with_set=False)
    assert "sets/a.evalset.json" not in names(files, folder)


def test_a_look_that_nobody_awaits_searches_no_folder(folder: Path) -> None:
    (folder / "runs").mkdir()
    (folder / "runs/one.json").write_text("{}")
    files, _ = signs_of(folder / "sets/a.evalset.json", (str(folder / "runs"),), None, cancelled=lambda: True)
    assert "runs/one.json" not in names(files, folder)


def test_the_history_of_an_agent_that_nothing_names_counts(folder: Path) -> None:
    eval_set = folder / "sets/a.evalset.json"
    (folder / "rail").mkdir()
    (folder / "rail/agent.py").touch()
    assert {"rail", "rail/.adk", "rail/.adk/eval_history"} <= names(signs_of(eval_set, (), None)[1], folder)
    (folder / "rail/.adk/eval_history").mkdir(parents=True)
    (folder / "rail/.adk/eval_history/r.json").touch()
    assert "rail/.adk/eval_history/r.json" in names(signs_of(eval_set, (), None)[0], folder)


@pytest.mark.parametrize("is_folder", [False, True])
def test_results_in_the_folder_of_the_agent_and_files_of_agents_cli_count_without_names(
    folder: Path, is_folder: bool
) -> None:
    eval_set = folder / "sets/a.evalset.json"
    eval_set.write_text('{"eval_cases": [{"session_input": {"app_name": "rail"}}]}')
    (folder / "rail").mkdir()
    (folder / "rail/agent.py").touch()
    (folder / "agents-cli-manifest.yaml").touch()
    path, scored = (folder / "sets", [eval_set]) if is_folder else (eval_set, [])

    def found(*recordings: str) -> tuple[set[str], set[str]]:
        sources, folders = signs_of(path, recordings, None, scored=scored)
        return names(sources, folder), names(folders, folder)

    empty = {"rail", "rail/.adk/eval_history", "artifacts/traces", "artifacts/grade_results"}
    assert empty <= found()[1]
    files = {"rail/.adk/eval_history/r.json", "artifacts/traces/t.json", "artifacts/grade_results/results_1.json"}
    for name in files:
        (folder / name).parent.mkdir(parents=True)
        (folder / name).touch()
    assert files <= found()[0]
    assert files.isdisjoint(found("other.json")[0])
    (folder / "evaltui.toml").write_text("recordings = 7")
    read_settings_again()
    assert "evaltui.toml" in found()[0]  # invalid settings are followed, and end no look
