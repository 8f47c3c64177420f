"""`evaltui convert` as docs/cli.md has it: outputs, their names, reports and exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from evaltui.commands.convert import WRITTEN_FORMATS
from evaltui.commands.converted_files import safe_name
from evaltui.interop.conversion_formats import FORMATS
from tests.commands.conftest import Evaltui
from tests.commands.runs import case, eval_set, result, turn, write

SET = "trips.evalset.json"
TURNS: list[Any] = [
    {
        "query": "Book it",
        "expected_tool_use": [{"tool_name": "book", "tool_input": {"n": 1}, "mock_tool_output": "done"}],
        "reference": "Booked.",
    }
]
CASES: list[Any] = [{"name": "booking", "data": TURNS, "initial_session": {"app_name": "trip", "user_id": "ann"}}]
SCENARIO = {"eval_id": "talk", "conversation_scenario": {"starting_prompt": "hi", "conversation_plan": "book"}}
DIALECT: Any = {
    "evalSetId": "weather",
    "name": "weather",
    "evalCases": [
        {
            "evalId": "sunny",
            "conversation": [
                {
                    "userContent": {"role": "user", "content": "Rain?"},
                    "finalResponse": {"role": "assistant", "content": "No."},
                    "tools": [{"id": "t1", "name": "look", "arguments": {"at": "here"}, "result": {"rain": False}}],
                }
            ],
        }
    ],
}


@pytest.fixture
def trips(tmp_path: Path) -> Path:
    """A set with two cases, of which one has a call with an id."""
    return write(
        tmp_path / SET, eval_set(case("a", turn("hi", "hello", [("book", {"n": 1})])), case("b", turn("x", "y")))
    )


def read(path: Path) -> Any:
    return json.loads(path.read_bytes())


def report(evaltui: Evaltui, *options: object) -> Any:
    done = evaltui("convert", *options, "--report", "json")
    assert done.code == 0, done.err
    return json.loads(done.out)


# --- formats -------------------------------------------------------------------------------------------------------


def test_the_words_of_the_option_are_the_formats_that_are_written() -> None:
    assert {each.option for each in FORMATS if each.write is not None} == set(WRITTEN_FORMATS)


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (eval_set(case("a", turn("hi", "hello"))), "evalset"),
        (CASES, "legacy_cases"),
        (TURNS, "legacy_turns"),
        (DIALECT, "trpc-agent-go"),
        ({"scenarios": [{"startingPrompt": "hi", "conversationPlan": "p"}]}, "scenarios"),
        ({"id": "s", "eval_cases": [{"id": "a", "conversation": []}]}, "adk-rs"),
        ({"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "name": "A", "conversation": []}]}, "adk-rs"),
    ],
)
def test_the_format_is_told_by_the_content(evaltui: Evaltui, tmp_path: Path, value: Any, word: str) -> None:
    write(tmp_path / "some.json", value)
    (file,) = report(evaltui, "some.json", "--to", "evalset", "-o", "out.json")["files"]
    assert (file["path"], file["from"], file["to"], file["out"]) == ("some.json", word, "evalset", "out.json")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"criteria": {}}, "this is an eval config"),
        ({"eval_set_result_id": "x", "eval_case_results": []}, "`evaltui record` makes cases from it"),
        ({"scenarios": [{"name": "x"}], "prompts": []}, "not an eval set in a format that evaltui knows"),
        ({"a": 1}, "not an eval set in a format that evaltui knows"),
        ([], "not an eval set"),
    ],
)
def test_other_files_are_refused_with_a_reason(evaltui: Evaltui, tmp_path: Path, value: Any, reason: str) -> None:
    write(tmp_path / "some.json", value)
    done = evaltui("convert", "some.json", "--to", "evalset")
    assert (done.code, done.out) == (2, b"")
    assert done.err.startswith("evaltui: some.json: ")
    assert reason in done.err


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"eval_set_id": "a", "eval_cases": [}', "line 1, column 37: invalid JSON"),
        (b"", "invalid JSON: the file is empty"),
        (b'[{"query": "a", "reference": ' + b"[" * 2000 + b"]" * 2000 + b"}]", "nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(evaltui: Evaltui, tmp_path: Path, data: bytes, reason: str) -> None:
    (tmp_path / "bad.json").write_bytes(data)
    done = evaltui("convert", "bad.json", "--to", "evalset")
    assert (done.code, done.out) == (2, b"")
    assert done.err.count("\n") == 1
    assert f"bad.json: {reason}" in done.err or reason in done.err


def test_a_mark_other_ends_of_lines_and_half_characters_are_read(evaltui: Evaltui, tmp_path: Path) -> None:
    text = json.dumps(eval_set(case("a", turn("é \ud800", "b"))), indent=1).replace("\n", "\r\n")
    (tmp_path / SET).write_bytes(b"\xef\xbb\xbf" + text.encode())
    done = evaltui("convert", SET, "--to", "legacy-cases", "-o", "-")
    assert done.code == 0
    assert json.loads(done.out)[0]["data"][0]["query"] == "é \ud800"
    assert "é \\ud800".encode() in done.out


def test_numbers_that_json_lacks_are_reported_and_never_written(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "t.json").write_bytes(
        b'[{"query": "q", "expected_tool_use": [{"tool_name": "f", "tool_input": {"a": NaN, "b": [1e999], "c": 1}}]}]'
    )
    (file,) = report(evaltui, "t.json", "--to", "legacy-cases", "-o", "o.json")["files"]
    changed = {loss["pointer"]: loss["value"] for loss in file["losses"] if loss["kind"] == "changed"}
    below = "/0/expected_tool_use/0/tool_input"
    assert changed == {f"{below}/a": "NaN", f"{below}/b/0": "Infinity"}
    (call,) = read(tmp_path / "o.json")[0]["data"][0]["expected_tool_use"]
    assert call["tool_input"] == {"a": "NaN", "b": ["Infinity"], "c": 1}


def test_of_a_key_that_stands_twice_the_last_is_written_and_the_first_reported(
    evaltui: Evaltui, tmp_path: Path
) -> None:
    (tmp_path / "t.json").write_bytes(b'[{"query": "q", "query": "r", "expected_tool_use": []}]')
    (file,) = report(evaltui, "t.json", "--to", "legacy-cases", "-o", "o.json")["files"]
    assert [(loss["pointer"], loss["value"]) for loss in file["losses"] if loss["kind"] == "no_place"] == [
        ("/0/query", "q")
    ]
    assert read(tmp_path / "o.json")[0]["data"][0]["query"] == "r"


def test_yaml_of_cxas_is_read_and_written(evaltui: Evaltui, trips: Path, tmp_path: Path) -> None:
    assert evaltui("convert", SET, "--to", "cxas-yaml").code == 0
    assert (tmp_path / "trips.cxas.yaml").read_text("utf-8").startswith("conversations:")
    (file,) = report(evaltui, "trips.cxas.yaml", "--to", "evalset", "-o", "back.json")["files"]
    assert file["from"] == "cxas-yaml"
    assert [each["eval_id"] for each in read(tmp_path / "back.json")["eval_cases"]] == ["a", "b"]
    done = evaltui("convert", "-", "--to", "evalset", stdin=(tmp_path / "trips.cxas.yaml").read_bytes())
    assert json.loads(done.out)["eval_cases"][0]["eval_id"] == "a"
    (tmp_path / "bad.yaml").write_bytes(b"conversations: [\n  {")
    done = evaltui("convert", "bad.yaml", "--to", "evalset")
    assert (done.code, done.err.startswith("evaltui: bad.yaml: invalid YAML: line ")) == (2, True)


def test_evaluations_are_a_list_in_one_file_and_files_of_their_own_in_a_folder(
    evaltui: Evaltui, tmp_path: Path
) -> None:
    turns = [turn("hi", "hello")]
    write(
        tmp_path / SET,
        eval_set(case("a/b", *turns), case("A/B", *turns), case("../../c\x1b", *turns), case("", *turns)),
    )
    (file,) = report(evaltui, SET, "--to", "ces")["files"]
    assert file["out"] == "trips.ces.json"
    assert [each["displayName"] for each in read(tmp_path / "trips.ces.json")][:2] == ["a/b", "A/B"]
    (file,) = report(evaltui, SET, "--to", "ces", "-o", "out/")["files"]
    assert (file["out"], len(file["outs"])) == ("out", 4)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "A_B_2.ces.json",
        "a_b.ces.json",
        "c.ces.json",
        "case_4.ces.json",
    ]
    (file,) = report(evaltui, "trips.ces.json", "--to", "evalset", "-o", "back.json")["files"]
    assert file["from"] == "ces_evaluation"
    assert len(read(tmp_path / "back.json")["eval_cases"]) == 4


def test_a_mapping_gives_resource_names(evaltui: Evaltui, trips: Path, tmp_path: Path) -> None:
    app = "projects/p/locations/l/apps/a"
    (tmp_path / "names.yaml").write_text(f"app: {app}\ntools:\n  book: tool-id\n")
    done = evaltui("convert", SET, "--to", "ces", "-o", "-", "--mapping", "names.yaml")
    assert f"{app}/tools/tool-id" in done.out.decode()


def test_names_of_a_mapping_that_the_sources_lack_are_said(evaltui: Evaltui, trips: Path, tmp_path: Path) -> None:
    names = {"app": "projects/p/locations/l/apps/a", "tools": {"bok": "1", "book": "2"}, "agents": {"desk": "3"}}
    write(tmp_path / "names.json", names)
    done = evaltui("convert", SET, "--to", "ces", "-o", "ces.json", "--mapping", "names.json")
    assert done.err == "evaltui: names.json: no tool or agent in the sources has the name bok, desk\n"
    done = evaltui("convert", "ces.json", "--to", "evalset", "-o", "back.json", "--mapping", "names.json")
    assert "the name bok, desk" in done.err
    assert evaltui("convert", SET, "--to", "adk-rs", "-o", "o.json", "--mapping", "names.json").err == ""


def test_datasets_go_to_the_folder_that_agents_cli_reads(evaltui: Evaltui, tmp_path: Path) -> None:
    evalsets = tmp_path / "tests" / "eval" / "evalsets"
    write(evalsets / "basic.evalset.json", eval_set(case("a", turn("hi", "hello"))))
    assert evaltui("convert", "tests/eval/evalsets", "--to", "evaluation-dataset").code == 0
    dataset = tmp_path / "tests" / "eval" / "datasets" / "basic-dataset.json"
    assert read(dataset)["eval_cases"][0]["eval_case_id"] == "a"
    done = evaltui("convert", "tests/eval/datasets/basic-dataset.json", "--to", "evalset")
    assert (done.code, "basic.evalset.json: this file already exists" in done.err) == (2, True)


# --- outputs -------------------------------------------------------------------------------------------------------


def test_without_a_name_the_output_stands_beside_the_source(evaltui: Evaltui, trips: Path, tmp_path: Path) -> None:
    assert evaltui("convert", SET, "--to", "adk-rs").code == 0
    assert read(tmp_path / "trips.adk-rs.json")["eval_cases"][0]["eval_id"] == "a"


def test_an_output_never_has_the_name_of_its_source(evaltui: Evaltui, tmp_path: Path) -> None:
    before = write(tmp_path / SET, CASES).read_bytes()
    assert evaltui("convert", SET, "--to", "evalset").code == 0
    assert read(tmp_path / "trips.converted.evalset.json")["eval_set_id"] == "trips"
    assert (tmp_path / SET).read_bytes() == before
    write(tmp_path / "dialect.json", DIALECT)
    for output in (SET, "./trips.evalset.json"):
        done = evaltui("convert", SET, "dialect.json", "--to", "evalset", "-o", output, "--force")
        assert done.code == 2
    done = evaltui("convert", SET, "--to", "evalset", "-o", SET, "--force")
    assert (done.code, "this is an input of the command" in done.err) == (2, True)
    assert (tmp_path / SET).read_bytes() == before


def test_the_same_format_needs_a_name_for_the_copy(evaltui: Evaltui, trips: Path, tmp_path: Path) -> None:
    done = evaltui("convert", SET, "--to", "evalset")
    assert (done.code, "this is already evalset" in done.err) == (2, True)
    assert evaltui("convert", SET, "--to", "evalset", "-o", "camel.json", "--camel").code == 0
    camel = read(tmp_path / "camel.json")
    assert (camel["eval_set_id"], camel["eval_cases"][0]["evalId"]) == (read(trips)["eval_set_id"], "a")


def test_standard_input_goes_to_standard_output(evaltui: Evaltui) -> None:
    done = evaltui("convert", "-", "--to", "evalset", stdin=json.dumps(CASES).encode())
    assert done.code == 0
    assert json.loads(done.out)["eval_cases"][0]["eval_id"] == "booking"
    assert "- → standard output" in done.err


def test_with_standard_output_the_report_goes_to_stderr(evaltui: Evaltui, trips: Path) -> None:
    done = evaltui("convert", SET, "--to", "legacy-cases", "-o", "-")
    assert [each["name"] for each in json.loads(done.out)] == ["a", "b"]
    assert "legacy list" in done.err
    assert evaltui("convert", SET, "--to", "legacy-cases", "-o", "-", "--report", "json").code == 2


def test_an_existing_file_stays_unless_forced(evaltui: Evaltui, trips: Path, tmp_path: Path) -> None:
    (tmp_path / "o.json").write_bytes(b"mine")
    done = evaltui("convert", SET, "--to", "adk-rs", "-o", "o.json")
    assert (done.code, done.out, (tmp_path / "o.json").read_bytes()) == (2, b"", b"mine")
    assert "--force" in done.err
    assert evaltui("convert", SET, "--to", "adk-rs", "-o", "o.json", "--force").code == 0
    assert read(tmp_path / "o.json")["eval_set_id"]


def test_all_outputs_are_checked_before_the_first_is_written(evaltui: Evaltui, trips: Path, tmp_path: Path) -> None:
    write(tmp_path / "other.json", CASES)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "other.adk-rs.json").write_bytes(b"mine")
    done = evaltui("convert", SET, "other.json", "--to", "adk-rs", "-o", "out")
    assert (done.code, done.out) == (2, b"")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["other.adk-rs.json"]


def test_several_files_need_a_folder(evaltui: Evaltui, trips: Path, tmp_path: Path) -> None:
    write(tmp_path / "other.json", CASES)
    assert evaltui("convert", SET, "other.json", "--to", "adk-rs", "-o", "all.json").code == 2
    assert evaltui("convert", SET, "other.json", "--to", "adk-rs", "-o", "-").code == 2
    assert evaltui("convert", SET, "other.json", "--to", "adk-rs", "-o", "new/folder").code == 0
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == [
        "other.adk-rs.json",
        "trips.adk-rs.json",
    ]


def test_two_sources_of_one_name_are_not_written_over_each_other(evaltui: Evaltui, trips: Path, tmp_path: Path) -> None:
    write(tmp_path / "trips.json", CASES)
    done = evaltui("convert", SET, "trips.json", "--to", "adk-rs")
    assert (done.code, f"{SET} and trips.json would be written to this one file" in done.err) == (2, True)


def test_a_folder_is_converted_with_its_folders(evaltui: Evaltui, tmp_path: Path) -> None:
    for name, value in {"a/x.json": CASES, "b/x.json": DIALECT, "c.evalset.json": eval_set(), "d.json": {}}.items():
        (tmp_path / "sets" / name).parent.mkdir(parents=True, exist_ok=True)
        write(tmp_path / "sets" / name, value)
    (tmp_path / "sets" / "broken.json").write_bytes(b"{")
    done = evaltui("convert", "sets", "--to", "evalset", "-o", "sets/out")
    assert done.code == 0
    out = tmp_path / "sets" / "out"
    assert sorted(path.relative_to(out).as_posix() for path in out.rglob("*.json")) == [
        "a/x.evalset.json",
        "b/x.evalset.json",
    ]
    assert "broken.json: line 1" in done.err
    assert "sets/c.evalset.json skipped: already evalset" in done.err
    assert "sets/d.json skipped: not an eval set in a format that evaltui knows" in done.err
    for name in "efgh":
        (tmp_path / "sets" / f"{name}.json").write_bytes(b"{}")
    done = evaltui("convert", "sets", "--to", "evalset", "-o", "sets/out", "--dry-run")
    assert "5 files (sets/d.json, sets/e.json, sets/f.json and 2 more) skipped: not an eval set" in done.err
    assert evaltui("convert", "sets", "--to", "evalset", "-o", "sets/out", "--force").code == 0


def test_an_empty_folder_is_said(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = evaltui("convert", "empty", "--to", "evalset")
    assert (done.code, done.out, "nothing to convert in empty" in done.err) == (0, b"", True)


def test_a_missing_format_is_exit_2_with_all_formats_and_an_example(evaltui: Evaltui, trips: Path) -> None:
    done = evaltui("convert", SET, "--dry-run")
    assert (done.code, done.out) == (2, b"")
    assert done.err == (
        "evaltui: convert needs --to FORMAT, one of evalset, evaluation-dataset, ces, legacy-cases, adk-rs, cxas-yaml; "
        f"for example: evaltui convert {SET} --to evaluation-dataset\n"
    )


def test_a_dry_run_says_all_and_writes_nothing(evaltui: Evaltui, trips: Path, tmp_path: Path) -> None:
    done = evaltui("convert", SET, "--to", "legacy-cases", "-o", "new/o.json", "--dry-run")
    assert (done.code, "(not written)" in done.out.decode()) == (0, True)
    assert [path.name for path in tmp_path.iterdir()] == [SET]
    (tmp_path / "o.json").write_bytes(b"mine")
    done = evaltui("convert", SET, "--to", "legacy-cases", "-o", "o.json", "--dry-run")
    assert (done.code, "(not written)" in done.out.decode()) == (0, True)
    advice = "use --force to overwrite it, or -o to give another file name"
    assert done.err == f"evaltui: o.json: this file already exists; {advice}\n"
    assert (tmp_path / "o.json").read_bytes() == b"mine"
    assert evaltui("convert", SET, "--to", "legacy-cases", "-o", "o.json", "--dry-run", "--force").err == ""
    assert evaltui("convert", SET, "--to", "legacy-cases", "-o", "o.json", "--strict").code == 2


def test_a_loss_is_refused_where_it_is_strict(evaltui: Evaltui, trips: Path, tmp_path: Path) -> None:
    done = evaltui("convert", SET, "--to", "legacy-cases", "--strict")
    assert (done.code, [path.name for path in tmp_path.iterdir()]) == (1, [SET])
    assert "nothing was written" in done.err
    assert evaltui("convert", SET, "--to", "legacy-cases", "-o", "-", "--strict").out == b""
    assert evaltui("convert", SET, "--to", "evalset", "-o", "copy.json", "--strict").code == 0


@pytest.mark.parametrize("options", [("--to", "yaml"), (), ("--to", "evalset", "-o", "")])
def test_wrong_usage_is_said(evaltui: Evaltui, trips: Path, options: tuple[str, ...]) -> None:
    done = evaltui("convert", SET, *options)
    assert (done.code, done.out) == (2, b"")


@pytest.mark.parametrize("mapping", [b"[", b"[]", b'{"tools": {"a": 1}}'])
def test_a_mapping_that_is_none_is_said(evaltui: Evaltui, trips: Path, tmp_path: Path, mapping: bytes) -> None:
    (tmp_path / "m.json").write_bytes(mapping)
    done = evaltui("convert", SET, "--to", "adk-rs", "--mapping", "m.json")
    assert (done.code, done.out) == (2, b"")
    assert done.err.startswith("evaltui: m.json: ")


# --- reports -------------------------------------------------------------------------------------------------------


def test_the_report_has_the_shape_of_the_contract(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(case("a", turn("hi", "hello")), SCENARIO))
    told = report(evaltui, SET, "--to", "adk-rs", "-o", "o.json")
    (file,) = told["files"]
    assert (told["version"], file["counts"]) == (1, {"no_place": 1})
    assert file["losses"] == [
        {
            "pointer": "/eval_cases/1",
            "kind": "no_place",
            "value": SCENARIO,
            "reason": "adk-rs has only cases with turns",
            "advice": "To keep scenarios, convert to evalset, evaluation-dataset or ces.",
        }
    ]


def test_notes_stand_beside_losses_and_are_none(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "a.json", [{"eval_id": "a", "conversation": [turn("hi", "hello"), turn("x", "y")]}])
    note = "In a dataset, only the last turn of a case is compared. 1 earlier turn in 1 case gives only context."
    options = ("a.json", "--to", "evaluation-dataset", "--dry-run", "--strict")
    (file,) = report(evaltui, *options)["files"]
    assert (file["losses"], file["notes"]) == ([], [note])
    lines = evaltui("convert", *options).out.decode().splitlines()
    assert "nothing is lost, 1 note" in " ".join(lines)
    assert note in " ".join(" ".join(lines).split())
    assert any(line.startswith("  note    In a dataset") for line in lines)


def test_a_turn_without_calls_expects_none_there_and_back(evaltui: Evaltui, tmp_path: Path) -> None:
    silent, called = turn("Hi", "Hello"), turn("Hi", "Hello", [("search", {})])
    del silent["intermediate_data"]
    write(tmp_path / "trips.json", eval_set(case("greet", silent)))
    write(tmp_path / "result.json", result(case("greet", called)))
    assert evaltui("convert", "trips.json", "--to", "evaluation-dataset", "-o", "dataset.json").code == 0
    assert evaltui("convert", "dataset.json", "--to", "evalset", "-o", "back.json").code == 0
    assert read(tmp_path / "back.json")["eval_cases"][0]["conversation"] == [silent]
    for name in ("trips.json", "dataset.json"):
        done = evaltui("run", name, "-r", "result.json", "--format", "json")
        assert (done.code, json.loads(done.out)["cases"][0]["status"]) == (1, "failed"), name
    case_without = read(tmp_path / "dataset.json")
    del case_without["eval_cases"][0]["intermediate_events"]
    write(tmp_path / "open.json", case_without)
    (file,) = report(evaltui, "open.json", "--to", "evalset")["files"]
    assert file["notes"] == [
        "1 case states no tool calls for the last turn, so the written turn expects that no tool is called."
    ]


def test_losses_of_one_reason_stand_together_with_their_places(evaltui: Evaltui, tmp_path: Path) -> None:
    turns = [turn("hi", "hello") | {"invocation_id": f"i{number}"} for number in range(9)]
    write(tmp_path / SET, {"eval_set_id": "s", "eval_cases": [case("book_flight", *turns)]})
    text = evaltui("convert", SET, "--to", "legacy-cases").out.decode()
    assert "invocation id (9 values): a legacy list has no field for this." in text
    flat = " ".join(text.split())
    assert 'In "book_flight" (turns 1–9).' in flat


def test_losses_of_all_sets_are_said_once_and_counted(evaltui: Evaltui, tmp_path: Path) -> None:
    for number in range(3):
        value = {"eval_set_id": f"s{number}", "name": "S", "eval_cases": [case("a", turn("hi", "hello"))]}
        write(tmp_path / "sets" / f"{number}.json", value)
    options = ("sets", "--to", "evaluation-dataset", "-o", "out", "--dry-run")
    lines = evaltui("convert", *options).out.decode().splitlines()
    text = " ".join(" ".join(lines).split())
    assert text.count("an EvaluationDataset contains only eval_cases") == 1
    assert "to more than one file: lost eval set id, name of the set (6 values): an EvaluationDataset" in text
    assert "In sets/0.json, sets/1.json, sets/2.json." in text
    assert lines[-1] == "3 files: 6 lost"
    one = evaltui("convert", "sets/0.json", *options[1:]).out.decode()
    assert "In the set." in one
    assert "files" not in one


def test_the_report_fits_a_terminal_and_acts_on_none(evaltui: Evaltui, tmp_path: Path) -> None:
    wide = turn("hi", "hello") | {"invocation_id": "x"}
    value = {"eval_set_id": "s\x1b[2J", "eval_cases": [case("東京" * 20 + "\u202e\x1b]0;x\x07", wide) | {"\x1b[1m": 1}]}
    write(tmp_path / SET, value)
    text = evaltui("convert", SET, "--to", "legacy-cases", "-o", "o.json").out.decode()
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert all(cell_len(line) <= 80 for line in text.splitlines())


def test_the_layout_of_agents_cli_is_known(evaltui: Evaltui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    datasets = tmp_path / "tests" / "eval" / "datasets" / "deep"
    datasets.mkdir(parents=True)
    write(datasets / "basic.json", CASES)
    evalsets = tmp_path / "tests" / "eval" / "evalsets"
    assert evaltui("convert", "tests/eval/datasets/deep/basic.json", "--to", "evalset").code == 0
    assert read(evalsets / "deep" / "basic.evalset.json")["eval_set_id"] == "basic"
    monkeypatch.chdir(datasets)
    done = evaltui("convert", "basic.json", "--to", "evalset", "--force")
    assert done.code == 0
    assert "../../evalsets/deep/basic.evalset.json" in done.out.decode()


def test_names_of_files_keep_the_marks_of_letters() -> None:
    assert safe_name("จองเที่ยวบิน/1") == "จองเที่ยวบิน_1"
    assert safe_name("मुझे  उड़ान…") == "मुझे_उड़ान"
    assert safe_name("../a b") == "a_b"


# --- cases of other tools and scenarios ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        [{"id": "rain", "session_input": {"messages": [{"role": "user", "content": "Will it rain?"}]}}],
        {"eval_cases": [{"name": "rain", "messages": [{"role": "user", "content": "Will it rain?"}]}]},
        {"name": "weather", "evalCases": [{"name": "rain", "userMessage": "Will it rain?"}]},
    ],
)
def test_cases_of_another_tool_are_refused_and_nothing_is_written(evaltui: Evaltui, tmp_path: Path, value: Any) -> None:
    write(tmp_path / "some.json", value)
    done = evaltui("convert", "some.json", "--to", "evalset", "-o", "out.json")
    assert (done.code, done.out) == (2, b"")
    assert done.err.startswith("evaltui: some.json: ")
    assert not (tmp_path / "out.json").exists()


def test_scenarios_become_cases_that_validate_accepts(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "plans.json", {"scenarios": [{"starting_prompt": "What?", "conversation_plan": "Ask."}]})
    (file,) = report(evaltui, "plans.json", "--to", "evalset")["files"]
    assert (file["from"], file["out"], file["counts"]) == ("scenarios", "plans.evalset.json", {"invented": 2})
    assert evaltui("validate", "plans.evalset.json").code == 0
