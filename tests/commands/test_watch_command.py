"""`evaltui watch` without a terminal: a document a line, and the mistakes that other watches make."""

import itertools
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import Evaltui
from tests.commands.runs import case, eval_set, result, turn, write
from tests.commands.watched import PATIENCE, WatchProcess, replace, until
from tests.recordings.session_files import exchange, session, write_sqlite

SET, RUN = "trips.evalset.json", "run.json"
HELLO = case("hello", turn("Hi there", "Hello, how can I help?"))


def hello(words: str) -> dict[str, Any]:
    """The case or what the agent did in it, with another response."""
    return case("hello", turn("Hi there", words))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where the commands run, with a set and a recording that passes."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / SET, eval_set(HELLO))
    write(tmp_path / RUN, result(HELLO))
    return tmp_path


def status(document: dict[str, Any]) -> str:
    """The status of the only case."""
    (found,) = document["cases"]
    return str(found["status"])


def test_the_first_document_comes_at_once_and_equals_that_of_run(folder: Path, evaltui: Evaltui) -> None:
    with WatchProcess(folder, SET, "-r", RUN) as watch:
        first = watch.document()
    assert first.pop("trigger") == []
    assert first == json.loads(evaltui("run", SET, "-r", RUN, "--format", "json").out)


def test_a_changed_set_is_scored_again(folder: Path) -> None:
    with WatchProcess(folder, SET, "-r", RUN) as watch:
        assert status(watch.document()) == "passed"
        write(folder / SET, eval_set(hello("Something else")))
        second = watch.document()
    assert second["trigger"] == [SET]
    assert status(second) == "failed"


def test_a_changed_recording_is_scored_again_and_swapped_with_nothing(folder: Path) -> None:
    """promptfoo watches the prompt and forgets other files; it also swapped expected and actual."""
    with WatchProcess(folder, SET, "-r", RUN) as watch:
        watch.document()
        replace(folder / RUN, json.dumps(result(hello("Go away"))))
        second = watch.document()
    assert second["trigger"] == [RUN]
    sides = second["cases"][0]["turns"][0]
    assert (sides["expected"]["response"], sides["actual"]["response"]) == ("Hello, how can I help?", "Go away")


def test_a_changed_config_counts_in_the_next_run_and_not_the_old_one(folder: Path) -> None:
    """promptfoo #1918."""
    write(folder / "mine.json", {"criteria": {"response_match_score": 0.9}})
    with WatchProcess(folder, SET, "-r", RUN, "--config", "mine.json") as watch:
        watch.document()
        write(folder / "mine.json", {"criteria": {"tool_trajectory_avg_score": 0.5}})
        second = watch.document()
    assert second["trigger"] == ["mine.json"]
    assert list(second["config"]["criteria"]) == ["tool_trajectory_avg_score"]


def test_sources_that_appear_are_changes(folder: Path) -> None:
    """promptfoo #1919, #10164: files that are named by nobody, in folders that do not exist yet."""
    (folder / RUN).unlink()
    history = folder / ".adk/eval_history"
    with WatchProcess(folder, SET) as watch:
        assert status(watch.document()) == "not_evaluated"
        write(history / "trips_1.evalset_result.json", result(hello("Go away")))
        document = watch.document()
        assert (status(document), document["trigger"]) == (
            "failed",
            [".adk/eval_history/trips_1.evalset_result.json"],
        )
        write(folder / "test_config.json", {"criteria": {"response_match_score": 0.0}})
        document = watch.document()
        assert (status(document), document["trigger"]) == ("passed", ["test_config.json"])
        write(history / "trips_2.evalset_result.json", result(HELLO, at=1_800_000_000.0))
        assert watch.document()["cases"][0]["metrics"][0]["score"] == 1.0


def test_a_recording_that_appears_in_a_named_folder_is_a_change(folder: Path) -> None:
    write(folder / "runs/a/one.json", result(hello("Go away")))
    with WatchProcess(folder, SET, "-r", "runs") as watch:
        watch.document()
        write(folder / "runs/b/c/two.json", result(HELLO, at=1_800_000_000.0))
        document = watch.document()
    assert (status(document), document["trigger"]) == ("passed", ["runs/b/c/two.json"])


