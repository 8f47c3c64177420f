"""Checks of the contents of a case: who says what."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.document.edits import Edit, Insert, Move, Remove
from evaltui.evalset.keys import camel
from evaltui.validation.case_data import Case, Turn
from evaltui.validation.diagnostic import Diagnostic, Fix
from evaltui.validation.place import Place
from evaltui.validation.rules import conversations as rules

_PAYLOADS = (
    "text",
    "inline_data",
    "file_data",
    "function_call",
    "function_response",
    "executable_code",
    "code_execution_result",
    "tool_call",
    "tool_response",
)
"""The members of a part of which google-genai's `Part` wants exactly one; the others say something about them."""
_PAYLOAD_OF = {key: name for name in _PAYLOADS for key in (name, camel(name))}


def check(case: Case) -> Iterator[Diagnostic]:
    """Turns without a word, parts that hold nothing or two things, calls that nobody reads, missing roles."""
    conversation = case.place.member("conversation")
    if conversation is not None and conversation.data == []:
        said = "the conversation has no turns, so every metric is not evaluated"
        yield rules.EMPTY_CONVERSATION.at(conversation, said)
    for turn in case.turns:
        yield from _user_text(turn)
        for content in turn.contents:
            yield from _parts(content)
        yield from _calls_in_final_response(turn)
    yield from _roles(case)


def _user_text(turn: Turn) -> Iterator[Diagnostic]:
    content = turn.place.member("user_content")
    if content is None or not isinstance(content.data, dict):
        return
    if any((part.text("text") or "").strip() or _payloads(part) - {"text"} for part in turn.user_parts):
        return
    yield rules.NO_USER_TEXT.at(content, "the user says nothing in this turn")


def _payloads(part: Place) -> set[str]:
    if not isinstance(part.data, dict):
        return set()
    return {_PAYLOAD_OF[key] for key, value in part.data.items() if value is not None and key in _PAYLOAD_OF}


def _parts(content: Place) -> Iterator[Diagnostic]:
    for part in content.items("parts"):
        if not isinstance(part.data, dict):
            continue
        held = _payloads(part)
        if not any(value is not None for value in part.data.values()):
            fix = Fix("Take the part out", True, (Remove(part.pointer),))
            yield rules.EMPTY_PART.at(part, "the part has nothing in it", fix=fix)
        elif len(held) > 1:
            names = [name for name in _PAYLOADS if name in held]
            said = f"the part holds {' and '.join(names)} at once"
            yield rules.TWO_PAYLOADS.at(part, said, fix=_split(part, names))


def _split(part: Place, names: list[str]) -> Fix:
    """Of the payloads but the first, a part each behind this one."""
    container, _, index = part.pointer.rpartition("/")
    edits: list[Edit] = []
    for number, name in enumerate(names[1:], int(index) + 1):
        at = f"{container}/{number}"
        edits += [Insert(at, b"{}"), Move(f"{part.pointer}/{part.key(name)}", f"{at}/{part.key(name)}")]
    return Fix("Make a part of each", False, tuple(edits))


def _calls_in_final_response(turn: Turn) -> Iterator[Diagnostic]:
    recorded = [call.data for call in turn.calls]  # google-adk writes the call of a long-running tool in both
    for part in turn.final_parts:
        call = part.member("function_call")
        if call is not None and isinstance(call.data, dict) and call.data not in recorded:
            said = "a tool call in the final response is read by no metric; it belongs into the intermediate data"
            yield rules.CALL_IN_FINAL_RESPONSE.at(call, said, fix=_moved(turn, part, call))


def _moved(turn: Turn, part: Place, call: Place) -> Fix | None:
    """The call behind those of the intermediate data, which has to be of the shape with lists."""
    data = turn.place.member("intermediate_data")
    made: list[Edit] = []
    if data is None:
        if turn.place.key("intermediate_data") is not None:
            return None
        at, uses = f"{turn.place.pointer}/{turn.place.spelt('intermediate_data')}", turn.place.spelt("tool_uses")
        made, listed = [Insert(at, b'{"%s": []}' % uses.encode())], f"{at}/{uses}"
    elif not isinstance(data.data, dict) or data.key("invocation_events") is not None:
        return None
    elif (found := data.member("tool_uses")) is not None:
        if not isinstance(found.data, list):
            return None
        listed = found.pointer
    elif data.key("tool_uses") is None:
        listed = f"{data.pointer}/{data.spelt('tool_uses')}"
        made = [Insert(listed, b"[]")]
    else:
        return None
    emptied = [Remove(part.pointer)] if len(part.data) == 1 else []
    return Fix("Move it into the intermediate data", False, (*made, Move(call.pointer, f"{listed}/-"), *emptied))


def _roles(case: Case) -> Iterator[Diagnostic]:
    contents = [content for turn in case.turns for content in turn.contents if isinstance(content.data, dict)]
    if not any(content.text("role") for content in contents):
        return
    for turn in case.turns:
        content = turn.place.member("final_response")
        if content is not None and isinstance(content.data, dict) and content.key("role") is None:
            fix = Fix("Add the role model", True, (Insert(f"{content.pointer}/role", b'"model"'),))
            said = "the final response has no role, unlike other contents of its case"
            yield rules.MISSING_ROLE.at(f"{content.pointer}/role", said, fix=fix)
