"""The reports of `evaltui convert`: JSON, or text with a line for each file and its losses, grouped by reason."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from evaltui.interop.conversion import Conversion
from evaltui.interop.fields import LossKind
from evaltui.interop.loss_counts import THE_SET, WORDS, counted_losses, counted_subject, grouped, place_in
from evaltui.interop.losses import Loss
from evaltui.printable import one_line
from evaltui.report.terminal_output import print_json, wrap_text

_MARGIN = " " * 10
"""The margin of sentences; the word for the kind of a loss stands in it."""
_MOST_OUTS = 5
_MOST_CASES = 3
_MOST_RANGES = 4
_LONGEST_NAME = 60
"""The most cells of the name of a file or case."""
_SHORTEST_RANGE = 3
"""The least consecutive turns that are written as a range."""


def print_conversions_json(files: Sequence[Conversion], *, is_written: bool) -> None:
    """Print the document to stdout. Its `written` is false for a dry run, and for losses with `--strict`."""
    keys = ("pointer", "kind", "value", "reason", "advice")  # docs/cli.md promises these; the field is for people
    documents = [
        {
            "path": file.path,
            "from": file.source.source_word,
            "to": file.target.option,
            "out": _out_of(file),
            "outs": list(file.outs),
            "losses": [{key: getattr(loss, key) for key in keys} for loss in file.losses],
            "notes": list(file.notes),
            "counts": dict(Counter(loss.kind for loss in file.losses)),
        }
        for file in files
    ]
    print_json({"version": 1, "written": is_written, "files": documents})


def conversion_lines(files: Sequence[Conversion], width: int, *, is_written: bool) -> Iterator[str]:
    """The lines of the report, all printable. A line is longer than `width` cells only if a single name is."""
    # One file repeats nothing, and finding the place of each loss takes a while.
    repeated = _repeated_groups(files) if len(files) > 1 else []
    # By identity: files converted alike have equal losses, and the value of a loss may have no hash.
    repeated_ids = {id(loss) for group in repeated for loss in group}
    for file in files:
        yield from _headline(file, width, is_written=is_written)
        for out in file.outs[:_MOST_OUTS] if len(file.outs) > 1 else ():
            yield from wrap_text(one_line(out), width, _MARGIN)
        if len(file.outs) > _MOST_OUTS:
            yield f"{_MARGIN}and {len(file.outs) - _MOST_OUTS} more"
        for group in grouped(loss for loss in file.losses if id(loss) not in repeated_ids):
            places = places_text(place_in(file.root, loss.pointer) for loss in group)
            yield from _group_lines(group, places, width)
        for note in file.notes:
            yield from wrap_text(one_line(note), width, _MARGIN, "  note    ")
    if repeated:
        yield from wrap_text("The following applies to more than one file:", width, "    ", "")
    for group in repeated:
        ids = set(map(id, group))
        names = (_cut_name(file.path) for file in files if not ids.isdisjoint(map(id, file.losses)))
        yield from _group_lines(group, _first_names(list(dict.fromkeys(names)), "file"), width)
    if len(files) > 1:
        notes = sum(len(file.notes) for file in files)
        counts = counted_losses(*(file.losses for file in files), notes=notes)
        yield from wrap_text(f"{len(files):,} files: {counts}", width, "    ", "")


def _repeated_groups(files: Sequence[Conversion]) -> list[list[Loss]]:
    """Losses of whole sets that several files have for the same reason. They are reported once, after all files."""
    losses: list[Loss] = []
    paths: dict[tuple[LossKind, str], set[str]] = defaultdict(set)
    for file in files:
        for loss in file.losses:
            if not any(place_in(file.root, loss.pointer)):
                losses.append(loss)
                paths[loss.kind, loss.reason].add(file.path)
    return grouped(loss for loss in losses if len(paths[loss.kind, loss.reason]) > 1)


def _headline(file: Conversion, width: int, *, is_written: bool) -> Iterator[str]:
    """The files and the numbers of losses, on one line or, if they do not fit, on more."""
    from rich.cells import cell_len

    out = "standard output" if (name := _out_of(file)) == "-" else one_line(name)
    names = f"{one_line(file.path)} → {out}{'' if is_written else ' (not written)'}"
    outcome = counted_losses(file.losses, notes=len(file.notes))
    facts = f"{file.source.source_word} to {file.target.option}, {outcome}"
    if cell_len(names) + 2 + cell_len(facts) <= width:
        yield f"{names}: {facts}"
    else:
        yield from wrap_text(names, width, "    ", "")
        yield from wrap_text(facts, width, "    ")


def _out_of(file: Conversion) -> str:
    return file.outs[0] if len(file.outs) == 1 else os.path.commonpath(file.outs) if file.outs else ""


def _group_lines(group: Sequence[Loss], places: str, width: int) -> Iterator[str]:
    sentence = f"{counted_subject(group)}: {one_line(group[0].reason)}."
    yield from wrap_text(sentence, width, _MARGIN, f"  {WORDS[group[0].kind]:8}")
    yield from wrap_text(f"In {places}.", width, _MARGIN)
    if group[0].advice:
        yield from wrap_text(one_line(group[0].advice), width, _MARGIN)


# --- places: `"book_flight" (turns 1–3), "refund" and 2 other cases` --------------------------------------------------


def places_text(places: Iterable[tuple[str, int, int]]) -> str:
    """The first cases, each once with its turns, and the number of the others. Ids of cases are in quotes.

    A place is the result of `place_in`.
    """
    turns: dict[str, set[int]] = {}
    for eval_id, case, turn in places:
        name = f'"{_cut_name(eval_id)}"' if eval_id else f"case {case}" if case else ""
        turns.setdefault(name, set()).add(turn)
    return _first_names([_case_text(name, sorted(numbers)) for name, numbers in turns.items()], "case")


def _first_names(names: Sequence[str], noun: str) -> str:
    more = len(names) - _MOST_CASES
    return ", ".join(names[:_MOST_CASES]) + (f" and {more} other {noun}{'s' * (more != 1)}" if more > 0 else "")


def _cut_name(name: str) -> str:
    """A name that is safe to show and fits a line."""
    from rich.cells import cell_len, set_cell_size

    short_name = one_line(name)
    return short_name if cell_len(short_name) <= _LONGEST_NAME else set_cell_size(short_name, _LONGEST_NAME - 1) + "…"


def _case_text(name: str, turns: Sequence[int]) -> str:
    """A case with its ascending turns: `(turn 2)`, `(turns 1–3, 5)`; the last of many are counted."""
    # Turn 0 is the case itself, which is named only beside turns.
    numbers = [turn for turn in turns if turn]
    if not numbers:
        return name or THE_SET
    # Consecutive turns have the same distance from their index.
    runs = [[turn for _, turn in run] for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])]
    parts = [part for run in runs for part in ([run] if len(run) >= _SHORTEST_RANGE else [[turn] for turn in run])]
    ranges = (f"{part[0]}–{part[-1]}" if len(part) > 1 else str(part[0]) for part in parts[:_MOST_RANGES])
    more = sum(map(len, parts[_MOST_RANGES:]))
    text = f"turn{'s' * (len(numbers) > 1)} {', '.join(ranges)}{f' and {more} more' if more else ''}"
    if 0 in turns:
        text = f"{'case' if name else THE_SET}, {text}"
    return f"{name} ({text})" if name else text  # in the old format of a list of turns, turns have no case
