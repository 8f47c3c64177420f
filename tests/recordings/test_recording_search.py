"""Recordings that nobody named, and session databases near the set or within its project."""

import json
from pathlib import Path

import pytest

from evaltui.recordings.default_recordings import found_recordings
from evaltui.recordings.default_sessions import session_databases
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.recording_search import (
    FoundRecordings,
    recordings_in,
    skipped_text,
    use_of_sets,
)
from tests.recordings.files import content, dataset, eval_set, lines, otlp, result, span, write
from tests.strangers import Strangers


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
        assert len(found.other_files) == 5
        assert all(open_recording(path).conversations for path in found.paths)

    @pytest.mark.parametrize("value", [b"", b"{", b"[]", b"SQLite format 3", b'{"a": 1}'])
    def test_a_file_with_the_name_of_a_recording_is_left_to_be_opened(self, tmp_path: Path, value: bytes) -> None:
        """Opening it reports the fault; a count of other files would hide it."""
        for name in ("a.evalset_result.json", "b.session.json", "c.session.json.gz", "d.json"):
            write(tmp_path / name, value, packed=name.endswith(".gz"))
        found = recordings_in(tmp_path)
        expected = ["a.evalset_result.json", "b.session.json", "c.session.json.gz"]
        assert names(found.paths, tmp_path) == expected
        assert names([*found.other_files], tmp_path) == ["d.json"]

    def test_an_eval_set_among_other_files_is_named_with_its_use(self, tmp_path: Path) -> None:
        write(tmp_path / "config.json", {"criteria": {}})
        write(tmp_path / "dataset.json", dataset())
        report = {"version": 1, "set": {"eval_set_id": "desk"}, "cases": [{"eval_id": "a"}]}
        write(tmp_path / "report.json", report)
        assert use_of_sets(recordings_in(tmp_path).other_files, None) == ""
        for name in ("recorded.json", "a.evalset.json"):
            write(tmp_path / name, eval_set())
            others = recordings_in(tmp_path).other_files
            said = f"; to use the responses of an eval set, give its file: -r {tmp_path / name}"
            assert use_of_sets(others, None, "-r ") == said
        said = f"; to use the responses of an eval set, give its file: {tmp_path / 'recorded.json'}"
        assert use_of_sets(others, tmp_path / "a.evalset.json") == said
        (tmp_path / "recorded.json").unlink()
        assert use_of_sets(recordings_in(tmp_path).other_files, tmp_path / "a.evalset.json") == ""

    def test_hidden_files_and_folders_are_left_out_but_for_those_of_google_adk(self, tmp_path: Path) -> None:
        for name in (".git/a.json", ".a.json", "x/.venv/a.json"):
            write(tmp_path / name, result())
        history(tmp_path / "agent", "r_1", result())
        found = recordings_in(tmp_path)
        assert names(found.paths, tmp_path) == ["agent/.adk/eval_history/r_1.evalset_result.json"]
        assert found.other_files == ()
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


# --- session databases -----------------------------------------------------------------------------------------------


def touch(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def databases(folder: Path, eval_set: str, agent: str | None = None) -> list[str]:
    named = [folder / agent] if agent is not None else []
    return [str(path.relative_to(folder)) for path in session_databases(folder / eval_set, named)]


def test_the_nearest_come_first(tmp_path: Path) -> None:
    touch(tmp_path, ".git", ".adk/session.db", "a/.adk/session.db", "a/b/.adk/session.db", "a/b/c/.adk/session.db")
    assert databases(tmp_path, "a/b/set.json") == [
        "a/b/.adk/session.db", "a/.adk/session.db", ".adk/session.db", "a/b/c/.adk/session.db",
    ]  # fmt: skip


def test_the_folder_of_the_settings_comes_first_and_counts_once(tmp_path: Path) -> None:
    touch(tmp_path, ".git", ".adk/session.db", "agent/.adk/session.db")
    assert databases(tmp_path, "set.json", "agent") == ["agent/.adk/session.db", ".adk/session.db"]


def test_nothing_above_the_project_is_looked_into(tmp_path: Path) -> None:
    touch(tmp_path, ".adk/session.db", "project/.git", "project/evals/set.json")
    assert databases(tmp_path, "project/evals/set.json") == []


@pytest.mark.parametrize(("git", "wanted"), [([".git"], ["agent/.adk/session.db"]), ([], [])])
def test_agents_beside_the_folder_of_the_set_count_within_a_project(
    tmp_path: Path, git: list[str], wanted: list[str]
) -> None:
    touch(tmp_path, *git, "agent/.adk/session.db", "tests/unit/set.json")
    assert databases(tmp_path, "tests/unit/set.json") == wanted


def test_agents_beside_do_not_count_where_one_is_nearer(tmp_path: Path) -> None:
    touch(tmp_path, ".git", "agent/.adk/session.db", "other/.adk/session.db", "agent/evals/set.json")
    assert databases(tmp_path, "agent/evals/set.json") == ["agent/.adk/session.db"]


def test_a_folder_of_that_name_is_no_database(tmp_path: Path) -> None:
    touch(tmp_path, ".adk/session.db/x")
    assert databases(tmp_path, "set.json") == []


def test_a_database_of_a_stranger_above_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path, ".adk/session.db", "agent/.adk/session.db", "mine/set.json")
    strangers = Strangers(monkeypatch)
    assert databases(tmp_path, "mine/set.json") == [".adk/session.db"]
    strangers.own(tmp_path / ".adk" / "session.db")
    assert databases(tmp_path, "mine/set.json") == []
    touch(tmp_path, ".git")
    strangers.own(tmp_path / ".git")  # planted, so that the folder seems to be a repository
    assert databases(tmp_path, "mine/set.json") == []