def test_a_recording_of_the_projects_settings_is_watched(folder: Path) -> None:
    (folder / "evaltui.toml").write_text('recordings = ["traces/**/*.json"]\n')
    with WatchProcess(folder, SET) as watch:
        watch.document()
        write(folder / "traces/today/one.json", result(hello("Go away")))
        document = watch.document()
        assert (status(document), document["trigger"]) == ("failed", ["traces/today/one.json"])


@pytest.mark.parametrize("name", [SET, RUN, "test_config.json"])
def test_a_broken_source_is_said_and_the_watch_goes_on_once_it_is_repaired(folder: Path, name: str) -> None:
    """promptfoo #10833: a failing run ended the watch."""
    write(folder / "test_config.json", {"criteria": {"response_match_score": 0.8}})
    well = (folder / name).read_text()
    with WatchProcess(folder, SET, "-r", RUN) as watch:
        watch.document()
        (folder / name).write_text(well[: len(well) // 2])
        watch.sentence(f"{name}:1:")
        assert watch.documents_so_far() == []
        (folder / name).write_text(well)
        document = watch.document()
        assert (status(document), document["trigger"]) == ("passed", [name])


def test_a_found_recording_that_is_none_any_more_says_what_helps(folder: Path) -> None:
    write(folder / "runs/one.json", result(HELLO))
    with WatchProcess(folder, SET, "-r", "runs") as watch:
        watch.document()
        replace(folder / "runs/one.json", '{"a": 1}')
        watch.sentence("runs/one.json: this file can no longer be read as a recording; write it again, or name another")
        write(folder / "runs/one.json", result(HELLO))
        assert status(watch.document()) == "passed"


@pytest.mark.parametrize("name", [SET, RUN])
def test_a_source_that_is_gone_is_said_and_counts_again_when_it_is_back(folder: Path, name: str) -> None:
    text = (folder / name).read_text()
    with WatchProcess(folder, SET, "-r", RUN) as watch:
        watch.document()
        (folder / name).unlink()
        watch.sentence(f"{name}: there is no such file")
        assert watch.documents_so_far() == []
        replace(folder / name, text)
        assert watch.document()["trigger"] == [name]


def test_a_found_recording_that_is_gone_is_said_and_other_changes_count_on(folder: Path) -> None:
    write(folder / "runs/one.json", result(HELLO))
    write(folder / "runs/two.json", result(hello("Go away"), at=1_800_000_000.0))
    with WatchProcess(folder, SET, "-r", "runs") as watch:
        assert status(watch.document()) == "failed"
        (folder / "runs/two.json").unlink()
        watch.sentence("runs/two.json: this file is gone")
        assert watch.documents_so_far() == []
        write(folder / "runs/one.json", result(hello("Hello, how may I help?")))
        document = watch.document()
        assert (document["trigger"], len(document["recordings"])) == (["runs/one.json", "runs/two.json"], 1)


def test_a_config_that_is_gone_is_named_by_the_next_scores(folder: Path) -> None:
    write(folder / "test_config.json", {"criteria": {"response_match_score": 0.0}})
    with WatchProcess(folder, SET, "-r", RUN) as watch:
        watch.document()
        (folder / "test_config.json").unlink()
        watch.sentence("test_config.json: this file is gone; the next scores do not use it")
        assert watch.documents_so_far() == []
        replace(folder / RUN, json.dumps(result(hello("Go away"))))
        document = watch.document()
    assert (document["trigger"], document["config"]["path"]) == ([RUN, "test_config.json"], None)


def test_a_file_that_is_written_in_pieces_is_waited_for(folder: Path) -> None:
    text = json.dumps(result(hello("Go away")))
    with WatchProcess(folder, SET, "-r", RUN) as watch:
        watch.document()
        with (folder / RUN).open("w") as file:
            for start in range(0, len(text), 40):
                file.write(text[start : start + 40])
                file.flush()
        assert status(watch.document()) == "failed"


@pytest.mark.parametrize(("name", "said"), [(SET, "this is"), (RUN, "no longer a file")])
def test_a_source_that_becomes_a_pipe_is_said_and_waits_for_nobody(folder: Path, name: str, said: str) -> None:
    text = (folder / name).read_text()
    with WatchProcess(folder, SET, "-r", RUN) as watch:
        watch.document()
        (folder / name).unlink()
        os.mkfifo(folder / name)
        watch.sentence(f"{name}: {said}")
        (folder / name).unlink()
        (folder / name).write_text(text)
        assert watch.document()["trigger"] == [name]


def test_a_recording_that_becomes_a_folder_is_gone(folder: Path) -> None:
    write(folder / "runs/one.json", result(HELLO))
    write(folder / "runs/two.json", result(hello("Go away"), at=1_800_000_000.0))
    with WatchProcess(folder, SET, "-r", "runs") as watch:
        assert status(watch.document()) == "failed"
        (folder / "runs/two.json").unlink()
        write(folder / "runs/two.json/in.json", result(hello("Hello there"), at=1_800_000_000.0))
        assert watch.document()["trigger"] == ["runs/two.json/in.json", "runs/two.json"]


def test_other_bytes_with_the_old_size_and_time_are_seen(folder: Path) -> None:
    with WatchProcess(folder, SET, "-r", RUN) as watch:
        watch.document()
        before = (folder / RUN).stat()
        (folder / RUN).write_text((folder / RUN).read_text().replace("how can I help?", "now go far away"))
        os.utime(folder / RUN, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert (folder / RUN).stat().st_size == before.st_size
        assert status(watch.document()) == "failed"


def test_a_checkout_of_another_branch_is_one_change_at_most_a_file(folder: Path) -> None:
    """git takes the old files away first; folders may go with them."""
    write(folder / "sets/one.evalset.json", eval_set(HELLO))
    write(folder / "other/one.evalset.json", eval_set(hello("Something else")))
    with WatchProcess(folder, "sets/one.evalset.json", "-r", RUN) as watch:
        watch.document()
        shutil.rmtree(folder / "sets")
        shutil.copytree(folder / "other", folder / "sets")
        assert status(watch.document()) == "failed"
        write(folder / "sets/one.evalset.json", eval_set(HELLO))
        assert status(watch.document()) == "passed"


def test_a_link_to_the_latest_recording_is_followed(folder: Path) -> None:
    write(folder / "runs/two.json", result(hello("Go away")))
    (folder / "latest.json").symlink_to(RUN)
    with WatchProcess(folder, SET, "-r", "latest.json") as watch:
        watch.document()
        (folder / "next").symlink_to("runs/two.json")
        (folder / "next").replace(folder / "latest.json")
        assert status(watch.document()) == "failed"
        write(folder / "runs/two.json", result(HELLO))
        assert status(watch.document()) == "passed"


def test_a_touched_file_and_the_files_of_editors_are_no_change(folder: Path) -> None:
    with WatchProcess(folder, SET, "-r", RUN) as watch:
        watch.document()
        (folder / SET).touch()
        (folder / f".{SET}.swp").write_text("x")
        replace(folder / RUN, (folder / RUN).read_text())
        write(folder / SET, eval_set(hello("Something else")))
        document = watch.document()
    assert document["trigger"] == [SET]


def test_the_sets_of_a_folder_are_each_watched_with_all_their_cases(folder: Path) -> None:
    """agc runs only the cases of the file that was saved."""
    write(folder / "sets/one.evalset.json", eval_set(HELLO))
    write(folder / "sets/two.evalset.json", eval_set(hello("Something else")))
    with WatchProcess(folder, "sets", "-r", RUN) as watch:
        assert [status(each) for each in watch.document()["runs"]] == ["passed", "failed"]
        write(folder / "sets/two.evalset.json", eval_set(HELLO))
        document = watch.document()
        assert [status(each) for each in document["runs"]] == ["passed", "passed"]
        assert document["trigger"] == ["sets/two.evalset.json"]
        write(folder / "sets/three.evalset.json", eval_set(hello("No")))
        assert len(watch.document()["runs"]) == 3


def test_a_baseline_that_changes_or_breaks_is_followed_too(folder: Path, evaltui: Evaltui) -> None:
    evaltui("run", SET, "-r", RUN, "--save-baseline", "base.json")
    good = (folder / "base.json").read_text()
    with WatchProcess(folder, SET, "-r", RUN, "--baseline", "base.json") as watch:
        assert watch.document()["cases"][0]["change"] == "same"
        replace(folder / "base.json", "{")
        assert "invalid JSON" in watch.sentence("base.json")
        replace(folder / "base.json", good.replace('"passed"', '"failed"'))
        line = watch.document()
        while line["cases"][0].get("change") != "improved":
            line = watch.document()
        assert line["trigger"] == ["base.json"]


def test_chosen_cases_stay_chosen(folder: Path) -> None:
    write(folder / SET, eval_set(HELLO, case("other", turn("Bye", "Bye"))))
    with WatchProcess(folder, f"{SET}:hello", "-r", RUN) as watch:
        assert status(watch.document()) == "passed"
        write(folder / SET, eval_set(case("other", turn("Bye", "Bye")), hello("Something else")))
        assert status(watch.document()) == "failed"


def test_reports_are_written_again_after_each_run(folder: Path) -> None:
    with WatchProcess(folder, SET, "-r", RUN, "-o", "report.md") as watch:
        watch.document()
        assert "✓" in (folder / "report.md").read_text()
        write(folder / SET, eval_set(hello("Something else")))
        watch.document()
        assert "✗" in (folder / "report.md").read_text()


def test_a_report_that_cannot_be_written_takes_no_line_and_no_exit_code(folder: Path) -> None:
    (folder / "reports").mkdir()
    with WatchProcess(folder, SET, "-r", RUN, "-o", "reports/run.md") as watch:
        watch.document()
        (folder / "reports").rename(folder / "elsewhere")
        write(folder / SET, eval_set(hello("Something else")))
        watch.sentence("reports/run.md: cannot be saved")
        assert status(watch.document()) == "failed"
        assert watch.interrupt() == 1


AGENT = """
import json, sys
words = json.load(open("words.json"))
value = json.load(open("run.json"))
value["eval_case_results"][0]["eval_metric_result_per_invocation"][0]["actual_invocation"]["final_response"] = {
    "parts": [{"text": words}]
}
if words == "fail":
    print("\\x1b[31mno model")
    sys.exit(3)
with open("run.json", "w") as file:
    json.dump(value, file)
"""


def test_code_that_changes_runs_the_command_whose_recording_is_scored(folder: Path) -> None:
    (folder / "agent").mkdir()
    (folder / "agent/agent.py").write_text(AGENT)
    command = f"{sys.executable} agent/agent.py"
    with WatchProcess(folder, SET, "-r", RUN, "--exec", command, "--on", "agent/**/*.py", "--on", "*.json") as watch:
        assert status(watch.document()) == "passed"
        write(folder / "words.json", "Go away")
        document = watch.document()
        assert (status(document), document["trigger"]) == ("failed", [RUN])
        write(folder / "words.json", "fail")
        watch.sentence("the command failed (exit code 3); its last lines:")
        assert "\x1b" not in watch.sentence("no model")
        write(folder / "words.json", "Hello, how can I help?")
        assert status(watch.document()) == "passed"


def test_code_that_changes_meanwhile_begins_the_command_anew(folder: Path) -> None:
    """The first run of the command would never end."""
    (folder / "code.py").write_text("0")
    (folder / "agent.sh").write_text(
        'if [ "$(cat code.py)" = 1 ]; then touch began; exec sleep 1000; fi; cp better.json run.json'
    )
    write(folder / "better.json", result(hello("Go away")))
    with WatchProcess(folder, SET, "-r", RUN, "--exec", "sh agent.sh", "--on", "*.py") as watch:
        watch.document()
        (folder / "code.py").write_text("1")
        until((folder / "began").exists)
        (folder / "code.py").write_text("2")
        assert status(watch.document()) == "failed"


def test_a_command_that_changes_its_own_code_is_told_so(folder: Path) -> None:
    (folder / "agent.sh").write_text("echo >> code.py; exec sleep 1000")
    with WatchProcess(folder, SET, "-r", RUN, "--exec", "sh agent.sh", "--on", "*.py") as watch:
        watch.document()
        (folder / "code.py").write_text("1")
        watch.sentence("the command started 3 times: it may write files that match --on itself")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 0), (signal.SIGTERM, -15), (signal.SIGHUP, -1)])
