"""Conversations found in sources: facts, order, filter, ticks, decisions about values, and revisions that add them."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from evaltui.document.edits import Remove
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.case_data import PlainTurn, get, text_of_parts
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.templates import untouched_case
from evaltui.evalset.keys import filled
from evaltui.evalset.titles import case_title, title
from evaltui.printable import one_line
from evaltui.recordings.agent_names import NO_APPS, AgentNames, ComparableNames, is_of_apps, joined_names
from evaltui.report.scores_text import date_text
from evaltui.tui.lines import counted

if TYPE_CHECKING:
    from evaltui.evalset.volatile_values import VolatileValue
    from evaltui.recordings.conversation import Conversation, ConversationKey, RecordedTurn

TickState = Literal["none", "some", "all"]
ValueDecision = Literal["undecided", "kept", "dropped"]
_NEXT: Mapping[ValueDecision, ValueDecision] = {"undecided": "dropped", "dropped": "kept", "kept": "undecided"}
_MOST_SEARCHED = 50_000
"""Characters of a conversation that a filter searches."""
_EVALUATIONS = ("adk-eval-session-", "___eval___session___")
"""How ids of sessions begin that google-adk makes for cases: since 2.11, and up to 2.10 (`google.adk.cli.cli_eval`)."""


class FoundConversation:
    """A conversation with the facts that the list shows, which the reading thread makes, and a person's decisions."""

    def __init__(self, conversation: Conversation, known_as: str | None) -> None:
        """`known_as` is the eval_id of the case with the same user messages; None if there is none."""
        self.conversation, self.known_as, self.key = conversation, known_as or "", conversation.key
        self.agent, self.user = conversation.agent_names.shown, conversation.user_id or ""
        self.group = 0
        """0 for a conversation of a person with the set's app, 1 for one of an evaluation, 2 for one of another app."""
        self.started = conversation.started if conversation.started is not None else conversation.recorded_at
        # Not `turns`: those are only the turns that count in a score.
        self.turns = conversation.recorded_turns
        texts = [user_text(turn) for turn in self.turns]
        calls = [call for turn in self.turns for call in PlainTurn(turn.invocation).calls if isinstance(call, dict)]
        self.tools = tuple(dict.fromkeys(name for call in calls if isinstance(name := call.get("name"), str)))
        """The names of the tools called, each once, in order."""
        # The list shows the words that the first turn of the case will have.
        countable = (text for turn, text in zip(self.turns, texts, strict=True) if _is_countable(turn))
        self.words = (next(countable, "") or next((text for text in texts if text.strip()), ""))[:200]
        """The start of the first user message."""
        responses = [text_of_parts(get(turn.invocation, "final_response")) for turn in self.turns]
        names = [conversation.id, self.agent, self.user, self.known_as]
        date = date_text(self.started) if self.started is not None else ""
        # One lower-case text for each conversation: a filter compares it with each typed letter.
        parts = [*texts, *self.tools, *names, date, conversation.path.name, *responses]
        self.searched = "\n".join(part[:_MOST_SEARCHED] for part in parts)[:_MOST_SEARCHED].casefold()
        # For fewer turns the search is instant, and the reading thread need not do it.
        if len(self.turns) > 50:
            _ = self.values

    @cached_property
    def values(self) -> dict[tuple[int, int], dict[VolatileValue, ValueDecision]]:
        """The volatile values by turn and call, as indexes from 0 over all its turns, each with its decision."""
        from evaltui.evalset.volatile_values import volatile_values

        by_call: dict[tuple[int, int], dict[VolatileValue, ValueDecision]] = {}
        for value in volatile_values([turn.invocation for turn in self.turns]):
            by_call.setdefault((value.turn, value.call), {})[value] = "undecided"
        return by_call

    def values_of(self, turn: int, call: int | None) -> dict[VolatileValue, ValueDecision]:
        """The volatile values of a call, each with its decision."""
        return self.values.get((turn, call), {}) if call is not None else {}

    @staticmethod
    def decide(calls: Sequence[dict[VolatileValue, ValueDecision]]) -> ValueDecision:
        """Give all values of some calls the next decision."""
        # The first value decides for all: after different decisions, one press makes them equal again.
        following = _NEXT[next(decision for decisions in calls for decision in decisions.values())]
        for decisions in calls:
            decisions.update(dict.fromkeys(decisions, following))
        return following

    def decided(self, turns: Iterable[int], decision: ValueDecision) -> list[VolatileValue]:
        """The values in these turns with this decision; undecided ones are written as recorded."""
        chosen, calls = {*turns}, self.values.values()
        return [value for values in calls for value in values if value.turn in chosen and values[value] == decision]

    def invocations(self, turns: Sequence[int]) -> list[Mapping[str, Any]]:
        """The invocations of some turns, without the dropped values."""
        from evaltui.evalset.volatile_values import without_values

        # Values name turns by their place in the whole conversation, so all turns are copied before some are chosen.
        invocations: Sequence[Mapping[str, Any]] = [turn.invocation for turn in self.turns]
        if dropped := self.decided(turns, "dropped"):
            invocations = without_values(invocations, dropped)
        return [invocations[turn] for turn in turns]

    @property
    def has_failed(self) -> bool:
        """Whether the agent failed in a turn, or only part of the conversation can be read."""
        return self.conversation.unread is not None or any(turn.has_failed for turn in self.turns)

    @property
    def countable_turns(self) -> list[int]:
        """The turns that are ticked with the conversation, as indexes from 0; none if it is partly unreadable."""
        turns = self.turns if self.conversation.unread is None else ()
        return [number for number, turn in enumerate(turns) if _is_countable(turn)]

    @property
    def why_unread(self) -> str:
        """Why it cannot be ticked if it is partly unreadable: the unreadable part may be a tool call."""
        unread = self.conversation.unread
        return f"Part of this conversation cannot be read, so it cannot become a case: {unread}." if unread else ""

    @property
    def why_nothing_counts(self) -> str:
        """Why ticking it ticks none of its turns, as a sentence."""
        if self.why_unread:
            return self.why_unread
        if any(not turn.is_rewound and not why_no_case_turn(turn) for turn in self.turns):
            failed = "The agent failed in this conversation, so a case with all its turns cannot pass."
            return f"{failed} Single turns can be ticked."
        return "No turn of this conversation has a user message, so it cannot become a case."


