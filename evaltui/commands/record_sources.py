"""Sources of `evaltui record`: the conversations of files, folders and session databases, and the choice of them."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from evaltui.document.binary_files import SQLITE
from evaltui.document.errors import DocumentError
from evaltui.file_access import is_folder
from evaltui.files.session_source import is_database
from evaltui.printable import one_line, quoted
from evaltui.recordings import recording_search
from evaltui.recordings.cases_from_conversations import RecordedChoice
from evaltui.recordings.conversation import Conversation, LostSpans, Recording, RecordingError, RecordingFormat
from evaltui.recordings.conversation_list import ConversationList
from evaltui.recordings.default_sessions import nearest_sessions
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.user_messages import KnownCases
from evaltui.runs.set_reader import STDIN

_NAMED = 3
"""The most conversations in a message about an ambiguous id."""
_UNKNOWN_TIME = float("-inf")  # so a conversation without a time counts as the oldest; reports print no time

Listed = tuple[Conversation, RecordingFormat]
"""A conversation, and the format of its source."""


def start_of(conversation: Conversation) -> float:
    """The start time, in seconds since 1970, or `_UNKNOWN_TIME`."""
    times = (conversation.started, conversation.recorded_at, _UNKNOWN_TIME)
    return next(time for time in times if time is not None)


def find_conversations(listed: Sequence[Listed], texts: Sequence[str]) -> list[Conversation]:
    """The conversations of `--conversation`, in this order. A text may have several ids, separated by commas.

    Raises `DocumentError` for an unknown or ambiguous id.
    """
    all_ids = {conversation.id for conversation, _ in listed}
    # An id may itself have a comma: the whole text counts first.
    ids = [part for text in texts for part in ([text] if text in all_ids else _split_ids(text))]
    return [_find_conversation(listed, conversation_id) for conversation_id in dict.fromkeys(ids)]


def _find_conversation(listed: Sequence[Listed], name: str) -> Conversation:
    matches = [conversation for conversation, _ in listed if conversation.id == name]
    if not matches:
        # As after the # of a source, a session is ID, USER/ID or APP/USER/ID.
        matches = [
            session
            for session, _ in listed
            if f"/{session.agent_names.app}/{session.user_id}/{session.id}".endswith(f"/{name}")
        ]
    if len(matches) == 1:
        return matches[0]
    shown_name = quoted(name, 200)
    if not matches:
        raise DocumentError(f"no conversation has the id {shown_name}; --list prints the ids")
    count = f"{len(matches)} conversations have the id {shown_name}"
    if len({conversation.id for conversation in matches}) > 1:
        ids = ", ".join(one_line(conversation.id, 200) for conversation in matches[:_NAMED])
        raise DocumentError(f"{count}; use one of these: {ids}")
    places = ", ".join(dict.fromkeys(str(conversation.path) for conversation in matches))
    raise DocumentError(f"{count} ({places}); give one SOURCE")


def _split_ids(text: str) -> list[str]:
    return [part for words in text.split(",") if (part := words.strip())]


def choose_conversations(
    listed: Sequence[Listed], known_cases: KnownCases, turns: range, options: Namespace
) -> RecordedChoice:
    """The conversations to add, in the order of `--conversation`, else by time. Raises `DocumentError`."""

    def recording_time(conversation: Conversation) -> float:
        return conversation.recorded_at if conversation.recorded_at is not None else _UNKNOWN_TIME

    choice = RecordedChoice(known_cases, turns, options.rewound, options.again)
    conversations = find_conversations(listed, options.conversation)
    if not options.conversation:
        # The first of several with the same user messages is chosen. `evaltui run` scores the newest, so it is first.
        conversations = sorted((conversation for conversation, _ in listed), key=recording_time, reverse=True)
    if options.eval_id is not None and len(conversations) != 1:
        count = f"there are {len(conversations)}"
        raise DocumentError(f"--eval-id needs one conversation, but {count}; choose one with --conversation")
    for conversation in conversations:
        choice.add(conversation)
    if not options.conversation:
        # Conversations without a time come first, in the order of their source.
        choice.chosen.sort(key=lambda chosen: start_of(chosen[0]))
    return choice


def read_sources(names: Sequence[str], set_name: str | None, ids: Sequence[str]) -> tuple[list[Listed], list[str]]:
    """Read the conversations of these sources; without names, of the nearest `.adk/session.db` (`nearest_sessions`).

    Returns them, the newest first and those without a time last, and sentences about skipped files and conversations.
    With `ids`, only these conversations of a session database are read. Raises `RecordingError` for a named source
    that cannot be read, and `DocumentError` if there is no source.
    """
    set_path = None if set_name is None else Path(set_name)
    listed: list[Listed] = []
    messages: list[str] = []
    seen: set[tuple[str, str]] = set()
    recordings: list[Recording] = []
    for path, is_named in _find_files(names or [str(nearest_sessions(set_path))], messages, set_path):
        try:
            recording, in_file, warnings = _read_file(path, ids)
        except RecordingError as error:
            if is_named:
                raise
            messages.append(f"{error}; skipped")
            # Its spans can belong to traces in other files, which then lack calls.
            recording, in_file, warnings = recording_search.unread_recording(path), [], ()
        if recording is not None:
            recordings.append(recording)
        # A conversation of a database is known by its file, which may be named twice, or by a link.
        real_paths = {file: _real_path(file) for file in {conversation.path for conversation, _ in in_file}}
        keys = [(real_paths[conversation.path], conversation.id) for conversation, _ in in_file]
        listed += [pair for pair, key in zip(in_file, keys, strict=True) if key not in seen]
        seen.update(keys)
        messages += [f"{path}: {warning}" for warning in warnings]
    files = ((recording.path, bool(recording.traces), recording.lost) for recording in recordings)
    messages += filter(None, [recording_search.lost_text(files)])
    return sorted(_leave_out_lost_calls(listed, recordings), key=lambda pair: start_of(pair[0]), reverse=True), messages


def _leave_out_lost_calls(listed: list[Listed], recordings: Sequence[Recording]) -> list[Listed]:
    """Make tool calls unrecorded in traces that may have spans in another file, where these are not read.

    The traces of a conversation stay in their files.
    """
    traces = [trace for recording in recordings for trace in recording.traces]
    if not traces or len(recordings) < 2:
        return listed
    from evaltui.recordings.traces.trace_file import conversations_of, trace_without, whole_traces, with_invocations
    from evaltui.recordings.traces.trace_warnings import Doubts

    as_read = set(map(id, traces))
    lost = [spans for recording in recordings for spans in recording.lost]
    lost += [LostSpans(trace.id) for trace in whole_traces(traces) if id(trace) not in as_read]
    changed: dict[object, Conversation] = {}
    for recording in recordings:
        own_traces = tuple(trace_without(trace, lost) for trace in recording.traces)
        if own_traces != recording.traces:
            # A case with a call that may lack its arguments would expect the wrong call for ever.
            for conversation in map(with_invocations, conversations_of(own_traces, Doubts(), multi_turn=True)):
                changed[conversation.key] = conversation
    return [(changed.get(conversation.key, conversation), file_format) for conversation, file_format in listed]


def _find_files(names: Sequence[str], messages: list[str], set_path: Path | None) -> Iterator[tuple[Path, bool]]:
    """The files of the sources, each once, and whether the command line names the file itself."""
    seen: set[str] = set()
    for name in names:
        source = Path(name)
        files = [source]
        if name != STDIN and is_folder(source):
            in_folder = recording_search.recordings_in(source)
            databases = [*filter(is_database, in_folder.other_files)]
            files = [*in_folder.paths, *databases]
            advice = recording_search.use_of_sets(in_folder.other_files, set_path)
            unused = [path for path in in_folder.other_files if path not in databases]
            if unused:
                messages.append(f"{recording_search.others_text(unused, f'in {name}')}{advice}")
            messages += [
                f"{path}: hidden files are skipped; give the file itself" for path in in_folder.hidden_recordings
            ]
            if not files:
                count = f"; {recording_search.others_text(unused, 'in it')}" if unused else ""
                reason = f"{name}: there is no recording and no session in this folder"
                raise DocumentError(f"{reason}{count}{recording_search.skipped_text(in_folder.skipped)}{advice}")
        for path in files:
            if (real_path := _real_path(path)) not in seen:
                seen.add(real_path)
                yield path, path == source


def _read_file(path: Path, ids: Sequence[str]) -> tuple[Recording | None, list[Listed], Sequence[str]]:
    """The recording, None of a database, its conversations, and warnings. Raises `RecordingError`."""
    if str(path) == STDIN:
        data = sys.stdin.buffer.read()
        # SQLite opens a database by its file name.
        if data.startswith(SQLITE):
            raise RecordingError("-: a session database cannot be read from standard input; give its file name")
        recording = open_recording(path, multi_turn=True, data=data, for_cases=True)
        listed = [(conversation, recording.format) for conversation in recording.conversations]
        return recording, listed, recording.warnings
    conversations = ConversationList(path)
    if ids:  # a database may have a hundred thousand sessions
        conversations.choose(dict.fromkeys(name for text in ids for name in (text, *_split_ids(text))))
    listed = [(conversation, conversations.format) for conversation in conversations.conversations()]
    return conversations.recording, listed, conversations.warnings


def _real_path(path: Path) -> str:
    """The path without links. A path that cannot be followed stays: reading it tells why."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return str(path)
