"""Conversion of one document from a format to another, with its losses, and the names of converted files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evaltui.document.node import Node
from evaltui.document.scanner import TOO_DEEP
from evaltui.evalset.keys import filled, snake
from evaltui.garbage_collection import without_collecting
from evaltui.interop.conversion_formats import FORMATS
from evaltui.interop.document_texts import DELETE_INNER, json_text_of, yaml_text_of
from evaltui.interop.evaluation_datasets.kept_details import CASE_MEMBERS, TRAJECTORY
from evaltui.interop.fields import ConversionError, Reason, SetField, changed, no_place
from evaltui.interop.losses import Loss, LossFinder, has_odd_values, rejected_values, says_something
from evaltui.interop.output_tree import Value, leaves_of, plain_value, with_finite_numbers
from evaltui.interop.portable_set import FormatType, PortableCase, PortableSet
from evaltui.interop.resource_mapping import ResourceNames
from evaltui.printable import one_line

_IDS = ("eval_id", "eval_case_id")
_NO_TURNS = (
    "no case has a conversation, a scenario or a prompt. The keys of the first case: {}. "
    "`evaltui rule conversation-or-scenario` shows the keys of an eval set"
)
_LONGEST_KEY = 40
_MOST_KEYS = 6


class Conversion(NamedTuple):
    """The documents of the target, and the losses. `evaltui convert` adds the names of files."""

    root: Node
    source: FormatType
    target: FormatType
    documents: Sequence[Any]
    """Plain data: one document for the set, or one for each case (`FormatType.case_key`)."""
    losses: Sequence[Loss]
    notes: Sequence[str] = ()
    """Sentences on values that are in their place and have another effect there (`FormatType.notes`)."""
    path: str = ""
    folder: Path | None = None
    """The searched folder that has the file, relative to the named one; None for a file that was named itself."""
    outs: Sequence[str] = ()
    """The files written for it; "-" is standard output."""


def convert(
    root: Node,
    source: FormatType,
    target: FormatType,
    name: str = "eval_set",
    mapping: ResourceNames | None = None,
    *,
    is_camel: bool = False,
) -> Conversion:
    """Convert a document from a file whose name has the stem `name`. Raises `ConversionError` for an unusable one.

    `mapping` has the resource names by the short names of tools and agents (`--mapping`).
    """
    if target.write is None:
        raise ConversionError(f"evaltui can read {target.title}, but cannot write it")
    try:
        with without_collecting():  # nearly all that is made stays until the end
            is_odd = has_odd_values(root)
            portable = PortableSet(root, name, mapping or ResourceNames())
            _read(portable, source)
            _remark_on_foreign_content(portable, target)
            documents: list[Any] = []
            leaves: list[Value] = [*portable.invented]
            rejected: dict[Node, Reason] = {}
            for tree in target.write(portable):
                document = plain_value(tree, is_camel=is_camel and target.takes_camel)
                documents.append(with_finite_numbers(document) if is_odd else document)
                leaves += leaves_of(tree)
                rejected |= rejected_values(tree, documents[-1], target)
            losses = list(LossFinder(portable.fields, target, leaves, rejected, has_odd_values=is_odd).below(root))
            # A copy in its own format has the effect that it had.
            notes = list(target.notes(portable)) if target.notes is not None and source is not target else []
            return Conversion(root, source, target, documents, losses, notes)
    except RecursionError:
        raise ConversionError(f"{TOO_DEEP}; {DELETE_INNER}") from None


def _read(portable: PortableSet, source: FormatType) -> None:
    source.read(portable)
    for case in portable.cases:
        # Authors mix up the ids of formats, and an id of another format is better than a new one.
        for name in _IDS if case.id is None else ():
            case_id = filled(case.node, name)
            if case.id is None and case_id is not None and case_id.text():
                case.id = portable.fields.note(case_id, SetField.CASE_ID)
                case.extras.pop(case_id.name, None)
    silent = [case for case in portable.cases if _is_silent(case)]
    if silent and len(silent) == len(portable.cases) and not any(case.id for case in silent):
        keys = ", ".join(one_line(item.name, _LONGEST_KEY) for item in silent[0].node.items[:_MOST_KEYS])
        raise ConversionError(_NO_TURNS.format(keys or "none"))
    silence = (
        f"the case has no message and no scenario under the keys of {source.title}, so evaltui finds no turns in it"
    )
    for case in silent:
        portable.fields.remarks[case.node] = no_place(silence, "Add a conversation, or delete the case.")


def text_of(conversion: Conversion) -> bytes:
    """All documents of a conversion as the bytes of one file: the only one as it is, several as a list.

    Raises `ConversionError` for values that are too deep.
    """
    documents = conversion.documents
    value = documents[0] if len(documents) == 1 else documents
    return yaml_text_of(value).encode("utf-8", "replace") if conversion.target.is_yaml else json_text_of(value).encode()


# --- content that no reader of a format finds: under keys of another format, or under keys of none -------------------

_OF_DATASETS = (*CASE_MEMBERS, TRAJECTORY)
_OF_FORMATS = {
    "legacy-cases": (
        "a legacy list",
        ("data", "query", "expected_tool_use", "expected_intermediate_agent_responses", "initial_session"),
    ),
    "ces": ("an evaluation of CX Agent Studio", ("golden", "scenario")),
    "cxas-yaml": ("a file of cxas", ("turns", "steps", "task", "mocks", "session_parameters", "expectations")),
}
"""Keys with content in other formats by the word of `--to`, and the words for a file of the format."""
_CONVERSATIONS = (
    *("conversation", "conversation_scenario", "actual_conversation", "prompt", "reference", "agent_data"),
    *("responses", "intermediate_events", "user_scenario", "conversation_history", "reference_trajectory"),
    *("golden", "scenario", "turns", "steps", "task", "data"),
)
"""Keys of all formats for the messages or the scenario of a case."""
_ABOUT_CASES = frozenset(
    [
        *("id", "name", "title", "display_name", "description", "note", "notes", "comment", "comments", "tags"),
        *("labels", "category", "categories", "metadata", "priority", "author", "owner", "version", "etag"),
    ]
)
"""Keys that say something about a case, but never hold its messages."""
_CONVERT_APART = "Move the field to a case of a dataset, and convert the dataset."


def _is_silent(case: PortableCase) -> bool:
    """Whether a case has fields, but no turn, scenario or recorded response, and its messages may be in its fields."""
    nodes = [turn.node for turn in case.turns or ()] + ([case.scenario.node] if case.scenario is not None else [])
    if case.recorded or any(map(says_something, nodes)):
        return False
    extras = [*case.extras.values(), *case.session_extras.values()]
    # Under a known key, an empty conversation is meant. Only unknown fields may then hold messages.
    if any(filled(case.node, name) is not None for name in _CONVERSATIONS):
        return any(map(_may_be_content, extras))
    return case.id is None or bool(extras)


def _remark_on_foreign_content(portable: PortableSet, target: FormatType) -> None:
    """Report extra fields that may hold content, and that the readers of `target` ignore or take for something else."""
    remarks = portable.fields.remarks
    of_sets, of_cases = (target.holdings[field] for field in (SetField.SET_OTHER, SetField.CASE_OTHER))
    for value in portable.extras.values():
        if target.keeps_extras and of_sets.kind == "changed" and value.is_container and _may_be_content(value):
            remarks[value] = of_sets
    format_name, own_keys = _OF_FORMATS.get(target.option, ("", ()))
    for key, value in (item for case in portable.cases for item in case.extras.items()):
        name = snake(key)
        # The names of fields do not tell: any text, list or object may be content, except known facts about a case.
        if target.keeps_extras and _may_be_content(value):
            remarks[value] = changed(of_cases.text, _CONVERT_APART if name in _OF_DATASETS else "")
        elif name in own_keys and says_something(value):
            remarks[value] = no_place(f"evaltui reads a field with this name only in {format_name}")


def _may_be_content(value: Node) -> bool:
    is_fact = snake(value.name) in _ABOUT_CASES
    return not is_fact and (value.is_container or value.kind == "string") and says_something(value)


# --- names of converted files --------------------------------------------------------------------------------------

_LAYOUT = ("tests", "eval")
"""The parent folders of `evalsets` and `datasets` in projects of agents-cli."""
_FOLDERS = {"evalset": ("datasets", "evalsets"), "evaluation-dataset": ("evalsets", "datasets")}
"""By the target: the folder of its sources, and its own (agents-cli's migration)."""
_ENDINGS = (
    ".evalset.json",
    ".test.json",
    "-dataset.json",
    *(form.ending for form in FORMATS),
    ".json",
    ".yaml",
    ".yml",
)


def stem_of(name: str) -> str:
    """The name of a file without its folder and the ending of its format: "trips" of sets/trips.evalset.json."""
    file_name = Path(name).name
    for ending in _ENDINGS:
        if file_name.endswith(ending) and file_name != ending:
            return file_name.removesuffix(ending)
    return file_name


def file_beside(source: Path, target: FormatType) -> Path:
    """The file of a conversion beside its source; in the layout of agents-cli in the folder of the target."""
    stem, folder = stem_of(source.name), source.parent
    parts = Path(os.path.abspath(folder)).parts  # noqa: PTH100 - links stay as they are named
    source_folder, own_folder = _FOLDERS.get(target.option, ("", ""))
    for index in range(len(parts) - 3, -1, -1) if source_folder else ():
        if parts[index : index + 3] == (*_LAYOUT, source_folder):
            moved = Path(*parts[: index + 2], own_folder, *parts[index + 3 :])
            folder = moved if folder.is_absolute() else Path(os.path.relpath(moved))
            break
    path = folder / f"{stem}{target.ending}"
    # Lists and eval sets of other projects are often called `NAME.evalset.json`, too.
    return path.with_name(f"{stem}.converted{target.ending}") if path.name == source.name else path
