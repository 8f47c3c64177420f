"""`evaltui accept`: writes the recorded values of the chosen changes into a set, all or nothing."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from evaltui.command_line.parser import CommandParser
from evaltui.commands.set_options import DIFF, add_criteria, add_exit_code, add_recordings
from evaltui.document.errors import DocumentError
from evaltui.printable import one_line, quoted, say, write_line

if TYPE_CHECKING:
    from pathlib import Path

    from evaltui.document.document import Document
    from evaltui.review.acceptance import Accepted
    from evaltui.review.decisions import Decision
    from evaltui.review.review_change import ReviewChange
    from evaltui.review.review_item import ReviewItem
    from evaltui.review.set_review import SetReview
    from evaltui.review.sidecar import Sidecar
    from evaltui.scoring.results import CaseResult

    _Chosen = list[tuple[ReviewItem, ReviewChange]]

USAGE = "accept [OPTIONS] SET (--change ID… | --case ID | --fills)"
DESCRIPTION = "Write recorded values into an eval set. No other byte of the file changes."
EXAMPLE = "evaltui accept trip_planner.evalset.json -r recordings \\\n  --case tokyo_day_trip_by_train"


def add_options(parser: CommandParser) -> None:
    """Add the options of `evaltui accept`."""
    parser.add_argument_group("Arguments").add_argument("set", metavar="SET", help="The eval set to change.")
    choice = parser.add_argument_group("Choice of changes")
    change = "Accept the change with this id. `evaltui review --format text` prints the ids. Repeatable."
    choice.add_argument("--change", metavar="ID", action="append", default=[], help=change)
    choice.add_argument("--case", metavar="ID", help="Accept all changes of the case with this eval_id.")
    choice.add_argument("--turn", metavar="N", type=int, help="With --case: accept only this turn, counted from 1.")
    kind = (
        "With --case: accept only this kind of change. fill: the set has no expected value yet. text: another "
        "response. args: other arguments of a tool call. sequence: tool calls are added, left out or moved. Repeatable."
    )
    kinds = ("fill", "text", "args", "sequence")
    choice.add_argument("--kind", metavar="KIND", choices=kinds, action="append", default=[], help=kind)
    fills = "Accept all changes of the kind fill, in all cases."
    choice.add_argument("--fills", action="store_true", help=fills)
    passing = "Also accept changes in turns that pass but differ from the recording."
    choice.add_argument("--all", action="store_true", help=passing)
    add_recordings(parser, takes_all=False)
    add_criteria(parser)
    output = parser.add_argument_group("Output")
    note = "Why you accept. evaltui writes it to SET.review.jsonl beside the set."
    output.add_argument("--note", metavar="TEXT", help=note)
    output.add_argument("--diff", action="store_true", help=DIFF)
    add_exit_code(parser, can_regress=False)


def run(given: Namespace) -> int:
    """Accept the chosen changes. The exit code is 0, also if there is nothing to accept, or 2 with a sentence."""
    from evaltui.commands.set_options import run_options, set_argument
    from evaltui.report.output import progress
    from evaltui.review.set_review import SetReview
    from evaltui.runs.score_sets import Execution, RefusedInput, score_sets

    try:
        name = set_argument(given.set)
        _refuse_usage(given, name.name)
        scored = score_sets([name], run_options(given), Execution(keeps_documents=True, progress=progress))
        (result,) = scored.runs
        review = SetReview(result, passing=given.all)
        chosen = _chosen(review, given)
        if chosen:
            _accept(scored.documents[name.name], name.name, review, chosen, given)
    except RefusedInput as error:
        say(error)
        return 2
    for line in scored.notes:
        say(line)
    if not chosen:
        say(f"{name.name}: nothing to accept{_why_nothing(review, given)}; nothing was written")
    return 0


def _refuse_usage(given: Namespace, name: str) -> None:
    from pathlib import Path

    from evaltui.commands.set_options import refuse_all_runs
    from evaltui.file_access import is_folder
    from evaltui.runs.set_reader import STDIN

    ways = [bool(given.change), given.case is not None, given.fills]
    if sum(ways) != 1:
        raise DocumentError("accept needs exactly one of --change ID, --case ID and --fills")
    if given.case is None and (given.turn is not None or given.kind):
        raise DocumentError("--turn and --kind need --case ID: they choose changes of one case")
    if name == STDIN:
        raise DocumentError("standard input cannot be changed in place; give a file name")
    if is_folder(Path(name)):
        raise DocumentError(f"{name}: this is a folder; give the file name of an eval set")
    refuse_all_runs(given)


# --- which changes ---------------------------------------------------------------------------------------------------


def _chosen(review: SetReview, given: Namespace) -> _Chosen:
    """The changes that the command line names. Raises `DocumentError` for an unknown id, case or turn."""
    if given.change:
        return [_named(review, identifier) for identifier in dict.fromkeys(given.change)]
    if given.fills:
        return [(item, change) for item in review.items for change in item.changes if change.kind == "fill"]
    _refuse_unknown(review, given.case, given.turn)
    return [
        (item, change)
        for item in review.items_of(given.case)
        if given.turn is None or item.turn == given.turn
        for change in item.changes
        if not given.kind or change.kind in given.kind
    ]


def _named(review: SetReview, identifier: str) -> tuple[ReviewItem, ReviewChange]:
    found = review.change(identifier)
    if found is None:
        name = review.run.subject.name
        raise DocumentError(
            f"{name}: no change has the id {quoted(identifier, 200)}. Ids depend on the set, the recording "
            "and the options: run evaltui review again"
        )
    return found


def _refuse_unknown(review: SetReview, eval_id: str, turn: int | None) -> None:
    name, shown = review.run.subject.name, quoted(eval_id, 60)
    numbers = [result.number for result in review.run.cases if result.eval_id == eval_id]
    if not numbers:
        raise DocumentError(f"{name}: no case has the eval_id {shown}")
    if len(numbers) > 1:
        raise DocumentError(
            f"{name}: {len(numbers)} cases have the eval_id {shown}; use --change ID in place of --case ID"
        )
    (case,) = (each for each in review.run.subject.cases if each.number == numbers[0])
    (result,) = (each for each in review.run.cases if each.number == numbers[0])
    recorded = len(result.run.conversation.turns) if result.run is not None else 0
    most = max(len(case.turns), recorded)
    if turn is not None and not 1 <= turn <= most:
        raise DocumentError(f"{name}: case {shown} has no turn {turn}; its turns are 1 to {most}")


def _why_nothing(review: SetReview, given: Namespace) -> str:
    if given.case is None:
        return (
            ": no change fills an empty expectation"
            if review.run.recordings
            else f": there are no recordings{_where_searched(review, given)} (see -r)"
        )
    (result,) = (each for each in review.run.cases if each.eval_id == given.case)
    reason = result.reason if result.run is None else "; ".join(dict.fromkeys(_why_open(result)))
    if reason:
        return f" in case {quoted(given.case, 60)}: {reason}"
    passed = ": the case passes; --all accepts its changes, too" if result.status == "passed" else ""
    return f" in case {quoted(given.case, 60)}{passed if not given.all else ''}"


def _where_searched(review: SetReview, given: Namespace) -> str:
    """The places that were searched for recordings; "" if the command line names them."""
    from evaltui.recordings.default_recordings import where_searched

    subject = review.run.subject
    if given.recording:
        return ""
    return where_searched(subject.path, subject.eval_set_id, is_dataset=subject.is_dataset)


def _why_open(result: CaseResult) -> list[str]:
    """Why metrics of a case are not evaluated, if its recording does not hold all of its turns."""
    from evaltui.scoring.metrics.tool_trajectory import why_arguments_unknown

    if result.run is None or not any(turn.unrecorded for turn in result.run.conversation.turns):
        return []
    found = [each.reason for each in result.metrics if each.status == "not_evaluated" and each.reason]
    turns = result.run.conversation.turns
    return found or [why_arguments_unknown(each) for each in turns if not all(call.has_args for call in each.calls)]


# --- written -------------------------------------------------------------------------------------------------------


def _accept(document: Document, name: str, review: SetReview, chosen: _Chosen, given: Namespace) -> None:
    """Write the changes, or show them. All checks come before the first write."""
    from pathlib import Path

    from evaltui.commands.output_files import print_diff, save_in_place
    from evaltui.report.reviewed_set import item_title
    from evaltui.report.run_notes import OTHER_MESSAGE
    from evaltui.review.sidecar import Sidecar
    from evaltui.scoring.results import has_other_message

    accepted = _by_item(chosen)
    sidecar = Sidecar(Path(name))
    if given.note and not given.diff:
        sidecar.check_writable()
    before = document.body()
    _apply(document, accepted, name)
    for item, _ in accepted:
        if any(has_other_message(each.scores.expected, each.scores.actual) for each in item.turns):
            say(f"{name}: {item_title(item)}: {OTHER_MESSAGE}")
    for item, change in chosen:
        if change.remark:
            say(f"{name}: {item_title(item)} · {change.kind}: {change.remark}")
    if given.diff:
        print_diff(document, before, name)
        say(f"{name}: {_count(chosen)} would be accepted; nothing was written")
        return
    save_in_place(document, name)
    if given.note:
        _keep_note(sidecar, _decisions(document, accepted, review, sidecar.path.parent, given.note), name)
    for item, change in chosen:
        write_line("stdout", f"{item_title(item)} · {change.kind}: {one_line(change.summary)}")
    write_line("stdout", f"{_count(chosen)} accepted")


def _apply(document: Document, accepted: Sequence[Accepted], name: str) -> None:
    from evaltui.review.patches import SetPatches

    try:
        document.apply(SetPatches(document).edits(accepted), "accept changes")
    except DocumentError as error:
        advice = "nothing was written; `evaltui validate` may show why"
        raise DocumentError(f"{name}: the changes cannot be accepted: {error}; {advice}") from error
    except RecursionError as error:
        raise DocumentError(f"{name}: a recorded value is nested too deeply; nothing was written") from error


def _keep_note(sidecar: Sidecar, decisions: Sequence[Decision], name: str) -> None:
    from evaltui.review.sidecar import SidecarError

    try:
        sidecar.add(decisions)
    except SidecarError as error:
        raise SidecarError(f"{error}; the changes are saved in {name}, the note is not") from error


def _by_item(chosen: _Chosen) -> list[Accepted]:
    """The changes of each item together, in the order of the set."""
    in_order = sorted(chosen, key=lambda each: (each[0].case.number, each[0].turn or 0))
    groups = groupby(in_order, key=lambda each: (each[0].case.number, each[0].turn))
    return [(items[0][0], [change for _, change in items]) for _, found in groups if (items := list(found))]


def _decisions(
    document: Document, accepted: Sequence[Accepted], review: SetReview, folder: Path, note: str
) -> list[Decision]:
    from evaltui.evalset.set_views import EvalSetView
    from evaltui.review.review_item import hash_after
    from evaltui.review.sidecar import decision_on

    assert document.root is not None
    cases = EvalSetView(document.root).cases
    return [
        decision_on(
            item,
            folder,
            "accepted",
            changes=[review.id_of(item, change) for change in changes],
            became=hash_after(item, cases[item.case.number].source()),
            note=note,
        )
        for item, changes in accepted
    ]


def _count(chosen: _Chosen) -> str:
    return f"{len(chosen)} change{'s' * (len(chosen) != 1)}"
