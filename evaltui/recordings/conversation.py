"""A recording and its conversations, each with its turns and all that helps to find the case it belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from evaltui.document.errors import InputError
from evaltui.evalset.case_data import PlainTurn, get, objects_in, text_of_parts
from evaltui.evalset.content_parts import read_content
from evaltui.evalset.turn import Turn, TurnPart, UnrecordedArguments, placeholder_in
from evaltui.files.spool import SpoolPart, dumped
from evaltui.recordings.agent_names import NO_NAMES, AgentNames
from evaltui.recordings.user_messages import digest_of, text_key

if TYPE_CHECKING:
    from evaltui.recordings.traces.trace_turns import RecordedTrace

RecordingFormat = Literal[
    "adk_result", "jaeger", "otlp", "tempo", "evaluation_dataset", "eval_set", "adk_session", "adk_session_db"
]
"""The kinds of recordings, as reports name them."""
MatchedBy = Literal["attribute", "eval_id", "user_text", "only_one", "invocation_id", "by_hand"]
"""The way in which a conversation was matched to its case.

`invocation_id` is for sessions only: the turns of the case come from the session. `by_hand` is for the app only: a
person chose the case.
"""
ConversationKey = tuple[str, str]
"""The path and the id of a conversation, which identify it when its file is read again."""


class StoredScore(NamedTuple):
    """A score that a recording came with (`EvalMetricResult`)."""

    name: str
    score: float | None
    status: int
    """google-adk's `EvalStatus`: 1 passed, 2 failed, 3 not evaluated, 4 informational."""
    criterion: Any = None
    """The criterion of the score, as in the file."""
    threshold: float | None = None
    error: str | None = None
    """Why there is no score, if the recording tells."""


StoredTurn = tuple[Mapping[str, Any] | None, Any, tuple[StoredScore, ...]]
"""The expected invocation of a judged turn and the `rubrics` of its actual one, as in the file, and its scores.

google-adk writes the rubrics of the case and of the turn there.
"""


_PARTS: dict[TurnPart, str] = {
    "response": "the response",
    "calls": "the tool calls",
    "arguments": "the arguments of tool calls",
}


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """A turn of a recording; it may be one that does not count."""

    turn: Turn
    invocation: Mapping[str, Any]
    """google-adk's `Invocation` as plain JSON, from which an eval case is made. Nobody has checked its values.

    Names are in either spelling. It lacks the parts that are not recorded. In a session it is what google-adk's
    conversion gives, without the calls by which google-adk asks a person. Empty if nobody makes cases.
    """
    is_rewound: bool = False
    """Whether the conversation went back to before this turn."""
    error: str | None = None
    """The recorded error of the agent in this turn; None if it did not fail."""
    left_out: tuple[str, ...] = ()
    """A sentence for each part of the recorded turn that the invocation leaves out."""

    @property
    def unrecorded_text(self) -> str:
        """`the response and the arguments of tool calls are not recorded`; "" if a case can have the whole turn."""
        names = [name for part, name in _PARTS.items() if part in self.turn.unrecorded]
        if not names:
            return ""
        verb = "is" if names == [_PARTS["response"]] else "are"
        return f"{' and '.join(filter(None, (', '.join(names[:-1]), names[-1])))} {verb} not recorded"

    @property
    def has_failed(self) -> bool:
        """Whether the agent failed without a response, so that no case made of this turn can pass."""
        return self.error is not None and not text_of_parts(get(self.invocation, "final_response")).strip()


def recorded_turns(turns: Sequence[Turn], invocations: Iterable[Mapping[str, Any]]) -> tuple[RecordedTurn, ...]:
    """The turns of a recording with their invocations, one for each turn."""
    pairs = zip(turns, invocations, strict=True)
    return tuple(RecordedTurn(turn, recorded_invocation(turn, invocation)) for turn, invocation in pairs)


