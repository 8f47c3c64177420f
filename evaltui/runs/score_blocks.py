"""Cases of a set scored together, in this process or another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from evaltui.evalset.expected_set import CasesInFile, ExpectedCase, ExpectedSet
from evaltui.files.spool import dumped
from evaltui.garbage_collection import without_collecting
from evaltui.recordings.conversation import Conversation
from evaltui.recordings.matching import MatchForm, Matching, UncutMatch, cut_match
from evaltui.runs.set_reader import expected_case
from evaltui.scoring.case_scores import score_expected
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult, CaseRun, ScoreTotals

_TOGETHER = 200
"""The number of cases of a block."""

Prepare = Callable[[Criteria, CaseResult], Any]
"""Makes the parts of reports that need the turns of a case."""


class ScoreSettings(NamedTuple):
    """How the cases of a set are scored."""

    criteria: Criteria
    all_runs: bool = False
    is_dataset: bool = False
    prepare: Prepare | None = None
    keeps_turns: bool = True
    """Whether the results keep the turns of their conversations."""


class CaseToScore(NamedTuple):
    """A case of a set with its conversations."""

    number: int
    """Its index in the set."""
    case: ExpectedCase | bytes
    """The case, or its JSON text if it was not read yet."""
    matches: Sequence[UncutMatch]
    """The conversations to score."""
    recordings: int
    """The number of all its conversations."""
    reason: str | None
    """Why it has none, as a clause."""


PreparedResult = tuple[CaseResult, Any]
"""The result of a case, and the parts of reports that were prepared for it; None without any."""


PackedBlock = tuple[list[tuple[bytes, bytes]], ScoreTotals]
"""The outcomes of a block from another process, as pickles of each result and its prepared parts, and their totals."""


def blocks_of(
    subject: ExpectedSet,
    numbers: Sequence[int],
    matching: Matching,
    *,
    all_runs: bool,
    form: MatchForm = "whole",
    size: int = _TOGETHER,
) -> Iterator[list[CaseToScore]]:
    """The cases to score in blocks of this size, each with its conversations in a form for this or another process."""
    has_texts = form != "whole" or isinstance(subject.cases, CasesInFile)
    for start in range(0, len(numbers), size):
        yield [
            CaseToScore(
                number,
                subject.source_of(number) if has_texts else subject.cases[number],
                matching.matches(number, only_latest=not all_runs, form=form),
                matching.count(number),
                matching.reason(number),
            )
            for number in numbers[start : start + size]
        ]


def score_block(settings: ScoreSettings, block: Sequence[CaseToScore]) -> list[PreparedResult]:
    """The outcomes of a block, with the turns of the conversations."""
    with without_collecting():
        return [score_case_of_block(settings, case_to_score) for case_to_score in block]


def score_block_elsewhere(settings: ScoreSettings, block: Sequence[CaseToScore]) -> tuple[PackedBlock, int]:
    """The outcomes of a block for the process of the command, and the bytes of its cases."""
    totals = ScoreTotals()
    packed = []
    for result, prepared in score_block(settings, block):
        totals.add(result)
        packed.append((dumped(kept_result(settings, result)), dumped(prepared)))
    return (packed, totals), size_of_block(block)


def score_case_of_block(settings: ScoreSettings, to_score: CaseToScore) -> PreparedResult:
    """The outcome of one case."""
    case = to_score.case
    if isinstance(case, bytes):
        case = expected_case(case, to_score.number, settings.is_dataset, is_one_of_many=True)
    given_turns = len(case.given_turns)
    matches = [cut_match(match, given_turns, given_turns + len(case.turns)) for match in to_score.matches]
    result = score_expected(case, matches, settings.criteria, to_score.reason, all_runs=settings.all_runs)
    if result.run is not None:  # only the latest conversations came here
        result = result._replace(recordings=to_score.recordings, run_number=to_score.recordings)
    return result, settings.prepare(settings.criteria, result) if settings.prepare is not None else None


def size_of_block(block: Sequence[CaseToScore]) -> int:
    """The bytes of the cases of a block."""
    return sum(len(case.case if isinstance(case.case, bytes) else case.case.source) for case in block)


def kept_result(settings: ScoreSettings, result: CaseResult) -> CaseResult:
    """The result, without turns unless they are kept: reports have their texts already."""
    if settings.keeps_turns:
        return result
    run = _without_turns(result.run) if result.run is not None else None
    runs = tuple(map(_without_turns, result.runs)) if result.runs is not None else None
    return result._replace(run=run, runs=runs, source=b"")


def _without_turns(run: CaseRun) -> CaseRun:
    conversation = run.conversation
    bare = Conversation(conversation.path, conversation.id, (), recorded_at=conversation.recorded_at)
    return run._replace(conversation=bare, turns=())
