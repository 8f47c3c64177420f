"""Eval sets as files of tests, and their cases as tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from evaltui.pytest.item_names import item_names, safe_name
from evaltui.pytest.options import PluginOptions, options_of

if TYPE_CHECKING:  # a run without eval sets imports none of this
    from evaltui.api import CaseResult, Criteria, EvalCase, EvalSet, Recordings
    from evaltui.api.case_scorer import CaseScorer

_RECORDINGS = pytest.StashKey["Recordings | None"]()
_NO_RECORDINGS = (
    "There are no recordings{where}. Give them with --evaltui-recordings PATH, or with evaltui_recordings in the ini "
    "file."
)
STATUS = "evaltui_status"
"""The property of a report with the verdict of its case."""
_command_option = re.compile(r"(?<![\w-])--(metric|match-type|ignore-args|runs|config)\b").sub


class EvalSetFile(pytest.File):
    """An eval set. It is read when it is collected; recordings are read when its first case runs."""

    @classmethod
    def named_safely(cls, parent: pytest.Collector, path: Path) -> EvalSetFile:
        """The set in a file. pytest prints its name and its node id, the path, at the start of lines."""
        file: EvalSetFile = cls.from_parent(parent, path=path)
        name, nodeid = safe_name(file.name), safe_name(file.nodeid)
        is_safe = (name, nodeid) == (file.name, file.nodeid)
        return file if is_safe else cls.from_parent(parent, path=path, name=name, nodeid=nodeid)

    @cached_property
    def options(self) -> PluginOptions:
        """The options of the run."""
        return options_of(self.config)

    def collect(self) -> Iterator[CaseItem]:
        """The cases, in the order of the set. Raises `CollectError` for a set that cannot be scored."""
        cases = self._subject[0].cases
        names = item_names([case.eval_id for case in cases])
        for name, case in zip(names, cases, strict=True):
            yield CaseItem.from_parent(self, name=name, case=case)

    @cached_property
    def _subject(self) -> tuple[EvalSet, Criteria]:
        """The set, and its criteria."""
        from evaltui.api import EvaltuiError, read_eval_set

        try:
            found = read_eval_set(_shown(self.path, self.config))
            criteria = self._criteria_for(found)
        except EvaltuiError as error:
            raise self.CollectError(_shown_text(str(error))) from None
        if not self.options.allow_not_evaluated and (why := _why_unusable(found)):
            raise self.CollectError(_shown_text(f"{found.path}: {why}"))
        return found, criteria

    def _criteria_for(self, eval_set: EvalSet) -> Criteria:
        from evaltui.api import criteria

        options = self.options
        return criteria(
            options.config or eval_set.config,
            options.thresholds(),
            match_type=options.match_type,
            ignore_args=options.ignore_args,
        )

    @cached_property
    def _scorer(self) -> CaseScorer | str:
        """Scores the cases; a sentence if the recordings cannot be read."""
        from evaltui.api import EvaltuiError
        from evaltui.api.case_scorer import CaseScorer
        from evaltui.api.eval_sets import expected_set
        from evaltui.api.recording_files import recordings_of

        eval_set, criteria = self._subject
        try:
            found = recordings_of(_recordings(self.config, self.options), expected_set(eval_set))
            return CaseScorer(eval_set, found, criteria, self.options.runs)
        except EvaltuiError as error:
            return _shown_text(str(error))

    def scorer(self) -> CaseScorer:
        """Scores the cases. Fails the running test if the recordings cannot be read."""
        found = self._scorer
        if isinstance(found, str):
            pytest.fail(found, pytrace=False)
        return found


class CaseItem(pytest.Item):
    """A case. It fails if it fails in `evaltui run`, or if it is not evaluated."""

    def __init__(self, *, case: EvalCase, **given: Any) -> None:
        super().__init__(**given)
        self._case = case
        self.line = case.line
        """The line of the case in its file, from 1."""

    def setup(self) -> None:
        """Read the recordings, so that a fault in them is an error of the set-up."""
        self._file.scorer()

    def runtest(self) -> None:
        """Score the case."""
        scorer = self._file.scorer()
        result = scorer.result(self._case.number)
        self.user_properties += [(STATUS, result.status), *_scores(result)]
        if result.status == "failed":
            self._fail(_why_failed(result), "failed")
        if not result.open_reasons:
            return
        reasons = [*result.open_reasons, *_recordings_text(result, scorer, self._file.options)]
        if not self._file.options.allow_not_evaluated:
            self._fail(reasons, "not evaluated")
        if result.status == "not_evaluated":
            pytest.skip(_shown_text(". ".join(reasons)))

    def _fail(self, sentences: list[str], verdict: str) -> NoReturn:
        """Fail with the sentences, and with the place as compilers print it, which editors can open."""
        place = f"{_shown(self.path, self.config)}:{self.line}: {verdict}"
        pytest.fail(_shown_text("\n".join([*sentences, place])), pytrace=False)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The place of the case, with its line from 0, and its name."""
        return self.shown_path, self.line - 1, self.name

    @property
    def shown_path(self) -> Path:
        """The path as its node id has it."""
        return Path(safe_name(str(self.path)))

    @property
    def _file(self) -> EvalSetFile:
        assert isinstance(self.parent, EvalSetFile)
        return self.parent