def test_the_end_ends_the_command_with_all_that_it_started(folder: Path, number: int, code: int) -> None:
    (folder / "agent.sh").write_text("sh -c 'echo $$ > pid.tmp; mv pid.tmp pid; exec sleep 1000' & wait")
    with WatchProcess(folder, SET, "-r", RUN, "--exec", "sh agent.sh", "--on", "*.py") as watch:
        watch.document()
        (folder / "code.py").write_text("1")
        until((folder / "pid").exists)
        pid = int((folder / "pid").read_text())
        until(lambda: Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"sleep"))  # until then it is a shell
        assert watch.interrupt(number) == code
        watch.sentence("sleep 1000 (pid ")
        until(lambda: not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text().split()[2])


@pytest.mark.parametrize(("words", "code"), [("Hello, how can I help?", 0), ("Go away", 1)])
def test_ctrl_c_gives_the_exit_code_of_the_last_run(folder: Path, words: str, code: int) -> None:
    with WatchProcess(folder, SET, "-r", RUN) as watch:
        watch.document()
        write(folder / RUN, {**result(hello(words)), "extra": 1})
        watch.document()
        assert watch.interrupt() == code


INTERRUPTED = """
import os, signal, sys
from evaltui.commands.watch import _PrintedRuns
following = _PrintedRuns._print
def interrupted(*given):
    following(*given)
    os.kill(os.getpid(), signal.SIGINT)
_PrintedRuns._print = interrupted
sys.argv[1:] = ["watch", *sys.argv[1:]]
from evaltui.__main__ import run
run()
"""
"""The program, but Ctrl-C is pressed as soon as a document is out."""


