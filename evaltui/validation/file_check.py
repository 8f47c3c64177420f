"""The check of a file, the places of its problems, and their fixes.

As many fixes are applied at once as do not conflict, in rounds until none is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evaltui.document.document import Document
from evaltui.document.edits import Edit, Move, Remove, Rename
from evaltui.document.node import Node
from evaltui.document.pointer import parse_pointer
from evaltui.document.positions import TextRange, spans_of, text_ranges_of
from evaltui.evalset.file_formats import kind_of
from evaltui.evalset.keys import list_of_cases, text_of
from evaltui.garbage_collection import without_collecting
from evaltui.scoring.eval_config import LoadedConfig
from evaltui.validation.case_checks import CaseFindings, check_document, config_diagnostics, in_command
from evaltui.validation.rule_types import Diagnostic
from evaltui.validation.rules import json_syntax, odd_values, other_formats

Tick = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class FileReport:
    """The result of checking a file."""

    path: str
    """The path as the user gave it."""
    format: str
    """A word of the contract: eval_set, eval_config, legacy_cases, …, json, not_json."""
    accepted_by_adk: bool
    cases: int | None
    """The number of cases; None if the format has none."""
    diagnostics: Iterable[Diagnostic] = ()
    """In the order of the text. Those of a large file can be read only once."""
    fixed: tuple[str, ...] | None = None
    """The codes of the fixed problems, in order; None if no fix was requested."""


def check_file(
    document: Document, name: str, config: LoadedConfig | None = None, tick: Tick | None = None
) -> FileReport:
    """Check a document from `name`, a path or `-`.

    `config` is the loaded config. `tick` gets the number of bytes of each case after its check.
    """
    # A large set makes many objects that all stay: the collector would look at them again and again.
    with without_collecting():
        kind = kind_of(document.root, name)
        if document.root is None:
            located_faults = check_yaml(document, name) or json_syntax.syntax_diagnostics(document)
            return FileReport(name, kind, accepted_by_adk=False, cases=None, diagnostics=located_faults)
        diagnostics = check_format(document, kind, config, tick)
        is_refused = any(diagnostic.severity == "error" for diagnostic in diagnostics)
        cases = list_of_cases(document.root) if kind in ("eval_set", "evaluation_dataset") else None
        return FileReport(
            name,
            kind,
            kind in ("eval_set", "eval_config") and not is_refused,
            len(cases.items) if cases is not None else None,
            located(document, diagnostics),
        )


def check_yaml(document: Document, name: str) -> list[Diagnostic]:
    """The diagnostic of a file in YAML, in which nothing is a fault of JSON; empty for any other text."""
    if document.root is not None:
        return []
    from evaltui.interop.document_texts import what_yaml  # nearly all files are JSON

    # One sentence instead of an error for each line.
    yaml = what_yaml(document, name)
    return [other_formats.YAML_FILE.at("", f"google-adk rejects this: the file is {yaml}")] if yaml else []


def check_format(
    document: Document, kind: str, config: LoadedConfig | None = None, tick: Tick | None = None
) -> list[Diagnostic]:
    """All diagnostics of a document of the given format, which must be JSON."""
    if kind == "eval_set":
        return check_document(document, config, tick=tick)
    if kind == "eval_config":
        return list(config_diagnostics(document))
    if kind == "evaluation_dataset":
        name = document.path.name if document.path is not None else ""
        return [*other_formats.check_name_of_dataset(name), *check_document(document, kind=kind, tick=tick)]
    readers = other_formats.readers_of_list(kind, document.root, config) if document.root is not None else ""
    return other_formats.check_as_set(kind, readers, in_command(document))


# --- places in the text: line, column, case and turn ---------------------------------------------------------------


def located(document: Document, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics of a document with their places, in the order of the text."""
    root = document.root
    assert root is not None
    return in_order_of_places(_located(root, document.body(), diagnostics, 0))


def located_in_case(source: bytes, diagnostics: Sequence[Diagnostic], line: int, column: int) -> list[Diagnostic]:
    """The diagnostics of a case with their places, in the given order.

    Their pointers are relative to the file, in which the case begins at this line and column.
    """
    entries = []
    for entry in _located(Node(source), source, diagnostics, 2):
        # Only the first line of the case has something before it.
        first, last = (column - 1 if number == 1 else 0 for number in (entry.place.line, entry.place.end_line))
        start_line, start_column, end_line, end_column = entry.place
        moved = TextRange(start_line + line - 1, start_column + first, end_line + line - 1, end_column + last)
        entries.append(replace(entry, place=moved))
    return entries


