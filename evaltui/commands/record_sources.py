"""Sources of `evaltui record`: the conversations of files, folders and session databases."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from evaltui.document.binary_files import SQLITE
from evaltui.document.errors import DocumentError
from evaltui.file_access import is_file, is_folder
from evaltui.printable import one_line, quoted
from evaltui.recordings.agent_folders import agent_folders
from evaltui.recordings.conversation import Conversation, Recording, RecordingError, RecordingFormat
from evaltui.recordings.conversation_list import ConversationList
from evaltui.recordings.recording_file import open_recording, with_details_of_traces
from evaltui.recordings.recording_search import (
    SESSIONS,
    databases_among,
    lost_text,
    others_text,
    recordings_in,
    skipped_text,
    unread_recording,
    use_of_sets,
)
from evaltui.runs.set_reader import STDIN

_NAMED = 3
"""The most conversations in a message about an ambiguous id."""


@dataclass(slots=True)
class ListedConversation:
    """A conversation, and the format of its source."""

    conversation: Conversation
    format: RecordingFormat

    @property
    def started(self) -> float | None:
        """The start time, in seconds since 1970; None if unknown."""
        details = self.conversation.details
        known = details.started if details is not None else None
        return known if known is not None else self.conversation.recorded_at


@dataclass(slots=True)
class ReadSources:
    """The conversations that were read."""

    conversations: list[ListedConversation] = field(default_factory=list)
    """The newest first. Conversations without a time come last, in the order of their source."""
    inputs: list[Path] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    """Sentences about skipped files and conversations."""

    def chosen(self, ids: Sequence[str]) -> list[Conversation]:
        """The conversations with these ids, in this order. A text may have several ids, separated by commas.

        Raises `DocumentError` for an unknown or ambiguous id.
        """
        return [self._one(each) for each in dict.fromkeys(self._single(ids))]

    def _single(self, ids: Sequence[str]) -> Iterator[str]:
        every = {each.conversation.id for each in self.conversations}
        for text in ids:
            yield from [text] if text in every else [part for each in text.split(",") if (part := each.strip())]

    def leave_out_lost_calls(self, recordings: Sequence[Recording]) -> None:
        """Tool calls are not recorded in traces that may have spans in another file, where these are not read.

        The traces of a conversation stay in their files.
        """
        traces = [trace for each in recordings for trace in each.traces]
        lost = [one for each in recordings for one in each.lost]
        if not traces or len(recordings) < 2:
            return
        from evaltui.recordings.traces.trace_file import split_traces, without_lost_spans

        lost += split_traces(traces)
        whole = ((each, without_lost_spans(each, lost, multi_turn=True)) for each in recordings)
        changed = [with_details_of_traces(after) for before, after in whole if after is not before]
        by_key = {each.key: each for recording in changed for each in recording.conversations}
        for listed in self.conversations:
            listed.conversation = by_key.get(listed.conversation.key, listed.conversation)
        self.said += filter(None, [lost_text((each.path, bool(each.traces), each.lost) for each in recordings)])

    def _one(self, wanted: str) -> Conversation:
        every = [each.conversation for each in self.conversations]
        fitting = [each for each in every if each.id == wanted] or [each for each in every if _has_name(each, wanted)]
        shown = quoted(wanted, 200)
        if not fitting:
            raise DocumentError(f"no conversation has the id {shown}; --list prints the ids")
        if len(fitting) > 1:
            if len({each.id for each in fitting}) > 1:
                ids = ", ".join(one_line(each.id, 200) for each in fitting[:_NAMED])
                raise DocumentError(f"{len(fitting)} conversations have the id {shown}; use one of these: {ids}")
            where = ", ".join(dict.fromkeys(str(each.path) for each in fitting))
            raise DocumentError(f"{len(fitting)} conversations have the id {shown} ({where}); give one SOURCE")
        return fitting[0]


def read_sources(names: Sequence[str], set_path: Path | None, ids: Sequence[str] = ()) -> ReadSources:
    """Read the conversations of these sources; without names, of the nearest `.adk/session.db` (`_sessions_near`).

    With `ids`, only these conversations of a session database are read. Raises `RecordingError` for a named source
    that cannot be read, and `DocumentError` if there is no source.
    """
    read = ReadSources()
    read_before: set[tuple[str, str]] = set()
    recordings: list[Recording] = []
    for path, is_named in _files(names or [str(_sessions_near(set_path))], read, set_path):
        read.inputs.append(path)
        try:
            recording, found, warnings = _conversations(path, ids)
        except RecordingError as error:
            if is_named:
                raise
            read.said.append(f"{error}; skipped")
            recordings += filter(None, [unread_recording(path)])
            continue
        recordings += filter(None, [recording])
        real = {each: _real(each) for each in {each.conversation.path for each in found}}
        keys = [(real[each.conversation.path], each.conversation.id) for each in found]
        read.conversations += [each for each, key in zip(found, keys, strict=True) if key not in read_before]
        read_before.update(keys)
        read.said += [f"{path}: {warning}" for warning in warnings]
    read.leave_out_lost_calls(recordings)
    read.conversations.sort(key=lambda each: _minus(each.started))
    return read


def _sessions_near(set_path: Path | None) -> Path:
    """The session database beside the set, in the folder of its agent, or in the working directory."""
    near = [set_path.parent] if set_path is not None else []
    with suppress(DocumentError):  # invalid settings say nothing about the agent
        near += agent_folders(set_path) if set_path is not None else []
    folders: dict[str, Path] = {}
    for folder in (*near, Path()):
        folders.setdefault(_real(folder), folder)
    for folder in folders.values():
        if is_file(folder / SESSIONS):
            return folder / SESSIONS
    searched = " or in ".join(str(folder.absolute()) for folder in folders.values())
    raise DocumentError(f"there is no {SESSIONS} in {searched}; give a SOURCE")


def _files(names: Sequence[str], read: ReadSources, set_path: Path | None) -> Iterator[tuple[Path, bool]]:
    """The files of the sources, each once, and whether the command line names the file itself."""
    seen: set[str] = set()
    for name in names:
        path = Path(name)
        found = [(path, True)]
        if name != STDIN and is_folder(path):
            in_folder = recordings_in(path)
            databases = databases_among(in_folder.others)
            found = [(each, each == path) for each in (*in_folder.paths, *databases)]
            advice = use_of_sets(in_folder.others, set_path)
            if others := [each for each in in_folder.others if each not in databases]:
                read.said.append(f"{others_text(others, f'in {name}')}{advice}")
            read.said += [
                f"{each}: hidden files are skipped; give the file itself" for each in in_folder.hidden_recordings
            ]
            if not found:
                skipped = skipped_text(in_folder.skipped)
                counted = f"; {others_text(others, 'in it')}" if others else ""
                said = f"{name}: there is no recording and no session in this folder"
                raise DocumentError(f"{said}{counted}{skipped}{advice}")
        for each, is_named in found:
            if (real := _real(each)) not in seen:
                seen.add(real)
                yield each, is_named


def _conversations(path: Path, ids: Sequence[str]) -> tuple[Recording | None, list[ListedConversation], Sequence[str]]:
    if str(path) == STDIN:
        data = sys.stdin.buffer.read()
        if data.startswith(SQLITE):
            raise RecordingError("-: a session database cannot be read from standard input; give its file name")
        recording = open_recording(path, multi_turn=True, data=data, with_details=True)
        listed = [ListedConversation(each, recording.format) for each in recording.conversations]
        return recording, listed, recording.warnings
    source = ConversationList(path)
    if ids:  # a database may have a hundred thousand sessions
        source.choose(dict.fromkeys(name for text in ids for name in (text, *map(str.strip, text.split(",")))))
    listed = [ListedConversation(each, source.format) for batch in source.batches() for each in batch]
    return source.recording, listed, source.warnings


def _has_name(conversation: Conversation, name: str) -> bool:
    """Whether a name means this session. As after the # of a source, it is ID, USER/ID or APP/USER/ID."""
    details = conversation.details
    if details is None:
        return False
    return f"/{details.app_name}/{details.user_id}/{conversation.id}".endswith(f"/{name}")


def _real(path: Path) -> str:
    """The real path of a file: it may be named twice, or by a link."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return str(path)


def _minus(started: float | None) -> float:
    return -started if started is not None else float("inf")
