"""Every place that reads a file, or starts a process, is known, and has a guard."""

import ast
from collections.abc import Iterator

from tests.package_source import trees

READS = {
    "document/disk/file_content.py: _MEMORY_INFO.read_text()": "a constant path of the system",
    "document/disk/file_content.py: path.read_text()": "a constant path of the system",
    "document/journals/recovery.py: file.open('rb')": "a journal in the user's state folder",
    "document/journals/recovery.py: file.read_bytes()": "a journal in the user's state folder",
    "document/journals/recovery.py: self.file.read_bytes()": "a journal in the user's state folder",
    "recordings/sessions/database_copy.py: journal.open('rb')": "a copy in a folder of this process",
    "recordings/sessions/database_access.py: database.open('rb')": "a copy in a folder of this process",
    "runs/command_supervisor.py: open(f'{_PROC}/{pid}/{name}', errors='replace')": "files of /proc",
    "tui/remembered_files.py: path.read_bytes()": "a file in the user's state folder",
    "tui/settings_commands.py: path.read_bytes()": "the user's own settings",
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
    "file_access.py": "the guard itself",
    "printable.py": "/dev/null",
    "settings/run_command.py": "a new file in the user's state folder",
    "tui/remembered_files.py": "a file in the user's state folder",
    "tui/terminal/external_editor.py": "a new file in a folder of this process",
    "tui/terminal/system_clipboard.py": "a file in the user's state folder",
    "validation/large_file.py": "O_NONBLOCK, and the state of the file was compared before",
}
"""Files of the package that call `os.open`."""

PROCESSES = {
    "evalset/search/replacement.py": "python -I: no folder on its path, no variables",
    "processes.py": "PYTHONSAFEPATH while a process starts",
    "recordings/reader_process.py": "python -P: no folder on its path",
    "review/decisions.py": "git from an absolute entry of PATH, safe.bareRepository=explicit",
    "runs/command_process.py": "python -I -S with a file of evaltui, which runs the command that the user trusts",
    "runs/command_supervisor.py": "the agent's command, after the user trusts it; /bin/ps",
    "tui/terminal/external_editor.py": "the user's editor, with a file in a folder of this process",
    "tui/terminal/system_clipboard.py": "tmux with constant words",
}
"""Files of the package that start processes. `pyperclip` starts the clipboard program of the system, too."""


def calls(*names: str) -> Iterator[tuple[str, ast.Call]]:
    """The calls in files that contain one of the names, each with its file."""
    for file, tree in trees(*names):
        yield from ((file, node) for node in ast.walk(tree) if isinstance(node, ast.Call))


def files_calling(*names: str) -> set[str]:
    return {file for file, call in calls(*names) if ast.unparse(call.func) in names}


def is_read(call: ast.Call) -> bool:
    called = call.func
    if isinstance(called, ast.Name):
        return called.id == "open"
    if not isinstance(called, ast.Attribute):
        return False
    modes = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
    return called.attr in ("read_bytes", "read_text") or (called.attr == "open" and "rb" in modes)


def test_files_are_read_by_file_access_or_nobody_else_chooses_them() -> None:
    found = calls("read_bytes", "read_text", "open(")
    reads = {f"{file}: {ast.unparse(call)}" for file, call in found if is_read(call)}
    assert reads == READS.keys(), "open it with evaltui.file_access, or add it here with the reason why it is safe"


def test_each_descriptor_has_a_guard() -> None:
    files = files_calling("os.open")
    assert files == OPENED.keys(), "open it with evaltui.file_access, or add it here with its guard"


def test_each_process_has_a_guard() -> None:
    files = files_calling("subprocess.run", "subprocess.Popen", "Popen", "get_context", "os.system", "os.posix_spawn")
    assert files == PROCESSES.keys(), "add it here with the guard that keeps it from running code of a repository"
