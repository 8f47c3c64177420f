"""The command that runs the agent: a template and values become words, and nothing of a file becomes code."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.runs.agent_command import environment_of, fill_template, read_template, values_of
from evaltui.runs.command_process import CommandError

FOLDER = Path("/home/ada/my évals")
SET, AGENT, OUTPUT = FOLDER / "sets" / "trip.json", Path("/home/ada/agent"), Path("/state of ada/run-1")


def words(text: str, *cases: str, eval_set: Path = SET, agent: Path = AGENT) -> list[str]:
    return fill_template(read_template(text), values_of(eval_set, cases, agent, OUTPUT), cases, FOLDER)


@pytest.mark.parametrize(
    ("text", "cases", "expected"),
    [
        ("adk eval {agent} {set}:{cases}", ("a", "b.c"), ["adk", "eval", str(AGENT), f"{SET}:a,b.c"]),
        ("adk eval {agent} {set}:{cases}", (), ["adk", "eval", str(AGENT), str(SET)]),
        ("run --cases={cases} {set}", ("a",), ["run", "--cases=a", str(SET)]),
        ("run --cases={cases} {set}", (), ["run", str(SET)]),
        ("run {cases} {output}", (), ["run", str(OUTPUT)]),
        ("run '{set}' \"{output}/x.json\"", (), ["run", str(SET), f"{OUTPUT}/x.json"]),
        ("run '{\"a\": 1}' {} { }", (), ["run", '{"a": 1}', "{}", "{", "}"]),
        ("FOO=1 ./run.sh # no comment", (), ["FOO=1", "./run.sh", "#", "no", "comment"]),
        ("sh -c 'run \"$EVALTUI_SET\" ${name} { print }'", (), ["sh", "-c", 'run "$EVALTUI_SET" ${name} { print }']),
        ("sh -c 'adk eval \"$1\"' sh {set}", (), ["sh", "-c", 'adk eval "$1"', "sh", str(SET)]),
        ("make SET={set} CASES={cases}", ("a",), ["make", f"SET={SET}", "CASES=a"]),
    ],
)
def test_placeholders_are_replaced_within_words(text: str, cases: tuple[str, ...], expected: list[str]) -> None:
    assert words(text, *cases) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The command is empty."),
        ("run 'open", "The command is invalid: no closing quotation: run 'open"),
        ("run {sett}", "Unknown placeholder {sett} in the command. Use {set}, {cases}, {agent}, {output}."),
        ("sh -c 'run {print}'", "Unknown placeholder {print} in the command."),
    ],
)
def test_a_command_that_cannot_be_run_is_a_sentence(text: str, said: str) -> None:
    with pytest.raises(CommandError) as caught:
        read_template(text)
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    ("eval_id", "why"),
    [
        ("a,b", "the id contains a comma"),
        ("a:b", "the id contains a colon"),
        ("a\nb", "the id contains an invisible character"),
        ("a\0b", "the id contains an invisible character"),
        ("-rf", "the id starts with -, like an option"),
        ("  ", "the id is blank"),
        ("\x1b[31m", "Case ␛[31m cannot be run by its id: the id contains an invisible character. Unmark it."),
    ],
)
def test_an_id_that_no_command_can_tell_from_others_is_refused(eval_id: str, why: str) -> None:
    for text in ("run {cases}", "run", "sh -c 'run \"$EVALTUI_CASES\"'"):
        with pytest.raises(CommandError, match=r"Unmark it\.$") as caught:
            words(text, "good", eval_id)
        assert why in str(caught.value)


CODE = [
    *("$(shell touch x)", "`touch x`", "$x", "a b", "a;b", "a|b", "a&b", "a>b", "a<b", "a'b", 'a"b', "a\\b", "#", "!x"),
    *("a*", "a?", "[a]", "{a}", "{set}", "~", "^", "a=b", "(a)", "@file", "+x", "é", "ポ", "²", "a/b", "é"),
]
INTERPRETERS = [
    *("make CASES={cases}", "perl -I lib -e {cases}", "bash --rcfile x -c {cases}", "git -c alias.x=!{cases} x"),
    *("env -S {cases}", "nu -c {cases}", "just {cases}", "tmux new {cases}", "adk eval {agent} {set}:{cases}"),
    *("make IDS='${EVALTUI_CASES}'", "make 'IDS=$EVALTUI_CASES'", "env sh -c 'run \"$EVALTUI_CASES\"'"),
    *("make", "./run.sh", "make IDS='$(EVALTUI_CASES)'", "sh -c 'run {cases} \"$EVALTUI_CASES\"'"),
]


@pytest.mark.parametrize("text", INTERPRETERS)
def test_an_id_that_could_be_code_is_refused_whatever_the_program(text: str) -> None:
    for eval_id in CODE:
        with pytest.raises(CommandError, match="a program could take it for code or an option") as caught:
            words(text, "good", eval_id)
        assert str(caught.value).startswith(f"Case {eval_id} cannot be run by its id: ")
        assert "write sh -c '… \"$EVALTUI_CASES\"' in the command." in str(caught.value)


@pytest.mark.parametrize("text", INTERPRETERS)
def test_plain_ids_go_in_as_they_are(text: str) -> None:
    ids = ("trip_1", "50%", "a.b", "a@b", "a+b", "a-b", "_", ".x", "A1")
    assert any(",".join(ids) in word for word in words(text, *ids)) == ("{cases}" in text)


@pytest.mark.parametrize("text", ["sh -c 'run \"$EVALTUI_CASES\"'", "sh -c 'run \"${EVALTUI_CASES}\"'"])
@pytest.mark.parametrize("eval_id", CODE)
def test_a_command_that_names_the_variable_gets_any_other_id_in_it(text: str, eval_id: str) -> None:
    made = words(text, eval_id)
    assert eval_id not in made
    assert environment_of(values_of(SET, (eval_id,)))["EVALTUI_CASES"] == eval_id


def test_a_script_gets_an_id_as_it_is_and_nothing_of_it_runs(tmp_path: Path) -> None:
    cases = ("$(touch ran)`touch ran`",)
    values = values_of(tmp_path / "set.json", cases, None, OUTPUT)
    argv = fill_template(read_template('sh -c \'printf "%s" "$EVALTUI_CASES"\''), values, cases, tmp_path)
    environment = {**os.environ, **environment_of(values)}
    done = subprocess.run(argv, env=environment, cwd=tmp_path, stdout=subprocess.PIPE, check=True)
    assert (done.stdout.decode(), [*tmp_path.iterdir()]) == (cases[0], [])


@pytest.mark.parametrize(
    "name", ["$(touch x)", "a b", "a;b", "a:b", "`x`", "a'b", 'a"b', "é", "a\nb", "{agent}", "a,b"]
)
@pytest.mark.parametrize("text", ["run {set}", "make", "sh -c 'adk eval {set}'", "sh -c 'run \"$EVALTUI_AGENT\"'"])
def test_a_path_that_could_be_code_is_refused(text: str, name: str) -> None:
    for eval_set in (FOLDER / f"{name}.json", FOLDER / name / "set.json", Path("/") / name / "set.json"):
        with pytest.raises(CommandError, match=r"could take it for code or an option\. Rename it, or write sh"):
            words(text, eval_set=eval_set)
        assert words("sh -c 'run \"$EVALTUI_SET\"'", eval_set=eval_set) == ["sh", "-c", 'run "$EVALTUI_SET"']


def test_the_folder_of_an_agent_is_a_path_too() -> None:
    for agent in (FOLDER / "a b", FOLDER / "..;x", Path("/a$x")):
        with pytest.raises(CommandError, match="could take it for code"):
            words("run {agent}", agent=agent)
    assert words("run {agent}", agent=FOLDER / ".." / "agent") == ["run", f"{FOLDER}/../agent"]
    assert words("run {agent}", agent=FOLDER.parent) == ["run", "/home/ada"]
    odd = Path("/home/a$(x)")
    with pytest.raises(CommandError, match="could take it for code"):
        fill_template(read_template("run {set}"), values_of(odd / "set.json"), (), odd)


def test_scripts_have_the_values_in_their_environment() -> None:
    assert environment_of(values_of(SET, ("a", "b"), None, OUTPUT)) == {
        "EVALTUI_SET": str(SET),
        "EVALTUI_CASES": "a,b",
        "EVALTUI_AGENT": "",
        "EVALTUI_OUTPUT": str(OUTPUT),
    }


@given(st.text(min_size=1), st.sampled_from(INTERPRETERS))
def test_no_other_character_of_an_id_reaches_a_command(eval_id: str, text: str) -> None:
    try:
        made = words(text, eval_id)
    except CommandError:
        return
    assert eval_id.isascii()
    assert eval_id.translate(dict.fromkeys(map(ord, "_.@%+-"), "a")).isalnum()
    assert made == words(text.replace("{cases}", eval_id))


@given(st.lists(st.text(min_size=1).filter(lambda text: "{" not in text and "\0" not in text), min_size=1))
def test_words_without_placeholders_stay_as_a_shell_reads_them(argv: list[str]) -> None:
    assert words(shlex.join(argv)) == argv
