"""The command that runs the agent: a template and values become words, and nothing of a file becomes code."""

import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.runs.agent_command import CommandValues, environment_of, filled, read_template
from evaltui.runs.command_process import CommandError

SET, AGENT, OUTPUT = Path("/home/ada/my set.json"), Path("/home/ada/agent"), Path("/state/run-1")


def words(text: str, *cases: str, eval_set: Path = SET) -> list[str]:
    return filled(read_template(text), CommandValues(eval_set, cases, AGENT, OUTPUT))


@pytest.mark.parametrize(
    ("text", "cases", "expected"),
    [
        (
            "adk eval {agent} {set}:{cases}",
            ("a", "b c"),
            ["adk", "eval", "/home/ada/agent", "/home/ada/my set.json:a,b c"],
        ),
        ("adk eval {agent} {set}:{cases}", (), ["adk", "eval", "/home/ada/agent", "/home/ada/my set.json"]),
        ("run --cases={cases} {set}", ("a",), ["run", "--cases=a", "/home/ada/my set.json"]),
        ("run --cases={cases} {set}", (), ["run", "/home/ada/my set.json"]),
        ("run {cases} {output}", (), ["run", "/state/run-1"]),
        ("run '{set}' \"{output}/x.json\"", (), ["run", "/home/ada/my set.json", "/state/run-1/x.json"]),
        ("run '{\"a\": 1}' {} { }", (), ["run", '{"a": 1}', "{}", "{", "}"]),
        ("FOO=1 ./run.sh # no comment", (), ["FOO=1", "./run.sh", "#", "no", "comment"]),
        ("sh -c 'run \"$EVALTUI_SET\" ${name} {print}'", (), ["sh", "-c", 'run "$EVALTUI_SET" ${name} {print}']),
        ("python run.py -c {set}", (), ["python", "run.py", "-c", "/home/ada/my set.json"]),
        ("uv run python -m app -c {set}", (), ["uv", "run", "python", "-m", "app", "-c", "/home/ada/my set.json"]),
        ("sh -c 'adk eval \"$1\"' sh {set}", (), ["sh", "-c", 'adk eval "$1"', "sh", "/home/ada/my set.json"]),
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
        ("sh -c {cases}", "{cases} is inside code, so text of the set could run as code: {cases}."),
        ("sh -c 'run {set}'", "{set} is inside code"),
        ("bash -o pipefail -lc {set}", "{set} is inside code"),
        ("env X=1 /bin/zsh -ec '{set}'", "{set} is inside code"),
        ("uv run python3.12 -X dev -c {set}", "{set} is inside code"),
        ("node --eval {set}", "{set} is inside code"),
        ("ssh host adk eval {set}", "{set} is inside code"),
        ("nix-shell --run {set}", "{set} is inside code"),
        ("foo 'adk eval {set} | tee log'", "{set} is inside code"),
        ("foo `{set}`", "{set} is inside code"),
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
        ("a\nb", "the id contains a newline"),
        ("-rf", "the id starts with -, like an option"),
        ("  ", "the id is blank"),
        ("\x1b[31m:", "Case ␛[31m: cannot be run by its id: the id contains a colon. Unmark it."),
    ],
)
def test_an_id_that_cannot_be_told_from_others_is_refused(eval_id: str, why: str) -> None:
    with pytest.raises(CommandError, match=r"Unmark it\.$") as caught:
        words("run {cases}", "good", eval_id)
    assert why in str(caught.value)


def test_a_path_that_adk_eval_would_cut_is_refused() -> None:
    with pytest.raises(CommandError, match="first colon of a path"):
        words("adk eval {agent} {set}:{cases}", eval_set=Path("/a:b/set.json"))
    assert words("run {set}", eval_set=Path("/a:b/set.json")) == ["run", "/a:b/set.json"]


def test_scripts_have_the_values_in_their_environment() -> None:
    assert environment_of(CommandValues(SET, ("a", "b"), None, OUTPUT)) == {
        "EVALTUI_SET": "/home/ada/my set.json",
        "EVALTUI_CASES": "a,b",
        "EVALTUI_AGENT": "",
        "EVALTUI_OUTPUT": "/state/run-1",
    }


_hostile = st.text(alphabet=st.sampled_from("$(){}`'\"\\ ;|&<>*?~#!\t{set}ab"), min_size=1)


@given(_hostile, _hostile)
def test_no_text_of_a_file_becomes_another_word(eval_id: str, name: str) -> None:
    made = words("run {set} --ids={cases} end", f"x{eval_id}", eval_set=Path("/") / f"s{name}")
    assert made == ["run", str(Path("/") / f"s{name}"), f"--ids=x{eval_id}", "end"]


@given(st.lists(st.text(min_size=1).filter(lambda text: "{" not in text and "\0" not in text), min_size=1))
def test_words_without_placeholders_stay_as_a_shell_reads_them(argv: list[str]) -> None:
    assert words(shlex.join(argv)) == argv