def test_ctrl_c_just_after_the_first_document_gives_its_exit_code(folder: Path) -> None:
    write(folder / RUN, result(hello("Go away")))
    command = [sys.executable, "-c", INTERRUPTED, SET, "-r", RUN, "--format", "jsonl"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout.count(b"\n"), done.stderr) == (1, 1, b"")


COUNTED = """
import gc, sys
from evaltui.commands.watch import _PrintedRuns
from evaltui.document.node import Node
gc.disable()
rest = _PrintedRuns.rest
def counted(runs):
    rest(runs)
    runs.say([f"{sum(isinstance(object, Node) for object in gc.get_objects())} nodes"])
_PrintedRuns.rest = counted
from evaltui.__main__ import run
run()
"""
"""The program, which says after each look how many nodes are in its memory."""


def test_the_documents_of_earlier_looks_are_not_kept(folder: Path) -> None:
    with WatchProcess(folder, SET, "-r", RUN, program=[sys.executable, "-c", COUNTED]) as watch:
        watch.document()
        watch.sentence(" nodes")
        write(folder / SET, eval_set(hello("Something else")))
        once = watch.sentence(" nodes")
        for words in ("Good day", "Good morning", "Good evening"):
            write(folder / SET, eval_set(hello(words)))
            assert watch.sentence(" nodes") == once


