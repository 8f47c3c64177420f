"""`evaltui accept`: writes the recorded values of the chosen changes into a set, all or nothing."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaltui.commands import set_options
from evaltui.commands.parser import CommandParser
from evaltui.document.errors import DocumentError
from evaltui.printable import one_line, quoted, say, write_line

if TYPE_CHECKING:
    from evaltui.document.document import Document
    from evaltui.review.acceptance import Accepted
    from evaltui.review.decisions import Sidecar
    from evaltui.review.review_changes import ReviewChange
    from evaltui.review.review_items import ReviewItem
    from evaltui.review.set_review import SetReview

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
    set_options.add_recordings(parser, takes_all=False)
    set_options.add_criteria(parser)
    output = parser.add_argument_group("Output")
    note = "Why you accept. evaltui writes it to SET.review.jsonl beside the set."
    output.add_argument("--note", metavar="TEXT", help=note)
    output.add_argument("--diff", action="store_true", help=set_options.DIFF)
    set_options.add_exit_code(parser, can_regress=False)


def run(options: Namespace) -> int:
    """Accept the chosen changes. The exit code is 0, also if there is nothing to accept."""
    from evaltui.report.terminal_output import progress
    from evaltui.review.set_review import SetReview
    from evaltui.runs.score_sets import score_sets

    argument = set_options.set_argument(options.set)
    name, _ = argument
    _refuse_usage(options, name)
    scored = score_sets([argument], set_options.run_options(options), keeps_documents=True, progress=progress)
    (result,) = scored.runs
    review = SetReview(result, passing=options.all)
    chosen = _choose_changes(review, options)
    if chosen:
        _accept(scored.documents[name], name, review, chosen, options)
    for line in scored.notes:
        say(line)
    if not chosen:
        say(f"{name}: nothing to accept{_explain_nothing(review, options)}; nothing was written")
    return 0


def _refuse_usage(options: Namespace, name: str) -> None:
    from pathlib import Path

    from evaltui.file_access import is_folder
    from evaltui.runs.set_reader import STDIN

    if [bool(options.change), options.case is not None, options.fills].count(True) != 1:
        raise DocumentError("accept needs exactly one of --change ID, --case ID and --fills")
    if options.case is None and (options.turn is not None or options.kind):
        raise DocumentError("--turn and --kind need --case ID: they choose changes of one case")
    if name == STDIN:
        raise DocumentError("standard input cannot be changed in place; give a file name")
    if is_folder(Path(name)):
        raise DocumentError(f"{name}: this is a folder; give the file name of an eval set")
    set_options.refuse_all_runs(options)


# --- which changes ---------------------------------------------------------------------------------------------------


def _choose_changes(review: SetReview, options: Namespace) -> _Chosen:
    if options.change:
        chosen = []
        for identifier in dict.fromkeys(options.change):
            # An unknown id is refused, not skipped: the values differ from those that the person has looked at.
            if (item_and_change := review.change(identifier)) is None:
                sentence = f"{review.run.subject.name}: no change has the id {quoted(identifier, 200)}"
                advice = "Ids depend on the set, the recording and the options: run evaltui review again"
                raise DocumentError(f"{sentence}. {advice}")
            chosen.append(item_and_change)
        return chosen
    if options.fills:
        return [(item, change) for item in review.items for change in item.changes if change.kind == "fill"]
    _refuse_unknown(review, options.case, options.turn)
    return [
        (item, change)
        for item in review.items_of(options.case)
        if options.turn is None or item.turn == options.turn
        for change in item.changes
        if not options.kind or change.kind in options.kind
    ]


def _refuse_unknown(review: SetReview, eval_id: str, turn: int | None) -> None:
    name, quoted_id = review.run.subject.name, quoted(eval_id, 60)
    results = [result for result in review.run.cases if result.eval_id == eval_id]
    if not results:
        raise DocumentError(f"{name}: no case has the eval_id {quoted_id}")
    # The first of them would be a guess. The id of a change has `~` and the place of its case among them.
    if len(results) > 1:
        count = f"{len(results)} cases have the eval_id {quoted_id}"
        raise DocumentError(f"{name}: {count}; use --change ID in place of --case ID")
    (result,) = results
    (case,) = (case for case in review.run.subject.cases if case.number == result.number)
    # A recorded turn that the case lacks is a change, too: accepting it adds the turn.
    last = max(len(case.turns), len(result.run.conversation.turns) if result.run is not None else 0)
    if turn is not None and not 1 <= turn <= last:
        raise DocumentError(f"{name}: case {quoted_id} has no turn {turn}; its turns are 1 to {last}")


def _explain_nothing(review: SetReview, options: Namespace) -> str:
    """Why no change was chosen, to follow "nothing to accept"."""
    if options.case is None:
        if review.run.recordings:
            return ": no change fills an empty expectation"
        from evaltui.recordings.default_recordings import where_searched

        subject, searched = review.run.subject, ""
        if not options.recording:
            searched = where_searched(subject.path, subject.eval_set_id, is_dataset=subject.is_dataset)
        return f": there are no recordings{searched} (see -r)"
    (result,) = (result for result in review.run.cases if result.eval_id == options.case)
    in_case, reason = f" in case {quoted(options.case, 60)}", result.reason
    if result.run is not None:
        from evaltui.scoring.metrics.tool_trajectory import why_arguments_unknown

        # A recording without all parts of a turn leaves metrics open, and offers no change for these parts.
        turns, reasons = result.run.conversation.turns, []
        if any(turn.unrecorded for turn in turns):
            reasons = [score.reason for score in result.metrics if score.status == "not_evaluated" and score.reason]
            reasons = reasons or [
                why_arguments_unknown(turn) for turn in turns if not all(call.has_args for call in turn.calls)
            ]
        reason = "; ".join(dict.fromkeys(reasons))
    if reason:
        return f"{in_case}: {reason}"
    if result.status == "passed" and not options.all:
        return f"{in_case}: the case passes; --all accepts its changes, too"
    return in_case


# --- written -------------------------------------------------------------------------------------------------------


def _accept(document: Document, name: str, review: SetReview, chosen: _Chosen, options: Namespace) -> None:
    """Write the changes, or show them. All checks come before the first write."""
    from pathlib import Path

    from evaltui.commands.output_files import print_diff, save_in_place
    from evaltui.report.review_sentences import item_title
    from evaltui.report.run_notes import OTHER_MESSAGE
    from evaltui.review.decisions import Sidecar
    from evaltui.review.set_review import SetPatches
    from evaltui.scoring.results import has_other_message

    # Changes of one item are one edit: two accepted calls may go into the same list.
    by_item: dict[tuple[int, int], tuple[ReviewItem, list[ReviewChange]]] = {}
    for item, change in chosen:
        by_item.setdefault((item.case.number, item.turn or 0), (item, []))[1].append(change)
    accepted = [by_item[number_and_turn] for number_and_turn in sorted(by_item)]
    sidecar = Sidecar(Path(name))
    if options.note and not options.diff:
        sidecar.check_writable()
    body = document.body()
    try:
        document.apply(SetPatches(document).edits(accepted), "accept changes")
    except DocumentError as error:
        advice = "nothing was written; `evaltui validate` may show why"
        raise DocumentError(f"{name}: the changes cannot be accepted: {error}; {advice}") from error
    except RecursionError as error:
        raise DocumentError(f"{name}: a recorded value is nested too deeply; nothing was written") from error
    for item, _ in accepted:
        if any(has_other_message(turn.scores.expected, turn.scores.actual) for turn in item.turns):
            say(f"{name}: {item_title(item)}: {OTHER_MESSAGE}")
    for item, change in chosen:
        if change.remark:
            say(f"{name}: {item_title(item)} · {change.kind}: {change.remark}")
    count = f"{len(chosen)} change{'s' * (len(chosen) != 1)}"
    if options.diff:
        print_diff(document, body, name)
        say(f"{name}: {count} would be accepted; nothing was written")
        return
    save_in_place(document, name)
    if options.note:
        _write_note(sidecar, document, accepted, review, options.note)
    for item, change in chosen:
        write_line("stdout", f"{item_title(item)} · {change.kind}: {one_line(change.summary)}")
    write_line("stdout", f"{count} accepted")


def _write_note(
    sidecar: Sidecar, document: Document, accepted: Sequence[Accepted], review: SetReview, note: str
) -> None:
    from evaltui.evalset.keys import items_of
    from evaltui.review.decisions import SidecarError, decision_on
    from evaltui.review.review_items import hash_after

    assert document.root is not None
    cases = items_of(document.root, "eval_cases")
    decisions = [
        decision_on(
            item,
            sidecar.path.parent,
            "accepted",
            changes=[review.id_of(item, change) for change in changes],
            # The decision counts as long as the case has the text that was written here.
            became=hash_after(item, cases[item.case.number].source()),
            note=note,
        )
        for item, changes in accepted
    ]
    try:
        sidecar.add(decisions)
    except SidecarError as error:
        # The set is written first: a note about a change that is not there would be worse than none.
        raise SidecarError(f"{error}; the changes are saved in {review.run.subject.name}, the note is not") from error
