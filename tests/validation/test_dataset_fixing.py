"""Fixes of datasets, whatever is wrong: they make nothing worse, are undone in one step, and are patches.

An error is found if and only if the models reject the dataset.
"""

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Rename
from evaltui.document.patch import apply_patch, operations_of, read_patch
from evaltui.evalset.file_formats import format_of_document
from evaltui.validation.file_check import fix_file
from evaltui.validation.rule_types import Diagnostic
from evaltui.validation.rules.rule_registry import RULES
from tests.agreement.dataset_words import OF_DATASETS
from tests.agreement.mutator import mutations
from tests.agreement.test_datasets import PROBES, objection
from tests.sampling import sampled
from tests.validation.datasets import ANSWERED, ASKED, CALLED, HELLO, case, check_dataset, dataset, talk

RUBRIC = {"rubric_id": "polite", "content": {"property": {"description": "It is polite."}}}
WHOLE = dataset(
    case("a", reference={"response": HELLO}, rubric_groups={"tone": {"rubrics": [RUBRIC, RUBRIC]}}),
    talk(ASKED, CALLED, ANSWERED, ASKED, agents={"desk": {"agent_id": "desk"}}, name="b"),
    case("c", responses=[{"response": HELLO}], conversation_history=[ASKED, ANSWERED]),
).decode()


def errors(found: list[Diagnostic], fixes: Sequence[Diagnostic] = ()) -> Counter[str]:
    """Errors by code, but for those at and below keys that `fixes` rename: what stands there was not read before."""
    edits = [edit for each in fixes for edit in (each.fix.edits if each.fix else ()) if isinstance(edit, Rename)]
    renamed = [f"{edit.pointer.rpartition('/')[0]}/{edit.name}/" for edit in edits]
    return Counter(
        each.code
        for each in found
        if each.severity == "error" and not any(f"{each.pointer}/".startswith(pointer) for pointer in renamed)
    )


ACCEPTED = [probe["text"] for probe in PROBES if probe["accepted"] and len(probe["text"]) < 2_000]


PARTS = sampled(range(4), 1)


def broken(part: int) -> Iterator[bytes]:
    """Mutations of datasets that are still JSON and no eval sets."""
    made = [*mutations(WHOLE, random.Random(f"fix {part}"), 120, OF_DATASETS)]
    for text in ACCEPTED[part::4]:
        made += mutations(text, random.Random(text), 4, OF_DATASETS)
    for data in sampled(made, 80):
        document = Document(data)
        if document.root is not None and format_of_document(document.root) == "evaluation_dataset":
            yield data


@pytest.mark.parametrize("part", PARTS)
def test_an_error_is_what_the_models_reject(part: int) -> None:
    for data in broken(part):
        found = [each for each in check_dataset(Document(data)) if each.severity == "error"]
        assert bool(found) == bool(objection(data)), data


@pytest.mark.parametrize("part", PARTS)
def test_each_fix_alone_takes_its_finding_away_and_adds_no_error(part: int) -> None:
    fixed = 0
    for data in broken(part):
        found = list(check_dataset(Document(data)))
        for each in found:
            if each.fix is None:
                continue
            document = Document(data)
            document.apply(each.fix.edits, each.fix.title)
            now = list(check_dataset(document))
            if each.code != "not-utf-8":  # a case is checked further only once all of its bytes are text
                assert not errors(now, [each]) - errors(found), (each, data)
            assert (each.code, each.pointer) not in [(other.code, other.pointer) for other in now], (each, data)
            document.undo()
            assert document.to_bytes() == data
            fixed += 1
    assert fixed > 20


@pytest.mark.parametrize("part", PARTS)
def test_all_safe_fixes_together_leave_no_safe_one_and_add_no_error(part: int) -> None:
    for data in broken(part):
        before = list(check_dataset(Document(data)))
        document, fixed = fix_file(Document(data), "data.json", RULES)
        now = list(check_dataset(document))
        assert not errors(now, before) - errors(before), data
        assert [each for each in now if each.fix and each.fix.safe] == []
        assert bool(fixed) == (document.to_bytes() != data)


@pytest.mark.parametrize("part", PARTS)
def test_the_patch_of_a_fix_does_what_the_fix_does(part: int) -> None:
    for data in broken(part):
        for each in check_dataset(Document(data)):
            patch = operations_of(each.fix.edits) if each.fix else None
            if each.fix is None or patch is None:
                continue
            fixed, patched = Document(data), Document(data)
            fixed.apply(each.fix.edits, "")
            apply_patch(patched, read_patch(json.dumps(patch).encode()))
            texts = [each.body().decode("utf-8", "surrogateescape") for each in (patched, fixed)]
            assert json.loads(texts[0]) == json.loads(texts[1]), data


def test_a_value_that_one_fix_deletes_is_changed_by_no_other_fix_of_the_round() -> None:
    parts = {"parts": [{"text": "Hi"}]}
    both = dataset({**talk({"author": "user", "content": parts}, name="a"), "prompt": parts})
    fixed, codes = fix_file(Document(both), "talks.json", RULES)
    assert fixed.root is not None
    assert fixed.root.at("/eval_cases/0").member("prompt") is None
    assert sorted(codes) == ["content-without-role", "prompt-and-agent-data"]
