"""Files that `evaltui convert` reads: named files, and files in folders whose format differs from the target."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from evaltui.document.disk.file_content import read_file, read_stdin
from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.evalset.formats import Format, format_of_document
from evaltui.file_access import is_folder
from evaltui.files.folder_search import Bounds, Walk
from evaltui.interop.format_type import ConversionError, FormatType
from evaltui.interop.output_names import stem_of
from evaltui.interop.source_documents import read_source
from evaltui.interop.source_formats import format_of_source
from evaltui.printable import one_line
from evaltui.recordings.evaluation_datasets import is_agents_cli_result

STDIN = "-"
_SUFFIXES = (".json", ".yaml", ".yml")
_MOST_NAMED = 3
_NAME_OF_STDIN = "eval_set"
_UNKNOWN = "not an eval set in a format that evaltui knows"
_OTHERS: dict[Format, str] = {
    "eval_set_result": "a result of google-adk",
    "adk_session": "a session of google-adk",
}
_CONFIG = "an eval config; convert the eval set that it belongs to"
_RECORD = "`evaltui record` makes cases from it"
_AGENTS_CLI = "a result of agents-cli"
_COMPARE = "`evaltui compare BASE CANDIDATE` compares two results"


class ConversionSource(NamedTuple):
    """A file that is converted."""

    name: str
    root: Node
    format: FormatType
    below: Path | None = None
    """Its path relative to the named folder; None for a file that was named directly."""

    @property
    def stem(self) -> str:
        """The name of the file without the ending of its format."""
        return _NAME_OF_STDIN if self.name == STDIN else stem_of(self.name)


class FoundSources:
    """The files of a command line, named directly or found in a folder. `read` yields the convertible files."""

    def __init__(self, files: Sequence[str], target: FormatType, output: str | None = None) -> None:
        """Find the files, except in the folder of outputs. Raises `DocumentError`."""
        self._output = os.path.realpath(output) if output else None
        self._target = target
        self.said: list[str] = []
        """Sentences about skipped files."""
        self.names: list[str] = []
        """The converted files, without standard input."""
        self._found: dict[str, tuple[str, Path | None]] = {}
        self._alike: list[str] = []
        """Files in folders that are in the target format already."""
        self._unknown: list[str] = []
        """Files in folders that evaltui cannot convert."""
        self._files = files
        for name in files:
            self._find(name)
        self.size = sum(map(_size_of, (name for name, _ in self._found.values())))

    def _find(self, name: str) -> None:
        if not name:
            raise DocumentError("FILE is empty; use `.` for the current folder")
        folder = Path(name)
        if name == STDIN or not is_folder(folder):
            self._found.setdefault(STDIN if name == STDIN else os.path.realpath(name), (name, None))
            return
        inner = self._folder_of_outputs_in(folder)
        for path in Walk(folder, Bounds(), self._complain, by_git=True):
            if path.suffix not in _SUFFIXES or (inner is not None and path.is_relative_to(inner)):
                continue
            with suppress(OSError):
                if stat.S_ISREG(path.stat().st_mode):
                    self._found.setdefault(os.path.realpath(path), (str(path), path.relative_to(folder)))

    def _folder_of_outputs_in(self, folder: Path) -> Path | None:
        """The folder of outputs, if it is in the searched folder: it may have results of an earlier run."""
        if self._output is None:
            return None
        below = os.path.relpath(self._output, os.path.realpath(folder))
        return None if below == "." or below.startswith("..") else folder / below

    def _complain(self, path: Path, reason: str) -> None:
        self.said.append(f"{path}: {reason}")

    def read(self) -> Iterator[ConversionSource]:
        """Yield the files to convert. Raises `DocumentError` for a named file that cannot be converted."""
        count = 0
        for name, below in self._found.values():
            try:
                source = self._read(name, below)
            except (DocumentError, ConversionError) as error:
                self.refuse(name, str(error).removeprefix(f"{name}: "), is_named=below is None)
                continue
            if source is None:
                continue
            count += 1
            if name != STDIN:
                self.names.append(name)
            yield source
        self._say_counts(count)

    def _read(self, name: str, below: Path | None) -> ConversionSource | None:
        """Read one file; None for a file in a folder that needs no conversion."""
        data = read_stdin() if name == STDIN else read_file(Path(name))
        root = read_source(data, name)
        found = format_of_source(root, Path(name).name)
        if below is None and found is None:
            kind = _kind_of(root, Path(name).name, is_json=Document(data).root is not None)
            raise ConversionError(f"cannot be converted: this is {kind}")
        if found is None or (below is not None and found is self._target):
            (self._unknown if found is None else self._alike).append(name)
            return None
        return ConversionSource(name, root, found, below)

    def refuse(self, name: str, reason: str, *, is_named: bool) -> None:
        """Raise `DocumentError` for a named file; keep a sentence about a file found in a folder."""
        sentence = f"{'standard input' if name == STDIN else name}: {reason}"
        if is_named:
            raise DocumentError(sentence)
        self.said.append(f"{sentence}; skipped")

    def _say_counts(self, count: int) -> None:
        if self._alike:
            self.said.append(f"{_counted(self._alike)} skipped: already {self._target.option}")
        if self._unknown:
            self.said.append(f"{_counted(self._unknown)} skipped: {_UNKNOWN}")
        if not count:
            self.said.append(f"nothing to convert in {', '.join(self._files)}")


def _kind_of(root: Node, file_name: str, *, is_json: bool) -> str:
    """The kind of a document that is no source of a conversion, and the command for it."""
    found = format_of_document(root, file_name)
    if found == "eval_config":
        return _CONFIG
    is_graded = root.member("eval_case_results") is not None and is_agents_cli_result(root.value())
    kind = _AGENTS_CLI if is_graded else _OTHERS.get(found)
    if kind is None:
        return _UNKNOWN
    uses = f"{_RECORD}, and {_COMPARE}" if is_graded else _RECORD
    return f"{kind}; {uses}" if is_json else f"{kind}, but in YAML. Save it as JSON, then {uses}"


def _counted(names: Sequence[str]) -> str:
    """A single file by name, else the number of files with the first names; safe to show."""
    if len(names) == 1:
        return one_line(names[0])
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"{len(names)} files ({', '.join(map(one_line, names[:_MOST_NAMED]))}{more})"


def _size_of(name: str) -> int:
    with suppress(OSError, ValueError):
        return Path(name).stat().st_size if name != STDIN else 0
    return 0