def user_text(turn: RecordedTurn) -> str:
    """The text of the user message of a turn; "" if there is none."""
    return text_of_parts(get(turn.invocation, "user_content"))


def why_no_case_turn(turn: RecordedTurn) -> str:
    """A sentence why a turn cannot become a turn of a case; "" if it can."""
    if user_text(turn).strip():
        return ""
    return "This turn has no user message, so it cannot become a turn of a case."


def _is_countable(turn: RecordedTurn) -> bool:
    """Whether a turn is ticked with its conversation: with a user message, not rewound, and the agent did not fail."""
    return not turn.is_rewound and not why_no_case_turn(turn) and not turn.has_failed


Picks = Mapping[FoundConversation, Sequence[int]]
"""Turns of conversations to add, as indexes from 0, in order."""


class FoundConversations:
    """All conversations found so far, those that pass the filter, by group and newest first, and their ticked turns."""

    def __init__(self, apps: tuple[ComparableNames, ComparableNames] = NO_APPS, eval_set_id: str = "") -> None:
        """`apps` are the known names of apps of the set (`is_of_apps`); its cases and recordings may name more."""
        self.every: list[FoundConversation] = []
        self.shown: list[FoundConversation] = []
        self.ticked: dict[FoundConversation, Sequence[int]] = {}
        """The ticked turns of each conversation, in the order in which these were ticked first."""
        self._by_key: dict[ConversationKey, FoundConversation] = {}
        self.has_several_apps = False
        self.has_several_users = False
        self.has_several_files = False
        self._words: list[str] = []
        self._apps, self._eval_set_id = apps, eval_set_id

    def add(self, entries: Iterable[FoundConversation], apps: Iterable[str] = ()) -> int:
        """Add conversations, of which known ones stay; returns the number of new ones. The cases name the `apps`."""
        # A source may be read twice, such as a file in a folder that is added later.
        new = [entry for entry in entries if self._by_key.setdefault(entry.key, entry) is entry]
        if not new:
            return 0
        # A conversation with the user messages of a case was likely made with the agent of the set.
        likely = (entry.conversation.agent_names for entry in new if entry.known_as)
        names = joined_names(map(AgentNames, apps), self._apps[0]), joined_names(likely, self._apps[1])
        is_known, self._apps = names == self._apps, names
        for entry in new if is_known else (*self.every, *new):
            conversation = entry.conversation
            is_own = is_of_apps(conversation.agent_names, *names)
            if is_own is None and self._eval_set_id:
                # A recording without app, such as a trace, may still name the eval set that it was made for.
                is_own = conversation.eval_set_id in (None, self._eval_set_id)
            entry.group = 2 if is_own is False else int(conversation.id.startswith(_EVALUATIONS))
        for among, added in (self.every, new), (self.shown, filter(self._fits, new)):
            among.extend(added)
            among.sort(key=lambda entry: (entry.group, -entry.started if entry.started is not None else math.inf))
        # A column in which all lines are equal would take room from the first words.
        first = self.every[0]
        self.has_several_apps |= any(entry.agent != first.agent for entry in new)
        self.has_several_users |= any(entry.user != first.user for entry in new)
        self.has_several_files |= any(entry.conversation.path != first.conversation.path for entry in new)
        return len(new)

    def headings(self) -> list[tuple[int, str]]:
        """The headings of evaluations and of other apps, each with the place of the entry that it stands before."""
        evaluations, other_apps = (bisect_left(self.shown, group, key=lambda entry: entry.group) for group in (1, 2))
        headings = [(evaluations, "Of evaluations by google-adk")] if evaluations < other_apps else []
        # A heading has room for a few names; 10,000 entries need no look.
        if named := self.shown[other_apps : other_apps + 200]:
            names = dict.fromkeys(entry.agent or entry.conversation.eval_set_id or "" for entry in named)
            headings.append((other_apps, f"Of other apps: {', '.join(one_line(name, 40) for name in names)}"))
        return headings

    def filter(self, query: str) -> None:
        """Show only conversations with all words of a query."""
        words = query.casefold().split()
        if words == self._words:
            return
        # Each further letter searches only the entries that are still shown.
        is_narrower = self._words and all(any(earlier in word for word in words) for earlier in self._words)
        among = self.shown if is_narrower else self.every
        self._words = words
        self.shown = [entry for entry in among if self._fits(entry)]

    def _fits(self, entry: FoundConversation) -> bool:
        return all(word in entry.searched for word in self._words)

    # --- ticks ---------------------------------------------------------------------------------------------------

    def tick_state(self, entry: FoundConversation) -> TickState:
        """Whether none, some or all countable turns are ticked."""
        if entry not in self.ticked:
            return "none"
        return "all" if {*self.ticked[entry]}.issuperset(entry.countable_turns) else "some"

    def toggle(self, entry: FoundConversation) -> str:
        """Tick all countable turns, or untick the conversation; returns why nothing can be ticked, or ""."""
        # A conversation with some ticked turns gets all of them; only the next press unticks it.
        if self.tick_state(entry) == "all":
            del self.ticked[entry]
        elif turns := entry.countable_turns:
            self.ticked[entry] = turns
        else:
            return entry.why_nothing_counts
        return ""

    def toggle_turn(self, entry: FoundConversation, turn: int) -> str:
        """Tick a turn, or untick it; returns why it cannot be ticked, or ""."""
        turns = {*self.ticked.get(entry, ())}
        # A single turn may be rewound, or the agent may have failed in it: the person sees that, and ticks it alone.
        if turn not in turns and (why := entry.why_unread or why_no_case_turn(entry.turns[turn])):
            return why
        # A case has its turns in the order of the conversation, whatever the order of the ticks.
        if in_order := sorted(turns ^ {turn}):
            self.ticked[entry] = in_order
        else:
            del self.ticked[entry]
        return ""

    def ticked_text(self) -> str:
        """`2 conversations and 1 turn ticked`; "" without ticks."""
        partly = [len(turns) for entry, turns in self.ticked.items() if self.tick_state(entry) == "some"]
        entire, single = len(self.ticked) - len(partly), sum(partly)
        counts = [counted(entire, "conversation")] * bool(entire) + [counted(single, "turn")] * bool(single)
        return f"{' and '.join(counts)} ticked" if counts else ""