def recorded_invocation(turn: Turn, invocation: Mapping[str, Any]) -> Mapping[str, Any]:
    """The invocation without the parts of its turn that are not recorded."""
    absent: set[str] = set()
    if "calls" in turn.unrecorded:
        absent |= {"intermediate_data", "intermediateData"}  # an empty list would state that there are no calls
    is_unread = "response" in turn.unrecorded and not read_content(get(invocation, "final_response"))[1]
    if is_unread or turn.failure:  # the last text is of an earlier agent, and no response
        absent |= {"final_response", "finalResponse"}
    if "user_text" in turn.unrecorded and not turn.user_text and text_of_parts(get(invocation, "user_content")):
        absent |= {"user_content", "userContent"}
    recorded = {key: value for key, value in invocation.items() if key not in absent} if absent else invocation
    if "arguments" in turn.unrecorded:
        recorded = deepcopy(recorded)
        for call in objects_in(PlainTurn(recorded).calls):
            if isinstance(args := call.get("args"), UnrecordedArguments) or placeholder_in(args):
                call["args"] = None
    return recorded


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation as an agent had it."""

    path: Path
    id: str
    """The trace, conversation, session or case in its file that it is."""
    turns: tuple[Turn, ...]
    case_id: str | None = None
    """The case that the attribute `agentevals.eval.case.id` names."""
    eval_id: str | None = None
    """The case that a result file, dataset or eval set names."""
    eval_set_id: str | None = None
    """The eval set that it was made for, if the recording names one."""
    recorded_at: float | None = None
    """The time, in seconds since 1970; None if unknown."""
    stored: tuple[tuple[StoredScore, ...], tuple[StoredTurn, ...]] | None = None
    """The scores of a conversation that has been judged before, and its judged turns."""
    failure: str | None = None
    """The reason why the agent failed, if the recording has one."""
    unread: str | None = None
    """The first unreadable part of its turns, as a sentence. The case is not evaluated then."""
    recorded_turns: tuple[RecordedTurn, ...] = ()
    """All turns, also those that do not count: of a session always, of other formats only for new cases."""
    lacks_turns: bool = False
    """Whether it may have turns that are not recorded. Then nobody knows that it has fewer turns than a case."""
    grades: tuple[StoredScore, ...] = ()
    """The scores of graders that give no verdict, such as those of agents-cli."""
    agent_names: AgentNames = NO_NAMES
    user_id: str | None = None
    """The user of a session; in other formats only for new cases, as `started`."""
    started: float | None = None
    """The start time, in seconds since 1970; None if unknown."""
    left_out: tuple[str, ...] = ()
    """A sentence for each recorded thing of a session that is in no turn."""
    own_id: str | None = None
    """The id that a new case keeps: the `eval_case_id` of a dataset. None: made from the first user message."""

    @property
    def key(self) -> ConversationKey:
        """Its path and id."""
        return str(self.path), self.id


class LostSpans(NamedTuple):
    """Spans of a file of traces that are in no turn. They may belong to traces of other files."""

    trace_id: str | None = None
    """The trace to which they belong; None if it may be any."""
    start: int = 0
    """When they happened, in nanoseconds since 1970; 0 if unknown."""
    end: int = 0
    may_be_of_models: bool = True
    """Whether a model call may be among them, and not only tool calls."""


class ConversationFacts(NamedTuple):
    """The facts of a conversation that find its case. Texts of users are in the form of `user_messages.text_key`."""

    id: str
    case_id: str | None
    eval_id: str | None
    eval_set_id: str | None
    recorded_at: float | None
    first_text: str
    """The first user message of the turns that count; "" if there is none."""
    turn_ids: tuple[str, ...]
    """The invocation ids of the turns that count."""
    texts: bytes
    """A digest of all user messages of the turns that count."""
    session_turns: tuple[tuple[str, str], ...]
    """The user message and the invocation id of each turn of a session; empty in other formats."""
    agent_names: AgentNames


def facts_of(conversation: Conversation) -> ConversationFacts:
    """The facts of a conversation that find its case."""
    texts = [text_key(turn.user_text) for turn in conversation.turns]
    session_turns = [recorded.turn for recorded in conversation.recorded_turns]
    return ConversationFacts(
        conversation.id,
        conversation.case_id,
        conversation.eval_id,
        conversation.eval_set_id,
        conversation.recorded_at,
        texts[0] if texts else "",
        tuple([turn.invocation_id for turn in conversation.turns]),
        digest_of("\n".join(texts)),  # a key has no line break
        tuple([(text_key(turn.user_text), turn.invocation_id) for turn in session_turns]),
        conversation.agent_names,
    )


@dataclass(frozen=True)
class Recording:
    """A file and the conversations in it."""

    path: Path
    format: RecordingFormat
    conversations: Sequence[Conversation]
    warnings: tuple[str, ...] = ()
    """A warning for each thing that could not be used."""
    traces: Sequence[RecordedTrace] = ()
    """The traces of the file, from which conversations are put together."""
    lost: tuple[LostSpans, ...] = ()
    is_unread: bool = False
    """Whether the file cannot be read and may have spans. It only stands for them until traces are joined."""
    known_facts: Sequence[ConversationFacts] | None = field(default=None, repr=False, compare=False)
    """The facts of the conversations, if they were found while a large recording was read."""

    @cached_property
    def facts(self) -> Sequence[ConversationFacts]:
        """The facts of each conversation that find its case."""
        return self.known_facts if self.known_facts is not None else tuple(map(facts_of, self.conversations))

    def pickled(self, index: int) -> bytes:
        """The pickle of a conversation, for another process."""
        conversations = self.conversations
        return conversations.pickled(index) if isinstance(conversations, SpoolPart) else dumped(conversations[index])


def file_times(recordings: Iterable[Recording]) -> dict[Path, float]:
    """When the files of conversations without a time were written, in seconds since 1970. Unreachable files have none.

    Call it in a thread: a mount may be slow.
    """
    times: dict[Path, float] = {}
    conversations = (conversation for recording in recordings for conversation in recording.conversations)
    for path in {conversation.path for conversation in conversations if conversation.recorded_at is None}:
        with suppress(OSError, ValueError):
            times[path] = path.stat().st_mtime
    return times


class RecordingError(InputError):
    """A file that is not a recording or cannot be read. The message has the file, the place and the reason."""


class RecordingChangedError(RecordingError):
    """Another program kept writing to the recording while it was read."""


ConversationsRead = tuple[list[Conversation], list[str]]
"""The conversations that a reader found, and a warning for each thing that it could not use."""
