"""Large files are checked case by case and by several processes, with the same output as a whole document."""

import gc
import io
import json
import random
import tracemalloc
from argparse import Namespace
from collections import deque
from concurrent.futures import Future
from contextlib import closing
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.commands import checked_files
from evaltui.document import json_stream
from evaltui.document.errors import ReadError
from evaltui.report.problem_reports import ReportSpool
from evaltui.scoring.eval_config import config_in
from evaltui.validation import large_file
from evaltui.validation.large_file import LargeFile
from evaltui.validation.rules.ids import StoredNumbers
from tests.commands.conftest import Done, Evaltui
from tests.sampling import Extent, examples, sampled

PROJECT = Path(__file__).parents[2]
CONFIG = {
    "criteria": {
        "response_match_score": 0.8,
        "tool_trajectory_avg_score": 1.0,
        "rubric_based_final_response_quality_v1": {
            "threshold": 0.8,
            "rubrics": [{"rubric_id": "polite", "rubric_content": {"text_property": "It is polite."}}],
        },
    }
}
OPTIONS = Namespace(fix=False, diff=False, strict=False, select=[], ignore=[], jobs=None)
OUTPUTS = (
    ("--format", "json"),
    ("--format", "text", "--color", "always"),
    ("--format", "github", "--strict"),
    ("--format", "json", "--config", "config.json"),
    ("--format", "json", "--select", "meaning", "--ignore", "no-expectation"),
)


@pytest.fixture(autouse=True)
def _config(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))


def by_cases(patch: pytest.MonkeyPatch, block: int = 500) -> list[LargeFile]:
    """Check files of any size case by case from now on; returns the files that were."""
    opened: list[LargeFile] = []
    report = LargeFile.report
    patch.setattr("evaltui.document.disk.file_content.LARGE", 0)
    patch.setattr(json_stream, "WINDOW", 300)
    patch.setattr(large_file, "BLOCK", block)
    patch.setattr(LargeFile, "report", lambda file, wanted: (opened.append(file), report(file, wanted))[1])
    return opened


def both(evaltui: Evaltui, *arguments: object) -> tuple[Done, Done, int]:
    """The output for whole documents and for case by case, and the number of files that were read case by case."""
    whole = evaltui("validate", *arguments)
    with pytest.MonkeyPatch.context() as patch:
        opened = by_cases(patch)
        return whole, evaltui("validate", *arguments), len(opened)


@pytest.mark.parametrize("output", OUTPUTS)
def test_the_output_for_public_files_is_the_same(
    shared_folder: Path, evaltui: Evaltui, output: tuple[str, ...]
) -> None:
    """Each output is made of all files in a thorough run, else of a fifth of them."""
    corpus = sorted((shared_folder / "corpus").glob("*.json"))
    samples = sorted((PROJECT / "sample_sets").rglob("*.json"))
    files = [path for path in (*corpus, *samples) if path.stat().st_size < 300_000]
    chosen = files if Extent.is_thorough else files[OUTPUTS.index(output) :: len(OUTPUTS)]
    whole, by_case, count = both(evaltui, *chosen, *output)
    assert by_case == whole
    assert count > len(chosen) / 3  # not sets in camelCase and other formats


def _turn(made: random.Random) -> dict[str, Any]:
    turn: dict[str, Any] = {"user_content": {"parts": [{"text": made.choice(["Hi", "héllo 😀", "a\nb"])}]}}
    if made.random() < 0.7:
        turn["final_response"] = {"parts": [{"text": made.choice(["Hello", "", "yes"])}]}
    if made.random() < 0.5:
        turn["intermediate_data"] = {"tool_uses": [{"name": "f", "args": {"a": 1}, "id": "x"}]}
    if made.random() < 0.3:
        content = {"text_property": "p"}
        rubric = {
            "rubric_id": made.choice(["polite", "b"]),
            "type": "FINAL_RESPONSE_QUALITY",
            "rubric_content": content,
        }
        turn["rubrics"] = [rubric]
    if made.random() < 0.1:
        turn["finalresponse"] = 1
    return turn


def _case(made: random.Random, number: int) -> Any:
    if made.random() < 0.03:
        return made.choice([1, "s", None, [1, 2]])
    eval_id = made.choice([f"c{number}", f"c{number}", "same", "", "case_3", "case_2", " ", "a,b"])
    case: dict[str, Any] = {"eval_id": eval_id, "conversation": [_turn(made) for _ in range(made.randint(0, 3))]}
    if made.random() < 0.6:
        state = {made.choice(["h", "k"]): made.choice([[], "", 1, {}, "x", None])}
        case["session_input"] = {"app_name": made.choice(["desk", "desk", "dest", ""]), "user_id": "u", "state": state}
    if made.random() < 0.1:
        case["evalId"] = case.pop("eval_id")
    return case


