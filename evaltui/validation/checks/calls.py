"""Checks of the tool calls of a turn, and of how their responses pair with them by id."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.document import Edit, Insert, Set
from evaltui.validation.case_data import Case
from evaltui.validation.checks.pairing import Pairing
from evaltui.validation.diagnostic import Diagnostic, Fix, Severity
from evaltui.validation.place import Place
from evaltui.validation.rules import calls as rules


def check(case: Case) -> Iterator[Diagnostic]:
    """What keeps a call from ever matching, and ids that do not pair."""
    for turn in case.turns:
        if turn.calls or turn.responses:
            for call in turn.calls:
                yield from _call_alone(call, is_recorded=bool(turn.events))
            yield from Pairing(turn).check()


def _call_alone(call: Place, *, is_recorded: bool) -> Iterator[Diagnostic]:
    if not isinstance(call.data, dict):
        return
    if not call.text("name") and not isinstance(call.member("name"), Place):
        yield rules.CALL_WITHOUT_NAME.at(f"{call.pointer}/name", "the tool call has no name, so no call can equal it")
    elif call.text("name") == "":
        yield rules.CALL_WITHOUT_NAME.at(call.below("name"), "the name of the tool call is empty")
    if call.member("args") is None and call.key("partial_args") is None:
        known = call.key("args")
        edit: Edit = Insert(f"{call.pointer}/args", b"{}") if known is None else Set(f"{call.pointer}/args", b"{}")
        said = "the tool call has no args, which is not the same as {}; write {} for none"
        fix = Fix("Add args: {}", not is_recorded, (edit,))
        severity: Severity = "info" if is_recorded else "warning"
        yield rules.ARGS_ABSENT.at(f"{call.pointer}/args", said, fix=fix, severity=severity)
