"""Checks of the tool calls of a turn, and of how their responses pair with them by id."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.document.edits import Edit, Insert, Set, json_text
from evaltui.printable import one_line
from evaltui.validation.case_data import Case
from evaltui.validation.checks.pairing import Pairing
from evaltui.validation.diagnostic import Diagnostic, Fix, Severity
from evaltui.validation.place import Place
from evaltui.validation.rules import calls as rules


def check(case: Case) -> Iterator[Diagnostic]:
    """What keeps a call from ever matching, and ids that do not pair."""
    for turn in case.turns:
        if turn.calls or turn.responses:
            answered = {response.text("id"): response.text("name") for response in turn.responses}
            for call in turn.calls:
                yield from _call_alone(call, answered, is_recorded=bool(turn.events))
            yield from Pairing(turn).check()


def _named(call: Place, answered: dict[str | None, str | None], is_there: bool) -> Fix | None:
    """The name of the response with the id of the call, where there is one."""
    name = answered.get(call.text("id")) if call.text("id") else None
    if not name:
        return None
    at, text = f"{call.pointer}/name", json_text(name)
    edit: Edit = Set(at, text) if is_there else Insert(at, text)
    return Fix(f"Name it {one_line(name, 30)}", False, (edit,))


def _call_alone(call: Place, answered: dict[str | None, str | None], *, is_recorded: bool) -> Iterator[Diagnostic]:
    if not isinstance(call.data, dict):
        return
    if not call.text("name") and (call.member("name") is None or call.text("name") == ""):
        is_empty = call.key("name") is not None
        said = (
            "the name of the tool call is empty" if is_empty else "the tool call has no name, so no call can equal it"
        )
        yield rules.CALL_WITHOUT_NAME.at(f"{call.pointer}/name", said, fix=_named(call, answered, is_empty))
    if call.member("args") is None and call.key("partial_args") is None:
        known = call.key("args")
        edit: Edit = Insert(f"{call.pointer}/args", b"{}") if known is None else Set(f"{call.pointer}/args", b"{}")
        said = "the tool call has no args, which is not the same as {}; write {} for none"
        fix = Fix("Add args: {}", not is_recorded, (edit,))
        severity: Severity = "info" if is_recorded else "warning"
        yield rules.ARGS_ABSENT.at(f"{call.pointer}/args", said, fix=fix, severity=severity)
