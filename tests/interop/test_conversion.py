"""Names of converted files."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaltui.interop.conversion import file_beside, stem_of
from evaltui.interop.conversion_formats import FORMATS


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("sets/trips.evalset.json", "trips"),
        ("old.test.json", "old"),
        ("basic-dataset.json", "basic"),
        ("e1.ces.json", "e1"),
        ("phone.yaml", "phone"),
        (".json", ".json"),
        ("plain", "plain"),
    ],
)
def test_the_stem_is_the_name_without_the_ending_of_the_format(name: str, stem: str) -> None:
    assert stem_of(name) == stem


@pytest.mark.parametrize(
    ("source", "option", "wanted"),
    [
        ("/a/trips.evalset.json", "evaluation-dataset", "/a/trips-dataset.json"),
        ("/a/tests/eval/evalsets/x.evalset.json", "evaluation-dataset", "/a/tests/eval/datasets/x-dataset.json"),
        ("/a/tests/eval/datasets/sub/x-dataset.json", "evalset", "/a/tests/eval/evalsets/sub/x.evalset.json"),
        ("/a/tests/eval/evalsets/x.evalset.json", "ces", "/a/tests/eval/evalsets/x.ces.json"),
        ("/a/list.evalset.json", "evalset", "/a/list.converted.evalset.json"),
    ],
)
def test_the_file_stands_beside_its_source_or_in_its_own_folder(source: str, option: str, wanted: str) -> None:
    target = next((form for form in FORMATS if form.option == option and form.write is not None), None)
    assert target is not None
    assert file_beside(Path(source), target) == Path(wanted)
