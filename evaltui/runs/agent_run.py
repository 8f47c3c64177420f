"""One run of the agent: the plan from the settings, the process, and the new recordings."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from platformdirs import user_state_path

from evaltui.document.errors import DocumentError
from evaltui.file_access import is_folder
from evaltui.files.file_changes import Signature, signature
from evaltui.files.folder_search import Bounds, SearchLimitError
from evaltui.printable import one_line
from evaltui.recordings.agent_folders import agent_above, agents_of_apps
from evaltui.recordings.default_recordings import (
    artifacts_of,
    default_folders,
    files_in,
    without_repeated_traces,
)
from evaltui.recordings.recording_search import HISTORY, recordings_in
from evaltui.runs.agent_command import (
    environment_of,
    fill_template,
    placeholders_in,
    read_template,
    values_of,
    variables_in,
)
from evaltui.runs.command_process import CommandError, CommandProcess
from evaltui.settings.project_settings import project_folders, read_settings_again
from evaltui.settings.run_command import RunCommand, run_command, state_of
from evaltui.settings.user_settings import Settings, load_settings

_LONGEST_SEARCH = 1.0
"""Seconds of the search for agents near the set, before the command starts."""
_MOST_FOLDERS = 20
"""The number of output folders that are kept, of all sets together."""
_DAYS_IN_USE = 7
"""Output folders of the last days are kept, too: a running evaltui may score with them."""
_PREFIX = "run-"
_TIME = "%Y%m%d-%H%M%S"


class NoCommandError(CommandError):
    """No settings name a command for the agent."""


def plan_run(settings: Settings, eval_set: Path, cases: tuple[str, ...]) -> AgentRun:
    """Read the current settings, and find command and agent. Only files were read so far.

    Raises `NoCommandError`, `CommandError` if the command cannot be run for these cases, and `SettingsError`.
    """
    read_settings_again()
    if (path := settings.path) is not None:
        settings = load_settings(path)
        for line, sentence in settings.complaints:
            # An invalid command counts as none, so the command of a project would run instead.
            if sentence.startswith("run: "):
                raise CommandError(f"{path.name}:{line}: {sentence}")
    command = run_command(settings, eval_set)
    if command is None:
        raise NoCommandError("No command for the agent. Set run in evaltui.toml or in your settings.")
    template = read_template(command.text)
    try:
        agent = find_agent(eval_set, command.agent)
    except CommandError:
        if "agent" in placeholders_in(template):
            raise
        agent = None
    return AgentRun(command, template, eval_set, cases, agent)


def find_agent(eval_set: Path, setting: Path | None) -> Path:
    """The absolute folder of the agent that a command runs. Raises `CommandError` if there is none.

    `setting` is the folder in the project settings. Without it, an agent above the set goes before one that its
    `app_name` names.
    """
    if setting is not None:
        if not is_folder(setting):
            raise CommandError(f"The folder in the setting agent does not exist: {one_line(str(setting), 200)}")
        return setting
    folder = agent_above(eval_set) or next(agents_of_apps(eval_set), None)
    if folder is None:
        raise CommandError(
            "No agent found: no folder above the eval set has an agent.py, and none beside these is named by app_name. "
            'Write the folder into evaltui.toml: agent = "path/of/agent"'
        )
    return folder


def result_folders(run: AgentRun) -> Iterator[Path]:
    """The folders in which the command may write results: the default folders of the set, and those of the command."""
    bounds = Bounds(seconds=_LONGEST_SEARCH)
    for is_dataset in (False, True):
        with suppress(SearchLimitError):
            yield from default_folders(run.eval_set, bounds, is_dataset=is_dataset)
    agents = [run.agent] if run.agent is not None else []
    # agents-cli looks for its project in the folder in which it runs, and above.
    for folder in (run.eval_set.parent, *agents, *project_folders(run.command.folder)):
        yield from (folder / HISTORY, *artifacts_of(folder))


def results_in(folders: Sequence[Path]) -> dict[Path, Signature]:
    """The results in folders of tools, each with its state; none if there are too many files."""
    first_names = {os.path.realpath(folder): folder for folder in reversed(folders)}
    try:
        return {path: signature(path) for folder in first_names.values() for path in files_in(folder, Bounds())}
    except SearchLimitError:
        return {}


def new_recordings(folders: Sequence[Path], earlier: Mapping[Path, Signature], output: Path | None) -> list[Path]:
    """Results that are new or changed since `earlier`, then the recordings in the output folder, the oldest first."""
    paths = [path for path, state in results_in(folders).items() if earlier.get(path) != state]
    with suppress(DocumentError, OSError):  # too many files: use none rather than a random part
        paths = without_repeated_traces(paths, Bounds()).paths
        if output is not None and is_folder(output):
            paths += recordings_in(output).paths
    return sorted(paths, key=_written_at)


def _written_at(path: Path) -> tuple[float, str]:
    try:
        return path.stat().st_mtime, path.name
    except OSError:
        return 0.0, path.name


def new_output_folder() -> Path:
    """A new folder in the user's state folder, readable by the user only. Raises `OSError`."""
    parent = user_state_path("evaltui") / "agent_runs"
    parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with suppress(OSError):  # an old folder that cannot be deleted is no reason against a new one
        # The name begins with the time, so names sort by age.
        names = sorted(name for name in os.listdir(parent) if name.startswith(_PREFIX))  # noqa: PTH208 (no paths)
        in_use = _PREFIX + time.strftime(_TIME, time.localtime(time.time() - _DAYS_IN_USE * 86_400))
        for name in names[: 1 - _MOST_FOLDERS]:
            if name < in_use:
                shutil.rmtree(parent / name, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{time.strftime(_TIME)}-", dir=parent))


def duration(seconds: float) -> str:
    """A time in a few characters: `0.4 s`, `12 s`, `3 min 05 s`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


class AgentRun:
    """A command that runs the agent: planned, running or ended."""

    def __init__(
        self, command: RunCommand, template: list[str], eval_set: Path, cases: tuple[str, ...], agent: Path | None
    ) -> None:
        """Plan a run of these cases; none for all. Raises `CommandError` if the command cannot take them."""
        self.command, self._template, self.eval_set, self.cases, self.agent = command, template, eval_set, cases, agent
        values = values_of(eval_set, cases, agent, Path("{output}"))  # output: created at the start
        self._argv = fill_template(template, values, cases, command.folder)
        self.mark, self.files = state_of(command, agent)
        """Hash of the command with its folders and files, as the user is asked about it; and these files."""
        self.output: Path | None = None
        """The output folder, if the command uses one."""
        self.previous_seconds: float | None = None
        """Seconds of the previous run of the same cases; None if it was cancelled."""
        self._process: CommandProcess | None = None

    def start(self, on_end: Callable[[AgentRun], object], previous: AgentRun | None = None) -> None:
        """Run the command. Raises `CommandError`.

        `on_end` is called once, in a thread, with this run. `previous` is an ended run, of any cases.
        """
        if previous is not None and previous.cases == self.cases and not previous.process.is_cancelled:
            self.previous_seconds = previous.process.seconds
        # Between the question and the start, another program may exchange a file that the user has seen and trusted.
        if state_of(self.command, self.agent) != (self.mark, self.files):
            raise CommandError("The agent was not started: a file or folder of the command has changed meanwhile.")
        try:
            self.output = new_output_folder()
        except OSError as error:
            if "output" in placeholders_in(self._template):
                reason = (error.strerror or str(error)).lower()
                raise CommandError(f"The output folder cannot be created: {reason}.") from error
        values = values_of(self.eval_set, self.cases, self.agent, self.output)
        self._argv = fill_template(self._template, values, self.cases, self.command.folder)
        folders = [*result_folders(self)]
        self._find_recordings = partial(new_recordings, folders, results_in(folders), self.output)

        def end_run() -> None:
            for clause in process.others:
                process.output.feed(f"evaltui: {clause}\n".encode())
            on_end(self)

        process = CommandProcess(self._argv, self.command.folder, environment_of(values), on_end=end_run)
        process.start()
        self._process = process

    @property
    def process(self) -> CommandProcess:
        """The process. Only after `start`."""
        assert self._process is not None
        return self._process

    @property
    def is_running(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.is_running

    @property
    def cases_text(self) -> str:
        """The cases in a few words; not yet safe to show."""
        if not self.cases:
            return "all cases"
        return self.cases[0] if len(self.cases) == 1 else f"{len(self.cases):,} cases"

    @property
    def names_cases(self) -> bool:
        """Whether the command has the ids or the variable with the ids; else only a script may know of them."""
        return "cases" in placeholders_in(self._template) | variables_in(self._template)

    @property
    def command_line(self) -> str:
        """The command as one shell command line, before the start with `{output}` in it; not yet safe to show."""
        return shlex.join(self._argv)

    @property
    def end_text(self) -> str:
        """Sentences about the end: `The agent ended: exit code 1 after 12 s. 2 other processes ended.`"""
        process = self.process
        text = f"The agent ended: {process.outcome} after {duration(process.seconds)}."
        alive = "still runs" if len(process.alive) == 1 else "still run"
        for names, verb in ((process.ended, "ended"), (process.alive, alive)):
            text += f" {len(names):,} other process{'es' * (len(names) != 1)} {verb}." if names else ""
        return text

    @property
    def has_failed(self) -> bool:
        """Whether it ended by itself with an exit code other than 0, or by a signal."""
        return self.process.code not in (None, 0) and not self.process.is_cancelled

    def new_recordings(self) -> list[Path]:
        """The recordings that the run wrote, the oldest first. Deletes the output folder if it is empty."""
        if self.output is not None:
            with suppress(OSError):
                self.output.rmdir()
        return self._find_recordings()
