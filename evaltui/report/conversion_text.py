"""The text report of `evaltui convert`: a line for each file, then its losses, grouped by reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from evaltui.interop.loss_groups import WORDS, LossGroup, counted_losses, counts_text, grouped, loss_counts
from evaltui.interop.output_tree import LossKind
from evaltui.interop.source_places import SourcePlace, place_in
from evaltui.printable import one_line
from evaltui.report.conversion_json import ConvertedFile
from evaltui.report.conversion_places import cut_name, first_few, places_text

_INDENT = 10
_MOST_OUTS = 5


def conversion_lines(files: Sequence[ConvertedFile], width: int, *, is_written: bool) -> Iterator[str]:
    """The lines of the report, all printable. A line is longer than `width` cells only if a single name is."""
    repeated = _repeated_groups(files)
    once = {loss for group in repeated for loss in map(id, group.losses)}
    for file in files:
        yield from _headline(file, width, is_written=is_written)
        for out in file.outs[:_MOST_OUTS] if len(file.outs) > 1 else ():
            yield from _wrapped(one_line(out), width, _INDENT, first=_INDENT)
        if len(file.outs) > _MOST_OUTS:
            yield " " * _INDENT + f"and {len(file.outs) - _MOST_OUTS} more"
        for group in grouped(loss for loss in file.conversion.losses if id(loss) not in once):
            yield from _group_lines(file, group, width)
        for note in file.conversion.notes:
            yield from _labelled("note", one_line(note), width)
    if repeated:
        yield from _wrapped("The following applies to more than one file:", width, 4)
        for group in repeated:
            yield from _labelled(WORDS[group.kind], _sentence(group), width)
            yield from _wrapped(f"In {_names_of(files, group)}.", width, _INDENT, first=_INDENT)
            if group.advice:
                yield from _wrapped(one_line(group.advice), width, _INDENT, first=_INDENT)
    if len(files) > 1:
        yield from _wrapped(_totals(files), width, 4)


def _repeated_groups(files: Sequence[ConvertedFile]) -> list[LossGroup]:
    """Losses of whole sets that several files have for the same reason. They are reported once, after all files."""
    if len(files) == 1:
        return []
    of_sets = [
        (file.path, loss)
        for file in files
        for loss in file.conversion.losses
        if place_in(file.root, loss.pointer) == SourcePlace()
    ]
    paths: dict[tuple[str, str], set[str]] = {}
    for path, loss in of_sets:
        paths.setdefault((loss.kind, loss.reason), set()).add(path)
    return grouped(loss for _, loss in of_sets if len(paths[loss.kind, loss.reason]) > 1)


def _totals(files: Sequence[ConvertedFile]) -> str:
    """The numbers of files, of losses of each kind, and of notes."""
    counts: Counter[LossKind] = sum((loss_counts(file.conversion.losses) for file in files), Counter())
    notes = sum(len(file.conversion.notes) for file in files)
    return f"{len(files):,} files: {counts_text(counts, notes)}"


def _headline(file: ConvertedFile, width: int, *, is_written: bool) -> Iterator[str]:
    """The written files, on one line or, if they do not fit, on more."""
    conversion = file.conversion
    outcome = counted_losses(conversion.losses, conversion.notes)
    out = "standard output" if file.out == "-" else one_line(file.out)
    names = f"{one_line(file.path)} → {out}{'' if is_written else ' (not written)'}"
    facts = f"{conversion.source.source_word} to {conversion.target.option}, {outcome}"
    if cell_len(names) + 2 + cell_len(facts) <= width:
        yield f"{names}: {facts}"
    else:
        yield from _wrapped(names, width, 4)
        yield from _wrapped(facts, width, 4, first=4)


def _group_lines(file: ConvertedFile, group: LossGroup, width: int) -> Iterator[str]:
    yield from _labelled(WORDS[group.kind], _sentence(group), width)
    places = places_text(place_in(file.root, loss.pointer) for loss in group.losses)
    yield from _wrapped(f"In {places}.", width, _INDENT, first=_INDENT)
    if group.advice:
        yield from _wrapped(one_line(group.advice), width, _INDENT, first=_INDENT)


def _sentence(group: LossGroup) -> str:
    return f"{group.counted_subject}: {one_line(group.reason)}."


def _labelled(word: str, sentence: str, width: int) -> Iterator[str]:
    """A sentence behind the word for its kind."""
    head, *rest = _wrapped(sentence, width, _INDENT, first=_INDENT)
    yield f"  {word}".ljust(_INDENT) + head.lstrip()
    yield from rest


def _names_of(files: Sequence[ConvertedFile], group: LossGroup) -> str:
    """The first files with losses of a group, and the number of the others."""
    losses = set(map(id, group.losses))
    names = [cut_name(file.path) for file in files if losses & set(map(id, file.conversion.losses))]
    return first_few(list(dict.fromkeys(names)), "file")


def _wrapped(text: str, width: int, indent: int, *, first: int = 0) -> Iterator[str]:
    """Wrap the text at spaces, to lines of at most `width` cells. A longer word gets its own line."""
    line, start = "", " " * first
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if line and len(start) + cell_len(joined) > width:
            yield start + line
            line, start = word, " " * (indent or 4)
        else:
            line = joined
    yield start + line
