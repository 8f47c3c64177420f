"""Recordings that nobody named."""

import json
from pathlib import Path

import pytest

from evaltui.recordings.default_recordings import found_recordings
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.recording_search import (
    FoundRecordings,
    recordings_in,
    skipped_text,
    use_of_sets,
)
from tests.recordings.files import content, dataset, eval_set, lines, otlp, result, span, write


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
