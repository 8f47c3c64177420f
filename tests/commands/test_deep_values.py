"""Files whose values nest deep: read up to one limit, and refused beyond with the same code on each Python."""

import json
from pathlib import Path

import pytest

from evaltui.document.scanner import MOST_LEVELS
from tests.commands.conftest import Evaltui
from tests.commands.runs import GREETING, eval_set, result, write

SET = "trips.evalset.json"
SHAPES = {"lists": ("[", "1", "]"), "objects": ('{"a": ', "1", "}")}
BEYOND = [MOST_LEVELS + 10, 1_500, 20_000]
"""Levels around the limits of Python 3.11 (1,000 calls) and of later versions too."""
AROUND = 20
"""More levels than any file below has around the deep value."""

deeper = pytest.mark.parametrize("levels", BEYOND)
shapes = pytest.mark.parametrize("shape", SHAPES)


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(GREETING))
    write(tmp_path / "result.json", result(GREETING))


def deep(shape: str, levels: int) -> str:
    opening, inner, closing = SHAPES[shape]
    return opening * levels + inner + closing * levels


def put(path: Path, value: object, text: str) -> None:
    """Write JSON in which `text` stands in the place of "DEEP"."""
    path.write_text(json.dumps(value).replace('"DEEP"', text))


OLD = [{"name": "c", "data": [{"query": "q", "expected_tool_use": [{"tool_name": "t", "tool_input": {"a": "DEEP"}}]}]}]
WITH_ARGUMENTS = eval_set(
    {
        **GREETING,
        "conversation": [
            {**GREETING["conversation"][0], "intermediate_data": {"tool_uses": [{"name": "f", "args": "DEEP"}]}}
        ],
    }
)
COMMANDS = {
    "convert": (("convert", "deep.json", "--to", "evalset", "-o", "-"), OLD),
    "convert to YAML": (("convert", "deep.json", "--to", "cxas-yaml", "-o", "-"), OLD),
    "recording": (("run", SET, "-r", "deep.json"), result(GREETING) | {"x": "DEEP"}),
    "recorded arguments": (("record", "--list", "deep.json"), WITH_ARGUMENTS),
    "review": (("review", SET, "-r", "deep.json", "--format", "json"), WITH_ARGUMENTS),
    "compare": (("compare", "deep.json", "result.json"), result(GREETING) | {"x": "DEEP"}),
    "config": (
        ("run", SET, "-r", "result.json", "--config", "deep.json"),
        {"criteria": {"response_match_score": "DEEP"}},
    ),
    "evaluators": (
        ("run", SET, "-r", "result.json", "--config", "deep.yaml"),
        {"evaluators": [{"name": "x", "type": "builtin", "config": "DEEP"}]},
    ),
}

OF_YAML = ["convert to YAML", "evaluators"]


@pytest.mark.parametrize("levels", [210, 250, 350])
@shapes
@pytest.mark.parametrize("name", OF_YAML)
def test_yaml_has_a_limit_of_its_own(evaltui: Evaltui, tmp_path: Path, name: str, shape: str, levels: int) -> None:
    arguments, value = COMMANDS[name]
    put(tmp_path / next(each for each in arguments if each.startswith("deep.")), value, deep(shape, levels))
    done = evaltui(*arguments)
    assert (done.code, done.out) == (2, b"")
    assert "values are nested too deeply" in done.err


@deeper
@shapes
@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "config"])
def test_a_file_beyond_the_limit_is_refused_with_a_sentence(
    evaltui: Evaltui, tmp_path: Path, name: str, shape: str, levels: int
) -> None:
    arguments, value = COMMANDS[name]
    file = next(each for each in arguments if each.startswith("deep."))
    put(tmp_path / file, value, deep(shape, levels))
    done = evaltui(*arguments)
    assert (done.code, done.out) == (2, b"")
    assert f"{file}" in done.err
    assert "values are nested too deeply" in done.err


@shapes
@pytest.mark.parametrize("name", COMMANDS)
def test_a_file_up_to_the_limit_is_read(evaltui: Evaltui, tmp_path: Path, name: str, shape: str) -> None:
    arguments, value = COMMANDS[name]
    file = next(each for each in arguments if each.startswith("deep."))
    put(tmp_path / file, value, deep(shape, 170 if name in OF_YAML else MOST_LEVELS - AROUND))
    done = evaltui(*arguments)
    assert "values are nested too deeply" not in done.err
    assert "Traceback" not in done.err


@deeper
@shapes
def test_a_config_is_rejected_as_google_adk_does(evaltui: Evaltui, tmp_path: Path, shape: str, levels: int) -> None:
    arguments, value = COMMANDS["config"]
    put(tmp_path / "deep.json", value, deep(shape, levels))
    for command in (arguments, ("validate", "deep.json")):
        done = evaltui(*command)
        assert done.code == (1 if command[0] == "validate" else 2)
        assert "nested deeper than google-adk reads" in done.err + done.out.decode()


@deeper
@shapes
@pytest.mark.parametrize("place", ["set", "case", "arguments"])
def test_a_set_is_validated_as_google_adk_reads_it(
    evaltui: Evaltui, tmp_path: Path, place: str, shape: str, levels: int
) -> None:
    values = {
        "set": eval_set(GREETING) | {"x": "DEEP"},
        "case": eval_set(GREETING | {"x": "DEEP"}),
        "arguments": WITH_ARGUMENTS,
    }
    put(tmp_path / "deep.json", values[place], deep(shape, levels))
    done = evaltui("validate", "deep.json", "--format", "json")
    assert done.code == 1
    (file,) = json.loads(done.out)["files"]
    assert [each["code"] for each in file["diagnostics"]] == ["too-deep"]


@pytest.mark.parametrize(
    "text",
    [
        '{"criteria": {"a": [1,]}}',
        '{"criteria": {"response_match_score": 0.5,}}',
        '{"criteria": {}, "x": [\n1, 2 ,\n]}',
    ],
)
def test_an_extra_comma_in_a_config_has_one_message(evaltui: Evaltui, tmp_path: Path, text: str) -> None:
    (tmp_path / "test_config.json").write_text(text)
    done = evaltui("validate", SET)
    assert "Illegal trailing comma before end of" in done.err


@pytest.mark.parametrize(("line", "column"), [('{"a": [1,]}', 9), ('{"a": 1,}', 8), ('{"a": {"b": [1 , ]}}', 16)])
def test_a_line_with_an_extra_comma_is_skipped_with_its_column(
    evaltui: Evaltui, tmp_path: Path, line: str, column: int
) -> None:
    (tmp_path / "lines.jsonl").write_text(f"{json.dumps(result(GREETING))}\n{line}\n{json.dumps(result(GREETING))}\n")
    done = evaltui("run", SET, "-r", "lines.jsonl")
    assert f"line 2, column {column}: " in done.err
