"""YAML is read where a command takes it, and else named as what it is, never reported as bad JSON."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.commands.conftest import Evaltui, Process
from tests.commands.runs import EXPECTED, eval_set, write
from tests.commands.test_edit_refusals import edit

CONFIG = "evaluators:\n  - name: tool_trajectory_avg_score\n    type: builtin\n    threshold: 0.9\n"
SET = "eval_set_id: trips\neval_cases:\n  - eval_id: a\n    conversation: []\n"
SAID = "this is a config of agentevals in YAML, not JSON; give it with --config"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    write(tmp_path / "set.json", eval_set(EXPECTED))
    (tmp_path / "evaluators.yaml").write_text(CONFIG)


def test_validate_takes_the_config_that_run_takes(evaltui: Evaltui, tmp_path: Path) -> None:
    write(
        tmp_path / "scenario.json",
        eval_set({"eval_id": "a", "conversation_scenario": {"starting_prompt": "Hi", "conversation_plan": "Ask"}}),
    )
    done = evaltui("validate", "scenario.json", "--config", "evaluators.yaml")
    assert (done.code, b"[metric-without-expectations]" in done.out) == (0, True)
    assert evaltui("validate", "set.json", "--config", "evaluators.yaml").code == 0
    (tmp_path / "evaluators.yaml").write_text("metrics: [a]\n")
    done = evaltui("validate", "set.json", "--config", "evaluators.yaml")
    assert (done.code, done.out) == (2, b"")
    assert done.err == "evaltui: evaluators.yaml is not a config: a config in YAML has a list of evaluators\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (CONFIG, "the file is a config of agentevals in YAML, not JSON; give it with --config"),
        (SET, "the file is YAML (google-adk's EvalSet), not JSON; `evaltui convert 'a b.yml' --to evalset`"),
        (
            "a: [1]\n",
            "the file is YAML, not JSON; evaltui reads YAML only as a config of agentevals (--config) and to",
        ),
        ("a: [1\n", "the file is a YAML file, not JSON, and it cannot be read: invalid YAML: line 2: "),
        (
            "a: caf\udce9\n",
            "the file is a YAML file, not JSON, and it cannot be read: invalid YAML: line 1: 0xE9 is not",
        ),
        ("", "the file is a YAML file, not JSON, and it cannot be read: the file is empty"),
        ("# only words\n" + "a: b\n" * 50_000, "the file is a YAML file, not JSON"),
    ],
)
def test_validate_says_what_a_yaml_file_is_and_never_fixes_it(
    evaltui: Evaltui, tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "a b.yml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    before = path.read_bytes()
    done = evaltui("validate", path.name, "--format", "json", "--fix")
    (file,) = json.loads(done.out)["files"]
    (found,) = file["diagnostics"]
    assert (done.code, file["format"], file["cases"], file["fixed"]) == (1, "not_json", None, [])
    assert (found["code"], found["group"], found["line"], found["fix"]) == ("yaml-file", "format", 1, None)
    assert found["message"].startswith(f"google-adk rejects this: {said}")
    assert path.read_bytes() == before


COMMANDS = [
    ["run", "X", "-r", "set.json"],
    ["run", "set.json", "-r", "set.json", "--baseline", "X"],
    ["review", "X", "--format", "text"],
    ["accept", "X", "-r", "set.json", "--fills"],
    ["watch", "X", "-r", "set.json", "--format", "jsonl"],
    ["patch", "X", "set.json", "-o", "out.json"],
    ["patch", "set.json", "X", "-o", "out.json"],
    ["record", "set.json", "--into", "X"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_says_what_it_is(evaltui: Evaltui, words: Sequence[str]) -> None:
    done = evaltui(*("evaluators.yaml" if word == "X" else word for word in words))
    assert (done.code, done.out, done.err) == (2, b"", f"evaltui: evaluators.yaml: {SAID}\n")


def test_edit_does_not_open_it_as_broken_json(process: Process) -> None:
    assert edit(process, "evaluators.yaml") == (2, f"evaltui: evaluators.yaml: {SAID}\n")


@pytest.mark.parametrize("words", [["run", "set.json", "-r", "X"], ["record", "X", "--list"], ["compare", "X", "X"]])
def test_a_recording_or_result_in_yaml_is_named(evaltui: Evaltui, words: Sequence[str]) -> None:
    done = evaltui(*("evaluators.yaml" if word == "X" else word for word in words))
    assert (done.code, done.out) == (2, b"")
    assert "evaluators.yaml: this is YAML, not a re" in done.err


def test_yaml_without_its_ending_is_known_by_its_content(evaltui: Evaltui) -> None:
    done = evaltui("run", "set.json", "-r", "set.json", "--config", "-", stdin=CONFIG.encode())
    assert (done.code, done.err) == (2, f"evaltui: -: {SAID}, with a name that ends with .yaml\n")
    assert b"error[yaml-file]" in evaltui("validate", "-", stdin=SET.encode()).out


CRITERIA = "criteria:\n  response_match_score: 0.8\n"
OF_GOOGLE = "a config of google-adk in YAML, which google-adk reads only as JSON; write it as JSON"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (CRITERIA, OF_GOOGLE),
        (CONFIG, f"{SAID.removeprefix('this is ')}, with a name that ends with .yaml"),
        (
            SET,
            "YAML (google-adk's EvalSet), not JSON; rename it to a b.yaml, then "
            "`evaltui convert 'a b.yaml' --to evalset` makes an eval set of it",
        ),
    ],
    ids=["criteria", "evaluators", "set"],
)
def test_yaml_in_a_json_file_is_named_with_the_way_out(evaltui: Evaltui, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "a b.json").write_text(text)
    (found,) = json.loads(evaltui("validate", "a b.json", "--format", "json").out)["files"][0]["diagnostics"]
    assert (found["code"], found["message"]) == ("yaml-file", f"google-adk rejects this: the file is {said}")
    for command in (["run", "a b.json"], ["run", "set.json", "-r", "set.json", "--config", "a b.json"]):
        done = evaltui(*command)
        assert (done.code, done.err) == (2, f"evaltui: a b.json: this is {said}\n")
    assert f"a b.json: this is {said}\n" in evaltui("convert", "a b.json", "--to", "evalset", "-o", "out.json").err


@pytest.mark.parametrize("text", ["v: 1\ncases: {}\n", "id: x\nevents:\n  - author: user\n", "- id: a\n  b: [1]\n"])
def test_yaml_of_no_known_format_in_a_json_file_is_named(evaltui: Evaltui, tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text)
    assert b"error[yaml-file]" in evaltui("validate", "x.json").out
    assert (evaltui("validate", "x.json", "--fix").code, (tmp_path / "x.json").read_text()) == (1, text)
    done = evaltui("run", "set.json", "-r", "set.json", "--baseline", "x.json")
    assert (done.code, done.err[:40]) == (2, "evaltui: x.json: this is YAML, not JSON;")
    assert evaltui("compare", "x.json", "x.json").err.startswith("evaltui: x.json: this is YAML, not a result;")
    assert evaltui("record", "x.json", "--list").err.startswith("evaltui: x.json: this is YAML, not a recording.")


@pytest.mark.parametrize("text", ["eval_set_id = a", '"eval_set_id": "a",\n"eval_cases": []}', "a: 1\n", "just words"])
def test_another_text_in_a_json_file_is_broken_json(evaltui: Evaltui, tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    assert b"yaml-file" not in evaltui("validate", "a.json").out


@pytest.mark.parametrize(
    "text",
    [
        '{eval_set_id: "trips", eval_cases: []}',
        "# a comment\n// another\n{'eval_set_id': 'trips', 'eval_cases': []}",
        '"eval_set_id": "trips", "eval_cases": []}',
        "eval_set_id = trips",
        "just words",
        'data: {"eval_set_id": "trips"}\n\ndata: {"eval_cases": []}\n',
    ],
)
def test_broken_json_is_not_taken_for_yaml(evaltui: Evaltui, text: str) -> None:
    assert b"yaml-file" not in evaltui("validate", "-", stdin=text.encode()).out
