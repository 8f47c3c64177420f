"""Recordings that nobody named."""

import json
import os
from pathlib import Path

import pytest

from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.recording_search import (
    FoundRecordings,
    found_recordings,
    recordings_in,
    skipped_text,
    use_of_sets,
)
from evaltui.settings.project_settings import SettingsError, project_settings
from tests.recordings.files import content, dataset, eval_set, invocation, lines, otlp, result, span, write


def names(paths: list[Path], folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in paths]


def history(folder: Path, name: str, value: object) -> Path:
    return write(folder / ".adk" / "eval_history" / f"{name}.evalset_result.json", value)


class TestInAFolder:
    def test_recordings_of_any_kind_and_depth_are_taken_and_others_counted(self, tmp_path: Path) -> None:
        kept = {
            "a.json": otlp(span()),
            "b/c/d.jsonl.gz": lines(otlp(span())),
            "b/e.txt": [span()],
            "f.json": result(),
            "g.json": json.dumps(result()),
            "h.json": dataset(responses=[{"response": content("Hello")}]),
            "i.json": json.dumps(result()).encode("utf-16"),
        }
        for name, value in kept.items():
            write(tmp_path / name, value, packed=name.endswith(".gz"))
        for name, value in {"set.json": eval_set(), "d.json": dataset(), "x.png": b"\x89PNG", "e.json": b""}.items():
            write(tmp_path / name, value)
        write(tmp_path / "notes.md", b'A trace has `"resourceSpans": []` in it.')
        found = recordings_in(tmp_path)
        assert names(found.paths, tmp_path) == sorted(kept)
        assert len(found.others) == 5
        assert all(open_recording(path).conversations for path in found.paths)

    @pytest.mark.parametrize("value", [b"", b"{", b"[]", b"SQLite format 3", b'{"a": 1}'])
    def test_a_file_with_the_name_of_a_recording_is_left_to_be_opened(self, tmp_path: Path, value: bytes) -> None:
        """Opening it reports the fault; a count of other files would hide it."""
        for name in ("a.evalset_result.json", "b.session.json", "c.session.json.gz", "d.json"):
            write(tmp_path / name, value, packed=name.endswith(".gz"))
        found = recordings_in(tmp_path)
        expected = ["a.evalset_result.json", "b.session.json", "c.session.json.gz"]
        assert names(found.paths, tmp_path) == expected
        assert names([*found.others], tmp_path) == ["d.json"]

    def test_an_eval_set_among_other_files_is_named_with_its_use(self, tmp_path: Path) -> None:
        write(tmp_path / "config.json", {"criteria": {}})
        write(tmp_path / "dataset.json", dataset())
        report = {"version": 1, "set": {"eval_set_id": "desk"}, "cases": [{"eval_id": "a"}]}
        write(tmp_path / "report.json", report)
        assert use_of_sets(recordings_in(tmp_path).others, None) == ""
        for name in ("recorded.json", "a.evalset.json"):
            write(tmp_path / name, eval_set())
            others = recordings_in(tmp_path).others
            said = f"; to use the responses of an eval set, give its file: -r {tmp_path / name}"
            assert use_of_sets(others, None, "-r ") == said
        said = f"; to use the responses of an eval set, give its file: {tmp_path / 'recorded.json'}"
        assert use_of_sets(others, tmp_path / "a.evalset.json") == said
        (tmp_path / "recorded.json").unlink()
        assert use_of_sets(recordings_in(tmp_path).others, tmp_path / "a.evalset.json") == ""

    def test_hidden_files_and_folders_are_left_out_but_for_those_of_google_adk(self, tmp_path: Path) -> None:
        for name in (".git/a.json", ".a.json", "x/.venv/a.json"):
            write(tmp_path / name, result())
        history(tmp_path / "agent", "r_1", result())
        found = recordings_in(tmp_path)
        assert names(found.paths, tmp_path) == ["agent/.adk/eval_history/r_1.evalset_result.json"]
        assert found.others == ()
        assert names(found.skipped, tmp_path) == [".a.json", ".git", "x/.venv"]

    def test_folders_of_tools_and_links_to_folders_are_skipped_and_counted(self, tmp_path: Path) -> None:
        write(tmp_path / "node_modules" / "a.json", result())
        write(tmp_path / "env" / "pyvenv.cfg", b"")
        (tmp_path / "again").symlink_to(tmp_path)
        found = recordings_in(tmp_path)
        assert found.paths == []
        assert skipped_text(found.skipped) == "; 3 entries are skipped (hidden, a link, or a folder of a tool)"
        assert skipped_text(()) == ""

    def test_a_link_to_nothing_with_the_name_of_a_recording_is_left_to_be_opened(self, tmp_path: Path) -> None:
        (tmp_path / "a.evalset_result.json").symlink_to(tmp_path / "nothing")
        (tmp_path / "b.session.json").symlink_to(tmp_path)
        assert names(recordings_in(tmp_path).paths, tmp_path) == ["a.evalset_result.json", "b.session.json"]

    def test_a_sidecar_of_a_set_is_no_recording_and_not_counted(self, tmp_path: Path) -> None:
        write(tmp_path / "a.json", otlp(span()))
        write(tmp_path / "a.evalset.json.review.jsonl", {"id": "1", "trace_id": "", "responses": []})
        assert recordings_in(tmp_path) == FoundRecordings([tmp_path / "a.json"])
        write(tmp_path / "evaltui.toml", b'recordings = ["*.jsonl"]')
        write(tmp_path / "b.evalset.json", eval_set())
        assert found_recordings(tmp_path / "b.evalset.json", None) == FoundRecordings([])

    def test_the_folder_itself_may_be_hidden(self, tmp_path: Path) -> None:
        write(tmp_path / ".traces" / "a.json", otlp(span()))
        assert names(recordings_in(tmp_path / ".traces").paths, tmp_path) == [".traces/a.json"]

    def test_a_file_that_cannot_be_read_is_left_to_be_opened(self, tmp_path: Path) -> None:
        write(tmp_path / "a.json.gz", b"\x1f\x8bbroken")
        assert names(recordings_in(tmp_path).paths, tmp_path) == ["a.json.gz"]

    def test_links_in_a_circle_end(self, tmp_path: Path) -> None:
        write(tmp_path / "a.json", result())
        (tmp_path / "again").symlink_to(tmp_path)
        (tmp_path / "dead.json").symlink_to(tmp_path / "nothing")
        assert names(recordings_in(tmp_path).paths, tmp_path) == ["a.json"]


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
