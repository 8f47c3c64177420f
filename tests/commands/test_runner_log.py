"""Whatever a repository holds, no command prints what the runner of a CI system obeys."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.commands.conftest import Process
from tests.commands.runs import case, eval_set, result, turn, write

WORDS = "::stop-commands::x ##[add-mask]y ##vso[task.complete]z ##teamcity[a] section_start:1:b section_end:1:b"
CONTROLS = "\x85\x9b31m\u202e\u2028\u2066\x7f\ufeff\U000e0041"
LONG = f"::warning::{'w' * 70}"
"""A word that a table puts on a line of its own."""
ODD = f"{WORDS} {CONTROLS}\n::error::{CONTROLS}\n\t\u00a0::debug::x {LONG} {LONG}"
COMMANDS = re.compile(r"(?m)^\s*::|##(?:vso|teamcity)?\[|section_(?:start|end):")
OURS = re.compile(r"::(?:error|warning|notice) file=[^:]*::")
SET, TRACE = "::set ##[group]x.evalset.json", "##[warning]run section_start:1:a.json"
EMPTY = "::empty::.evalset.json"
RUNNERS: dict[str, str] = {"GITHUB_ACTIONS": "true", "GITLAB_CI": "true"}


def write_repository(folder: Path) -> None:
    """A set and a recording whose names and texts are commands; ids, tools, keys, and a metric, too."""
    calls = [(f"::tool::{WORDS}", {f"::key {WORDS}": ODD})]
    wanted = [case(f"{name} {ODD}", turn(f"::{name} {ODD}", f"yes {ODD}", calls)) for name in ("::fails::", "::open::")]
    other = turn(f"::::fails:: {ODD}", f"no {ODD}", [(LONG, {"a": [ODD]}), (f"::tool::{WORDS}", {})])
    write(folder / SET, eval_set(*wanted, name=f"::set {ODD}"))
    write(folder / TRACE, result(case(wanted[0]["eval_id"], other), name=f"::set {ODD}"))
    (folder / EMPTY).write_text('{"eval_set_id": "a", "eval_cases": "::x"}')
    write(folder / "test_config.json", {"criteria": {f"::metric {WORDS}": 1, "response_match_score": 1.0}})
    patch = [{"op": "replace", "path": "/eval_set_id", "value": f"{WORDS} ::new"}]
    write(folder / "::patch.json", patch)


FORMS: Sequence[tuple[str, Sequence[str]]] = (
    *(("run", (SET, "-r", TRACE, "--format", form)) for form in ("table", "json", "junit", "markdown")),
    ("run", (SET, "-r", TRACE, "--color", "always")),
    ("run", (SET, EMPTY)),
    *(("review", (SET, "-r", TRACE, "--format", form)) for form in ("text", "json", "markdown")),
    ("review", (SET, "-r", TRACE, "--format", "text", "--color", "always")),
    ("record", (TRACE, "--list")),
    ("record", (TRACE, "--list", "--format", "json")),
    ("record", (TRACE, "-o", "::new.evalset.json", "--diff")),
    *(("validate", (".", "--format", form)) for form in ("text", "json")),
    ("validate", (SET, "--fix", "--diff")),
    ("accept", (SET, "-r", TRACE, "--fills", "--diff")),
    ("accept", (SET, "-r", TRACE, "--change", f"::x {ODD}")),
    *(("convert", (SET, "--to", to, "-o", "-")) for to in ("evaluation-dataset", "ces", "adk-rs", "cxas-yaml")),
    ("convert", (SET, "--to", "ces", "-o", "::out.json", "--report", "json")),
    ("convert", (SET, "--to", "ces", "-o", "::out.json", "--report", "text")),
    ("patch", (SET, "::patch.json", "-o", "-")),
    ("patch", (SET, "::patch.json", "--diff")),
    ("config", ()),
    ("rule", ("::rule##[x]",)),
    ("compare", (TRACE, TRACE, "--format", "table")),
    ("compare", ("::missing ##[x]", TRACE)),
    ("run", ("::missing", "-r", "##[x]")),
    ("::unknown ##[x]", ()),
    ("run", ("--::option##[x]\n::y",)),
    ("run", (SET, "--match-type", "::x\n::y")),
    ("record", (TRACE, "--into", SET, "--again", "--format", "json")),
    ("record", (TRACE, "--into", SET, "--again", "--format", "text")),
)


def _prints_json(form: tuple[str, Sequence[str]]) -> bool:
    command, arguments = form
    return "json" in arguments or (command == "convert" and "-" in arguments and "cxas-yaml" not in arguments)


SCRIPT = """
import json, sys
from evaltui.cli import main
from evaltui.workflow_commands import guard_streams
guard_streams()
for words in json.load(sys.stdin):
    try:
        main(words)
    except SystemExit:
        pass
    for stream in (sys.stdout, sys.stderr):
        print(chr(10) + "=====", file=stream, flush=True)
