"""One set as it is scored, read from its document or case by case, and the sentences for files that are none."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.disk.file_content import is_large
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.document.strings import read_encoding
from evaltui.evalset.expected_set import CasesInFile, ExpectedCase, ExpectedSet, read_case
from evaltui.evalset.file_formats import kind_of
from evaltui.evalset.keys import items_of, list_of_cases, text_of, without_cases
from evaltui.evalset.schema.plain_check import is_plain
from evaltui.files.spool import Spool
from evaltui.garbage_collection import without_collecting
from evaltui.printable import as_argument, one_line
from evaltui.recordings.recording_search import looks_like_recording
from evaltui.recordings.user_messages import MatchFacts, match_facts, match_facts_in_text

if TYPE_CHECKING:
    from evaltui.document.document import Document

STDIN = "-"
_EVAL_SET, _DATASET = "eval_set", "evaluation_dataset"
_CONVERTIBLE = ("legacy_cases", "legacy_turns", "ces_evaluation")
"""Formats that cannot be scored, but converted to an eval set."""
_MUCH = 3_000_000
"""Bytes of cases that google-adk's models check sooner than Python, although they take 75 ms to load."""
_FACTS = 200
"""The usual bytes of the facts of a case."""
Tick = Callable[[int], object]
"""Called with the number of bytes that were read."""


SetToScore = tuple[ExpectedSet, Sequence[MatchFacts], Sequence[int]]
"""A set, the facts that match its cases, and the indexes of the cases to score, in order."""


def set_of(
    root: Node | None,
    data: bytes,
    path: Path | None,
    name: str,
    tick: Tick = lambda _: None,
    read: Callable[[bytes, int, bool], ExpectedCase] | None = None,
) -> ExpectedSet:
    """The set in the `data` of a file; people know it as `name`. Raises `DocumentError` if its cases cannot be found.

    `root` is None for data that are not JSON. `read` gets text and place of a case, and whether the set is a dataset.
    """
    read = read or partial(expected_case, is_one_of_many=len(data) > _MUCH)
    if root is None:
        from evaltui.document.document import Document  # noqa: PLC0415 - nearly all files are JSON

        raise DocumentError(refusal_of_text(Document(data), name))
    is_dataset = _is_dataset(root, name, data)
    if list_of_cases(root) is None:
        raise DocumentError(
            f"{name}: there is no list eval_cases; `evaltui validate {_in_command(name)}` shows all problems"
        )
    cases, lines = [], array("I")
    line = (list_of_cases(root) or root).text_before().count(b"\n") + 1
    with without_collecting():
        for number, node in enumerate(items_of(root, "eval_cases")):
            line += node.lead.count(b"\n")
            lines.append(line)
            cases.append(read(source := node.source(), number, is_dataset))
            line += source.count(b"\n") + node.trail.count(b"\n")
            tick(len(source))
    fault = None
    if not is_dataset and read_encoding(data)[0] != "utf-8":
        from evaltui.document.document import Document  # noqa: PLC0415 - nearly all are UTF-8
        from evaltui.validation.rules.json_syntax import encoding_diagnostics  # noqa: PLC0415

        fault = next((diagnostic.message for diagnostic in encoding_diagnostics(Document(data))), None)
    if not is_dataset:
        fault = fault or fault_of_rest(root)
    eval_set_id = text_of(root, "eval_set_id") if not is_dataset else ""
    return ExpectedSet(name, path, eval_set_id or None, tuple(cases), fault, is_dataset, lines)


def read_large_set(path: Path, tick: Tick) -> SetToScore | None:
    """The set in a large file, whose cases stay there, and the facts of its cases.

    None for a small or unusual file, which is read as a document.
    """
    if not is_large(path):
        return None
    from evaltui.evalset.case_stream import CaseStream, NotPlainError  # noqa: PLC0415 - few sets are large

    stream, facts = CaseStream(path, tick), Spool[MatchFacts]()
    offsets, lengths, lines, eval_ids = array("Q"), array("I"), array("I"), Spool[str]()
    has_several_turns = is_answered = False
    try:
        for number, ((offset, line, _), source) in enumerate(stream):
            case_facts = match_facts_in_text(source)
            if case_facts is None:
                case = read_case(source, number)
                case = case if case.eval_id else expected_case(source, number, False)
                is_answered |= case.is_answered
                case_facts = match_facts(case)
            has_several_turns |= case_facts.turns > 1
            facts.append(case_facts, _FACTS)
            eval_ids.append(case_facts.eval_id, len(case_facts.eval_id))
            offsets.append(offset)
            lengths.append(len(source))
            lines.append(line)
        root, sample, name = stream.root, stream.sample, str(path)
        is_dataset = _is_dataset(sample, name, sample.source())  # the sample is the set with its first cases
        fault = None if is_dataset else fault_of_rest(root)
    except (NotPlainError, DocumentError):
        return None
    read = partial(expected_case, is_of_dataset=is_dataset)
    cases = CasesInFile(path, stream.state, read, offsets, lengths, eval_ids, has_several_turns, is_answered)
    eval_set_id = text_of(root, "eval_set_id") if not is_dataset else ""
    subject = ExpectedSet(name, path, eval_set_id or None, cases, fault, is_dataset, lines)
    return subject, facts, range(len(facts))


