"""`python -m benchmarks.same_documents OLD [NEW]`: whether two checkouts print and write the same bytes.

It runs each command that checks, scores, renders or converts, in both checkouts, over the sample sets and, where
EVALTUI_SHARED names them, over the public files. It also checks copies of them in which a value or a character is
wrong, and converts them from each format. It prints the commands whose exit code, output or files differ.
"""

import argparse
import difflib
import json
import os
import pkgutil
import random
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
_FORMATS = ("json", "table", "junit", "markdown", "github")
_TARGETS = ("evalset", "evaluation-dataset", "ces", "legacy-cases", "adk-rs", "cxas-yaml")
_REPORTS = ("-o", "report.json", "-o", "report.xml", "-o", "report.md", "-o", "report.txt")
_SEEDS = (
    "016_adk_evalset",
    "019_adk_evalset",
    "172_legacy_v1",
    "176_legacy_v0",
    "193_platform_dataset",
    "207_platform",
    "221_eval_config",
)
"""The beginnings of the names of public files that get faults."""
_LARGEST_SEED = 30_000
"""Bytes of the largest file that gets faults."""
_FAULTY_COPIES = 12
"""The number of copies of a file with a wrong character, and of those with a wrong value."""
_WRONG_TEXTS = ("", '"', "'", ",", "}", "]", "{", "[", "\\", "NaN", "// x\n", "\u201c")
_WRONG_KEYS = ("camelCase", "unknown_key", "id", "name", "args")
_WRONG_VALUES = (None, True, -1, 1.5, 10**20, "", "text", [], ["text"], {}, {"text": "x"}, [{}])
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
    for checkout in (options.old, options.new):
        if not (checkout / "evaltui").is_dir():
            # In two folders without the package all commands fail, and their outputs are the same.
            parser.error(f"{checkout} is no checkout: it has no folder evaltui")
    with tempfile.TemporaryDirectory() as folder:
        made = commands_of_made_files(Path(folder, "made"))
        all_commands = [each for each in (*commands(), *made) if not options.only or each[0] in options.only]
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
    public = (*recordings.rglob("*.json"), *recordings.rglob("*.db"), *Path(shared, "corpus").glob("*.json"))
    field = (path for path in Path(shared, "field").rglob("*.*") if path.suffix != ".md")
    for path in sorted((*public, *field)):
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


def commands_of_made_files(folder: Path) -> Iterator[Command]:
    """Commands over files that are made in `folder`: conversions of sets, and copies with one fault each."""
    folder.mkdir()
    for kind in ("evalset", "config"):
        yield ["schema", kind]
    seeds = [*sorted(Path(ROOT, "sample_sets").rglob("*.json"))]
    if shared := os.environ.get("EVALTUI_SHARED"):
        seeds += [path for shape in _SEEDS for path in sorted(Path(shared, "corpus").glob(f"{shape}*.json"))]
    for number, seed in enumerate(seeds):
        if seed.stat().st_size > _LARGEST_SEED:
            continue
        for target in _TARGETS:
            converted = folder / f"{number}-{target}"
            command = [sys.executable, "-m", "evaltui", "convert", str(seed), "--to", target, "-o", str(converted)]
            subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
            for path in sorted(path for path in converted.rglob("*") if path.is_file()):
                yield from _conversions_and_checks(path)
        for copy, text in enumerate(_faulty_texts(seed.read_text(encoding="utf-8"), random.Random(number))):
            path = folder / f"{number}-{copy}{''.join(seed.suffixes)}"
            path.write_text(text, encoding="utf-8")
            yield from _conversions_and_checks(path)
            yield ["validate", str(path), "--diff"]


def _faulty_texts(text: str, chance: random.Random) -> Iterator[str]:
    """The JSON text with wrong characters at a random place, then with a wrong key or value."""
    for _ in range(_FAULTY_COPIES):
        start = chance.randrange(len(text))
        yield text[:start] + chance.choice(_WRONG_TEXTS) + text[start + chance.randrange(3) :]
    for _ in range(_FAULTY_COPIES):
        try:
            root = json.loads(text)
        except ValueError:
            return
        holder = chance.choice([holder for holder in _holders(root) if holder])
        key = chance.choice([*holder] if isinstance(holder, dict) else [*range(len(holder))])
        action = chance.randrange(4)
        if action == 0 and isinstance(holder, dict):
            holder[chance.choice(_WRONG_KEYS)] = holder[key]
        elif action == 1:
            del holder[key]
        else:
            holder[key] = chance.choice(_WRONG_VALUES)
        yield json.dumps(root, indent=2)


def _holders(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from _holders(item)


def _conversions_and_checks(path: Path) -> Iterator[Command]:
    yield ["validate", str(path), "--format", "json"]
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
