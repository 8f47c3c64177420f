"""Recordings of a set that nobody named: google-adk's results, files of agents-cli, and the globs in settings."""

import json
import os
from pathlib import Path

import pytest

from evaltui.recordings.default_recordings import found_recordings
from evaltui.recordings.recording_search import FoundRecordings
from evaltui.settings.project_settings import SettingsError, project_settings
from tests.recordings.files import eval_set, invocation, otlp, result, span, write
from tests.recordings.test_recording_search import history, names


class TestBesideTheSet:
    def test_results_of_this_set_come_newest_first(self, tmp_path: Path) -> None:
        history(tmp_path, "app_desk_900.5", result())
        history(tmp_path, "app_desk_1000.25", result())
        history(tmp_path, "app_other_2000.0", result() | {"eval_set_id": "other"})
        history(tmp_path, "app_desk_950.0", json.dumps(result()))
        history(tmp_path, "app_other_950.0", json.dumps(result() | {"eval_set_id": "öther"}))
        write(tmp_path / ".adk" / "eval_history" / "notes.json", result())
        found = found_recordings(tmp_path / "desk.evalset.json", "desk")
        times = [path.name.removesuffix(".evalset_result.json").split("_")[-1] for path in found.paths]
        assert times == ["1000.25", "950.0", "900.5"]
        other = found_recordings(tmp_path / "desk.evalset.json", "öther")
        assert [path.name for path in other.paths] == ["app_other_950.0.evalset_result.json"]

    def test_without_a_time_in_its_name_the_file_tells(self, tmp_path: Path) -> None:
        for name, time in (("old", 1000), ("new", 2000)):
            os.utime(history(tmp_path, name, result()), (time, time))
        found = found_recordings(tmp_path / "desk.evalset.json", "desk").paths
        assert [path.name.split(".")[0] for path in found] == ["new", "old"]

    def test_a_set_without_history_has_none(self, tmp_path: Path) -> None:
        assert found_recordings(tmp_path / "desk.evalset.json", "desk") == FoundRecordings([])


class TestBySettings:
    def test_globs_are_relative_to_the_settings(self, tmp_path: Path) -> None:
        (tmp_path / "pyproject.toml").write_text(
            '[tool.evaltui]\nrecordings = ["runs/**/*.json*", "more", ".hid/*"]\n', "utf-8"
        )
        for name in ("runs/b.json", "runs/x/a.jsonl", "more/deep/c.json", ".hid/d.json", "runs/.e.json", "no.json"):
            write(tmp_path / name, otlp(span()))
        write(tmp_path / "runs" / "set.evalset.json", eval_set(invocation()))
        history(tmp_path / "sets", "app_desk_1", result())
        found = found_recordings(tmp_path / "sets" / "desk.evalset.json", "desk")
        assert names(found.paths, tmp_path) == ["runs/b.json", "runs/x/a.jsonl", "more/deep/c.json", ".hid/d.json"]
        assert len(found.others) == 1

    def test_paths_are_relative_where_the_set_is(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "evaltui.toml").write_text('recordings = ["sets/*.json"]\n', "utf-8")
        write(tmp_path / "sets" / "r.json", result())
        monkeypatch.chdir(tmp_path)
        assert found_recordings(Path("sets/s.json"), None).paths == [Path("sets/r.json")]
        monkeypatch.chdir(tmp_path / "sets")
        assert found_recordings(Path("s.json"), None).paths == [Path("r.json")]

    def test_a_folder_with_odd_signs_is_no_pattern(self, tmp_path: Path) -> None:
        folder = tmp_path / "[a]*"
        write(folder / "r.json", result())
        (folder / "evaltui.toml").write_text('recordings = ["*.json", "r.json"]\n', "utf-8")
        assert found_recordings(folder / "s.json", None).paths == [folder / "r.json"]

    @pytest.mark.parametrize("value", ['"*.json"', "[1]", '[""]'])
    def test_what_is_no_list_of_globs_is_refused(self, tmp_path: Path, value: str) -> None:
        (tmp_path / "evaltui.toml").write_text(f"recordings = {value}\n", "utf-8")
        with pytest.raises(SettingsError, match="recordings must be a list of globs"):
            project_settings(tmp_path)


@pytest.mark.parametrize("glob", ["../outside/*.json", "/**/*.json", "linked/*", "linked"])
def test_settings_of_a_repository_name_no_recording_outside(tmp_path: Path, glob: str) -> None:
    clone = tmp_path / "clone"
    (clone / ".git").mkdir(parents=True)
    write(tmp_path / "outside" / "a.json", otlp(span()))
    (clone / "linked").symlink_to(tmp_path / "outside")
    write(clone / "b.evalset.json", eval_set())
    write(clone / "evaltui.toml", f'recordings = ["{glob.replace("/**", f"{tmp_path}/**")}"]'.encode())
    with pytest.raises(
        SettingsError, match=r"evaltui.toml: recordings has .*, outside the repository; name it with -r"
    ):
        found_recordings(clone / "b.evalset.json", None)
