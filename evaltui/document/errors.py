"""Errors of this room. `str(error)` is a sentence for the person at the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # each command imports this module, and pathlib costs its help page 3 ms
    from pathlib import Path


class DocumentError(Exception):
    """Base of all that this room raises; `str(error)` is a sentence to show as it is."""


class InputError(ValueError):
    """Base for inputs of other rooms that cannot be used: a recording, a result, an option. `str(error)` as above."""


class JsonSyntaxError(DocumentError):
    """The text is not JSON; `offset` is the byte (after a BOM) of the first error.

    It `may_be_json` if too many values are nested deeply, so that reading them would take too long.
    """

    def __init__(self, message: str, offset: int, *, may_be_json: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
        self.may_be_json = may_be_json


class PointerError(DocumentError):
    """A JSON Pointer that is malformed or leads nowhere in this document.

    If it leads to a key that its object has twice, `duplicate` is a sentence about that, without the pointer.
    """

    def __init__(self, sentence: str, duplicate: str = "") -> None:
        super().__init__(sentence)
        self.duplicate = duplicate


class EditError(DocumentError):
    """An edit that cannot be done; the document is as it was before."""


class ReadError(DocumentError):
    """The file cannot be read."""


class ChangedFileError(ReadError):
    """Another program kept writing to the file while it was read."""


class MissingFileError(ReadError):
    """The file does not exist."""


class UnreachableError(ReadError):
    """The system cannot say whether the file exists: no access to its folder, or a disk or network that fails."""


class SaveError(DocumentError):
    """The file cannot be written. The old file and the unsaved edits are unchanged.

    `reason` says why and `advice` what to do. Both leave out the path, which may be too long for a status line.
    """

    def __init__(self, sentence: str, reason: str = "", advice: str = "save again") -> None:
        super().__init__(sentence)
        self.reason = reason or sentence
        self.advice = advice


class ChangedOnDiskError(SaveError):
    """The file on disk changed since it was read, so writing would destroy somebody's work."""

    @classmethod
    def of(cls, path: Path, reason: str = "another program changed the file on disk") -> ChangedOnDiskError:
        """The error for the file at `path`. `reason` is a clause."""
        return cls(f"{path}: {reason}; nothing was written", reason, "move it away and save again")


class LeadsOutsideError(SaveError):
    """A link leads a write out of the files of a repository, which somebody else may have written."""
