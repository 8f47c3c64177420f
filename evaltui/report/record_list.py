"""The list of `evaltui record --list`: conversations as JSON or as text, the newest first."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from evaltui.evalset.turn import turn_of
from evaltui.printable import one_line, say
from evaltui.recordings.conversation import Conversation, RecordedTurn, RecordingFormat
from evaltui.recordings.known_cases import KnownCases
from evaltui.report.output import print_json, print_lines

Listed = tuple[Conversation, RecordingFormat, float | None]
"""A conversation, the format of its source, and its start in seconds since 1970."""
_INDENT = "    "
_FILE = 24
"""The least characters of the name of a file."""


def print_list(listed: Sequence[Listed], known: KnownCases, form: str) -> None:
    """Print the conversations. `known` are the cases of the set in `--into`."""
    if form == "json":
        print_json({"version": 1, "conversations": [_as_data(each, known) for each in listed]})
    elif listed:
        print_lines(lambda width: list_lines(listed, known, width))
    else:
        say("there are no conversations")


def _as_data(listed: Listed, known: KnownCases) -> dict[str, Any]:
    conversation, form, started = listed
    details = conversation.details
    return {
        "path": str(conversation.path),
        "format": form,
        "id": conversation.id,
        "app_name": details.app_name if details is not None else None,
        "user_id": details.user_id if details is not None else None,
        "started": _iso(started),
        "turns": [_turn_as_data(number, turn) for number, turn in enumerate(_turns(conversation), 1)],
        "known_as": known.known_as(conversation),
        **({"unread": conversation.unread} if conversation.unread is not None else {}),
    }


def _turn_as_data(number: int, recorded: RecordedTurn) -> dict[str, Any]:
    turn = turn_of(recorded.invocation)
    return {
        "turn": number,
        "text": turn.user_text,
        "calls": [call.name or "" for call in turn.calls],
        "answered": bool(turn.response or turn.other_parts),
        "rewound": recorded.is_rewound,
    }


def _turns(conversation: Conversation) -> Sequence[RecordedTurn]:
    return conversation.details.turns if conversation.details is not None else ()


def _iso(started: float | None) -> str | None:
    """The time in UTC; None if a number means none."""
    try:
        at = datetime.fromtimestamp(started, UTC) if started is not None else None
    except (ValueError, OverflowError, OSError):
        return None
    return at.isoformat(timespec="seconds").replace("+00:00", "Z") if at is not None else None


def list_lines(listed: Sequence[Listed], known: KnownCases, width: int) -> Iterator[Text]:
    """Lines for each conversation: id, time and number of turns, then its first message, tools and faults.

    An id is never cut, because `--conversation` needs it. If there are several files, each conversation names its own.
    """
    folder = _common_folder({conversation.path for conversation, _, _ in listed})
    for conversation, _, started in listed:
        turns = [turn_of(each.invocation) for each in _turns(conversation)]
        time = _iso(started)
        at = f"{time[:16].replace('T', ' ')} UTC" if time else "no time"
        facts = [at, f"{len(turns)} turn{'s' * (len(turns) != 1)}"]
        if (eval_id := known.known_as(conversation)) is not None:
            facts.append(f"in the set as {one_line(eval_id)}")
        yield from _joined(one_line(conversation.id), facts, width)
        silence = "no user message" if turns else "no turns"
        first = next((text for each in turns if (text := one_line(each.user_text, width))), silence)
        yield _below(first, width)
        file = _file_of(conversation, folder)
        about = _about(conversation, [call.name or "" for turn in turns for call in turn.calls])
        if said := " · ".join(filter(None, [one_line(file, max(_FILE, width // 2)), about])):
            yield _below(said, width, "dim")
        if conversation.unread is not None:
            yield _below(f"part of it cannot be read: {conversation.unread}", width, "red")


def _common_folder(paths: Collection[Path]) -> Path | None:
    """The deepest folder that holds all files; None for a single file."""
    try:
        return Path(os.path.commonpath([path.parent for path in paths])) if len(paths) > 1 else None
    except ValueError:  # absolute and relative paths
        return Path()


def _file_of(conversation: Conversation, folder: Path | None) -> str:
    """The file of a conversation, relative to `folder` if it lies there; "" if there is only one file."""
    path = conversation.path
    if folder is None:
        return ""
    return str(path.relative_to(folder) if path.is_relative_to(folder) else path)


def _joined(name: str, facts: Sequence[str], width: int) -> Iterator[Text]:
    """The id and the facts on one line, or on two if they do not fit."""
    rest = "  ".join(facts)
    if cell_len(name) + 2 + cell_len(rest) <= width:
        yield Text.assemble((name, "bold"), f"  {rest}")
        return
    yield Text(name, "bold")
    yield Text(_INDENT + rest)


def _below(text: str, width: int, style: str = "") -> Text:
    """A line below the line of the id, cut at the width of the terminal. Letters may be two columns wide."""
    line = Text(_INDENT + one_line(text, width), style)
    line.truncate(max(width, 2 * len(_INDENT)), overflow="ellipsis")
    return line


def _about(conversation: Conversation, calls: Sequence[str]) -> str:
    """App and user, the called tools, and the numbers of rewound turns and of turns in which the agent failed."""
    details = conversation.details
    names = [details.app_name, details.user_id] if details is not None else []
    rewound = sum(turn.is_rewound for turn in _turns(conversation))
    tools = ", ".join(dict.fromkeys(filter(None, calls)))
    failed = sum(turn.error is not None for turn in _turns(conversation))
    facts = [
        *names,
        f"calls {tools}" if tools else "",
        f"{rewound} turn{'s' * (rewound != 1)} rewound" if rewound else "",
        f"the agent failed in {failed} turn{'s' * (failed != 1)}" if failed else "",
    ]
    return one_line(" · ".join(each for each in facts if each))
