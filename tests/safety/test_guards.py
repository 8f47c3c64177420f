"""Every place that reads a file, or starts a process, is known, and has a guard."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "evaltui"

READS = {
    "document/disk/file_content.py: _MEMORY_INFO.read_text()": "a constant path of the system",
    "document/disk/file_content.py: path.read_text()": "a constant path of the system",
    "document/journals/recovery.py: file.open('rb')": "a journal in the user's state folder",
    "document/journals/recovery.py: file.read_bytes()": "a journal in the user's state folder",
    "document/journals/recovery.py: self.file.read_bytes()": "a journal in the user's state folder",
    "recordings/sessions/database_copy.py: path.open('rb')": "a copy in a folder of this process",
    "recordings/sessions/schema_size.py: database.open('rb')": "a copy in a folder of this process",
    "tui/remembered_files.py: path.read_bytes()": "a file in the user's state folder",
    "tui/screens/command_screen.py: path.read_bytes()": "the user's own settings",
    "tui/terminal/external_editor.py: file.read_bytes()": "a text in a folder of this process",
    "tui/terminal/system_clipboard.py: _shared_file().read_text('utf-8')": "a file in the user's state folder",
}
"""Reads that do not go through `file_access`, each with the reason why nobody else chooses the file."""

OPENED = {
    "cli.py": "/dev/null",
    "crash.py": "a new file (O_EXCL) in the user's state folder",
    "document/disk/file_place.py": "folders held open with O_NOFOLLOW; a sidecar, examined by descriptor",
    "document/disk/file_replacement.py": "the folder of a save, which is held open",
    "document/disk/locks.py": "the folder of a save",
    "document/disk/temporary_file.py": "a new file (O_EXCL) and leftovers (O_NOFOLLOW, O_NONBLOCK)",
    "document/journals/journal.py": "a journal in the user's state folder",
    "document/journals/recovery.py": "a journal in the user's state folder",
    "evalset/case_stream.py": "O_NONBLOCK, examined by descriptor",
    "file_access.py": "the guard itself",
    "printable.py": "/dev/null",
    "runs/batch/work_folder.py": "folders of runs; files whose state was compared before",
    "settings/trusted_commands.py": "a new file in the user's state folder",
    "tui/remembered_files.py": "a file in the user's state folder",
    "tui/terminal/external_editor.py": "a new file in a folder of this process",
    "tui/terminal/system_clipboard.py": "a file in the user's state folder",
    "validation/case_blocks.py": "O_NONBLOCK, and the state of the file was compared before",
}
"""Files of the package that call `os.open`."""

PROCESSES = {
    "evalset/search/regex_process.py": "python -I: no folder on its path, no variables",
    "processes.py": "PYTHONSAFEPATH while a process starts",
    "recordings/reader_process.py": "python -P: no folder on its path",
    "review/sidecar.py": "git from an absolute entry of PATH, safe.bareRepository=explicit",
    "runs/command_process.py": "the agent's command, after the user trusts it",
    "tui/terminal/external_editor.py": "the user's editor, with a file in a folder of this process",
    "tui/terminal/system_clipboard.py": "tmux with constant words",
}
"""Files of the package that start processes. `pyperclip` starts the clipboard program of the system, too."""


LAST_WORDS = ("open", "read_bytes", "read_text", "run", "Popen", "get_context", "system", "posix_spawn")
"""The last words of all names that this module looks for."""


def calls(path: Path) -> Iterator[ast.Call]:
    text = path.read_text()
    if any(f"{word}(" in text for word in LAST_WORDS):
        yield from (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))


@cache
def calls_in_package() -> list[tuple[str, ast.Call]]:
    """The calls in files that call something of interest, each with its file."""
    return [(str(path.relative_to(PACKAGE)), call) for path in PACKAGE.rglob("*.py") for call in calls(path)]


def name_called(call: ast.Call) -> str:
    called = call.func
    return called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""


def files_calling(*names: str) -> set[str]:
    calls = ((file, call) for file, call in calls_in_package() if name_called(call) in LAST_WORDS)
    return {file for file, call in calls if ast.unparse(call.func) in names}


def is_read(call: ast.Call) -> bool:
    name, modes = name_called(call), [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
    is_open = name == "open" and (isinstance(call.func, ast.Name) or "rb" in modes)
    return is_open or name in ("read_bytes", "read_text")


def test_files_are_read_by_file_access_or_nobody_else_chooses_them() -> None:
    reads = {f"{file}: {ast.unparse(call)}" for file, call in calls_in_package() if is_read(call)}
    assert reads == READS.keys(), "open it with evaltui.file_access, or add it here with the reason why it is safe"


def test_each_descriptor_has_a_guard() -> None:
    files = files_calling("os.open")
    assert files == OPENED.keys(), "open it with evaltui.file_access, or add it here with its guard"


def test_each_process_has_a_guard() -> None:
    files = files_calling("subprocess.run", "subprocess.Popen", "Popen", "get_context", "os.system", "os.posix_spawn")
    assert files == PROCESSES.keys(), "add it here with the guard that keeps it from running code of a repository"
