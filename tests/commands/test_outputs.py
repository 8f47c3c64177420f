"""What `-o` writes: whole or nothing, and never over an input."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.conftest import ADD, PATCHED, SOURCE, Evaltui
from tests.commands.runs import GREETING, eval_set, result, write

SET, TRACE = "trips.evalset.json", "runs/run.json"
DAMAGED = b'{"eval_set_id": "trips", "eval_case_results": [{"eval_'
RUN = ("run", SET, "-r", "runs")
ELSEWHERE = "write the report to another folder"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(GREETING))
    write(tmp_path / TRACE, result(GREETING))
    write(tmp_path / "test_config.json", {"criteria": {"response_match_score": 0.1}})
    write(tmp_path / "other_config.json", {"criteria": {"response_match_score": 0.2}})
    (tmp_path / "runs" / "damaged.json").write_bytes(DAMAGED)
    (tmp_path / "runs" / "cut.json").write_bytes(b'{"br')
    (tmp_path / "runs" / "notes.md").write_text("# Notes")
    write(tmp_path / ".adk" / "eval_history" / "x.evalset_result.json", result(GREETING, name="other"))
    (tmp_path / "pyproject.toml").write_text("[tool.evaltui]\n")


def assert_refused(evaltui: Evaltui, name: str | Path, *arguments: str) -> str:
    """The command refuses the output `name`, and writes no file at all; returns the message."""
    folder = Path.cwd()
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    done = evaltui(*arguments, "-o", "first.json", "-o", name)
    assert (done.code, done.out) == (2, b"")
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert done.err.count("\n") == 1
    assert done.err.startswith(f"evaltui: {Path(name)}: ")
    return done.err


@pytest.mark.parametrize(
    "name",
    [
        *("runs/run.json", "runs/damaged.json", "runs/cut.json", "runs/notes.md", "runs/../runs/run.json"),
        *("test_config.json", "other_config.json", SET),
    ],
)
def test_no_input_is_written_over_also_none_that_was_left_out(evaltui: Evaltui, name: str) -> None:
    assert_refused(evaltui, name, *RUN, "--config", "other_config.json")


def test_results_of_other_sets_that_were_found_stay(evaltui: Evaltui) -> None:
    assert_refused(evaltui, ".adk/eval_history/x.evalset_result.json", "run", SET)


def test_what_the_globs_of_the_settings_find_stays(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "evaltui.toml").write_text('recordings = ["runs/*"]\n')
    for name in ("runs/run.json", "runs/damaged.json", "runs/cut.json", "runs/notes.md"):
        assert_refused(evaltui, name, "run", SET)


@pytest.mark.parametrize("linked", [os.link, os.symlink])
@pytest.mark.parametrize("name", ["runs/run.json", "runs/damaged.json", SET, "test_config.json"])
def test_other_names_of_an_input_are_known(
    evaltui: Evaltui, tmp_path: Path, linked: Callable[[Path, Path], None], name: str
) -> None:
    linked(tmp_path / name, tmp_path / "link.json")
    assert_refused(evaltui, "link.json", *RUN)
    assert_refused(evaltui, tmp_path / "runs" / ".." / "link.json", *RUN)


@pytest.mark.parametrize("name", ["pyproject.toml", ".gitignore"])
def test_a_link_to_what_is_no_report_is_refused(evaltui: Evaltui, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("# ours\n")
    (tmp_path / "link.json").symlink_to(name)
    said = assert_refused(evaltui, "link.json", *RUN)
    assert f"link.json: this link leads to {tmp_path / name}, which does not have the name of a report" in said


def test_the_ending_of_a_report_is_that_of_the_name_that_was_given(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    for name, target in (("link.json", "store/ab12"), ("other.xml", "store/other.json")):
        (tmp_path / name).symlink_to(target)
    assert evaltui(*RUN, "-o", "link.json", "-o", "other.xml").code == 0
    assert json.loads((tmp_path / "store/ab12").read_text())["version"] == 1
    assert (tmp_path / "store/other.json").read_text().startswith("<?xml")
    assert evaltui(*RUN, "-o", "link.json").code == 2
    assert evaltui(*RUN, "-o", "link.json", "--force").code == 0
    (tmp_path / "bare").symlink_to("store/new.json")
    assert "bare: no report has this file ending" in assert_refused(evaltui, "bare", *RUN)


@pytest.mark.parametrize("name", ["first.json", "./first.json", "runs/../first.json", "link.json"])
def test_two_names_of_one_output_are_refused(evaltui: Evaltui, tmp_path: Path, name: str) -> None:
    (tmp_path / "link.json").symlink_to("first.json")
    assert "two outputs would write this file" in assert_refused(evaltui, name, *RUN)


@pytest.mark.parametrize("name", ["no/folder/a.json", "runs.json", "n" * 300 + ".json", "pipe.json", "loop.json"])
def test_all_outputs_are_checked_before_the_first_is_written(evaltui: Evaltui, tmp_path: Path, name: str) -> None:
    (tmp_path / "runs.json").mkdir()
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "loop.json").symlink_to("loop.json")
    assert_refused(evaltui, name, *RUN)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes what is read-only")
def test_what_is_read_only_is_refused(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text("{}")
    (tmp_path / "old.json").chmod(0o444)
    assert_refused(evaltui, "old.json", *RUN)


def test_a_report_among_the_recordings_is_written_once_and_then_stays(evaltui: Evaltui, tmp_path: Path) -> None:
    reports = [f"runs/scores.{ending}" for ending in ("json", "xml", "md", "txt")]
    assert evaltui(*RUN, *(part for name in reports for part in ("-o", name))).code == 0
    for name in reports:
        message = assert_refused(evaltui, name, *RUN)
        assert message == f"evaltui: {name}: this file is among the recordings and is not overwritten; {ELSEWHERE}\n"


def test_a_report_that_is_named_as_a_recording_stays(evaltui: Evaltui) -> None:
    assert evaltui(*RUN, "-o", "scores.json").code == 0
    assert_refused(evaltui, "scores.json", *RUN, "-r", "scores.json")


def test_a_report_outside_of_the_recordings_is_written_anew(evaltui: Evaltui, tmp_path: Path) -> None:
    outputs = [part for ending in ("json", "xml", "md", "txt") for part in ("-o", f"scores.{ending}")]
    for _ in range(2):
        assert evaltui(*RUN, *outputs).code == 0
    (tmp_path / "scores.json").write_text("{}")
    assert evaltui(*RUN, *outputs).code == 0
    assert (tmp_path / "scores.json").read_text() != "{}"


def test_a_recording_that_looks_like_a_report_stays(evaltui: Evaltui, tmp_path: Path) -> None:
    path = tmp_path / "runs" / "run.json"
    write(path, {"version": 1, "set": {}, **result(GREETING)})
    assert_refused(evaltui, "runs/run.json", *RUN)


def test_sets_of_a_folder_stay(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "sets").mkdir()
    (tmp_path / "sets" / "plain.json").write_bytes((tmp_path / SET).read_bytes())
    (tmp_path / "sets" / "cut.json").write_bytes(b'{"eval_cases": [')
    (tmp_path / "sets" / "cut_report.json").write_bytes(b'{"version": 1, "set": {"path": "eval_cases')
    write(tmp_path / "sets" / "test_config.json", {"criteria": {"response_match_score": 0.1}})
    for name in ("plain.json", "cut.json", "cut_report.json", "test_config.json"):
        assert_refused(evaltui, f"sets/{name}", "run", "sets", "-r", "runs")


def test_a_report_in_a_folder_of_sets_is_written_anew(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "sets").mkdir()
    for name in ("one.json", "two.json"):
        (tmp_path / "sets" / name).write_bytes((tmp_path / SET).read_bytes())
    for sets in (["sets/one.json"], ["sets"], ["sets"]):
        assert evaltui("run", *sets, "-r", "runs", "-o", "sets/scores.json").code == 0


class TestPatch:
    def test_the_patch_stays(self, evaltui: Evaltui, file: Path, patch: Path, tmp_path: Path) -> None:
        (tmp_path / "link.json").symlink_to(patch.name)
        os.link(patch, tmp_path / "hard.json")
        for name in (patch, "link.json", "hard.json", "./patch.json"):
            done = evaltui("patch", file, patch, "-o", name)
            assert (done.code, done.out, patch.read_bytes(), file.read_bytes()) == (2, b"", ADD, SOURCE)
            assert done.err == f"evaltui: {name}: this is the patch and is not overwritten; give another file name\n"

    def test_a_patch_of_itself_needs_an_output(self, evaltui: Evaltui, patch: Path, tmp_path: Path) -> None:
        patch.write_bytes(b'[{"op": "add", "path": "/-", "value": 1}]')
        before = patch.read_bytes()
        assert evaltui("patch", patch, patch).code == 2
        assert patch.read_bytes() == before
        assert evaltui("patch", patch, patch, "--diff").code == 0
        assert evaltui("patch", patch, patch, "-o", "out.json").code == 0

    def test_the_file_itself_is_as_good_as_in_place(self, evaltui: Evaltui, file: Path, patch: Path) -> None:
        assert evaltui("patch", file, patch, "-o", file).code == 0
        assert file.read_bytes() == PATCHED


NULL = os.devnull


@pytest.mark.parametrize(
    "words",
    [
        ["run", SET, "-r", TRACE, "-o", NULL],
        ["run", SET, "-r", TRACE, "-o", NULL, "-o", NULL, "-o", "report.md"],
        ["run", SET, "-r", TRACE, "--save-baseline", NULL],
        ["convert", SET, "--to", "ces", "-o", NULL],
        ["convert", SET, "other.json", "--to", "evaluation-dataset", "-o", NULL],
        ["patch", SET, "patch.json", "-o", NULL],
        ["record", TRACE, "-o", NULL],
    ],
    ids=" ".join,
)
def test_the_null_device_takes_every_output(evaltui: Evaltui, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "patch.json").write_bytes(b'[{"op": "remove", "path": "/eval_cases/0"}]')
    write(tmp_path / "other.json", eval_set(GREETING, name="other"))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    done = evaltui(*words)
    assert done.code == 0, done.err
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert {path.name for path in after.keys() - before.keys()} == ({"report.md"} & set(words))
    assert {path: after[path] for path in before} == before
    assert not Path(NULL).is_file()


def test_a_link_to_the_null_device_is_no_place_for_a_report(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "report.json").symlink_to(NULL)
    done = evaltui(*RUN, "-o", "report.json")
    assert (done.code, "a device or pipe" in done.err) == (2, True)
