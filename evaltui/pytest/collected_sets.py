"""Eval sets as files of tests, and their cases as tests."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import pytest

from evaltui.file_access import read_regular
from evaltui.pytest.options import MARKER, PluginOptions, options_of

if TYPE_CHECKING:  # a run without eval sets imports none of this
    from evaltui.api import CaseResult, Criteria, EvalCase, EvalSet, Recordings
    from evaltui.api.scores import CaseScorer
    from evaltui.scoring import results
    from evaltui.scoring.baseline_changes import BaselineChanges
    from evaltui.scoring.baseline_file import Baseline

T = TypeVar("T")
_RECORDINGS: pytest.StashKey[Recordings | None] = pytest.StashKey()
_BASELINES: pytest.StashKey[dict[str, Baseline]] = pytest.StashKey()
_NOTES = pytest.StashKey[dict[str, None]]()
_NO_RECORDINGS = (
    "There are no recordings{where}. Give them with --evaltui-recordings PATH, or with evaltui_recordings in the ini "
    "file."
)
_SET, _TEST = ".evalset.json", ".test.json"
_LARGEST = 1 << 30
"""Bytes of a file that is searched for cases."""
STATUS = "evaltui_status"
"""The property of a report with the verdict of its case."""


def is_collected(path: Path, *, is_named: bool) -> bool:
    """Whether a file is collected."""
    # An unreadable file is none of ours, unless its name is that of an eval set.
    if path.name.endswith(_SET) or (is_named and path.name.endswith(_TEST)):
        return True
    if path.suffix != ".json":
        return False
    if not (is_named or path.name.endswith(_TEST)):
        # The name or the folder of the datasets of agents-cli (`tests/eval/datasets`).
        if not path.name.endswith("dataset.json") and path.parent.name != "datasets":
            return False
        from evaltui.evalset.set_files import is_generated

        if is_generated(path):
            return False
    try:
        data = read_regular(path, _LARGEST)
    except (OSError, ValueError):
        return False
    return any(word in data for word in (b"eval_cases", b"evalCases"))


class EvalSetFile(pytest.File):
    """An eval set. It is read when it is collected; recordings are read when its first case runs."""

    def collect(self) -> Iterator[CaseItem]:
        """The cases, in the order of the set. Raises `CollectError` for a set that cannot be scored."""
        cases = self._subject[0].cases
        names = item_names([case.eval_id for case in cases])
        for name, case in zip(names, cases, strict=True):
            # pytest 9.2 finds no failure of the last run by an id with `[` that it made of a name (`NodeId.child`).
            yield CaseItem.from_parent(self, name=name, case=case, nodeid=f"{self.nodeid}::{name}")

    @cached_property
    def _subject(self) -> tuple[EvalSet, Criteria, BaselineChanges | str | None]:
        """The set, its criteria, and its changes since a baseline; a sentence if none can be compared with it."""
        from evaltui.api import EvaltuiError, read_eval_set
        from evaltui.api.chosen_criteria import choose_criteria

        options = options_of(self.config)
        try:
            eval_set = read_eval_set(self.path)
            criteria = choose_criteria(
                options.config or eval_set.config,
                options.thresholds,
                match_type=options.match_type,
                ignore_args=options.ignore_args,
                option=lambda name: f"--evaltui-{name.replace('_', '-')}",
            )
            changes = self._find_changes(eval_set, criteria)
        except EvaltuiError as error:
            raise self.CollectError(self.shown_text(str(error))) from None
        why = "there are no cases, so nothing is evaluated" if not eval_set.cases else ""
        if eval_set.rejected is not None:
            why = f"google-adk rejects this set: {eval_set.rejected}"
        if why and not options.allow_not_evaluated:
            raise self.CollectError(self.shown_text(f"{eval_set.path}: {why}"))
        return eval_set, criteria, changes

    def _find_changes(self, eval_set: EvalSet, criteria: Criteria) -> BaselineChanges | str | None:
        """The changes since the baseline of the set, or why it has none; None if the options name no baseline.

        Raises `EvaltuiError` for a baseline that cannot be read.
        """
        options, stash = options_of(self.config), self.config.stash
        if not options.baselines:
            return None
        from evaltui.api.chosen_criteria import criteria_in_force
        from evaltui.api.eval_sets import expected_set
        from evaltui.api.inputs import EvaltuiError
        from evaltui.pytest.set_baseline import changes_of_set, read_baselines

        if _BASELINES not in stash:
            stash[_BASELINES] = read_baselines(options.baselines, lambda path: _shown(path, self.config))
        expected, in_force = expected_set(eval_set), criteria_in_force(criteria)
        try:
            changes = changes_of_set(stash[_BASELINES], expected, in_force, only_regressions=options.only_regressions)
        except EvaltuiError as error:  # raised here, it would end the collection, and with it all other tests
            return self.shown_text(f"{eval_set.path}: {error}")
        if changes.other_criteria:
            warning = f"{changes.name}: this baseline was made with other criteria, so verdicts may differ"
            self._note([f"{warning}: {'; '.join(changes.other_criteria)}"])
        return changes

    def changes(self) -> BaselineChanges | None:
        """The changes since the baseline; None without one. Fails the running test if none can be compared."""
        return _value_or_failure(self._subject[2])

    @cached_property
    def _scorer(self) -> CaseScorer | str:
        """Scores the cases; a sentence if the recordings cannot be read."""
        from evaltui.api import EvaltuiError, read_recordings
        from evaltui.api.eval_sets import expected_set
        from evaltui.api.recording_files import recordings_of
        from evaltui.api.scores import CaseScorer

        (eval_set, criteria, _), options, stash = self._subject, options_of(self.config), self.config.stash
        try:
            if _RECORDINGS not in stash:  # recordings that the options name are read once in a run
                stash[_RECORDINGS] = read_recordings(options.recordings) if options.recordings else None
            recordings = recordings_of(stash[_RECORDINGS], expected_set(eval_set))
            self._note(recordings.warnings)
            return CaseScorer(eval_set, recordings, criteria, options.runs, "--evaltui-runs all")
        except EvaltuiError as error:
            return self.shown_text(str(error))

    def scorer(self) -> CaseScorer:
        """Scores the cases. Fails the running test if the recordings cannot be read."""
        return _value_or_failure(self._scorer)

    def _note(self, sentences: Iterable[str]) -> None:
        """Note sentences about files, which begin with the folder of the run or have it within."""
        texts = (sentence.replace(f"{options_of(self.config).folder}{os.sep}", "") for sentence in sentences)
        notes_of(self.config).update((_safe_text(sentence), None) for sentence in texts)

    def shown_text(self, text: str) -> str:
        """A text that pytest prints: safe, and without the folder of the run at the start of each line."""
        folder = f"{options_of(self.config).folder}{os.sep}"
        return _safe_text("\n".join(line.removeprefix(folder) for line in text.split("\n")))


def _value_or_failure(value: T | str) -> T:
    """The value. Fails the running test for a sentence."""
    if isinstance(value, str):
        pytest.fail(value, pytrace=False)
    return value


class CaseItem(pytest.Item):
    """A case. It fails if it fails in `evaltui run`, or if it is not evaluated."""

    def __init__(self, *, case: EvalCase, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._case = case
        self.line = case.line
        """The line of the case in its file, from 1."""
        self.add_marker(MARKER)

    def setup(self) -> None:
        """Read the baseline and the recordings, so that a fault in them is an error of the set-up."""
        self._file.changes()
        self._file.scorer()

    def runtest(self) -> None:
        """Score the case."""
        from evaltui.printable import one_line

        scorer = self._file.scorer()
        scored = scorer.scored(self._case.number)
        result = scorer.shown(scored)
        # A config can name its metrics with any characters.
        scores = ((one_line(name), metric.score) for name, metric in result.metrics.items() if metric.score is not None)
        self.user_properties += [(STATUS, result.status), *scores]
        if result.status == "failed":
            # The sentences of the table of `evaltui run`. The one about the chosen recording is last.
            is_about_choice = result.runs is None and result.recordings > 1
            why = [*result.why[1:], *result.why[:1]] if is_about_choice else [*result.why]
            self._fail_unless_known(scored, why)
        if not result.open_reasons:
            return
        options, changes = options_of(self.config), self._file.changes()
        # If only regressions count, a case fails only if it was evaluated before.
        counts_as_failure = changes is None or not options.only_regressions or changes.change_of(scored).is_lost
        reasons = [*result.open_reasons, *_advise_on_recordings(result, scorer, options)]
        if counts_as_failure and not options.allow_not_evaluated:
            self._fail(reasons, "not evaluated")
        if result.status == "not_evaluated":
            pytest.skip(self._file.shown_text(". ".join(reasons)))

    def _fail_unless_known(self, scored: results.CaseResult, sentences: list[str]) -> NoReturn:
        """Fail. If only regressions count, a case that is no regression is an expected failure of pytest."""
        if (changes := self._file.changes()) is not None:
            from evaltui.pytest.set_baseline import about_failure

            change = changes.change_of(scored)
            about = about_failure(change, changes.name)
            if options_of(self.config).only_regressions and change.change != "regressed":
                pytest.xfail(self._file.shown_text(". ".join([about, *sentences])))
            sentences = [*sentences, about]  # also with --runxfail, for which pytest.xfail does nothing
        self._fail(sentences, "failed")

    def _fail(self, sentences: list[str], verdict: str) -> NoReturn:
        """Fail with the sentences, and with the place as compilers print it, which editors can open."""
        place = f"{_shown(self.path, self.config)}:{self.line}: {verdict}"
        pytest.fail(self._file.shown_text("\n".join([*sentences, place])), pytrace=False)

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


def notes_of(config: pytest.Config) -> dict[str, None]:
    """Sentences for the end of a run: skipped files, and a baseline with other criteria. A set with an order."""
    return config.stash.setdefault(_NOTES, {})


def _advise_on_recordings(result: CaseResult, scorer: CaseScorer, options: PluginOptions) -> Iterator[str]:
    """Advice for a case without a recording: how to give recordings, or the conversations that have no case."""
    from evaltui.recordings.default_recordings import where_searched
    from evaltui.recordings.matching import unmatched_of_set

    expected = scorer.expected
    if not scorer.recordings and options.recordings:
        yield "No recording was read. --evaltui-recordings has none that can be used."
    elif not scorer.recordings:
        where = where_searched(expected.path, expected.eval_set_id, is_dataset=expected.is_dataset)
        yield _NO_RECORDINGS.format(where=where.replace(f"{options.folder}{os.sep}", ""))
    elif not result.recordings and (unmatched := unmatched_of_set(scorer.unmatched, expected.eval_set_id)):
        first, count = unmatched[0].conversation, len(unmatched)
        have = "1 recorded conversation has" if count == 1 else f"{count} recorded conversations have"
        yield f"{have} no case. The first is {first.id} in {first.path.name}: {unmatched[0].reason}"


def _safe_text(text: str) -> str:
    """A text made printable. No CI runner obeys it."""
    from evaltui.printable import printable
    from evaltui.workflow_commands import is_runner, spaced, without_runner_words

    safe = printable(text, keep_lines=True)
    return without_runner_words(safe, spaced) if is_runner() else safe


def _shown(path: Path, config: pytest.Config) -> Path:
    """The path as messages name it: relative to the folder in which pytest was started."""
    folder = options_of(config).folder
    return path.relative_to(folder) if path.is_relative_to(folder) else path


def item_names(eval_ids: Sequence[str]) -> list[str]:
    """A name for each case.

    Cases with one eval_id are numbered from 1: `refund[1]`, `refund[2]`. A case without an id has its place in the set:
    `case_3`.
    """
    # In brackets, as for a parametrized test: then pytest takes the id alone for all of them.
    safe = (safe_name(eval_id) or f"case_{number}" for number, eval_id in enumerate(eval_ids, 1))
    # pytest 9.2 takes `a[b` and `a[b]` for one id (`NodeId.parse`).
    plain = [name if name.endswith("]") else name.replace("[", "%5B") for name in safe]
    counts = Counter(plain)
    used = {name for name in plain if counts[name] == 1}
    names = []
    for name in plain:
        numbered = (f"{name}[{number}]" for number in count(1))
        names.append(name if counts[name] == 1 else next(free for free in numbered if free not in used))
        used.add(names[-1])
    return names


def safe_name(text: str) -> str:
    """A name in which nothing separates node ids, and no word of which a CI runner obeys: `%3A%3Aerror`.

    If the locale lacks a character of a name, the name is escaped.
    """
    from evaltui.printable import one_line
    from evaltui.workflow_commands import without_runner_words

    plain = one_line(text).replace("::", "%3A%3A")  # pytest splits node ids there
    # pytest puts names into the environment (`PYTEST_CURRENT_TEST`), and escapes the ids of its own tests in this way
    # (`_pytest.compat.ascii_escaped`).
    try:
        os.fsencode(plain)
    except UnicodeEncodeError:
        plain = plain.encode("unicode_escape").decode("ascii")
    return without_runner_words(plain, lambda sign: f"%{ord(sign):02X}")