def _dataset_case(made: random.Random, number: int) -> dict[str, Any]:
    case: dict[str, Any] = {"prompt": {"parts": [{"text": "Hi"}], "role": "user"}}
    if made.random() < 0.5:
        case["eval_case_id"] = made.choice([f"c{number}", "same", "", "case_2"])
    if made.random() < 0.4:
        case["responses"] = [{"response": {"parts": [{"text": "x"}], "role": "model"}}]
    return case


def random_file(seed: int) -> str:
    """An eval set or dataset in any layout, with many problems."""
    made = random.Random(seed)
    is_set = made.random() < 0.65
    cases = [(_case if is_set else _dataset_case)(made, number) for number in range(made.randint(1, 9))]
    if not is_set and made.random() < 0.3:
        for case in cases:
            case.pop("eval_case_id", None)
    found: dict[str, Any] = {"eval_set_id": made.choice(["s", "s/1"]), "name": "n"} if is_set else {}
    found[made.choice(["eval_cases"] * 5 + ["evalCases"])] = cases
    if made.random() < 0.4:
        found["description"] = made.choice(["d", "é\n", 3, None])
    if made.random() < 0.3:
        found["creation_timestamp"] = made.choice([1, 1e15, "x"])
    text = json.dumps(found, indent=made.choice([None, None, 2, 1]), ensure_ascii=made.random() < 0.5)
    for key in ("eval_id", "eval_case_id", "name"):
        if made.random() < 0.2:
            text = text.replace(f'"{key}": "', f'"{key}": "", "{key}": "')
    if made.random() < 0.1:
        text = text.replace("[]", "[NaN]")
    return made.choice(["", "\n\n ", "\ufeff"] if made.random() < 0.3 else [""]) + text


@examples(60)
@given(st.integers(0, 10**9), st.sampled_from(OUTPUTS), st.sampled_from([1, 300, 10_000]))
def test_the_output_for_random_files_is_the_same(
    tmp_path_factory: pytest.TempPathFactory, seed: int, output: tuple[str, ...], block: int
) -> None:
    path = tmp_path_factory.mktemp("random") / "made.evalset.json"
    path.write_text(random_file(seed), "utf-8")
    whole = _printed(path, output)
    with pytest.MonkeyPatch.context() as patch:
        by_cases(patch, block)
        assert _printed(path, output) == whole


def _printed(path: Path, output: tuple[str, ...]) -> str:
    """What is printed, without capturing, because hypothesis runs many examples in one test."""
    config = config_in(json.dumps(CONFIG).encode(), Path("config.json")) if "--config" in output else None
    with closing(ReportSpool(output[1], colour=False)) as spool:
        for outcome in checked_files.check_files([(str(path), True)], OPTIONS, config):
            assert outcome.report is not None
            spool.add(outcome.report)
        spool._reports.seek(0)
        return spool._reports.read().decode() + spool.summary(is_preview=False)


def large_set(path: Path, cases: int) -> None:
    """A set in which some cases have problems of their own, and some have problems with others."""
    made = random.Random(1)
    found = [_case(made, number) for number in range(cases)]
    path.write_text(json.dumps({"eval_set_id": "s", "eval_cases": found}, indent=1))