def fault_of_rest(root: Node) -> str | None:
    """The reason why google-adk rejects a set for what stands beside its cases, which need not be there."""
    rest = without_cases(root)
    if root.kind == "object" and (is_plain(rest, "EvalSet") or _is_accepted(rest)):
        return None
    from evaltui.validation.model_errors import errors_in_set_without_cases  # noqa: PLC0415 - as in `expected_case`

    faults = errors_in_set_without_cases(Node(rest))
    return faults[0].message if faults else None


def _is_accepted(eval_set: bytes) -> bool:
    from pydantic import ValidationError  # noqa: PLC0415 - 75 ms, which plain sets do not need

    from evaltui.evalset.schema.eval_case import EvalSet  # noqa: PLC0415 - as above

    try:
        EvalSet.model_validate_json(eval_set)
    except ValidationError:
        return False
    return True


def expected_case(source: bytes, number: int, is_of_dataset: bool, *, is_one_of_many: bool = False) -> ExpectedCase:
    """Read a case with the first error that makes google-adk reject it; in a dataset, the first unreadable value.

    If it is one of very many, google-adk's models check it at once: they load slowly, but check fast.
    """
    if is_of_dataset:
        case = read_case(source, number)
        fault: str | None = "a case must be an object"
        if source.lstrip().startswith(b"{"):
            from evaltui.evalset.dataset_turns import explain_unread  # noqa: PLC0415 - for few sets

            fault = explain_unread(case.data(), is_answer=False)
        return replace(case, fault=fault, is_of_dataset=True)
    if not is_one_of_many and is_plain(source, "EvalCase"):
        return read_case(source, number)
    # A case is checked as the only one of a set: limits of depth then count as in the file.
    if _is_accepted(b'{"eval_set_id":"","eval_cases":[%s]}' % source):
        return read_case(source, number)
    from evaltui.validation.model_errors import errors_in_case  # noqa: PLC0415 - most sets need no words for errors

    errors = errors_in_case(source)
    if not errors:
        return read_case(source, number)
    node = Node(source)
    where = f"{one_line(errors[0].pointer, 100)}: " if errors[0].pointer else ""
    fault = f"{where}{errors[0].message}" if node.kind == "object" else "a case must be an object"
    case = read_case(source, number, fault)
    return case if case.eval_id else replace(case, eval_id=text_of(node, "eval_id"))


def _in_command(name: str) -> str:
    return as_argument(name) if name != STDIN else name


def refusal_of_text(document: Document, name: str) -> str:
    """The sentence about a set whose text is not JSON."""
    from evaltui.interop.document_texts import what_other_text, why_not_json  # noqa: PLC0415 - nearly all are JSON

    more = "" if what_other_text(document, name) else f"; `evaltui validate {_in_command(name)}` shows all problems"
    return f"{why_not_json(document, name)}{more}"


def _is_dataset(root: Node, name: str, data: bytes) -> bool:
    """Whether a file is a dataset, and not an eval set; `data` are its bytes.

    Raises `DocumentError` for a file that is neither, with the command or option that takes it.
    """
    file, kind = _in_command(name), kind_of(root, name)
    if kind in (_EVAL_SET, _DATASET):
        return kind == _DATASET
    from evaltui.validation.rules.other_formats import check_as_set  # noqa: PLC0415 - nearly all files are sets

    (refused,) = check_as_set(kind, file=file)
    use = ""
    if kind in (*_CONVERTIBLE, "json"):
        from evaltui.interop.conversion_formats import format_of_source  # noqa: PLC0415 - nearly all files are sets

        if format_of_source(root) is not None:
            use = f"; `evaltui convert {file} --to evalset` makes an eval set of it"
        elif looks_like_recording(Path(name), data):
            use = "; load it as a recording with -r"
    raise DocumentError(f"{name}: {refused.message}{use}")