def test_a_baseline_from_standard_input_is_read_for_the_check_and_used_for_the_run(
    folder: Path, evaltui: Evaltui
) -> None:
    assert evaltui("run", SET, "-r", RUN, "--save-baseline", "base.json").code == 0
    command = [sys.executable, "-c", INTERRUPTED, SET, "-r", RUN, "--format", "jsonl", "--baseline", "-"]
    baseline = (folder / "base.json").read_bytes()
    done = subprocess.run(command, cwd=folder, input=baseline, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["baseline"]["counts"]["regressed"] == 0


def test_a_recording_from_standard_input_is_scored_and_used_again(folder: Path, evaltui: Evaltui) -> None:
    (folder / "short.evalset.json").write_text(json.dumps(eval_set(case("greeting", turn("Hi")))))
    sets = [SET, "short.evalset.json"]  # a case of several turns, and only single turns: the file is opened twice
    recording = (folder / RUN).read_bytes()
    command = [sys.executable, "-c", INTERRUPTED, *sets, "-r", "-", "--format", "jsonl"]
    done = subprocess.run(command, cwd=folder, input=recording, capture_output=True, check=False, timeout=60)
    shown = json.loads(done.stdout)
    scored = json.loads(evaltui("run", *sets, "-r", RUN, "--format", "json").out)
    assert shown["summary"] == scored["summary"]
    assert [run["recordings"][0]["path"] for run in shown["runs"]] == ["-", "-"]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="only Linux lets a signal choose its thread")
