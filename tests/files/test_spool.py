"""A spool is a list, whether its records lie in memory or in a file."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import reduce
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.errors import DocumentError
from evaltui.files import spool
from evaltui.files.spool import Spool, SpoolPart, dumped

RECORDS = st.lists(st.tuples(st.text(max_size=5), st.integers(0, 9), st.booleans()), max_size=12)


def in_order(records: Sequence[tuple[str, int, bool]], most: int) -> None:
    """Append the records, of which some are pickled, and read them between and after."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spool, "MOST", most)
        kept: Spool[str] = Spool()
        for number, (text, size, is_pickled) in enumerate(records):
            if is_pickled:
                kept.append_pickled(dumped(text))
            else:
                kept.append(text, size)
            assert kept[number // 2] == records[number // 2][0]
        texts = [text for text, _, _ in records]
        assert [*kept] == texts and len(kept) == len(texts)
        assert kept[1:-1] == texts[1:-1]
        part = SpoolPart(kept, len(texts) // 3, len(texts))
        assert [*part] == texts[len(texts) // 3 :]
        assert [part.pickled(place) for place in range(len(part))] == [dumped(text) for text in part]


@given(RECORDS, st.sampled_from([0, 5, 1000]))
def test_a_spool_has_the_records_of_a_list(records: list[tuple[str, int, bool]], most: int) -> None:
    in_order(records, most)


def test_the_file_of_a_spool_has_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "MOST", 0)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    kept: Spool[str] = Spool()
    kept.append("a", 1)
    assert [*kept] == ["a"]
    assert [*tmp_path.iterdir()] == []


def test_a_full_disk_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "MOST", 0)
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda prefix: Path("/dev/full").open("w+b"))  # noqa: SIM115
    kept: Spool[bytes] = Spool()
    with pytest.raises(DocumentError, match="the temporary folder cannot be used: no space left on device; set TMPDIR"):
        for _ in range(100):
            kept.append(bytes(1000), 1000)
        kept.pickled(0)


def test_values_in_too_many_levels_are_a_sentence() -> None:
    with pytest.raises(DocumentError, match="nested too deeply"):
        dumped(reduce(lambda inner, _: [inner], range(100_000), list[object]()))