def test_several_processes_give_the_same_output(
    evaltui: Evaltui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = active_children()
    large_set(tmp_path / "a.evalset.json", 60)
    (tmp_path / "broken.evalset.json").write_text("{,")
    (tmp_path / "no_set.json").write_text('{"a": 1}')
    large_set(tmp_path / "z.evalset.json", 40)
    arguments = ("validate", ".", "no_set.json", "--config", "config.json", "--format")
    for form in sampled(("json", "text"), 1):
        whole = evaltui(*arguments, form, "--jobs", "1")
        with pytest.MonkeyPatch.context() as patch:
            opened = by_cases(patch, 3_000)
            assert evaltui(*arguments, form, "--jobs", "2") == whole
        assert len(opened) == 2
    assert set(active_children()) <= set(others)


def test_a_process_that_is_killed_is_said(evaltui: Evaltui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    large_set(tmp_path / "a.evalset.json", 60)
    by_cases(monkeypatch)
    result = Future.result

    def killing(future: "Future[object]", timeout: float | None = None) -> object:
        for child in active_children():
            child.kill()
        return result(future, timeout)

    monkeypatch.setattr(Future, "result", killing)
    done = evaltui("validate", "a.evalset.json", "--jobs", "2")
    assert (done.code, done.out) == (2, b"")
    assert done.err == "evaltui: a process of evaltui was ended from outside, perhaps for its memory; try --jobs 1\n"


@pytest.mark.parametrize("jobs", ["0", "-1", "two", "1.5", "99999", ""])
def test_a_number_of_processes_is_at_least_1(evaltui: Evaltui, jobs: str) -> None:
    done = evaltui("validate", "config.json", f"--jobs={jobs}")
    assert (done.code, done.out) == (2, b"")
    assert "is not a number from 1 to 9999" in done.err


def test_a_file_that_changes_during_the_check_is_refused(
    evaltui: Evaltui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.evalset.json"
    large_set(path, 60)
    by_cases(monkeypatch)
    check = large_file.check_block

    def changing(*arguments: Any) -> large_file.BlockFindings:
        if arguments[-1][0]:
            path.write_text(path.read_text() + " ")
        return check(*arguments)

    monkeypatch.setattr(large_file, "check_block", changing)
    done = evaltui("validate", path.name)
    said = f"evaltui: {path.name}: the file changed while it was checked; run the command again\n"
    assert (done.code, done.out, done.err) == (2, b"", said)
    large_set(path, 60)
    (tmp_path / "good.evalset.json").write_text('{"eval_set_id": "s", "eval_cases": []}')
    done = evaltui("validate", ".", "--format", "json")
    assert [file["path"] for file in json.loads(done.out)["files"]] == ["good.evalset.json"]
    assert done.err == said


def test_a_file_that_changes_before_its_report_is_refused(
    evaltui: Evaltui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.evalset.json"
    large_set(path, 60)
    by_cases(monkeypatch)
    report = LargeFile.report

    def late(file: LargeFile, wanted: Any) -> Any:
        path.unlink()
        return report(file, wanted)

    monkeypatch.setattr(LargeFile, "report", late)
    done = evaltui("validate", path.name)
    assert (done.code, done.out, done.err.count("\n")) == (2, b"", 1)


def test_memory_does_not_grow_with_the_number_of_cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = by_cases(monkeypatch, 10_000)
    monkeypatch.setattr("evaltui.validation.large_file._IN_MEMORY", 10_000)
    kept = []
    for cases in (20, 60, 300):
        path = tmp_path / f"{cases}.json"
        large_set(path, cases)
        tracemalloc.start()
        before = _memory()
        for outcome in checked_files.check_files([(str(path), True)], OPTIONS):
            assert outcome.report is not None
            after_checks = _memory() - before
            found = iter(outcome.report.diagnostics)
            deque(found, maxlen=0)
            kept.append((after_checks, _memory() - before))
        tracemalloc.stop()
    assert len(opened) == 3
    few, many = kept[1:]  # the first run imports modules
    buffer = io.DEFAULT_BUFFER_SIZE  # of the temporary file that only many cases need: 128 KB from Python 3.14 on
    assert many[0] < 2 * few[0] + buffer
    assert many[1] < 2 * few[1] + buffer


def _memory() -> int:
    """Bytes in use."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def test_ids_in_a_database_are_like_ids_in_a_dictionary() -> None:
    made, stored, expected = random.Random(3), StoredNumbers(), dict[str, int]()
    for number in range(1000):
        text = made.choice(["é", "a", "\ud800", "case_", "0", ""]) + str(made.randint(0, 150))
        assert (text in stored) == (text in expected)
        assert stored.setdefault(text, number) == expected.setdefault(text, number)
    stored.close()


def test_a_block_of_another_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    block = 0, (0, 1, 1), 2
    with pytest.raises(ReadError, match="cannot be read"):
        list(large_file.cases_of_block(path, (0, 0, 0, 0), block))
    path.write_text("[]")
    with pytest.raises(ReadError, match="changed"):
        list(large_file.cases_of_block(path, (0, 0, 0, 0), block))


def test_a_set_in_camel_case_is_checked_as_a_whole(
    evaltui: Evaltui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = by_cases(monkeypatch)
    case = {"evalId": "a", "conversation": [{"userContent": {"content": "Hi"}}]}
    (tmp_path / "a.evalset.json").write_text(json.dumps({"evalSetId": "s", "evalCases": [case] * 9}))
    (file,) = json.loads(evaltui("validate", "a.evalset.json", "--format", "json").out)["files"]
    assert (file["format"], len(file["diagnostics"]), opened) == ("trpc_eval_set", 1, [])
