"""A repository of an attacker, and the folders around it that must not change."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from struct import pack

from tests.commands.runs import case, eval_set, result, turn, write
from tests.safety.modules import shadow_modules

WORKFLOW_COMMANDS = "::stop-commands::" + "x" * 60, "##[error]" + "y" * 60, "::error file=a,line=1::" + "z" * 60
"""Words that a runner of GitHub Actions obeys where a line of its log begins with them."""
_ID = "a:b" + " " * 80_000 + "b"
_JOURNAL_END = bytes.fromhex("d9d505f920a163d7")
_INLINE = "$(touch ran) `touch ran` ; touch ran\n\x1b]52;c;cnVu\x07"


def write_hostile_repository(folder: Path, outside: Path, mark: Path) -> None:
    """Write the repository. Its links lead to files in `outside`; code of it that runs writes the file `mark`."""
    folder.mkdir()
    shadow_modules(folder, mark)
    _write_sets(folder, outside)
    _write_recordings(folder)
    _write_database(folder, outside)
    _write_settings(folder, mark)
    _write_bombs(folder)
    _write_bare_repository(folder, mark)
    _write_programs(folder, mark)
    for name in ("::error::named.evalset.json", "##[error]named.json", "-o.evalset.json", "line\nbreak.evalset.json"):
        write(folder / name, eval_set(case("alpha", turn("Hello", "Hi."))))


def _write_sets(folder: Path, outside: Path) -> None:
    calls = [("look", {"a": 1})]
    cases = [case(name, turn("Hello", "Hi.", calls)) for name in ("alpha", _ID, _INLINE, *WORKFLOW_COMMANDS)]
    write(folder / "a.evalset.json", eval_set(*cases, name="a"))
    for name in ("a.review.jsonl", "a.evalset.review.jsonl", "a.evalset.json.review.jsonl"):
        (folder / name).symlink_to(outside / "shell_settings")
    for name in ("linked.evalset.json", "a.ces.json", "out.json", "base.json", "new.json"):
        (folder / name).symlink_to(outside / "set.json")
    (folder / "sub").symlink_to(outside)
    write(folder / "ds.json", _dataset())
    (folder / "eval_config.json").symlink_to("/dev/zero")
    os.mkfifo(folder / "test_config.json")
    os.mkfifo(folder / "pipe.evalset.json")
    (folder / "endless.evalset.json").symlink_to("/dev/zero")
    (folder / "memory.evalset.json").symlink_to("/proc/self/pagemap")
    write(folder / "patch.json", [{"op": "add", "path": "/name", "value": _INLINE}])


def _dataset() -> object:
    prompt = {"role": "user", "parts": [{"text": "Hi"}]}
    return {"eval_cases": [{"eval_case_id": "a", "prompt": prompt, "agent_data": {"turns": []}}]}


def _write_recordings(folder: Path) -> None:
    calls = [(name, {"a": 2}) for name in (*WORKFLOW_COMMANDS, _INLINE)]
    texts = "Other.\n" + "\n".join([*WORKFLOW_COMMANDS, _INLINE, "$x$ #123 org/repo#5 @somebody https://x.example"])
    recorded = result(case("alpha", turn("Hello", texts, calls)), case(_ID, turn("Hello", texts, calls)), name="a")
    write(folder / "recs/a.evalset_result.json", recorded)
    write(folder / "base.evalset_result.json", recorded)
    history = folder / ".adk/eval_history"
    history.mkdir(parents=True)
    os.mkfifo(history / "a_1.evalset_result.json")
    (history / "a_2.evalset_result.json").symlink_to("/dev/zero")
    (folder / "recs/endless.json").symlink_to("/dev/zero")
    os.mkfifo(folder / "recs/pipe.json")


def _new_database(folder: Path) -> sqlite3.Connection:
    (folder / ".adk").mkdir(exist_ok=True)
    connection = sqlite3.connect(folder / ".adk/session.db")
    connection.executescript(
        "CREATE TABLE sessions (app_name TEXT, user_id TEXT, id TEXT, state TEXT, create_time REAL, update_time REAL,"
        " PRIMARY KEY (app_name, user_id, id));"
        "CREATE TABLE events (id TEXT, app_name TEXT, user_id TEXT, session_id TEXT, invocation_id TEXT,"
        " timestamp REAL, event_data TEXT);"
    )
    return connection


def _write_database(folder: Path, outside: Path) -> None:
    """A database whose journal names a file to delete: SQLite's file format, section on super-journals."""
    _new_database(folder).close()
    name = os.fsencode(outside / "precious")
    trailer = pack(">I", 1) + name + pack(">II", len(name), sum(name)) + _JOURNAL_END
    (folder / ".adk/session.db-journal").write_bytes(b"\1" * 28 + trailer)


