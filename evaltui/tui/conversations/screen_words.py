"""Texts of the conversations screen: its title, the line of an empty list, and titles of keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evaltui.printable import one_line
from evaltui.tui.command import Command
from evaltui.tui.commands import key_of
from evaltui.tui.conversations.conversation_reading import ConversationReading
from evaltui.tui.lines import Line
from evaltui.tui.recordings.found_conversations import FoundConversations
from evaltui.tui.recordings.turn_ticks import TurnTicks
from evaltui.tui.screens.list_screen import ListHeading

OF_CONVERSATIONS = ("chats.tick", "chats.add", "chats.chat", "adding.find", "adding.replace")
"""Commands that do nothing in an empty list."""
_OF_USE = ("quit", "help", "messages")


def title_text(
    where: str, found: FoundConversations, ticks: TurnTicks, reading: ConversationReading
) -> tuple[str, str]:
    """`Conversations to add behind greeting`, `2 ticked · 40 of 1,200 · reading …`."""
    total = max(len(found.every), reading.total)
    count = f"{len(found.shown):,} of {total:,}" if len(found.shown) < total else f"{total:,}"
    ticked = ticks.conversations
    listed = {each.key for each in found.shown} if ticked and len(found.shown) < len(found.every) else None
    hidden = sum(each.key not in listed for each in ticked) if listed is not None else 0
    hidden_said = f" ({hidden:,} not listed)" if hidden else ""
    said = [f"{len(ticked):,} ticked{hidden_said}" if ticked else "", count, "reading …" if reading.is_on else ""]
    return f"Conversations to add {where}", " · ".join(filter(None, said))


def headings(found: FoundConversations) -> Iterator[ListHeading]:
    """`Of evaluations by google-adk` and `Of other apps: support_desk, travel_desk`, each before its conversations."""
    evaluations, others = found.evaluations_at, found.others_at
    if evaluations < others:
        yield ListHeading(evaluations, [("  Of evaluations by google-adk", "dim")])
    if others < len(found.shown):
        names = ", ".join(one_line(name, 40) for name in found.other_names())
        yield ListHeading(others, [(f"  Of other apps: {names}", "dim")])


def empty_line(found: FoundConversations, reading: ConversationReading, set_folder: Path | None) -> Line:
    """The line of the empty list."""
    if found.every:
        return [(f"No conversation has these words. Press {key_of('adding.leave')} to clear the filter.", "dim")]
    if reading.is_on:
        return [("Reading …", "dim")]
    where = one_line(str(set_folder), 200) if set_folder is not None else "the set"
    add = key_of("adding.source")
    return [(f"No conversations found. Press {add} to open a session database. Searched near {where}.", "dim")]


def nowhere(set_folder: Path | None) -> str:
    """Where evaltui looks for conversations, and how to name a source."""
    where = f" ({one_line(str(set_folder), 200)})" if set_folder is not None else ""
    return (
        f"No conversations found. Press {key_of('adding.source')} to open a source. "
        f"evaltui looks for .adk/session.db beside the set{where}, in parent folders up to the project root, "
        "and in agent folders."
    )


def offered_title(command: Command, *, is_of_turn: bool, reading: ConversationReading, has_ticks: bool) -> str:
    """The title of a command in the keys line; "" if it would do nothing now."""
    if command.place in ("everywhere", "list", "anywhere") and command.id not in _OF_USE:
        return ""
    if command.id == "adding.more":
        return command.title if reading.has_more and not reading.is_on else ""
    if command.id == "adding.replace":
        return command.title if is_of_turn else ""
    if command.does == "chats.add":
        whole = "add as case" if command.place == "chat" else "add"
        return "add ticked" if has_ticks else "add turn" if is_of_turn else whole
    return command.title
