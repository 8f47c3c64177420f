"""Datasets that are broken, strange or hostile: shown, walked through and edited like any other."""

import copy
import json
import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.evalset.travel import BOOKING, CAMEL_TRAVEL, CASES, LUNCH, TRAVEL, dataset_of
from tests.sampling import sampled
from tests.tui.editor.test_corpus import assert_walk_is_harmless
from tests.tui.scenario import NARROW, WIDE, scenario
from tests.tui.test_hostile_text import HOSTILE, walk

KINDS: list[Any] = [1, "two", None, [], {}, True, [1], {"x": 1}]


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of each value below `value`, some levels deep."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from places_in(item, (*path, key))


def with_another(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    """A copy of `value` with another value at a place."""
    changed = copy.deepcopy(value)
    at = changed
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = other
    return changed


def broken_datasets(count: int) -> list[str]:
    """Datasets with values of other types in some places; the first case stays, so that they open as datasets."""
    chance = random.Random("datasets")
    found = []
    for _ in range(count):
        cases = copy.deepcopy(CASES)
        for _ in range(4):
            number = chance.randrange(len(cases))
            places = list(places_in(cases[number]))
            cases[number] = with_another(cases[number], chance.choice(places), copy.deepcopy(chance.choice(KINDS)))
        found.append(dataset_of(LUNCH, *cases))
    return found


ODD = {
    "cases of all kinds": dataset_of(LUNCH, *KINDS, {"eval_case_id": 7, "prompt": 3}),
    "turns of all kinds": dataset_of({"eval_case_id": "a", "agent_data": {"turns": [*KINDS, {"events": KINDS}]}}),
    "turns an object": dataset_of({"eval_case_id": "a", "agent_data": {"turns": {"a": 1}, "agents": [1]}}),
    "agent data a list": dataset_of({"eval_case_id": "a", "agent_data": [1], "responses": {}, "prompt": []}),
    "both spellings": dataset_of({"eval_case_id": "a", "evalCaseId": "b", "agentData": {"turns": [{}]}} | BOOKING),
    "a key twice": '{"eval_cases": [{"eval_case_id": "a", "prompt": "x", "prompt": "y"}]}',
    "no cases": json.dumps({"gcs_source": {"uris": ["gs://bucket/cases.jsonl"]}}),
    "cases null": json.dumps({"eval_cases": None, "candidate_name": "mine"}),
    "camelCase": CAMEL_TRAVEL,
    "many": dataset_of(*({"eval_case_id": f"c{n}", "prompt": f"Question {n}"} for n in range(500))),
    **{f"broken {number}": text for number, text in enumerate(broken_datasets(5))},
}


@pytest.mark.parametrize("name", sampled(ODD, 2))
async def test_random_keys_end_in_no_error(name: str) -> None:
    await assert_walk_is_harmless(ODD[name], name)


@pytest.mark.parametrize("number", sampled(range(5), 1))
async def test_every_form_of_a_broken_dataset_is_shown(number: int) -> None:
    async with scenario(ODD[f"broken {number}"], WIDE) as s:
        assert "EvaluationDataset" in s.title
        assert await walk(s) > 10
        assert s.bytes() == s.original


def hostile_dataset(text: str) -> str:
    """A dataset with `text` in every place that takes one."""

    def spoilt(value: Any) -> Any:
        if isinstance(value, list):
            return [spoilt(item) for item in value]
        if isinstance(value, dict):
            return {key: spoilt(item) for key, item in value.items()} | {text: text}
        return text if isinstance(value, str) else value

    cases = [spoilt(case) for case in CASES]
    cases[0]["agent_data"]["agents"] = {text: {"agent_id": text, "instruction": text}}
    cases[0]["rubric_groups"] = {text: {"rubrics": [{"rubric_id": text, "type": text}]}}
    return json.dumps({"eval_cases": cases, "candidate_name": text, text: text}, indent=1)


@pytest.mark.parametrize(("text", "size"), sampled(product(HOSTILE.values(), (NARROW, WIDE)), 1))
async def test_every_place_shows_hostile_text_without_obeying(text: str, size: tuple[int, int]) -> None:
    async with scenario(hostile_dataset(text), size) as s:
        assert "EvaluationDataset" in s.title
        assert await walk(s) > 10
        assert s.bytes() == s.original


@pytest.mark.parametrize("text", sampled(HOSTILE.values(), 1))
async def test_edits_say_hostile_names_harmlessly(text: str) -> None:
    async with scenario(hostile_dataset(text)) as s:
        await s.press("home", "down", "right", "right", "down", "right")
        for key in ["d", "u", "c", "u", "alt+down", "u", "a", "escape", "escape", "down", "c", "up", "d"]:
            await s.press(key)
            s.expect_harmless()


async def test_public_datasets_are_shown_and_edited(shared_folder: Path) -> None:
    paths = sorted((shared_folder / "corpus").glob("*_platform_dataset__*.json"))
    assert len(paths) > 10
    for path in sampled(paths, 3):
        async with scenario(path, WIDE) as s:
            assert "EvaluationDataset" in s.title, path.name
            await walk(s)
            assert s.bytes() == s.original


async def test_an_ordinary_dataset_survives_random_keys() -> None:
    for number in sampled(range(4), 1):
        await assert_walk_is_harmless(TRAVEL, f"travel {number}")