# --- added to the set -------------------------------------------------------------------------------------------------


class AddTarget(NamedTuple):
    """The place to which recorded conversations are added."""

    case: Node | None = None
    """New cases go after this case, new turns into it. None for the end of the set."""
    turn: Node | None = None
    """New turns go after this turn; None to add whole cases."""

    def in_force(self, root: Node | None) -> AddTarget:
        """The place without nodes that are no longer in the document."""
        # The file may have been reloaded or edited in front of the list.
        case, turn = (node if root and node and node.is_in(root) else None for node in self)
        return AddTarget(case, turn if case is not None else None)

    def title(self, eval_set: CaseFile) -> str:
        """`after book_flight`."""
        if self.turn is not None:
            return f"after {title(eval_set, self.turn)}"
        return f"after {case_title(self.case)}" if self.case is not None else "at the end of the set"


def addition_of(eval_set: CaseFile, target: AddTarget, picks: Picks) -> Revision:
    """The revision that adds the picks as cases, or their turns to the case of the target. Raises `EditError`."""
    try:
        return _addition(eval_set, target, picks)
    except EditError:
        # The models of google-adk refuse all cases together, so each pick is tried alone to name the one at fault.
        for entry in picks if len(picks) > 1 else ():
            try:
                _addition(eval_set, target, {entry: picks[entry]})
            except EditError as error:
                name = f"{one_line(entry.words, 40) or 'no user message'} ({one_line(entry.conversation.id, 40)})"
                raise EditError(f"Nothing was added. Untick {name}: {error}") from error
        raise


