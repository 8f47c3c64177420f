"""Problems in eval sets, configs and datasets."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaltui.api.inputs import AnyPath, EvaltuiError, path_of, paths_of, refusals, wrong_type
from evaltui.document.disk.file_content import read_file
from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.evalset.file_formats import is_sought, kind_of
from evaltui.evalset.set_files import candidates
from evaltui.file_access import is_folder
from evaltui.printable import printable
from evaltui.report.problem_reports import ShownProblem, shown_problem
from evaltui.runs.config_file import config_beside, read_named_config
from evaltui.scoring.eval_config import LoadedConfig
from evaltui.scoring.explained_case import JsonRecord
from evaltui.settings.project_settings import project_settings
from evaltui.validation.file_check import check_file
from evaltui.validation.rules.rule_registry import UnknownRuleError, selected_codes


@dataclass(frozen=True)
class FileReport(JsonRecord):
    """The result of checking a file."""

    not_in_json = frozenset({"warnings"})

    path: str
    format: str
    """`eval_set`, `eval_config`, `evaluation_dataset`, `not_json` or another word of docs/cli.md."""
    accepted_by_adk: bool
    cases: int | None
    """The number of cases; None if the format has none."""
    diagnostics: tuple[ShownProblem, ...] = field(repr=False)
    warnings: tuple[str, ...] = ()
    """A sentence if the config beside the set cannot be used."""


def validate(
    path: AnyPath | Iterable[AnyPath],
    *,
    config: AnyPath | None = None,
    select: str | Sequence[str] = (),
    ignore: str | Sequence[str] = (),
) -> list[ShownProblem]:
    """The problems in a file, or in the sets and datasets of a folder, or in several, as `evaltui validate` lists them.

    Without `config`, the config beside each set is used. `select` and `ignore` are codes or groups of rules; without
    them, the project settings count. Raises `EvaltuiError` for a file that cannot be read.
    """
    reports = validate_files(path, config=config, select=select, ignore=ignore)
    return [diagnostic for report in reports for diagnostic in report.diagnostics]


def validate_files(
    path: AnyPath | Iterable[AnyPath],
    *,
    config: AnyPath | None = None,
    select: str | Sequence[str] = (),
    ignore: str | Sequence[str] = (),
) -> list[FileReport]:
    """Like `validate`, but with a report of each file."""
    names = paths_of(path, "path")
    select, ignore = _check_rules("select", select), _check_rules("ignore", ignore)
    config_path = path_of(config, "config") if config is not None else None
    with refusals():
        named_config = read_named_config(config_path) if config_path is not None else None
        files: dict[str, tuple[Path, bool]] = {}
        for name in names:
            # A named file may lie in a named folder as well; it is checked once.
            for file in candidates(name, _refuse) if is_folder(name) else [name]:
                files.setdefault(os.path.realpath(file), (file, file == name))
        reports = [_report_on(*entry, named_config, select, ignore) for entry in files.values()]
    return [report for report in reports if report is not None]


def _check_rules(parameter: str, value: str | Sequence[str]) -> list[str]:
    """The codes and groups of `select` or `ignore`. Raises `TypeError`, and `EvaltuiError` for an unknown one."""
    names = [value] if isinstance(value, str) or not isinstance(value, Iterable) else [*value]
    for name in names:
        if not isinstance(name, str):
            raise wrong_type(parameter, "a str or a list of str", name)
    try:
        selected_codes(names, ())
    except UnknownRuleError as error:
        raise EvaltuiError(printable(f"{parameter}: {error}")) from None
    return names


def _refuse(path: Path, reason: str) -> None:
    raise DocumentError(f"{path}: {reason}")


def _report_on(
    file: Path, is_named: bool, named_config: LoadedConfig | None, select: Sequence[str], ignore: Sequence[str]
) -> FileReport | None:
    """The report of a file; None for a file of another format in a folder."""
    settings = project_settings(file.parent)
    rules = selected_codes(select or settings.select, (*ignore, *settings.ignore))
    document, name = Document(read_file(file), file), str(file)
    kind = kind_of(document.root, name)
    if not is_named and not is_sought(kind, document.root):
        return None
    config, remark = named_config, ""
    if config is None and kind in ("eval_set", "legacy_turns"):  # google-adk reads these with the config beside them
        config, remark = config_beside(file)
    report = check_file(document, name, config)
    selected = (diagnostic for diagnostic in report.diagnostics if diagnostic.code in rules)
    diagnostics = tuple(shown_problem(diagnostic, name) for diagnostic in selected)
    warnings = (printable(remark),) if remark else ()
    return FileReport(name, report.format, report.accepted_by_adk, report.cases, diagnostics, warnings)