def _write_settings(folder: Path, mark: Path) -> None:
    write(folder / "settings/s.evalset.json", eval_set(case("alpha", turn("Hello", "Hi."))))
    (folder / "settings/pyproject.toml").write_text("# evaltui" + "\n" * 80_000 + "x")
    (folder / "evaltui.toml").write_text(f'run = "touch {mark}"\nagent = "."\n')
    (folder / "agent.py").write_text(f"open({str(mark)!r}, 'a').write('agent')\nroot_agent = None\n")
    (folder / ".gitignore").write_text("*a" * 60 + "b\n" + "**/" * 60 + "c\n")


def _write_bombs(folder: Path) -> None:
    (folder / "alias.yaml").write_text('a: &a "' + "x" * 200_000 + '"\nb: [' + ",".join(["*a"] * 5_000) + "]\n")
    (folder / "sixty.yaml").write_text("a: " + "1" + ":1" * 150_000 + "\n")
    (folder / "merge.yaml").write_text("\n".join(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}" for n in range(1, 24)))
    (folder / "nested.json").write_text("[" * 500_000)


def _write_bare_repository(folder: Path, mark: Path) -> None:
    """Files that git takes for a repository, with a name of its own and with programs that git may start."""
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    for name in ("objects", "refs"):
        (folder / name).mkdir()
    program = f"touch {mark}"
    (folder / "config").write_text(
        f'[core]\n\tfsmonitor = "{program}"\n\tpager = "{program}"\n\tsshCommand = "{program}"\n'
        "[user]\n\tname = Forged\n\temail = forged@example.org\n"
    )


def _write_programs(folder: Path, mark: Path) -> None:
    """Programs that evaltui or its libraries start. The folder is on PATH, as `.`, for some people."""
    for name in ("git", "tmux", "xclip", "xsel", "wl-copy", "pbcopy", "klipper", "vi", "sh", "stty", "which", "python"):
        (folder / name).write_text(f"#!/bin/sh\n: > {mark}\n")
        (folder / name).chmod(0o755)


def write_outside(folder: Path) -> None:
    """Files of the user that no command may touch."""
    folder.mkdir(parents=True)
    (folder / "shell_settings").write_text("precious\n")
    (folder / "precious").write_text("precious")
    write(folder / "set.json", eval_set(case("alpha", turn("Hello", "Hi."))))


def write_temporary(folder: Path) -> None:
    """A temporary folder that other people use, too."""
    theirs = folder / "evaltui-run-theirs"
    theirs.mkdir(parents=True)
    (theirs / "precious").write_text("precious")
    os.utime(theirs, (0, 0))


def fingerprint(*folders: Path) -> dict[str, tuple[int, bytes | str]]:
    """Mode and content of all that lies below folders, by path."""
    prints: dict[str, tuple[int, bytes | str]] = {}
    for folder in folders:
        for path in folder.rglob("*"):
            status = path.lstat()
            content = str(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else ""
            prints[str(path)] = (status.st_mode, content)
    return prints