def in_order_of_places(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Located diagnostics in the order of the text."""
    return sorted(diagnostics, key=lambda diagnostic: diagnostic.place[:2])


def _located(root: Node, body: bytes, diagnostics: Sequence[Diagnostic], above: int) -> Iterator[Diagnostic]:
    """The diagnostics with their places in `body`, the text of `root`; pointers begin `above` levels above `root`."""
    all_tokens = [parse_pointer(diagnostic.pointer) for diagnostic in diagnostics]
    nodes = [root.nearest(tokens[above:]) for tokens in all_tokens]
    # All offsets in one walk, and all lines in another: a file may have thousands of diagnostics.
    spans = spans_of(root, {node for node, _ in nodes})
    offsets = [
        spans[node][0 if diagnostic.at_key and missing is None and node.key else 1]
        for diagnostic, (node, missing) in zip(diagnostics, nodes, strict=True)
    ]
    ranges = text_ranges_of(body, set(offsets))
    for diagnostic, tokens, offset in zip(diagnostics, all_tokens, offsets, strict=True):
        case, turn = None, None
        if len(tokens) > 1 and tokens[0] in ("eval_cases", "evalCases") and tokens[1].isdecimal():
            (case, missing), turn = root.nearest(tokens[above:2]), _turn(tokens[2:])
            case = case if missing is None else None
        yield replace(diagnostic, place=ranges[offset], eval_id=_id_of(case), turn=turn)


def _id_of(case: Node | None) -> str | None:
    return text_of(case, "eval_id") or text_of(case, "eval_case_id") or None


def _turn(tokens: Sequence[str]) -> int | None:
    below = tokens[1:] if tokens[:1] == ["conversation"] else ()
    if len(tokens) > 1 and tokens[0] in ("agent_data", "agentData") and tokens[1] == "turns":
        below = tokens[2:]
    return int(below[0]) + 1 if below and below[0].isdecimal() else None


def in_text_order(source: bytes, diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The diagnostics of a JSON text in the order of the text."""
    if len(diagnostics) < 2:  # as in most cases, which then need no nodes
        return tuple(diagnostics)
    root = Node(source)
    # Spans are cheaper than lines and columns, which nobody needs here.
    nodes = [root.nearest(parse_pointer(diagnostic.pointer))[0] for diagnostic in diagnostics]
    spans = spans_of(root, set(nodes))
    numbers = sorted(range(len(nodes)), key=lambda number: spans[nodes[number]][1])
    return tuple(diagnostics[number] for number in numbers)


# --- fixes -----------------------------------------------------------------------------------------------------------

_ROUNDS = 50
"""The largest number of rounds."""
# A fix may uncover further problems: each round finds what the last one left. Two fixes that undo each other must end.


def fix_file(
    document: Document, name: str, codes: Container[str], config: LoadedConfig | None = None
) -> tuple[Document, list[str]]:
    """Apply all safe fixes of the rules with these codes; returns the document and the codes of the fixes.

    The result is a new document if the text was invalid JSON or began with a byte order mark.
    """
    with without_collecting():
        if check_yaml(document, name):  # repaired, it would be a wrong JSON text
            return document, []

        def check() -> list[Diagnostic]:
            return check_format(document, kind_of(document.root, name), config)

        fixed: list[str] = []
        # Of files in other formats, the report lists no byte order mark, so they keep it.
        has_mark = document.encoding != "utf-8"
        if document.root is None or (
            has_mark and any(diagnostic.code == json_syntax.BYTE_ORDER_MARK.code for diagnostic in check())
        ):
            document, fixed = json_syntax.repair(document, codes)
        if document.root is not None:
            for diagnostics, _ in _fix_in_rounds(document, check, codes):
                fixed += [diagnostic.code for diagnostic in diagnostics]
    return document, fixed


def safe_fixes(
    body: bytes,
    path: Path | None,
    config: LoadedConfig | None,
    codes: Container[str],
    cached: Mapping[bytes, CaseFindings] | None = None,
    kind: str = "eval_set",
) -> tuple[list[Edit], dict[str, int]]:
    """The safe fixes of the rules with these codes for `body`, the text of a set or dataset; may run in a thread.

    They are edits to apply in this order, and the number of problems that they fix, by rule code.

    `path` is the path of the file, and `config` its config. `cached` has findings of cases by their text.
    """
    document = Document(body, path)
    cache = dict(cached or {})

    def find() -> Iterable[Diagnostic]:
        return check_document(document, config, kind=kind, cache=cache) if document.root is not None else ()

    edits: list[Edit] = []
    counts: Counter[str] = Counter()
    with without_collecting():
        for diagnostics, applied in _fix_in_rounds(document, find, codes):
            edits += applied
            counts.update(diagnostic.code for diagnostic in diagnostics)
    return edits, dict(counts.most_common())


def _fix_in_rounds(
    document: Document, find: Callable[[], Iterable[Diagnostic]], codes: Container[str]
) -> Iterator[tuple[list[Diagnostic], list[Edit]]]:
    """Apply the safe fixes of these rules until `find` returns none; yields each round with its edits."""
    for _ in range(_ROUNDS):
        chosen: list[tuple[str, Diagnostic, tuple[Edit, ...]]] = []
        touched, around, deleted = set[str](), set[str](), set[str]()
        for diagnostic in find():
            fix = diagnostic.fix
            if fix is not None and fix.safe and diagnostic.code in codes:
                places, outer = _places(fix.edits), {way for edit in fix.edits for way in odd_values.ways_of(edit)}
                removed = {edit.pointer for edit in fix.edits if isinstance(edit, Remove)}
                # Of two fixes at one place, or of which one deletes the value of the other, the first is applied. The
                # next round finds the other again.
                is_free = touched.isdisjoint(places) and deleted.isdisjoint(outer) and around.isdisjoint(removed)
                if places and is_free:
                    touched.update(places)
                    around |= outer
                    deleted |= removed
                    chosen.append((min(places, key=_order), diagnostic, fix.edits))
        if not chosen:
            return
        # From the end of the document to its beginning, so that the pointers of the others stay valid.
        ordered = sorted(chosen, key=lambda choice: _order(choice[0]), reverse=True)
        edits = [edit for _, _, own in ordered for edit in own]
        document.apply(edits, "fix")
        yield [diagnostic for _, diagnostic, _ in chosen], edits


def _places(edits: Iterable[Edit]) -> list[str]:
    places = []
    for edit in edits:
        places.append(edit.pointer)
        if isinstance(edit, Move):
            places.append(edit.origin)
        if isinstance(edit, Rename):  # two renames to one key conflict, too
            places.append(f"{edit.pointer.rpartition('/')[0]}/{edit.name}")
    return places


def _order(pointer: str) -> tuple[tuple[int, str], ...]:
    # Indexes count as numbers: item 10 is after item 9.
    return tuple((int(token), "") if token.isdecimal() else (-1, token) for token in parse_pointer(pointer))