def _recordings(config: pytest.Config, options: PluginOptions) -> Recordings | None:
    """The named recordings, read once in a run; None if none are named. Raises `EvaltuiError`."""
    from evaltui.api import read_recordings

    if _RECORDINGS not in config.stash:
        config.stash[_RECORDINGS] = read_recordings(options.recordings) if options.recordings else None
    return config.stash[_RECORDINGS]


def _why_unusable(eval_set: EvalSet) -> str | None:
    """Why no case of a set is a test; None for a set with cases that google-adk accepts."""
    if eval_set.rejected is not None:
        return f"google-adk rejects this set: {eval_set.rejected}"
    return None if eval_set.cases else "there are no cases, so nothing is evaluated"


def _scores(result: CaseResult) -> Iterator[tuple[str, float]]:
    """The scores by the names of their metrics. A config can name its metrics with any characters."""
    from evaltui.printable import one_line

    for name, metric in result.metrics.items():
        if metric.score is not None:
            yield one_line(name), metric.score


def _recordings_text(result: CaseResult, scorer: CaseScorer, options: PluginOptions) -> Iterator[str]:
    """Advice for a case without a recording: how to give recordings, or the conversations that have no case."""
    if not scorer.recordings:
        yield _NO_RECORDINGS.format(where="" if options.recordings else scorer.where_searched)
    elif not result.recordings and (others := scorer.unmatched_of_set):
        first, count = others[0].conversation, len(others)
        have = "1 recorded conversation has" if count == 1 else f"{count} recorded conversations have"
        yield f"{have} no case. The first is {first.id} in {first.path.name}: {others[0].reason}"


def _why_failed(result: CaseResult) -> list[str]:
    """The sentences of the table of `evaltui run`. The one about the chosen recording is last."""
    if result.runs is None and result.recordings > 1 and len(result.why) > 1:
        return [*result.why[1:], result.why[0]]
    return list(result.why)


def _shown_text(text: str) -> str:
    """A text of the command line, made printable, with the options of the plug-in. No CI runner obeys it."""
    from evaltui.printable import printable
    from evaltui.runner_words import is_runner, spaced, without_runner_words

    shown = _command_option(r"--evaltui-\1", printable(text, keep_lines=True))
    return without_runner_words(shown, spaced) if is_runner() else shown


def _shown(path: Path, config: pytest.Config) -> Path:
    """The path as messages name it: relative to the folder in which pytest was started."""
    here = config.invocation_params.dir
    return path.relative_to(here) if path.is_relative_to(here) and Path.cwd() == here else path