def _addition(eval_set: CaseFile, target: AddTarget, picks: Picks) -> Revision:
    from evaltui.evalset.editing.recorded_cases import RecordedCase, add_recorded_cases, add_recorded_turns

    _refuse_what_no_case_can_have(picks)
    if target.turn is not None and target.case is not None:
        if filled(target.case, "conversation_scenario") is not None:
            name = case_title(target.case)
            raise EditError(f"{name} is a scenario: a simulated user writes its turns, so you cannot add any")
        invocations = [invocation for entry, turns in picks.items() for invocation in entry.invocations(turns)]
        revision = add_recorded_turns(eval_set, target.case, target.turn, invocations)
        revision.remark = _remarks(picks, is_whole=False)
        return revision
    cases = [
        RecordedCase(entry.invocations(turns), source.agent_names.app or None, source.user_id or None, source.own_id)
        for entry, turns in picks.items()
        for source in [entry.conversation]
    ]
    revision, empty = add_recorded_cases(eval_set, target.case, cases), untouched_case(eval_set)
    if empty is not None:
        revision.edits.append(Remove(empty.pointer()))  # edits apply in order: the new cases come after it
    revision.remark = _remarks(picks, is_whole=True, empty=empty)
    return revision


def replacement_of(eval_set: CaseFile, turn: Node, entry: FoundConversation, recorded: int) -> Revision:
    """The revision that replaces a turn of the set with a recorded one. Raises `EditError`."""
    from evaltui.evalset.editing.recorded_cases import replace_by_recorded_turn

    picks = {entry: [recorded]}
    _refuse_what_no_case_can_have(picks)
    # A new turn may lack what is not recorded, but a replacement would delete what the set has.
    if why := entry.turns[recorded].unrecorded_text:
        raise EditError(f"The recorded turn cannot replace {title(eval_set, turn)}: {why}. Edit the turn instead.")
    revision = replace_by_recorded_turn(eval_set, turn, entry.invocations([recorded])[0])
    revision.remark = _remarks(picks, is_whole=False)
    return revision


def _refuse_what_no_case_can_have(picks: Picks) -> None:
    for entry, turns in picks.items():
        why = next(filter(None, (why_no_case_turn(entry.turns[turn]) for turn in turns)), "")
        if why or not turns:
            raise EditError(why or entry.why_nothing_counts)


def _remarks(picks: Picks, *, is_whole: bool, empty: Node | None = None) -> str:
    """Clauses about the picks: equal cases, omitted turns, volatile values, and the `empty` case that they replace."""
    remarks: list[str] = []
    # Not refused: a second case with equal messages may be meant, with another expected answer.
    case_ids = list(dict.fromkeys(entry.known_as for entry in picks if entry.known_as))
    if case_ids and is_whole:
        more = f" and {len(case_ids) - 2} more" * (len(case_ids) > 2)
        names = ", ".join(one_line(name, 40) for name in case_ids[:2]) + more
        remarks.append(f"same user messages as {names}")
    # A turn without calls is usual; a missing response or argument is a gap that the person should fill.
    parts = {"response", "arguments"}
    picked = [entry.turns[turn].turn for entry, turns in picks.items() for turn in turns]
    if unrecorded := sum(bool(turn.unrecorded & parts) for turn in picked):
        remarks.append(f"{counted(unrecorded, 'turn')} without response or arguments, which are not recorded")
    if is_whole:
        # Turns are chosen one by one if they go into a case, so their remarks would say what the person did.
        chosen = [(entry.turns, {*turns}) for entry, turns in picks.items()]
        omitted = [turn for turns, ticked in chosen for number, turn in enumerate(turns) if number not in ticked]
        remarks += [f"left out: {omitted_turns(omitted)}"] * bool(omitted)
    if undecided := sum(len(entry.decided(turns, "undecided")) for entry, turns in picks.items()):
        remarks.append(f"{counted(undecided, 'value')} marked ≈ written as recorded")
    if dropped := sum(len(entry.decided(turns, "dropped")) for entry, turns in picks.items()):
        remarks.append(f"{counted(dropped, 'value')} dropped (the case fails unless the criterion sets ignore_args)")
    if case_ids and is_whole:  # the id decides, then the messages; both cases have the same
        remarks.append("a recording of the other case may belong to the new one now")
    if empty is not None:
        remarks.append(f"empty {case_title(empty)} deleted")
    return " · ".join(remarks)


def omitted_turns(turns: Iterable[RecordedTurn]) -> str:
    """Omitted turns, counted by reason: `1 turn rewound, 2 turns not ticked`."""
    reasons: Counter[str] = Counter()
    for turn in turns:
        if turn.is_rewound:
            reasons["rewound"] += 1
        elif why_no_case_turn(turn):
            reasons["without user message"] += 1
        else:
            reasons["in which the agent failed" if turn.has_failed else "not ticked"] += 1
    return ", ".join(f"{counted(count, 'turn')} {reason}" for reason, count in sorted(reasons.items()))
