"""`python -m benchmarks.same_documents OLD [NEW]`: whether two checkouts print and write the same bytes.

It runs each command that checks, scores, renders or converts, in both checkouts, over the sample sets and, where
EVALTUI_SHARED names them, over the public files. It prints the commands whose exit code, output or files differ.
"""

import argparse
import difflib
import json
import os
import pkgutil
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
_FORMATS = ("json", "table", "junit", "markdown", "github")
_TARGETS = ("evalset", "evaluation-dataset", "ces", "legacy-cases", "adk-rs", "cxas-yaml")
_REPORTS = ("-o", "report.json", "-o", "report.xml", "-o", "report.md", "-o", "report.txt")
_DIFFERING_LINES = 12
"""The most lines of one difference that are printed."""

Command = list[str]
Outcome = dict[str, str]
"""The exit code, stdout, stderr and each written file, as text. Bytes that are not UTF-8 are escaped."""


def main() -> int:
    """Exit code: 1 if a command differs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.same_documents", description=__doc__)
    parser.add_argument("old", type=Path, help="a checkout")
    parser.add_argument("new", type=Path, nargs="?", default=ROOT, help="another one (default: this one)")
    parser.add_argument("--only", nargs="+", metavar="COMMAND", help="such as run and review (default: all commands)")
    options = parser.parse_args()
    all_commands = [command for command in commands() if not options.only or command[0] in options.only]
    with tempfile.TemporaryDirectory() as folder:
        old, new = (Checkout(getattr(options, name).resolve(), Path(folder, name)) for name in ("old", "new"))
        differing = 0
        for command in all_commands:
            old.start(command)
            new.start(command)
            difference = list(_differing_lines(old.outcome(), new.outcome()))
            if difference:
                differing += 1
                print(shlex.join(["evaltui", *command]), *difference[:_DIFFERING_LINES], sep="\n  ", flush=True)
    print(f"{len(all_commands)} commands, {differing} differ")
    return 1 if differing else 0


def commands() -> Iterator[Command]:
    """Commands over the sample sets, then over the public files."""
    samples = ROOT / "sample_sets"
    yield from _commands_of_runs(samples / "trip_planner.evalset.json", samples / "recordings")
    yield from _commands_of_runs(samples / "support_desk.evalset.json", samples / "recordings")
    yield ["run", str(samples), "-r", str(samples / "recordings"), "--format", "json"]
    yield ["watch", str(samples / "trip_planner.evalset.json"), "-r", str(samples / "recordings"), "--format", "jsonl"]
    results = sorted((samples / "recordings").glob("trip_planner_*result.json"))
    yield from (["compare", *map(str, results), "--format", form] for form in ("table", "json", "markdown"))
    for path in sorted(samples.rglob("*.json")):
        yield from _commands_of_file(path)
    if not (shared := os.environ.get("EVALTUI_SHARED")):
        return
    recordings = Path(shared, "recordings")
    for eval_set in sorted(recordings.glob("*eval*set*.json")):
        yield from _commands_of_runs(eval_set, recordings)
    for path in sorted(
        (*recordings.rglob("*.json"), *recordings.rglob("*.db"), *Path(shared, "corpus").glob("*.json"))
    ):
        yield from _commands_of_file(path)


def _commands_of_runs(eval_set: Path, recordings: Path) -> Iterator[Command]:
    scored = [str(eval_set), "-r", str(recordings)]
    yield from (["run", *scored, "--format", form] for form in _FORMATS)
    yield ["run", *scored, "--runs", "all", *_REPORTS, "--save-baseline", "saved.json"]
    yield ["run", *scored, "--jobs", "2", "--format", "json"]
    yield ["run", *scored, "--profile", "adk-rs", "--format", "json"]
    for match_type in ("EXACT", "IN_ORDER", "ANY_ORDER"):
        yield ["run", *scored, "--match-type", match_type, "--ignore-args", "--format", "json"]
    yield ["run", *scored, "--runs", "all", "--baseline", "saved.json", *_REPORTS]
    yield ["run", *scored, "--baseline", "saved.json", "--fail-on", "regression", "--format", "markdown"]
    yield from (["review", *scored, "--all", "--format", form] for form in ("text", "json", "markdown"))
    yield ["accept", *scored, "--fills", "--diff"]


def _commands_of_file(path: Path) -> Iterator[Command]:
    yield ["run", str(path), "-r", str(path), *_REPORTS]
    yield ["review", str(path), "-r", str(path), "--all", "--format", "json"]
    yield ["record", str(path), "--list", "--format", "json"]
    yield ["record", str(path), "-o", "-"]
    yield from (["validate", str(path), "--format", form] for form in ("text", "json", "github"))
    yield from (["convert", str(path), "--to", target, "-o", "converted", "--report", "json"] for target in _TARGETS)


class Checkout:
    """A process that has loaded the package of one checkout, and runs each command in a fork of itself."""

    def __init__(self, path: Path, folder: Path) -> None:
        """The commands run in `folder`. Files that one command writes there, the next one may read."""
        folder.mkdir()
        home = folder / "home"
        home.mkdir()
        environment = os.environ | {"PYTHONPATH": str(path), "COLUMNS": "100", "HOME": str(home)}
        arguments = [sys.executable, "-P", __file__, "--serve"]
        self._folder = folder
        self._process = subprocess.Popen(
            arguments, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def start(self, command: Command) -> None:
        assert self._process.stdin is not None
        print(json.dumps(command), file=self._process.stdin, flush=True)

    def outcome(self) -> Outcome:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        outcome: Outcome = json.loads(line.replace(str(self._folder), "FOLDER"))
        return outcome


def _differing_lines(old: Outcome, new: Outcome) -> Iterator[str]:
    for name in sorted(old.keys() | new.keys()):
        old_lines, new_lines = (outcome.get(name, "").splitlines() for outcome in (old, new))
        if old_lines != new_lines:
            yield f"{name}:"
            yield from list(difflib.unified_diff(old_lines, new_lines, lineterm="", n=0))[2:]


def serve(lines: Iterable[str]) -> None:
    """Run the command of each line, a JSON list of words; print its outcome as one line of JSON."""
    import evaltui  # noqa: PLC0415 - the package of the checkout that PYTHONPATH names

    for module in pkgutil.walk_packages(evaltui.__path__, "evaltui."):
        if not module.name.startswith(("evaltui.tui", "evaltui.pytest", "evaltui.runs.ray", "evaltui.__main__")):
            import_module(module.name)
    for line in lines:
        print(json.dumps(_outcome_of_fork(json.loads(line))), flush=True)


def _outcome_of_fork(command: Command) -> Outcome:
    with tempfile.TemporaryDirectory() as streams:
        stdout, stderr = Path(streams, "stdout"), Path(streams, "stderr")
        process = os.fork()
        if not process:
            _run_with_streams(command, stdout, stderr)
        if command[0] == "watch":
            _interrupt_after_a_line(process, stdout)
        _, status = os.waitpid(process, 0)
        outcome = {"exit code": str(os.waitstatus_to_exitcode(status))}
        files = {"stdout": stdout, "stderr": stderr}
        files |= {path.name: path for path in Path.cwd().rglob("*") if path.is_file()}
        outcome |= {name: path.read_bytes().decode(errors="backslashreplace") for name, path in files.items()}
    shutil.rmtree("converted", ignore_errors=True)
    for path in Path.cwd().glob("*"):
        if path.is_file() and path.name != "saved.json":
            path.unlink()
    return outcome


def _run_with_streams(command: Command, stdout: Path, stderr: Path) -> None:
    """Run a command in this process and end it."""
    code = 70
    try:
        for number, path in ((1, stdout), (2, stderr)):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - lasts as long as the process
        code = import_module("evaltui.cli").main(command)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except KeyboardInterrupt:
        code = 130
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _interrupt_after_a_line(process: int, stdout: Path) -> None:
    while os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if stdout.exists() and b"\n" in stdout.read_bytes():
            os.kill(process, signal.SIGINT)
            return


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        serve(sys.stdin)
    else:
        sys.exit(main())
