"""`evaltui convert` names the file, the place and the next step if it cannot read or write a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands.conftest import Evaltui
from tests.commands.runs import case, eval_set, turn, write

GRADED = {
    "eval_case_results": [{"eval_case_index": 0, "response_candidate_results": []}],
    "summary_metrics": [],
    "evaluation_dataset": [],
}


def deep_set(levels: int) -> str:
    args = '{"a": ' * levels + "1" + "}" * levels
    said = '{"parts": [{"text": "hi"}]}'
    turns = f'[{{"user_content": {said}, "intermediate_data": {{"tool_uses": [{{"name": "t", "args": {args}}}]}}}}]'
    return f'{{"eval_set_id": "s",\n"eval_cases": [{{"eval_id": "a", "conversation": {turns}}}]}}'


@pytest.mark.parametrize(
    ("levels", "option", "place"),
    [
        (500, "evalset", "deep.json: line 2, column 2626: "),
        (412, "evaluation-dataset", "in the written file at /eval_cases/0/intermediate_events/0/content/parts/0/"),
        (300, "cxas-yaml", "in the written file at /conversations/0/turns/0/tool_calls/0/args/a/a"),
    ],
)
def test_values_that_nest_too_deep_have_a_file_a_place_and_an_advice(
    evaltui: Evaltui, tmp_path: Path, levels: int, option: str, place: str
) -> None:
    (tmp_path / "deep.json").write_text(deep_set(levels))
    done = evaltui("convert", "deep.json", "--to", option, "-o", "out")
    assert (done.code, done.out) == (2, b"")
    assert done.err.startswith("evaltui: deep.json: ")
    assert "values are nested too deeply" in done.err
    assert place in done.err
    assert "; delete inner values" in done.err


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        (
            "graded.json",
            json.dumps(GRADED),
            "a result of agents-cli; `evaltui record` makes cases from it, and `evaltui compare BASE CANDIDATE` "
            "compares two results",
        ),
        (
            "result.yaml",
            "eval_set_result_id: x\neval_set_id: s\neval_case_results: []\n",
            "a result of google-adk, but in YAML. Save it as JSON, then `evaltui record` makes cases from it",
        ),
        ("test_config.json", '{"criteria": {}}', "an eval config; convert the eval set that it belongs to"),
        ("notes.md", "# Title\n\ntext: more\n", "not an eval set in a format that evaltui knows"),
    ],
)
def test_files_that_are_no_source_are_named(
    evaltui: Evaltui, tmp_path: Path, name: str, text: str, sentence: str
) -> None:
    (tmp_path / name).write_text(text)
    done = evaltui("convert", name, "--to", "evalset", "-o", "out")
    assert (done.code, done.err) == (2, f"evaltui: {name}: cannot be converted: this is {sentence}\n")


@pytest.mark.parametrize("text", ["# Title\n", "# Title\n\nUse: this\n\n```\ncode\n```\n"])
def test_text_of_another_kind_is_not_called_yaml_or_empty(evaltui: Evaltui, tmp_path: Path, text: str) -> None:
    (tmp_path / "notes.md").write_text(text)
    done = evaltui("convert", "notes.md", "--to", "evalset", "-o", "out")
    assert done.err.startswith("evaltui: notes.md: this is not JSON, and it cannot be read as YAML: ")
    assert "empty" not in done.err
    (tmp_path / "notes.md").write_text("# Title\n\ntext: more\n")
    for command in ("validate", "run"):
        done = evaltui(command, "notes.md")
        assert "YAML" not in done.err + done.out.decode()


def test_a_mapping_in_another_encoding_is_read_or_called_that(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "set.json", eval_set(case("a", turn("hi", "hello", [("book", {"n": 1})]))))
    text = '{"app": "projects/P/locations/L/apps/A"}'
    (tmp_path / "mapping.json").write_text(text, "utf-16")
    done = evaltui("convert", "set.json", "--to", "ces", "-o", "-", "--mapping", "mapping.json")
    assert b"projects/P/locations/L/apps/A/tools/book" in done.out
    (tmp_path / "mapping.json").write_text(text, "utf-16-le")
    done = evaltui("convert", "set.json", "--to", "ces", "-o", "-", "--mapping", "mapping.json")
    said = "the file is UTF-16, but google-adk reads only UTF-8; `evaltui validate --fix FILE` writes it as UTF-8"
    assert (done.code, done.err) == (2, f"evaltui: mapping.json: {said}\n")


COMMANDS = [
    ["run", "X", "-r", "set.json"],
    ["run", "set.json", "-r", "set.json", "--config", "X"],
    ["review", "X", "-r", "set.json", "--format", "text"],
    ["accept", "X", "-r", "set.json", "--fills"],
    ["patch", "X", "set.json", "-o", "out.json"],
    ["patch", "set.json", "X", "-o", "out.json"],
    ["record", "set.json", "--into", "X"],
    ["convert", "X", "--to", "evalset", "-o", "out.json"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le"])
def test_a_text_in_utf_16_without_a_mark_is_refused_with_its_fix(
    evaltui: Evaltui, tmp_path: Path, words: list[str], codec: str
) -> None:
    value = eval_set(case("a", turn("hi", "hello")))
    write(tmp_path / "set.json", value)
    (tmp_path / "wide set.json").write_text(json.dumps(value), codec)
    done = evaltui(*("wide set.json" if word == "X" else word for word in words))
    said = f"wide set.json: the file is {codec[:6].upper()}, but google-adk reads only UTF-8"
    fix = "`evaltui validate --fix 'wide set.json'` writes it as UTF-8"
    assert (done.code, done.err.splitlines()[-1]) == (2, f"evaltui: {said}; {fix}")
    assert evaltui("validate", "--fix", "wide set.json").code == 0
