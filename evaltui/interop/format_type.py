"""A format that eval sets are read from and written to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from evaltui.interop.fields import Holdings
from evaltui.interop.output_tree import Tree
from evaltui.interop.portable_set import PortableSet


class ConversionError(Exception):
    """A set that cannot be read or written; the message is a sentence with the place and what to do."""


@dataclass(frozen=True, slots=True)
class FormatType:
    """A format: its names, its reader and writer, and the fields that it holds when it is written."""

    source_word: str
    """The word in reports (`from`): evalset, evaluation_dataset …"""
    option: str
    """The word of `--to`; "" for a format that is only read."""
    title: str
    """The name in sentences and tables: "EvaluationDataset"."""
    ending: str
    """The end of a written file's name: ".evalset.json", "-dataset.json"."""
    read: Callable[[PortableSet], None]
    """Reads the document of a set, whose id is the name of its file so far. Raises `ConversionError`."""
    holdings: Holdings = field(default_factory=dict)
    """Empty for a format that is only read."""
    write: Callable[[PortableSet], Sequence[Tree]] | None = None
    """The trees of the documents: one for the set, or one for each case, in a format with a `case_key`."""
    case_key: str = ""
    """The key with the id of a case in its document; "" for a format that has whole sets."""
    notes: Callable[[PortableSet], Iterable[str]] | None = None
    """Sentences on a written set that loses nothing by them: its readers use a value otherwise than before."""
    keeps_extras: bool = False
    """Whether a written case keeps fields that no reader of the format knows."""
    reader: str = ""
    """The program that rejects a written file as a whole for one wrong value: google-adk, agents-cli; "" for none."""
    is_yaml: bool = False
    takes_camel: bool = False
    """Whether `--camel` means anything for it."""
