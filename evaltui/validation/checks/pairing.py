"""How the responses of a turn pair with its tool calls by id."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from evaltui.document import Edit, Insert, Set, json_text
from evaltui.evalset.editing.fresh_ids import fresh_id
from evaltui.printable import one_line
from evaltui.validation.case_data import Turn
from evaltui.validation.diagnostic import Diagnostic, Fix
from evaltui.validation.place import Place
from evaltui.validation.rules import calls as rules


class Pairing:
    """The calls and responses of one turn by id."""

    def __init__(self, turn: Turn) -> None:
        self._calls = [call for call in turn.calls if isinstance(call.data, dict)]
        self._responses = [response for response in turn.responses if isinstance(response.data, dict)]
        self._taken = {tool.text("id") for tool in (*self._calls, *self._responses)} - {None, ""}
        self._called = {call.text("id") for call in self._calls} - {None, ""}
        self._answered = {response.text("id") for response in self._responses} - {None, ""}
        self._has_ids = bool(self._taken)
        self._free = _by_name(each for each in self._responses if self._is_free(each))
        """The responses that pair with no call, by their name."""
        self._open = _by_name(each for each in self._calls if not self._is_answered(each))
        """The calls without a response, by their name."""
        self._example = next((identifier for call in reversed(self._calls) if (identifier := call.text("id"))), None)
        self._explained: set[str] = set()
        """Ids of responses whose call is found to lack just this id."""

    def check(self) -> Iterator[Diagnostic]:
        """The findings of the turn."""
        if self._has_ids:
            yield from self._without_id()
        elif len(self._calls) > 1 and self._responses:
            yield self._without_any()
        yield from self._doubled(self._calls, "tool calls")
        yield from self._doubled(self._responses, "responses")
        yield from self._answers()
        yield from self._unanswered()

    def _without_id(self) -> Iterator[Diagnostic]:
        for call in self._calls:
            if not call.text("id") and (call.member("id") is None or call.text("id") == ""):
                other = self._left_over(call)
                self._explained |= {other} if other else set()
                fix = self._identified(call, other or self._fresh())
                said = "the tool call has no id, so no response can pair with it"
                yield rules.CALL_WITHOUT_ID.at(f"{call.pointer}/id", said, fix=fix)

    def _without_any(self) -> Diagnostic:
        names = [[tool.text("name") for tool in tools] for tools in (self._calls, self._responses)]
        edits = []
        if names[0] == names[1]:
            for pair in zip(self._calls, self._responses, strict=True):
                identifier = self._fresh()
                edits += [_identifying(tool, identifier) for tool in pair]
        fix = Fix("Give each pair an id", True, tuple(edits)) if edits else None
        said = "no tool call of this turn has an id, so each pairs with the last response"
        return rules.CALLS_WITHOUT_IDS.at(f"{self._calls[0].pointer}/id", said, fix=fix)

    def _left_over(self, call: Place) -> str | None:
        """The id of the only response that is called like `call` and pairs with none, if no other call wants it."""
        free, rivals = self._free[call.text("name")], self._open[call.text("name")]
        return free[0].text("id") if len(free) == 1 and len(rivals) == 1 else None

    def _is_free(self, response: Place) -> bool:
        return bool(response.text("id")) and response.text("id") not in self._called

    def _is_answered(self, call: Place) -> bool:
        return call.text("id") in self._answered

    def _fresh(self) -> str:
        made = fresh_id([self._example] if self._example else [], "call_1", self._taken.__contains__)
        self._taken.add(made)
        return made

    def _identified(self, tool: Place, identifier: str) -> Fix:
        return Fix(f"Give it the id {one_line(identifier, 30)}", True, (_identifying(tool, identifier),))

    def _doubled(self, tools: list[Place], what: str) -> Iterator[Diagnostic]:
        seen: set[str] = set()
        for tool in tools:
            identifier = tool.text("id")
            if identifier and identifier in seen:
                is_call = tools is self._calls
                other = self._left_over_for_double(tool) if is_call else self._call_left_over(tool)
                self._explained |= {other} if other else set()
                fix = self._identified(tool, other or self._fresh()) if is_call or other else None
                said = f"two {what} of this turn have the id {one_line(identifier, 40)!r}"
                yield rules.DUPLICATE_CALL_ID.at(tool.below("id"), said, fix=fix)
            elif identifier:
                seen.add(identifier)

    def _left_over_for_double(self, call: Place) -> str | None:
        free = self._free[call.text("name")]
        return free[0].text("id") if len(free) == 1 else None

    def _call_left_over(self, response: Place) -> str | None:
        """The id of the only call that is named like `response` and has no response."""
        name = response.text("name")
        open_calls = self._open[name] if name else []
        return (open_calls[0].text("id") or None) if len(open_calls) == 1 else None

    def _answers(self) -> Iterator[Diagnostic]:
        """Responses that pair with no call, or with one of another name."""
        if not self._has_ids and self._calls:
            return
        names: defaultdict[str | None, list[str]] = defaultdict(list)
        for call in self._calls:
            if name := call.text("name"):
                names[call.text("id")].append(name)
        for response in self._responses:
            identifier = response.text("id")
            if identifier in self._explained:
                continue
            if not identifier or identifier not in self._called:
                yield self._unpaired(response, identifier)
            else:
                yield from _named_otherwise(response, names[identifier])

    def _unpaired(self, response: Place, identifier: str | None) -> Diagnostic:
        other = self._call_left_over(response)
        fix = self._identified(response, other) if other else None
        pointer = f"{response.pointer}/id"
        if not identifier:
            return rules.ANSWER_WITHOUT_CALL.at(pointer, "the response has no id, so it answers no tool call", fix=fix)
        said = f"no tool call of this turn has the id {one_line(identifier, 40)!r} of this response"
        return rules.ANSWER_WITHOUT_CALL.at(pointer, said, fix=fix)

    def _unanswered(self) -> Iterator[Diagnostic]:
        if not self._responses:
            return
        for call in self._calls:
            identifier = call.text("id")
            if identifier and identifier not in self._answered:
                name = one_line(call.text("name") or "", 40)
                said = f"the tool call {name!r} has no response, unlike others of its turn"
                yield rules.CALL_WITHOUT_ANSWER.at(call, said)


def _by_name(tools: Iterable[Place]) -> defaultdict[str | None, list[Place]]:
    found: defaultdict[str | None, list[Place]] = defaultdict(list)
    for tool in tools:
        found[tool.text("name")].append(tool)
    return found


def _identifying(tool: Place, identifier: str) -> Edit:
    at, text = f"{tool.pointer}/id", json_text(identifier)
    return Set(at, text) if tool.key("id") is not None else Insert(at, text, before=next(iter(tool.data), None))


def _named_otherwise(response: Place, names: list[str]) -> Iterator[Diagnostic]:
    """A response named unlike all calls with its id, which have these `names`."""
    name = response.text("name")
    if name and names and name not in names:
        place = response.below("name")
        fix = Fix(f"Name it {one_line(names[0], 30)}", False, (Set(place.pointer, json_text(names[0])),))
        said = f"the response is named {one_line(name, 30)!r}, its tool call {one_line(names[0], 30)!r}"
        yield rules.ANSWER_NAME_DIFFERS.at(place, said, fix=fix)
