"""One run of the agent: the plan from the settings, the process, and the new recordings."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from platformdirs import user_state_path

from evaltui.document.errors import DocumentError
from evaltui.file_access import is_folder
from evaltui.files.file_signatures import Signature, signature
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
from evaltui.runs.command_process import CommandEnd, CommandError, CommandProcess
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


class AgentPlan(NamedTuple):
    """A run that can be started. Only files were read so far."""

    command: RunCommand
    argv: list[str]
    """The words of the command. The start replaces `{output}`."""
    eval_set: Path
    cases: tuple[str, ...]
    """Ids of the cases; none for all."""
    agent: Path | None
    names_cases: bool
    """Whether the command has the ids or the variable with the ids; else only a script may know of them."""
    mark: str
    """Hash of the command with its folders and files, as the user is asked about it."""
    files: tuple[str, ...]
    """The files that the command names, relative to its folder."""

    @property
    def command_line(self) -> str:
        """The command as one shell command line; not yet safe to show."""
        return shlex.join(self.argv)


def plan_run(settings: Settings, eval_set: Path, cases: tuple[str, ...]) -> AgentPlan:
    """Read the current settings, and find command and agent.

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
    values = values_of(eval_set, cases, agent, Path("{output}"))  # output: created at the start
    mark, files = state_of(command, agent)
    return AgentPlan(
        command,
        fill_template(template, values, cases, command.folder),
        eval_set,
        cases,
        agent,
        "cases" in placeholders_in(template) | variables_in(template),
        mark,
        files,
    )


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


def result_folders(plan: AgentPlan) -> Iterator[Path]:
    """The folders in which the command may write results: the default folders of the set, and those of the command."""
    bounds = Bounds(seconds=_LONGEST_SEARCH)
    for is_dataset in (False, True):
        with suppress(SearchLimitError):
            yield from default_folders(plan.eval_set, bounds, is_dataset=is_dataset)
    agents = [plan.agent] if plan.agent is not None else []
    # agents-cli looks for its project in the folder in which it runs, and above.
    for folder in (plan.eval_set.parent, *agents, *project_folders(plan.command.folder)):
        yield from (folder / HISTORY, *artifacts_of(folder))


class ResultPlaces:
    """The folders in which tools write results, and the output folder of one run."""

    def __init__(self, folders: Iterable[Path], output: Path | None) -> None:
        """Note the results before the run."""
        by_real_path: dict[str, Path] = {}
        for folder in folders:
            by_real_path.setdefault(os.path.realpath(folder), folder)
        self._folders = by_real_path.values()
        self._output = output
        self._earlier = self._results()

    def new_recordings(self) -> list[Path]:
        """Results that were written or changed since, then the recordings in the output folder, the oldest first."""
        paths = [path for path, state in self._results().items() if self._earlier.get(path) != state]
        with suppress(DocumentError, OSError):  # too many files: use none rather than a random part
            paths = without_repeated_traces(paths, Bounds()).paths
            if self._output is not None and is_folder(self._output):
                paths += recordings_in(self._output).paths
        return sorted(paths, key=_written_at)

    def _results(self) -> dict[Path, Signature]:
        try:
            return {path: signature(path) for folder in self._folders for path in files_in(folder, Bounds())}
        except SearchLimitError:
            return {}


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
    """The command of a plan, running or ended."""

    def __init__(self, plan: AgentPlan, on_end: Callable[[AgentRun], object], previous: AgentRun | None = None) -> None:
        """`on_end` is called once, in a thread, with this run. `previous` is an ended run, of any cases."""
        self.plan = plan
        self._on_end = on_end
        self.output: Path | None = None
        """The output folder, if the command uses one."""
        end = previous.process.end if previous is not None and previous.plan.cases == plan.cases else None
        self.previous_seconds = end.seconds if end is not None and not end.is_cancelled else None
        """Seconds of the previous run of the same cases; None if it was cancelled."""
        self._process: CommandProcess | None = None
        self._places = ResultPlaces((), None)

    def start(self) -> None:
        """Run the command. Raises `CommandError`."""
        plan = self.plan
        # Between the question and the start, another program may exchange a file that the user has seen and trusted.
        if state_of(plan.command, plan.agent) != (plan.mark, plan.files):
            raise CommandError("The agent was not started: a file or folder of the command has changed meanwhile.")
        template = read_template(plan.command.text)
        try:
            self.output = new_output_folder()
        except OSError as error:
            if "output" in placeholders_in(template):
                reason = (error.strerror or str(error)).lower()
                raise CommandError(f"The output folder cannot be created: {reason}.") from error
        values = values_of(plan.eval_set, plan.cases, plan.agent, self.output)
        argv = fill_template(template, values, plan.cases, plan.command.folder)
        self._places = ResultPlaces(result_folders(plan), self.output)

        def end_run(end: CommandEnd) -> None:
            for clause in end.others:
                process.output.feed(f"evaltui: {clause}\n".encode())
            self._on_end(self)

        process = CommandProcess(argv, plan.command.folder, environment_of(values), on_end=end_run)
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
        cases = self.plan.cases
        if not cases:
            return "all cases"
        return cases[0] if len(cases) == 1 else f"{len(cases):,} cases"

    @property
    def command_line(self) -> str:
        """The command as one shell command line; not yet safe to show."""
        return shlex.join(self.process.argv)

    @property
    def end_text(self) -> str:
        """Sentences about the end: `The agent ended: exit code 1 after 12 s. 2 other processes ended.`"""
        if (end := self.process.end) is None:
            return ""
        text = f"The agent ended: {end.brief} after {duration(end.seconds)}."
        for names, verb in ((end.ended, "ended"), (end.alive, "still runs" if len(end.alive) == 1 else "still run")):
            text += f" {len(names):,} other process{'es' * (len(names) != 1)} {verb}." if names else ""
        return text

    @property
    def has_failed(self) -> bool:
        """Whether it ended by itself with an exit code other than 0, or by a signal."""
        end = self.process.end
        return end is not None and end.code != 0 and not end.is_cancelled

    def new_recordings(self) -> list[Path]:
        """The recordings that the run wrote, the oldest first. Deletes the output folder if it is empty."""
        if self.output is not None:
            with suppress(OSError):
                self.output.rmdir()
        return self._places.new_recordings()
