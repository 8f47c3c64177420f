"""The reports of `evaltui record`: the list of conversations (`--list`), and the cases that were added to a set."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaltui.evalset.turn import turn_of
from evaltui.printable import one_line, say, write_line
from evaltui.recordings.cases_from_conversations import RecordedChoice, TurnRemark
from evaltui.recordings.conversation import Conversation, RecordingFormat
from evaltui.recordings.user_messages import KnownCases
from evaltui.report.scores_text import date_text, utc_time
from evaltui.report.terminal_output import print_json, print_lines

if TYPE_CHECKING:
    from rich.text import Text

ListedConversation = tuple[Conversation, RecordingFormat, float | None]
"""A conversation, the format of its source, and its start in seconds since 1970."""
_INDENT = "    "
_SHORTEST_PATH = 24
"""The least characters to which the path of a file is cut."""
# A database may have thousands of sessions that a set knows already.
_MOST = 20
"""The most skipped items in the text report."""


# --- the list of conversations ----------------------------------------------------------------------------------------


def print_conversations(listed: Sequence[ListedConversation], known_cases: KnownCases, form: str) -> None:
    """Print the conversations in the given order. `known_cases` are the cases of the set in `--into`."""
    if form == "json":
        print_json({"version": 1, "conversations": [_conversation_as_data(row, known_cases) for row in listed]})
    elif listed:
        print_lines(lambda width: _conversation_lines(listed, known_cases, width))
    else:
        say("there are no conversations")


def _conversation_as_data(listed: ListedConversation, known_cases: KnownCases) -> dict[str, Any]:
    conversation, form, started = listed
    turns = []
    for number, recorded in enumerate(conversation.recorded_turns, 1):
        turn = turn_of(recorded.invocation)
        calls, is_answered = [call.name or "" for call in turn.calls], bool(turn.response or turn.other_parts)
        facts = {"text": turn.user_text, "calls": calls, "answered": is_answered, "rewound": recorded.is_rewound}
        turns.append({"turn": number, **facts})
    return {
        "path": str(conversation.path),
        "format": form,
        "id": conversation.id,
        "app_name": conversation.agent_names.app,
        "user_id": conversation.user_id,
        "started": utc_time(started),
        "turns": turns,
        "known_as": known_cases.known_as(conversation),
        **({"unread": conversation.unread} if conversation.unread is not None else {}),
    }


def _conversation_lines(listed: Sequence[ListedConversation], known_cases: KnownCases, width: int) -> Iterator[Text]:
    """Lines for each conversation: id, time and number of turns, then its first message, tools and faults."""
    from rich.cells import cell_len
    from rich.text import Text

    def detail(text: str, style: str = "") -> Text:
        line = Text(_INDENT + one_line(text, width), style)
        # `one_line` cut the letters, and letters may be two cells wide.
        line.truncate(max(width, 2 * len(_INDENT)), overflow="ellipsis")
        return line

    folder = _common_folder({conversation.path for conversation, _, _ in listed})
    for conversation, _, started in listed:
        turns = [turn_of(recorded.invocation) for recorded in conversation.recorded_turns]
        facts = date_text(started) if started is not None and utc_time(started) else "no time"
        facts += f"  {len(turns)} turn{'s' * (len(turns) != 1)}"
        if (eval_id := known_cases.known_as(conversation)) is not None:
            facts += f"  in the set as {one_line(eval_id)}"
        name = one_line(conversation.id)  # never cut, because `--conversation` needs it
        if cell_len(name) + 2 + cell_len(facts) <= width:
            yield Text.assemble((name, "bold"), f"  {facts}")
        else:
            yield Text(name, "bold")
            yield Text(_INDENT + facts)
        no_message = "no user message" if turns else "no turns"
        yield detail(next((text for turn in turns if (text := one_line(turn.user_text, width))), no_message))
        path = conversation.path
        # A single file needs no name.
        file = "" if folder is None else str(path.relative_to(folder) if path.is_relative_to(folder) else path)
        tools = dict.fromkeys(call.name for turn in turns for call in turn.calls if call.name)
        if text := " · ".join(
            filter(None, [one_line(file, max(_SHORTEST_PATH, width // 2)), _agent_text(conversation, list(tools))])
        ):
            yield detail(text, "dim")
        if conversation.unread is not None:
            yield detail(f"part of it cannot be read: {conversation.unread}", "red")


def _agent_text(conversation: Conversation, tools: Sequence[str]) -> str:
    rewound = sum(turn.is_rewound for turn in conversation.recorded_turns)
    failed = sum(turn.error is not None for turn in conversation.recorded_turns)
    facts = [
        conversation.agent_names.app,
        conversation.user_id,
        f"calls {', '.join(tools)}" if tools else "",
        f"{rewound} turn{'s' * (rewound != 1)} rewound" if rewound else "",
        f"the agent failed in {failed} turn{'s' * (failed != 1)}" if failed else "",
    ]
    return one_line(" · ".join(fact for fact in facts if fact))


def _common_folder(paths: Collection[Path]) -> Path | None:
    """The deepest folder that holds all files; None for a single file."""
    try:
        return Path(os.path.commonpath([path.parent for path in paths])) if len(paths) > 1 else None
    except ValueError:  # absolute and relative paths
        return Path()


# --- the added cases --------------------------------------------------------------------------------------------------


def print_added_cases(
    set_name: str, eval_ids: Sequence[str], choice: RecordedChoice, form: str, *, is_written: bool
) -> None:
    """Print the added cases as JSON or as lines on stdout. In text form, skipped items go to stderr.

    `set_name` is the set as named on the command line, `eval_ids` are those of the cases, made of the chosen
    conversations; `is_written` is False with `--diff`.
    """
    count = f"{len(eval_ids)} case{'s' * (len(eval_ids) != 1)}"
    if form == "json":
        left_out = [dict(zip(("conversation", "turn", "reason"), remark, strict=True)) for remark in choice.left_out]
        cases = [
            {"eval_id": eval_id, "conversation": conversation.id, "turns": len(turns)}
            for eval_id, (conversation, turns) in zip(eval_ids, choice.chosen, strict=True)
        ]
        print_json({"version": 1, "set": set_name, "added": cases, "left_out": left_out})
    else:
        skipped = [f"{_subject(remark, 'conversation ')} skipped: {one_line(remark[2])}" for remark in choice.left_out]
        _say_first(skipped, "skipped; --format json lists all")
        for eval_id, (conversation, turns) in zip(eval_ids, choice.chosen, strict=True) if is_written else ():
            number = f"{len(turns)} turn{'s' * (len(turns) != 1)}"
            write_line("stdout", f"{one_line(eval_id)}: {number} from {one_line(conversation.id)}")
        if eval_ids and is_written:
            write_line("stdout", f"{count} added to {one_line(set_name)}")
    notes = [f"{_subject(note)}: {one_line(note[2])}" for note in choice.notes]
    _say_first(notes, "turns will probably fail; --list --format json has all turns")
    if not eval_ids:
        say(f"{set_name}: nothing to add; nothing was written")
    elif not is_written:
        say(f"{set_name}: {count} would be added; nothing was written")


def _subject(remark: TurnRemark, noun: str = "") -> str:
    """The turn or conversation; `noun` comes before the id of a conversation."""
    conversation, turn, _ = remark
    return f"{noun if turn is None else f'turn {turn} of '}{one_line(conversation)}"


def _say_first(sentences: Sequence[str], rest: str) -> None:
    for sentence in sentences[:_MOST]:
        say(sentence)
    if len(sentences) > _MOST:
        say(f"{len(sentences) - _MOST} more {rest}")
