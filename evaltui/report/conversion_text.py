"""The report of `evaltui convert` for people: a line a file, below it the losses, those for one reason together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from evaltui.interop.losses import Loss
from evaltui.interop.output_tree import LossKind
from evaltui.interop.source_places import place_in
from evaltui.printable import one_line
from evaltui.report.conversion_json import ConvertedFile

_WORDS: dict[LossKind, str] = {"no_place": "lost", "changed": "changed", "merged": "merged", "invented": "added"}
_INDENT = 10
_MOST_PLACES = 3
_MOST_OUTS = 5
_LONGEST_PLACE = 60


def conversion_lines(files: Sequence[ConvertedFile], width: int, *, is_written: bool) -> Iterator[str]:
    """The lines of the report, at most `width` cells wide where no single name is longer; all printable."""
    for file in files:
        yield from _wrapped(_headline(file, is_written=is_written), width, 0)
        for out in file.outs[:_MOST_OUTS] if len(file.outs) > 1 else ():
            yield from _wrapped(one_line(out), width, _INDENT, first=_INDENT)
        if len(file.outs) > _MOST_OUTS:
            yield " " * _INDENT + f"and {len(file.outs) - _MOST_OUTS} more"
        for losses in _grouped(file.conversion.losses):
            yield from _group_lines(file, losses, width)


def _headline(file: ConvertedFile, *, is_written: bool) -> str:
    conversion = file.conversion
    count = len(conversion.losses)
    outcome = f"{count} loss{'es' * (count != 1)}" if count else "nothing lost"
    out = "standard output" if file.out == "-" else one_line(file.out)
    names = f"{one_line(file.path)} → {out}{'' if is_written else ' (not written)'}"
    return f"{names}: {conversion.source.source_word} to {conversion.target.option}, {outcome}"


def _grouped(losses: Sequence[Loss]) -> Iterator[list[Loss]]:
    """Losses of one kind and reason, in the order in which the first of each stands in the file."""
    groups: dict[tuple[str, str, str], list[Loss]] = defaultdict(list)
    for loss in losses:
        groups[loss.kind, loss.reason, loss.advice].append(loss)
    yield from groups.values()


def _group_lines(file: ConvertedFile, losses: Sequence[Loss], width: int) -> Iterator[str]:
    first = losses[0]
    word = _WORDS[first.kind]
    sentence = f"{len(losses)} × {_what(losses)}: {one_line(first.reason)}."
    head, *rest = _wrapped(sentence, width, _INDENT, first=_INDENT)
    yield f"  {word}".ljust(_INDENT) + head.lstrip()
    yield from rest
    yield from _wrapped(f"In {_places(file, losses)}.", width, _INDENT, first=_INDENT)
    if first.advice:
        yield from _wrapped(one_line(first.advice), width, _INDENT, first=_INDENT)


def _what(losses: Sequence[Loss]) -> str:
    """The fields of a group, or the keys of values without a field."""
    names = dict.fromkeys(
        loss.field.value if loss.field is not None else one_line(loss.pointer.rpartition("/")[2], 30) for loss in losses
    )
    shown = list(names)[:_MOST_PLACES]
    return ", ".join(shown) + (" …" if len(names) > len(shown) else "")


def _places(file: ConvertedFile, losses: Sequence[Loss]) -> str:
    """The first places, and how many others there are."""
    found: dict[str, None] = {}
    for loss in losses:
        found[one_line(place_in(file.root, loss.pointer), _LONGEST_PLACE)] = None
    shown = list(found)[:_MOST_PLACES]
    more = len(found) - len(shown)
    return ", ".join(shown) + (f" and {more} other place{'s' * (more != 1)}" if more else "")


def _wrapped(text: str, width: int, indent: int, *, first: int = 0) -> Iterator[str]:
    """The text in lines of at most `width` cells, broken at blanks; a longer word has a line of its own."""
    line, start = "", " " * first
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if line and len(start) + cell_len(joined) > width:
            yield start + line
            line, start = word, " " * (indent or 4)
        else:
            line = joined
    yield start + line