"""
"""All commands in one process: most of the time of a command goes into imports."""
Log = dict[tuple[str, Sequence[str]], tuple[str, str]]


def run_all(folder: Path, forms: Sequence[tuple[str, Sequence[str]]]) -> Log:
    """What each command prints to stdout and stderr, which are pipes of a runner."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=json.dumps([[command, *arguments] for command, arguments in forms]),
        env=os.environ | RUNNERS | {"PYTHONUTF8": "1"},
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=100,
    )
    parts = [stream.split("\n=====\n")[: len(forms)] for stream in (done.stdout, done.stderr)]
    return dict(zip(forms, zip(*parts, strict=True), strict=True))


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """The output of all commands in the hostile repository."""
    folder = tmp_path_factory.mktemp("hostile")
    write_repository(folder)
    return run_all(folder, FORMS)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[0])
def test_no_line_is_a_command(log: Log, form: tuple[str, Sequence[str]]) -> None:
    text = "\n".join(log[form])
    assert text.strip()
    assert "Traceback" not in text
    assert [line for line in text.splitlines() if COMMANDS.search(re.sub(r"\x1b\[[0-9;]*m", "", line))] == []


@pytest.mark.parametrize(("command", "count"), [(("validate", "."), 4), (("run", SET, "-r", TRACE), 2)])
def test_only_annotations_are_commands(process: Process, tmp_path: Path, command: tuple[str, ...], count: int) -> None:
    write_repository(tmp_path)
    done = process(*command, "--format", "github", env=RUNNERS)
    lines = done.stdout.decode().splitlines()
    assert len(lines) >= count
    for line in lines:
        assert OURS.match(line)
        assert not COMMANDS.search(line[2:])
    assert not COMMANDS.search(done.stderr.decode())


def values(text: str) -> set[str]:
    """All keys and texts of a JSON document."""

    def inner(value: Any) -> set[str]:
        if isinstance(value, dict):
            return set(value).union(*map(inner, value.values()))
        if isinstance(value, list):
            return set().union(*map(inner, value))
        return {value} if isinstance(value, str) else set()

    return inner(json.loads(text))


@pytest.mark.parametrize("form", [form for form in FORMS if _prints_json(form)], ids=lambda form: form[0])
def test_json_has_no_control_character_and_the_same_texts(log: Log, form: tuple[str, Sequence[str]]) -> None:
    out = log[form][0]
    assert out.replace("\n", "").replace("\u00a0", "").isprintable()
    assert any("##[" in text for text in values(out))
    if form[0] in ("run", "review") or "-" in form[1]:
        assert any(CONTROLS in text for text in values(out))


def test_yaml_has_the_same_texts(log: Log) -> None:
    out = log["convert", (SET, "--to", "cxas-yaml", "-o", "-")][0]
    assert any(ODD in text for text in values(json.dumps(yaml.safe_load(out))))
    assert out.replace("\n", "").replace("\u00a0", "").isprintable()


def test_a_patched_file_is_exact_where_no_log_shows_it(process: Process, tmp_path: Path) -> None:
    source = '{"eval_set_id": "a", "b": "##[x]\u202e"}\n'
    (tmp_path / "file.json").write_text(source)
    (tmp_path / "none.json").write_text("[]")
    arguments = ("patch", "file.json", "none.json", "-o", "-")
    plain = dict.fromkeys(("CI", *RUNNERS), "")
    assert process(*arguments, env=plain).stdout.decode() == source
    with (tmp_path / "out.json").open("wb") as out:
        process(*arguments, env=RUNNERS, stdout=out)
    assert (tmp_path / "out.json").read_text() == source
    shown = process(*arguments, env=RUNNERS).stdout.decode()
    assert json.loads(shown) == json.loads(source)
    assert shown == source.replace("[", "\\u005b").replace("\u202e", "\\u202e")


@pytest.mark.parametrize("redirection", ["1>&-", "2>&-"])
def test_a_process_that_lacks_a_stream_has_its_guard(redirection: str) -> None:
    command = f"{shlex.quote(sys.executable)} -m evaltui run ::missing {redirection}"
    done = subprocess.run(["sh", "-c", command], env=os.environ | RUNNERS, capture_output=True, check=False, timeout=60)
    assert done.returncode == 2
    assert b"Error" not in done.stderr
