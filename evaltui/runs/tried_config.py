"""The config of a set, edited in memory, so that criteria can be tried before they are written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaltui.document.disk.file_content import read_file
from evaltui.document.document import Change, Document
from evaltui.document.edits import Edit, Set
from evaltui.document.errors import ChangedOnDiskError, DocumentError
from evaltui.document.layout import line_indent
from evaltui.document.scanner import read_json
from evaltui.evalset.keys import snake
from evaltui.evalset.merge.paired_items import paired
from evaltui.evalset.merge.three_way import ConflictChoice, apply_merge, merge_documents
from evaltui.runs.config_edits import criteria_edits, criterion_nodes, listed_criteria
from evaltui.runs.config_file import STDIN, config_of_document, read_named_config
from evaltui.scoring.criteria import Criteria, Profile, criteria_of
from evaltui.scoring.eval_config import NAME, config_of, find_config
from evaltui.scoring.metrics.efficiency import MEASUREMENTS
from evaltui.scoring.metrics.metric import Criterion

_IN_JSON = ("threshold", "match_type", "ignore_args")
"""The keys of a criterion that `Criterion.to_json` has."""


class TriedConfig:
    """A config in memory. Edits change `document`; `criteria` are read from it."""

    def __init__(
        self,
        document: Document,
        *,
        profile: Profile = "adk",
        unwritable: str = "",
        source: Mapping[str, Any] | None = None,
    ) -> None:
        """`source` is the config that a document in memory represents, as plain data; None if there is none."""
        self.document = document
        self.profile = profile
        self.unwritable = unwritable
        """Why it cannot be written, without a full stop; "" if it can."""
        self._path = document.path or Path(NAME)
        self._saved = _data_of(document)
        """The config without the edits, as plain data; None if it is not a JSON object."""
        self._source = self._saved if document.base is not None else source
        self._replaced = self._source
        """The config before its last write here, by which cases are scored until the next run ends."""

    @property
    def is_new(self) -> bool:
        """Whether the file does not exist yet."""
        return self.document.is_new and not self.unwritable

    @property
    def file_name(self) -> str:
        """The name of the file, also of one that is not written; "" for criteria without a file."""
        path = self.document.path
        return "" if path is None or (self.unwritable and path == Path(NAME)) else path.name

    @property
    def is_changed(self) -> bool:
        """Whether anything is edited and not written."""
        return self.document.is_dirty

    def is_outdated(self) -> bool:
        """Whether the file changed, or was created, after it was read."""
        if self.unwritable or self.document.path is None:
            return False
        try:
            return not self.document.is_on_disk(read_file(self.document.path))
        except DocumentError:
            return not self.is_new

    @property
    def is_own_write(self) -> bool:
        """Whether the file is as it was last written here."""
        return self._replaced is not self._source and not self.is_outdated()

    def is_same_file(self, config: TriedConfig) -> bool:
        """Whether another config is the same file, on disk."""
        return config.document.base is not None and self.document.path == config.document.path

    def holds(self, criteria: Criteria) -> bool:
        """Whether the criteria in force come from this config."""
        return _exact(criteria.config) == _exact(self._source)

    def refuse_other(self, in_force: Criteria | None) -> None:
        """Raise `DocumentError` if it cannot be used, or if the criteria in force come from another config."""
        config_of_document(self.document, self._path)
        if in_force is not None and not self.holds(in_force):
            if _exact(in_force.config) == _exact(self._replaced):
                raise DocumentError(f"{self._path.name} was just written, and the cases are not scored with it yet")
            raise ChangedOnDiskError.of(self._path, "the config changed on disk after it was read")

    def criteria_before(self) -> Criteria:
        """The criteria of the config without the edits. Raises `DocumentError` or `CriteriaError` if it has none."""
        return criteria_of(config_of(self._saved, self._path) if self._saved is not None else None, self.profile)

    def criteria(self, in_force: Criteria) -> Criteria:
        """The edited criteria; `in_force` itself if nothing differs. Raises `DocumentError` for a rejected config.

        Criteria without edits stay as in force, because command line options may differ from the config.
        """
        loaded = config_of_document(self.document, self._path)
        edited = criteria_of(loaded, self.profile)
        saved = config_of(self._saved, self._path).criteria if self._saved is not None else {}
        judged: dict[str, Criterion] = {}
        for name, raw in loaded.criteria.items():
            is_edited = name not in saved or _exact(saved[name]) != _exact(raw)
            if (criterion := (edited if is_edited else in_force).of(name)) is not None:
                judged[name] = criterion
        # Metrics that only a command line option names are not in the config.
        for criterion in in_force.judged:
            if criterion.name not in saved:
                judged.setdefault(criterion.name, criterion)
        if tuple(judged.values()) == in_force.judged:
            return in_force
        informational = tuple(name for name in MEASUREMENTS if name not in judged) if self.profile == "adk" else ()
        return in_force._replace(judged=tuple(judged.values()), informational=informational, is_default=False)

    def edits_to(self, in_force: Criteria, current: Criteria, target: Criteria) -> list[Edit]:
        """The edits from the criteria `current` to `target`. A criterion that is in force again gets its old text."""
        edits: list[Edit] = []
        roots = Document(self.document.saved_bytes).root, self.document.root
        for criterion in target.judged:
            name, standard = criterion.name, in_force.of(criterion.name)
            if criterion == current.of(name) or standard is None or not _mean_the_same(criterion, standard):
                continue
            # Of duplicate keys, the last one counts, as in google-adk.
            old, new = ({node.name: node for node in criterion_nodes(root)}.get(name) for root in roots)
            if old is not None and new is not None:
                # Written anew, 1 would become 1.0: the config would stay changed although nothing is tried.
                edits.append(Set(new.pointer(), old.source(), line_indent(old)))
                judged = (criterion if former.name == name else former for former in current.judged)
                current = current._replace(judged=tuple(judged))
        return [*edits, *criteria_edits(self.document, current, target)]

    def reload(self, data: bytes) -> Change | None:
        """Take over the file, which now holds `data`, as one step; what is edited here stays.

        Returns None if the file is the same as before, or if one of both texts is not JSON.
        """
        target, document = Document(data), self.document
        if document.is_on_disk(data) or document.root is None or target.root is None:
            return None
        apply_merge(target, _edits_of(document, target))
        change = document.become(target, paired, "reload the config", data)
        self._saved = self._source = self._replaced = _data_of(Document(data))
        return change

    def take_edits_of(self, config: TriedConfig) -> None:
        """Edit this config as another one was edited, as one step."""
        is_json = self.document.root is not None and config.document.root is not None
        if is_json and (edits := _edits_of(config.document, self.document)):
            self.document.apply(edits, "try the same criteria")

    def write(self) -> None:
        """Save the file with the edits. All other bytes stay. Raises `DocumentError`."""
        if self.unwritable:
            raise DocumentError(self.unwritable)
        self.document.save()
        self._replaced = self._source
        self._saved = self._source = _data_of(self.document)


def open_config(set_path: Path | None, named: str | None, profile: Profile, in_force: Criteria | None) -> TriedConfig:
    """Open the config of a set: `named`, else the one beside the set, else a new one with the defaults.

    Raises `DocumentError` for an unreadable file, and for YAML that is not a config. Invalid JSON is no error here: the
    document has the fault.
    """
    if profile == "adk-rs":
        why = "adk-rs reads no config, so there is no config to write"
        return _in_memory(in_force or criteria_of(None, profile), why, profile)
    if named == STDIN:
        why = "the config came from standard input and cannot be written"
        return _in_memory(in_force or criteria_of(None), why)
    path = Path(named) if named is not None else find_config(set_path) if set_path is not None else None
    if path is None and in_force is not None and in_force.path is not None and in_force.path.name != NAME:
        path = in_force.path  # beside a dataset, a config may have another name
    if path is not None and path.suffix.lower() in (".yaml", ".yml"):
        why = f"{path.name} is YAML, and evaltui does not write YAML: change it in an editor"
        raw = read_named_config(path).raw
        return TriedConfig(_new_document(path, {"criteria": raw["criteria"]}), unwritable=why, source=raw)
    if path is not None:
        return TriedConfig(Document.open(path))
    defaults = in_force if in_force is not None and in_force.path is None else criteria_of(None)
    if set_path is None:
        return _in_memory(defaults, "the eval set came from standard input, so there is no folder for a config")
    return TriedConfig(_new_document(set_path.parent / NAME, {"criteria": listed_criteria(defaults)}))


def _in_memory(criteria: Criteria, why: str, profile: Profile = "adk") -> TriedConfig:
    # adk-rs takes only thresholds from a config of google-adk, so the other keys would not be tried.
    raw = criteria.config if criteria.config is not None and profile == "adk" else None
    document = _new_document(Path(NAME), raw or {"criteria": listed_criteria(criteria)})
    return TriedConfig(document, profile=profile, unwritable=why, source=criteria.config)


def _new_document(path: Path, data: Mapping[str, Any]) -> Document:
    return Document.new(path, json.dumps(data, indent=2).encode() + b"\n")


def _edits_of(edited: Document, target: Document) -> list[Edit]:
    """The edits of one config for the text of another; where both changed a value, the edited one counts."""
    base, mine = Document(edited.saved_bytes), Document(edited.to_bytes())
    decisions: dict[str, ConflictChoice] = {}
    while True:  # a decided conflict may show others inside of it
        edits, conflicts = merge_documents(base, mine, target, decisions)
        if not conflicts.open:
            return edits
        decisions |= dict.fromkeys((conflict.place for conflict in conflicts.open), "mine")


def _mean_the_same(criterion: Criterion, standard: Criterion) -> bool:

    def exact_rest(raw: Any) -> str:
        members = raw if isinstance(raw, dict) else {}
        return _exact({name: value for name, value in members.items() if snake(name) not in _IN_JSON})

    return criterion.to_json() == standard.to_json() and exact_rest(criterion.raw) == exact_rest(standard.raw)


def _data_of(document: Document) -> Mapping[str, Any] | None:
    """A config as plain data; None if it is not a JSON object."""
    try:
        data = read_json(document.body())
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def _exact(value: Any) -> str:
    """A text for exact comparison: 1, 1.0 and true are different, although Python calls them equal."""
    return json.dumps(value)
