"""An eval set or dataset as it is scored: the expectations of its cases for each turn."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import IO, Any
from weakref import finalize

from evaltui.document.disk.file_content import FileState, file_state
from evaltui.document.errors import DocumentError
from evaltui.document.scanner import read_json
from evaltui.evalset.case_data import PlainCase, get, text
from evaltui.evalset.dataset_turns import (
    Exchange,
    content_in,
    exchanges_of,
    intermediate_events,
    is_answered,
    is_dataset_case,
    turns_of,
)
from evaltui.evalset.turn import Turn, TurnPart, turn_in, turn_of
from evaltui.file_access import open_regular
from evaltui.files.spool import Spool


@dataclass(frozen=True, slots=True)
class ExpectedCase:
    """The expectations of one case."""

    eval_id: str
    """The id of the case; in a dataset its `eval_case_id`."""
    number: int
    """The index of the case in the set, from 0."""
    turns: tuple[Turn, ...]
    """The expected turns; in a dataset only the turn that the last user message begins."""
    source: bytes
    """The JSON text of the case."""
    is_scenario: bool = False
    """Whether a simulated user plays it."""
    fault: str | None = None
    """A sentence about why google-adk rejects the case, or why a dataset case cannot be read; None for a valid case."""
    app_name: str | None = None
    """The app of its `session_input`."""
    is_of_dataset: bool = False
    """Whether it is a case of an EvaluationDataset."""
    given_turns: tuple[Turn, ...] = ()
    """The turns before the expected ones; only dataset cases have any."""
    is_answered: bool = False
    """Whether a dataset case records a response of an agent."""
    shares_calls: bool = False
    """Whether the `intermediate_events` of a dataset case are also the only record of what the agent did."""

    @property
    def first_user_text(self) -> str:
        """The first user message; "" if there are no turns."""
        return next((turn.user_text for turn in (*self.given_turns, *self.turns)), "")

    @property
    def refusal(self) -> str | None:
        """A sentence about why the case cannot be scored, and who rejects it; None if it can be scored."""
        if self.fault is None:
            return None
        sentence = "this case cannot be read" if self.is_of_dataset else "google-adk rejects this case"
        return f"{sentence}: {self.fault}"

    def tells_calls(self) -> tuple[bool, ...]:
        """For each turn, whether the file says which calls it expects, even if it expects none."""
        if self.is_of_dataset:
            return tuple("calls" not in turn.unstated for turn in self.turns)
        turns = (turn.data for turn in PlainCase(self.data()).turns if isinstance(turn.data, dict))
        return tuple(get(turn, "intermediate_data") is not None for turn in turns)

    def data(self) -> dict[str, Any]:
        """The case as plain data; empty if it cannot be read."""
        return data_of(self.source)


@dataclass(frozen=True)
class CasesInFile(Sequence[ExpectedCase]):
    """The cases of a large file, read again when somebody asks for one. The file must not change meanwhile."""

    path: Path
    state: FileState
    """The state of the file when its cases were found."""
    read: Callable[[bytes, int], ExpectedCase]
    """Reads a case from its text and its index in the set."""
    offsets: array[int] = field(default_factory=lambda: array("Q"))
    """The place of each case in the file, in bytes."""
    lengths: array[int] = field(default_factory=lambda: array("I"))
    eval_ids: Spool[str] = field(default_factory=Spool)
    has_several_turns: bool = False
    """Whether any case has several turns, given turns included."""
    is_answered: bool = False
    """Whether any case has responses of an agent."""

    def __len__(self) -> int:
        return len(self.offsets)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        return self.read(self.source_of(number), number)

    def source_of(self, number: int) -> bytes:
        """The JSON text of a case. Raises `DocumentError` if the file changed."""
        try:
            self._file.seek(self.offsets[number])
            return self._file.read(self.lengths[number])
        except OSError as error:
            raise DocumentError(f"{self.path}: cannot be read: {(error.strerror or '').lower()}") from error

    @cached_property
    def _file(self) -> IO[bytes]:
        file = open_regular(self.path)
        # The file stays open for as long as somebody may ask for a case; nobody is there to close it.
        finalize(self, file.close)
        if file_state(file.fileno()) != self.state:
            raise DocumentError(f"{self.path}: the file changed while it was scored; run the command again")
        return file


@dataclass(frozen=True)
class ExpectedSet:
    """The cases of a set, with facts about the file."""

    name: str
    """The file as given on the command line."""
    path: Path | None
    """None for standard input."""
    eval_set_id: str | None
    cases: Sequence[ExpectedCase]
    fault: str | None = None
    """A sentence about why google-adk rejects the set apart from its cases; None if it does not."""
    is_dataset: bool = False
    """Whether the file is an EvaluationDataset."""
    lines: Sequence[int] = ()
    """The line of the file in which each case begins, from 1; empty if unknown."""
    shared_folders: frozenset[Path] = frozenset()
    """Folders with recordings of all datasets of a project; empty if somebody names the recordings."""

    @property
    def title(self) -> str | None:
        """The eval_set_id; of a dataset, which has none, the name of its file. None if there is neither."""
        return self.path.name if self.is_dataset and self.path is not None else self.eval_set_id

    @property
    def eval_ids(self) -> Iterable[str]:
        """The ids of the cases, in order."""
        cases = self.cases
        # A large file is not read again for its ids: they are kept while its cases are found.
        return cases.eval_ids if isinstance(cases, CasesInFile) else (case.eval_id for case in cases)

    def source_of(self, number: int) -> bytes:
        """The JSON text of a case."""
        return self.cases.source_of(number) if isinstance(self.cases, CasesInFile) else self.cases[number].source

    def line_of(self, number: int) -> int | None:
        """The line of the file in which a case begins, from 1; None if unknown."""
        return self.lines[number] if self.lines else None

    @property
    def is_multi_turn(self) -> bool:
        """Whether any case has several turns, given turns included."""
        if isinstance(self.cases, CasesInFile):
            return self.cases.has_several_turns
        return any(len(case.turns) + len(case.given_turns) > 1 for case in self.cases)

    @property
    def is_own_recording(self) -> bool:
        """Whether the file is a dataset that records responses of an agent itself."""
        if isinstance(self.cases, CasesInFile):
            return self.cases.is_answered
        return self.is_dataset and any(case.is_answered for case in self.cases)


def read_case(source: bytes, number: int, fault: str | None = None) -> ExpectedCase:
    """The case in a JSON text; an unreadable case, or one with a `fault`, keeps whatever can be read."""
    data = data_of(source)
    # A case tells its format itself: cases of both may stand in one recording.
    if is_dataset_case(data):
        return _read_dataset_case(data, ExpectedCase("", number, (), source, fault=fault, is_of_dataset=True))
    case = PlainCase(data)
    # A turn that is no object has its diagnostic; the other turns keep their expectations.
    turns = tuple(turn_in(turn) for turn in case.turns if isinstance(turn.data, dict))
    app = get(get(data, "session_input"), "app_name")
    app_name = app if isinstance(app, str) else None
    return ExpectedCase(case.eval_id or "", number, turns, source, case.is_scenario, fault, app_name=app_name)


def _read_dataset_case(data: Any, case: ExpectedCase) -> ExpectedCase:
    """`case` with what its data expect: the turn that the last user message begins, and those before it."""
    has_answer = is_answered(data)
    has_own_calls = bool(turns_of(data)) or get(data, "predicted_trajectory") is not None
    case = replace(
        case,
        eval_id=text(data, "eval_case_id") or "",
        # A golden answer beside a scenario is compared; without one, nothing is expected of a simulated user.
        is_scenario=get(data, "user_scenario") is not None and get(data, "reference") is None,
        is_answered=has_answer,
        shares_calls=has_answer and not has_own_calls and get(data, "intermediate_events") is not None,
    )
    exchanges = exchanges_of(data, with_intermediate=False)
    if case.is_scenario or not exchanges:
        return case
    *earlier, last = exchanges
    given_turns = tuple(_turn(exchange, exchange.events, get(exchange.final, "content")) for exchange in earlier)
    expected = _turn(last, [*intermediate_events(data)], content_in(get(get(data, "reference"), "response")))
    states: dict[TurnPart, bool] = {
        "calls": get(data, "intermediate_events") is not None,
        "response": bool(expected.response),
    }
    expected = replace(expected, unstated=frozenset(part for part, is_stated in states.items() if not is_stated))
    return replace(case, given_turns=given_turns, turns=(expected,))


def _turn(exchange: Exchange, events: list[dict[str, Any]], response: Any) -> Turn:
    return turn_of(
        {
            "invocation_id": exchange.identifier,
            "user_content": exchange.user_content,
            "intermediate_data": {"invocation_events": events},
            "final_response": response,
        }
    )


def data_of(source: bytes) -> dict[str, Any]:
    """A case as plain data, from its JSON text; empty if it is no object."""
    try:
        data = read_json(source.decode())
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}
