"""An open JSON file, kept byte for byte: reading, editing, undo, saving. Knows JSON, nothing of evals."""

from evaltui.document.document import Change, Document
from evaltui.document.edits import Edit, Insert, Move, Remove, Rename, Set, json_text
from evaltui.document.errors import (
    ChangedOnDiskError,
    DocumentError,
    DuplicateKeyError,
    EditError,
    JsonSyntaxError,
    MissingFileError,
    PointerError,
    ReadError,
    SaveError,
    UnreachableError,
)
from evaltui.document.node import Node

__all__ = [
    "Change",
    "ChangedOnDiskError",
    "Document",
    "DocumentError",
    "DuplicateKeyError",
    "Edit",
    "EditError",
    "Insert",
    "JsonSyntaxError",
    "MissingFileError",
    "Move",
    "Node",
    "PointerError",
    "ReadError",
    "Remove",
    "Rename",
    "SaveError",
    "Set",
    "UnreachableError",
    "json_text",
]
