"""Files of baselines, for a run of the command line and for one that is scored case by case."""

from dataclasses import replace
from pathlib import Path

import pytest

from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.evalset.expected_set import ExpectedSet
from evaltui.evalset.keys import items_of, without_cases
from evaltui.runs.editor_scores import EditorRun
from evaltui.runs.input_baseline import open_baseline
from evaltui.runs.run_options import RunOptions
from evaltui.runs.score_sets import score_sets
from evaltui.scoring.baseline_changes import with_changes
from evaltui.scoring.baseline_file import baseline_of, baseline_text
from tests.commands.runs import ACTUAL, EXPECTED, GREETING, case, eval_set, result, turn, write


def test_a_run_scored_case_by_case_makes_the_same_baseline(tmp_path: Path) -> None:
    path = write(tmp_path / "set.json", eval_set(EXPECTED, GREETING, case("open", turn("Nobody asked"))))
    options = RunOptions(recordings=[str(write(tmp_path / "run.json", result(ACTUAL, GREETING)))])
    whole = score_sets([(str(path), ())], options).runs[0]

    document = Document(path.read_bytes(), path)
    assert document.root is not None
    sources = [node.source() for node in items_of(document.root, "eval_cases")]
    editor_run = EditorRun(options)
    subject = ExpectedSet(str(path), path, "trips", ())
    steps = editor_run.steps(subject, sources, without_cases(document.root), anew=True)
    found = [step[1] for step in steps if step is not None]
    stepwise = replace(whole, cases=tuple(found))

    one = tmp_path / "one.json"
    one.write_text(baseline_text(baseline_of(whole)))
    assert one.read_text() == baseline_text(baseline_of(stepwise))
    changes = with_changes(stepwise, open_baseline(str(one)), "one.json").changes
    assert changes is not None
    assert {word: count for word, count in changes.counts.items() if count} == {"not_evaluated": 1, "same": 2}


def test_a_missing_or_damaged_file_is_a_sentence_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"none\.json: there is no such file"):
        open_baseline(str(tmp_path / "none.json"))
    with pytest.raises(DocumentError, match=r"base\.json: this is not a baseline"):
        open_baseline("base.json", b"[]")
    run_document = b'{"version": 1, "set": {}, "cases": [{"eval_id": "a"}, {"eval_id": "b"}]}'
    with pytest.raises(DocumentError, match=r"base\.json: this is not a baseline"):
        open_baseline("base.json", run_document)
