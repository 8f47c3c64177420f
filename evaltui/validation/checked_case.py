"""A case as the checks read it: plain data whose values know their place, and facts for the checks across cases."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evaltui.document.edits import Edit, Insert, Set
from evaltui.document.pointer import escape
from evaltui.evalset.case_data import PlainCase, get, text_of_parts
from evaltui.evalset.case_format import DATASET, EVAL_SET, CaseFormat
from evaltui.evalset.keys import camel
from evaltui.scoring.call_equality import kind_of


class PointedValue:
    """A value (from `json.loads`) with its JSON Pointer."""

    __slots__ = ("_above", "_key", "data")

    def __init__(self, data: Any, above: PointedValue | CheckedCase | None = None, key: str | int = "") -> None:
        """`above` is the value that holds this value as `key`, or the case around it; None for the outermost value."""
        self.data = data
        self._above = above
        self._key = key

    @property
    def pointer(self) -> str:
        """The place of the value (RFC 6901), relative to what is checked."""
        # Computed on demand: checks make thousands of values, and few have a diagnostic.
        steps: list[str] = []
        place: PointedValue | CheckedCase = self
        # A loop, because very deep values would exceed the recursion limit.
        while isinstance(place, PointedValue) and place._above is not None:
            if isinstance(place._above, CheckedCase):
                return "/".join([place._above.pointer_of(place.data), *reversed(steps)])
            steps.append(escape(place._key) if isinstance(place._key, str) else str(place._key))
            place = place._above
        return "".join(f"/{step}" for step in reversed(steps))

    def key(self, name: str) -> str | None:
        """The spelling of the member `name` (in snake_case) in this object."""
        if not isinstance(self.data, dict):
            return None
        camel_key = camel(name)
        # camelCase wins, as in google-adk.
        return camel_key if camel_key in self.data else name if name in self.data else None

    def below(self, key: str | int) -> PointedValue:
        """The member or item `key`, which must exist."""
        return PointedValue(self.data[key], self, key)

    def member(self, name: str) -> PointedValue | None:
        """The member `name` in either spelling; None if it is absent or null."""
        key = self.key(name)
        value = self.data[key] if key is not None else None
        return PointedValue(value, self, key) if value is not None and key is not None else None

    def text(self, name: str) -> str | None:
        """The string of the member `name`; None if there is none."""
        key = self.key(name)
        value = self.data[key] if key is not None else None
        return value if isinstance(value, str) else None

    def items(self, name: str) -> list[PointedValue]:
        """The items of the list `name`; empty if it is absent or not a list."""
        member = self.member(name)
        return member.all_items() if member is not None else []

    def objects(self, name: str) -> list[PointedValue]:
        """The items of the list `name` that are objects."""
        return [item for item in self.items(name) if isinstance(item.data, dict)]

    def all_items(self) -> list[PointedValue]:
        """The items of this list; empty if it is not a list."""
        if not isinstance(self.data, list):
            return []
        return [PointedValue(item, self, number) for number, item in enumerate(self.data)]

    def members(self) -> list[PointedValue]:
        """The members of this object; empty if it is not an object."""
        return [self.below(key) for key in self.data] if isinstance(self.data, dict) else []

    def place_of(self, name: str) -> str:
        """The pointer of the member `name`, which may be absent."""
        return f"{self.pointer}/{self.key(name) or self.spelt(name)}"

    def setting(self, name: str, text: bytes, *, is_first: bool = False) -> Edit:
        """The edit that gives this object the member `name`; a new one becomes its last member, or its first."""
        place = self.place_of(name)
        if self.key(name) is not None:
            return Set(place, text)
        return Insert(place, text, before_key=next(iter(self.data), None) if is_first else None)

    def spelt(self, name: str) -> str:
        """The spelling of a new member `name`: camelCase if the keys around it are in camelCase, else snake_case."""
        if isinstance(self.data, dict):
            if any("_" in key for key in self.data):
                return name
            if any(key != key.lower() for key in self.data):
                return camel(name)
        return name


class CheckedCase(PlainCase):
    """A case of either format whose values know their place, whatever their types are."""

    def __init__(self, data: Any, case_format: CaseFormat = EVAL_SET) -> None:
        super().__init__(data)
        self.root = PointedValue(data)
        self._format = case_format
        self._pointers: dict[int, str] = {}
        self.session: PointedValue | None = None
        """The session input of a case of an eval set."""
        self.prompt: PointedValue | None = None
        """The message that begins the only turn of a dataset case."""
        self.agent_data: PointedValue | None = None
        """The recorded conversation of a dataset case, and its agents."""
        self.recorded_turns: list[PointedValue] = []
        """The turns of the agent data."""
        self.events: list[PointedValue] = []
        """The events of the recorded turns, in order."""
        self.other_events: list[PointedValue] = []
        """The items of the history and of the intermediate events of a dataset case, of any type."""
        self.rubric_lists: list[list[PointedValue]] = []
        """The rubrics of each group of a dataset case."""
        if case_format is EVAL_SET:
            self.session = self.root.member("session_input")
            return
        self.prompt = self.root.member("prompt")
        self.agent_data = self.root.member("agent_data")
        if self.agent_data is not None:
            self.recorded_turns = self.agent_data.objects("turns")
            self.events = [event for turn in self.recorded_turns for event in turn.objects("events")]
        self.other_events = [*self.root.items("conversation_history"), *self.root.items("intermediate_events")]
        if (groups := self.root.member("rubric_groups")) is not None:
            self.rubric_lists = [group.objects("rubrics") for group in groups.members()]

    def at(self, value: Any) -> PointedValue:
        """An object or a list of this case, with its pointer."""
        return PointedValue(value, self)

    def pointer_of(self, value: Any) -> str:
        """The pointer of an object or a list of this case."""
        # By identity, because equal objects are frequent; only for a case with diagnostics, because few have any.
        if not self._pointers:
            pending: list[tuple[Any, str]] = [(self.data, "")]
            while pending:
                holder, pointer = pending.pop()
                self._pointers[id(holder)] = pointer
                keys = map(escape, holder) if isinstance(holder, dict) else range(len(holder))
                values = holder.values() if isinstance(holder, dict) else holder
                pending += [
                    (item, f"{pointer}/{key}")
                    for key, item in zip(keys, values, strict=True)
                    if isinstance(item, dict | list)
                ]
        return self._pointers.get(id(value), "")

    @property
    def is_recorded(self) -> bool:
        """Whether a dataset case has recorded responses: it is scored, and no agent runs for it."""
        # `agents-cli eval generate` writes `responses`, and after a prompt only the events of the agent.
        if self.root.items("responses"):
            return True
        is_asked = self.prompt is not None and bool(self.events)
        return is_asked and all(author_of(event) != "user" for event in self.events)

    @property
    def agents(self) -> dict[str, Any]:
        """The agents of the agent data by id; empty if absent."""
        agents = self.agent_data.member("agents") if self.agent_data is not None else None
        return agents.data if agents is not None and isinstance(agents.data, dict) else {}

    @cached_property
    def contents(self) -> list[tuple[PointedValue, str]]:
        """All contents of a dataset case, each with the role that its place requires: user, model, system or ""."""
        owners = [(self.root, "prompt", "user"), (self.root, "system_instruction", "system")]
        if (reference := self.root.member("reference")) is not None:
            owners.append((reference, "response", "model"))
        owners += [(response, "response", "model") for response in self.root.items("responses")]
        owners += [(event, "content", role_of_event(event)) for event in (*self.other_events, *self.events)]
        contents = ((owner.member(name), role) for owner, name, role in owners)
        return [(content, role) for content, role in contents if content is not None and isinstance(content.data, dict)]

    def facts(self, *, is_accepted: bool) -> CaseFacts:
        """The facts of the case for the checks across cases."""
        if self._format is DATASET:
            key = self.root.key("eval_case_id")
            return CaseFacts(
                eval_id=self.root.text("eval_case_id") or ("" if key is not None else None),
                eval_id_pointer=self.root.place_of("eval_case_id"),
                is_accepted=is_accepted,
                first_key=next(iter(self.data), None) if isinstance(self.data, dict) else None,
            )
        session = self.session or PointedValue({})
        state = session.member("state") or PointedValue({})
        values = state.data.items() if isinstance(state.data, dict) else ()
        rubrics = [self.at(rubric) for rubric in self.all_rubrics]
        return CaseFacts(
            eval_id=self.eval_id,
            eval_id_pointer=self.root.place_of("eval_id"),
            app_name=session.text("app_name"),
            app_name_pointer=session.place_of("app_name"),
            state=tuple((key, kind_of(value), f"{state.pointer}/{escape(key)}", value == "") for key, value in values),
            rubric_ids=tuple(
                (identifier, rubric.text("type") or "", rubric.place_of("rubric_id"))
                for rubric in rubrics
                if (identifier := rubric.text("rubric_id"))
            ),
            expects_calls=tuple(bool(turn.calls) for turn in self.turns),
            expects_text=tuple(bool(text_of_parts(get(turn.data, "final_response"))) for turn in self.turns),
            has_rubrics=bool(rubrics),
            is_scenario=not self.turns and self.root.member("conversation_scenario") is not None,
            is_accepted=is_accepted,
        )


def author_of(event: PointedValue) -> str:
    """The author of an event; "" if there is none."""
    return event.text("author") or ""


def role_of_event(event: PointedValue) -> str:
    """The role that the author of an event implies for its content; "" if any role fits."""
    content, author = event.member("content"), author_of(event).lower()
    parts = content.items("parts") if content is not None else []
    # google-adk gives tool responses the role user, and other programs give them none.
    if author in ("", "tool", "system") or any(part.member("function_response") is not None for part in parts):
        return ""
    return "user" if author == "user" else "model"


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """Facts of one case, so that no case is read again for the checks across cases; pointers are relative to it."""

    eval_id: str | None = None
    eval_id_pointer: str = ""
    app_name: str | None = None
    app_name_pointer: str = ""
    state: tuple[tuple[str, str, str, bool], ...] = ()
    """For each value of the session state: its key, its type (`kind_of`), its pointer, and if it is an empty text."""
    rubric_ids: tuple[tuple[str, str, str], ...] = ()
    """The id, the type and the pointer of the id, for each rubric of the case and its turns."""
    expects_calls: tuple[bool, ...] = ()
    """For each turn, whether it has expected tool calls."""
    expects_text: tuple[bool, ...] = ()
    """For each turn, whether it has a final response with text."""
    has_rubrics: bool = False
    is_scenario: bool = False
    """Whether a simulated user has the conversation, so that no turn is expected."""
    is_accepted: bool = False
    """Whether google-adk accepts the case (for a case of a dataset: agentplatform)."""
    first_key: str | None = None
    """The first key of a case of a dataset; a new id goes before it."""

    @property
    def expects_nothing(self) -> bool:
        """Whether no turn has anything to compare with."""
        return not (any(self.expects_calls) or any(self.expects_text) or self.has_rubrics)
