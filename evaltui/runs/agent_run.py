"""One run of the agent: the plan from the settings, the process, and the new recordings."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from evaltui.files.folder_search import Bounds, SearchLimitError
from evaltui.recordings.default_recordings import DefaultFolder, artifacts_of, default_folders, history_of
from evaltui.runs.agent_command import CommandValues, environment_of, filled, read_template
from evaltui.runs.agent_folder import agent_folder
from evaltui.runs.command_process import CommandEnd, CommandError, CommandProcess
from evaltui.runs.result_places import ResultPlaces, new_output_folder
from evaltui.settings.project_settings import project_folders, read_settings_again
from evaltui.settings.run_command import RunCommand, run_command
from evaltui.settings.trusted_commands import CommandState, state_of
from evaltui.settings.user_settings import Settings, load_settings

_MINUTE = 60
_LONGEST_SEARCH = 1.0
"""Seconds of the search for agents near the set, before the command starts."""


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
    needs_output: bool
    """Whether the command has the output folder as a word."""
    names_cases: bool
    """Whether the command has the ids or the variable with the ids; else only a script may know of them."""
    state: CommandState
    """The command with its folders and files, as the user is asked about it."""

    @property
    def shown(self) -> str:
        """The command as one shell command line; not yet safe to show."""
        return shlex.join(self.argv)


def plan_run(settings: Settings, eval_set: Path, cases: tuple[str, ...]) -> AgentPlan:
    """Read the current settings, and find command and agent.

    Raises `NoCommandError`, `CommandError` if the command cannot be run for these cases, and `SettingsError`.
    """
    read_settings_again()
    command = run_command(_now(settings), eval_set)
    if command is None:
        raise NoCommandError("No command for the agent. Set run in evaltui.toml or in your settings.")
    template = read_template(command.text)
    agent = _agent(command, eval_set, is_needed="agent" in template.uses)
    values = CommandValues(eval_set, cases, agent, Path("{output}"), command.folder)  # output: created at the start
    return AgentPlan(
        command,
        filled(template, values),
        eval_set,
        cases,
        agent,
        "output" in template.uses,
        "cases" in template.uses | template.variables,
        state_of(command, agent),
    )


def _now(settings: Settings) -> Settings:
    """Read the user's settings again. Raises `CommandError` if the command in them is invalid."""
    if settings.path is None:
        return settings
    now = load_settings(settings.path)
    for complaint in now.complaints:
        if complaint.sentence.startswith("run: "):  # otherwise the command of a project would run instead
            raise CommandError(f"{settings.path.name}:{complaint.line}: {complaint.sentence}")
    return now


def _agent(command: RunCommand, eval_set: Path, *, is_needed: bool) -> Path | None:
    """The folder of the agent, where google-adk writes results. Raises `CommandError` if it is needed and missing."""
    try:
        return agent_folder(eval_set, command.agent)
    except CommandError:
        if is_needed:
            raise
        return None


def result_folders(plan: AgentPlan) -> Iterator[DefaultFolder]:
    """The folders in which the command may write results: the default folders of the set, and those of the command."""
    bounds = Bounds(seconds=_LONGEST_SEARCH)
    for is_dataset in (False, True):
        with suppress(SearchLimitError):
            yield from default_folders(plan.eval_set, bounds, is_dataset=is_dataset)
    agents = [plan.agent] if plan.agent is not None else []
    # agents-cli looks for its project in the folder in which it runs, and above.
    for folder in (plan.eval_set.parent, *agents, *project_folders(plan.command.folder)):
        yield from (history_of(folder), *artifacts_of(folder))


def duration(seconds: float) -> str:
    """A time in a few characters: `0.4 s`, `12 s`, `3 min 05 s`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), _MINUTE)
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


def _processes(count: int) -> str:
    return f"{count:,} other process{'es' * (count != 1)}"


class AgentRun:
    """The command of a plan, running or ended."""

    def __init__(self, plan: AgentPlan, ended: Callable[[AgentRun], object]) -> None:
        """`ended` is called once, in a thread, with this run."""
        self.plan = plan
        self._ended = ended
        self.output: Path | None = None
        """The output folder, if the command uses one."""
        self.before: float | None = None
        """Seconds of the previous run of the same cases; None if it was cancelled."""
        self._process: CommandProcess | None = None
        self._places = ResultPlaces((), None)

    def start(self) -> None:
        """Run the command. Raises `CommandError`."""
        plan = self.plan
        if state_of(plan.command, plan.agent) != plan.state:  # the user has not seen it so
            raise CommandError("The agent was not started: a file or folder of the command has changed meanwhile.")
        try:
            self.output = new_output_folder()
        except OSError as error:
            if plan.needs_output:
                raise CommandError(
                    f"The output folder cannot be created: {(error.strerror or str(error)).lower()}."
                ) from error
        values = CommandValues(plan.eval_set, plan.cases, plan.agent, self.output, plan.command.folder)
        argv = filled(read_template(plan.command.text), values)
        self._places = ResultPlaces(result_folders(plan), self.output)
        environment = environment_of(values)

        def ended(end: CommandEnd) -> None:
            for said in end.others:
                process.output.feed(f"evaltui: {said}\n".encode())
            self._ended(self)

        process = CommandProcess(argv, plan.command.folder, environment, ended=ended)
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
    def cases_said(self) -> str:
        """The cases in a few words; not yet safe to show."""
        cases = self.plan.cases
        if not cases:
            return "all cases"
        return cases[0] if len(cases) == 1 else f"{len(cases):,} cases"

    @property
    def shown(self) -> str:
        """The command as one shell command line; not yet safe to show."""
        return shlex.join(self.process.argv)

    @property
    def ended_said(self) -> str:
        """Sentences about the end: `The agent ended: exit code 1 after 12 s. 2 other processes ended.`"""
        if (end := self.process.end) is None:
            return ""
        said = [f"The agent ended: {end.brief} after {duration(end.seconds)}."]
        said += [f"{_processes(len(end.ended))} ended."] if end.ended else []
        said += [f"{_processes(len(end.left))} still run{'s' * (len(end.left) == 1)}."] if end.left else []
        return " ".join(said)

    @property
    def has_failed(self) -> bool:
        """Whether it ended by itself with an exit code other than 0, or by a signal."""
        end = self.process.end
        return end is not None and end.code != 0 and not end.is_cancelled

    def compare_with(self, earlier: AgentRun | None) -> None:
        """Note the duration of an earlier run of the same cases."""
        end = earlier.process.end if earlier is not None and earlier.plan.cases == self.plan.cases else None
        self.before = end.seconds if end is not None and not end.is_cancelled else None

    def new_recordings(self) -> list[Path]:
        """The recordings that the run wrote, the oldest first. Deletes the output folder if it is empty."""
        if self.output is not None:
            with suppress(OSError):
                self.output.rmdir()
        return self._places.new_recordings()