def test_ctrl_c_ends_a_watch_whose_main_thread_does_not_wake_up_for_it(folder: Path) -> None:
    """A signal that another thread takes leaves the main thread asleep, as one does that comes just before the wait."""
    with WatchProcess(folder, SET, "-r", RUN, program=[sys.executable, "-m", "evaltui"]) as watch:
        watch.document()
        tasks = Path(f"/proc/{watch.process.pid}/task")

        def is_asleep() -> bool:
            return (tasks / str(watch.process.pid) / "stat").read_text().split()[2] == "S"

        until(lambda: len(list(tasks.iterdir())) > 1 and all(is_asleep() for _ in range(5000)))
        os.kill(max(int(each.name) for each in tasks.iterdir()), signal.SIGINT)
        assert watch.process.wait(PATIENCE) == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--format", "json", SET], "--format jsonl"),
        (["--format", "table", SET], "the table of evaltui watch needs a terminal: use --format jsonl"),
        (["gone.evalset.json"], "gone.evalset.json: there is no such file"),
        (["-"], "watch cannot read the eval set from standard input"),
        ([SET, "-r", "gone.json"], "gone.json: there is no such file"),
        ([SET, "--exec", "true"], "--exec needs --on GLOB"),
        ([SET, "--on", "*.py"], "--on needs --exec COMMAND"),
        ([SET, "--exec", "true", "--on", ""], "--exec needs --on GLOB"),
        ([SET, "-r", RUN, "-o", SET], "cannot be written to the file of an eval set"),
        ([SET, "-r", RUN, "-o", f"nowhere/{RUN}"], "there is no folder"),
    ],
)
def test_wrong_usage_is_exit_2_and_a_sentence(folder: Path, evaltui: Evaltui, arguments: list[str], said: str) -> None:
    done = evaltui("watch", *arguments)
    assert (done.code, done.out) == (2, b"")
    assert said in done.err


def test_after_1000_random_events_the_scores_are_right_and_no_run_was_lost_or_doubled(
    folder: Path, evaltui: Evaltui
) -> None:
    """Saves, replacements, deletions, touches and half files; each text is another, so that equal runs would show.

    Each recording has a case of its own: one that is not used would change nothing in the scores.
    """
    chance = random.Random(14)
    write(folder / "runs/a.json", result(case("bye", turn("Bye", "Farewell"))))
    files = [folder / SET, folder / RUN, folder / "runs/a.json", folder / "test_config.json"]
    options = (SET, "-r", RUN, "-r", "runs")
    documents = []
    with WatchProcess(folder, *options) as watch:
        watch.document()
        for number in range(1000):
            path = chance.choice(files)
            _act(chance, path, number)
            if number % 25 == 24:
                for place, each in enumerate(files):  # all are well for a moment
                    replace(each, _text(each.name, 1000 + 4 * number + place))
                expected = json.loads(evaltui("run", *options, "--format", "json").out)
                documents.append(watch.document())
                while not _is_same(documents[-1], expected):
                    documents.append(watch.document())
    assert not any(_is_same(one, other) for one, other in itertools.pairwise(documents))
    assert all(each["trigger"] for each in documents)


def _is_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two documents tell the same scores of the same texts."""
    return {**one, "trigger": None} == {**other, "trigger": None}


def _act(chance: random.Random, path: Path, number: int) -> None:
    """One event."""
    text = _text(path.name, number)
    match chance.randrange(6):
        case 0:
            path.write_text(text)
        case 1:
            replace(path, text)
        case 2:
            path.unlink(missing_ok=True)
            path.write_text(text)
        case 3:
            path.touch()
        case 4:
            path.write_text("\n" * number + text[: chance.randrange(len(text))])  # the fault is told with its line
        case _:
            if path.exists():
                replace(path, path.read_text())


def _text(name: str, number: int) -> str:
    """A text for a file, different for each number."""
    if name == "test_config.json":
        return json.dumps({"criteria": {"response_match_score": number / 10_000}})
    bye = case("bye", turn("Bye", f"Farewell {number}"))
    if name == SET:
        return json.dumps(eval_set(hello(f"Hello {number}"), bye))
    return json.dumps(result(hello(f"Said {number}") if name == RUN else bye, at=1e9 + number))


def test_a_session_that_a_server_adds_to_its_log_is_a_change(folder: Path) -> None:
    path = write_sqlite(folder / "session.db", session("s1", *exchange("e1", "Hi there", "Go away")))
    with WatchProcess(folder, SET, "-r", "session.db") as watch, closing(sqlite3.connect(path)) as server:
        assert status(watch.document()) == "failed"
        server.execute("PRAGMA journal_mode = WAL")
        server.execute("UPDATE events SET event_data = replace(event_data, 'Go away', 'Hello, how can I help?')")
        server.commit()
        while status(document := watch.document()) == "failed":
            assert document["trigger"] == ["session.db"]
    assert document["trigger"] == ["session.db"]
