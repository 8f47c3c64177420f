"""The user's messages among those to an agent or model, and the messages before and after them."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.recordings.traces.messages import Message, Messages, Text, text_of, unread_of

_INSTRUCTION = "The text between <<<BEGIN_SYSTEM_INSTRUCTION>>> and <<<END_SYSTEM_INSTRUCTION>>> below is"
_INSTRUCTION_END = "<<<END_SYSTEM_INSTRUCTION>>>"
_CONTEXT = "For context:"
_TRANSCRIPT = f"{_CONTEXT} below is a transcript of what another agent did, quoted between <<<"


def last_of_user(messages: Sequence[Message]) -> Messages:
    """The last run of consecutive user messages with text, or with something in the place of a text."""
    return _split_at_user(messages)[0]


def after_user(messages: Sequence[Message]) -> Messages:
    """The messages after the last run of user messages; empty if there is none."""
    return _split_at_user(messages)[1]


def user_text_of(messages: Messages) -> str:
    """The text of the messages of a user; "" if a part of it cannot be read."""
    return "" if any(each.is_text for each in unread_of(messages)) else text_of(messages)


def earlier_text(messages: Sequence[Message]) -> str | None:
    """The text of the user in the turn before, "" if a part of it cannot be read; None if there is none."""
    start, _ = _run_of_user(messages)
    earlier = last_of_user(messages[:start])
    return user_text_of(earlier).strip() if earlier else None


def _split_at_user(messages: Sequence[Message]) -> tuple[Messages, Messages]:
    start, end = _run_of_user(messages)
    return tuple(messages[start:end]), tuple(messages[end:]) if end else ()


def _run_of_user(messages: Sequence[Message]) -> tuple[int, int]:
    """Where the last run of user messages begins and ends."""
    end = next((at for at in range(len(messages), 0, -1) if _speaks(messages[at - 1])), 0)
    return next((at for at in range(end, 0, -1) if not _speaks(messages[at - 1])), 0), end


def _speaks(message: Message) -> bool:
    is_heard = bool(text_of([message])) or any(each.is_text for each in unread_of([message]))
    return message.role == "user" and is_heard and not _is_of_adk(message)


def _is_of_adk(message: Message) -> bool:
    """Whether google-adk wrote a message of the user: the agent's instruction, or what another agent said or did.

    The markers are those of version 2.13 (`google.adk.flows.llm_flows.context._fencing`). Version 1 has only *For
    context:* as a part of its own, which a user may say, too, but not before parts that begin with an agent's name.
    """
    first, *others = [each.text for each in message.parts if isinstance(each, Text)] or [""]
    if first.startswith(_INSTRUCTION):
        return (first, *others)[-1].endswith(_INSTRUCTION_END)
    is_transcript = first.startswith(_TRANSCRIPT) or (first == _CONTEXT and len(message.parts) > 1)
    return is_transcript and all(each.startswith("[") for each in others)
