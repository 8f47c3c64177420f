"""Criteria that were tried, written into the config."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.document.errors import ChangedOnDiskError, DocumentError, SaveError
from evaltui.document.node import Node
from evaltui.evalset.keys import snake
from evaltui.runs.config_edits import criteria_edits
from evaltui.runs.config_file import read_named_config
from evaltui.runs.tried_config import TriedConfig, open_config
from evaltui.scoring.criteria import Criteria, criteria_of
from evaltui.scoring.eval_config import config_in, load_config
from evaltui.scoring.metrics.tool_trajectory import MATCH_TYPES
from evaltui.scoring.trial_scores import criteria_on_trial

TRAJECTORY, RESPONSE = "tool_trajectory_avg_score", "response_match_score"
WRITTEN = {"threshold", "match_type", "ignore_args"}


def criteria_in(path: Path) -> Criteria:
    return criteria_of(load_config(path))


def tried_config(before: Criteria, after: Criteria, set_path: Path | None) -> TriedConfig:
    """The config of a set with criteria that are tried."""
    config = open_config(set_path, str(before.path) if before.path is not None else None, before.profile, before)
    config.refuse_other(before)
    config.document.apply(config.edits_to(before, before, after), "criteria")
    return config


def write_criteria(before: Criteria, after: Criteria, set_path: Path | None) -> None:
    tried_config(before, after, set_path).write()


def written(folder: Path, config: str, tried: dict[str, Any]) -> str:
    """The text of a config once tried criteria are written into it."""
    path = folder / "test_config.json"
    path.write_text(config)
    before = criteria_in(path)
    write_criteria(before, criteria_on_trial(before, **tried), folder / "trips.evalset.json")
    return path.read_text()


ONE_LINE = '{"criteria": {"tool_trajectory_avg_score": 1, "response_match_score":0.80 }}'
SPREAD = """{
    "criteria": {
        "tool_trajectory_avg_score": {
            "matchType": "in order",
            "note": 1.0,
            "threshold": 1
        },
        "response_match_score": {"threshold": 5e-1}
    },
    "more": [ ]
}"""


@pytest.mark.parametrize(
    ("config", "tried", "old", "new"),
    [
        (ONE_LINE, {"thresholds": {TRAJECTORY: 0.5}}, '_score": 1,', '_score": 0.5,'),
        (ONE_LINE, {"thresholds": {RESPONSE: 0.5}}, "0.80 }", "0.5 }"),
        (ONE_LINE, {"match_type": "IN_ORDER"}, '_score": 1,', '_score": {"threshold": 1, "match_type": "IN_ORDER"},'),
        (
            ONE_LINE,
            {"match_type": "ANY_ORDER", "ignore_args": True, "thresholds": {TRAJECTORY: 0.5}},
            '_score": 1,',
            '_score": {"threshold": 0.5, "match_type": "ANY_ORDER", "ignore_args": true},',
        ),
        (SPREAD, {"match_type": "ANY_ORDER"}, '"in order"', '"ANY_ORDER"'),
        (
            SPREAD,
            {"ignore_args": True},
            '"threshold": 1\n',
            '"threshold": 1,\n            "ignoreArgs": true\n',
        ),
        (SPREAD, {"thresholds": {TRAJECTORY: 0.25}}, '"threshold": 1\n', '"threshold": 0.25\n'),
        (SPREAD, {"thresholds": {RESPONSE: 0.75}}, "5e-1", "0.75"),
        (SPREAD, {"match_type": "IN_ORDER", "ignore_args": False, "thresholds": {RESPONSE: 0.5}}, "", ""),
    ],
)
def test_only_the_values_that_were_tried_are_written(
    tmp_path: Path, config: str, tried: dict[str, Any], old: str, new: str
) -> None:
    assert config.count(old) == 1 or not old
    assert written(tmp_path, config, tried) == (config.replace(old, new) if old else config)


thresholds = st.sampled_from([0.0, 0.3, 0.5, 1, 1.0])
criteria = st.fixed_dictionaries(
    {
        TRAJECTORY: thresholds
        | st.fixed_dictionaries(
            {"threshold": thresholds},
            optional={
                "match_type": st.sampled_from(["EXACT", "in order", 2]),
                "matchType": st.sampled_from(["any-order", 1]),
                "ignore_args": st.sampled_from([True, False, "no"]),
                "ignoreArgs": st.booleans(),
                "note": st.just(["kept"]),
            },
        )
    },
    optional={RESPONSE: thresholds, "safety_v1": st.just({"threshold": 0.5})},
)
configs = st.fixed_dictionaries({"criteria": criteria}, optional={"more": st.just({"a": [1.0, {}]})})
options = st.fixed_dictionaries(
    {
        "match_type": st.none() | st.sampled_from(MATCH_TYPES),
        "ignore_args": st.none() | st.booleans(),
        "thresholds": st.dictionaries(st.just(TRAJECTORY), thresholds.map(float)),
    }
)


def facts(found: Criteria) -> list[Any]:
    return [(each.name, each.threshold, each.refusal, each.to_json()) for each in found.judged]


def unchanged_parts(root: Node, changed: set[str]) -> list[Any]:
    """All that no edit may touch, with the blanks around it."""
    listed = root.at("/criteria").items
    others = [item for item in [*root.items, *listed] if item.name not in {"criteria", *changed}]
    objects = [item for item in listed if item.name in changed and item.kind == "object"]
    others += [member for item in objects for member in item.items if snake(member.name) not in WRITTEN]
    return [(item.key, item.colon, item.source()) for item in others]


@given(configs, options, st.sampled_from([None, 1, 2, "\t"]))
def test_the_config_gives_the_criteria_that_were_tried(config: Any, tried: dict[str, Any], indent: Any) -> None:
    path = Path("test_config.json")
    data = json.dumps(config, indent=indent).encode()
    before = criteria_of(config_in(data, path))
    after = criteria_on_trial(before, **tried)
    document = Document(data, path)
    document.apply(criteria_edits(document, before, after), "criteria")
    found = criteria_of(config_in(document.to_bytes(), path))
    assert facts(found) == facts(after)
    assert found.informational == after.informational
    changed = {asked.name for asked, old in zip(after.judged, before.judged, strict=True) if asked != old}
    old, new = Node(data), Node(document.to_bytes())
    assert unchanged_parts(new, changed) == unchanged_parts(old, changed)
    document.undo()
    assert document.to_bytes() == data


@given(options)
def test_a_new_config_gives_the_criteria_that_were_tried(tried: dict[str, Any]) -> None:
    before = criteria_of(None)
    after = criteria_on_trial(before, **tried)
    document = tried_config(before, after, Path("nowhere/trips.evalset.json")).document
    assert document.path is not None
    assert facts(criteria_of(config_in(document.to_bytes(), document.path))) == facts(after)


def test_a_config_is_made_beside_a_set_that_has_none(tmp_path: Path) -> None:
    before = criteria_of(None)
    write_criteria(before, criteria_on_trial(before, match_type="IN_ORDER"), tmp_path / "trips.evalset.json")
    text = (tmp_path / "test_config.json").read_text()
    assert text == (
        '{\n  "criteria": {\n    "tool_trajectory_avg_score": {\n      "threshold": 1.0,\n'
        '      "match_type": "IN_ORDER"\n    },\n    "response_match_score": 0.8\n  }\n}\n'
    )


def test_a_metric_that_only_an_option_asked_for_is_added(tmp_path: Path) -> None:
    path = tmp_path / "test_config.json"
    path.write_text('{"criteria": {"tool_trajectory_avg_score": 1.0}}')
    before = criteria_of(load_config(path), metrics=["response_match_score=0.9"])
    write_criteria(before, criteria_on_trial(before, thresholds={RESPONSE: 0.5}), None)
    assert path.read_text() == '{"criteria": {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.5}}'


def refused(before: Criteria, set_path: Path | None = Path("trips.evalset.json")) -> str:
    with pytest.raises(DocumentError) as caught:
        write_criteria(before, criteria_on_trial(before, thresholds={TRAJECTORY: 0.5}), set_path)
    return str(caught.value)


def test_a_config_in_yaml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "eval.yaml"
    path.write_text("evaluators: [{name: tool_trajectory_avg_score, type: builtin}]\n")
    assert "is YAML, and evaltui does not write YAML" in refused(criteria_of(load_config(path)))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "test_config.json:1:2: invalid JSON"),
        ('{"criteria": 1}', "google-adk rejects this config at /criteria"),
        ('{"criteria": {"tool_trajectory_avg_score": 0.9}}', "the config changed on disk after it was read"),
        (None, "there is no such file"),
    ],
)
def test_a_config_that_is_another_by_now_is_refused(tmp_path: Path, text: str | None, why: str) -> None:
    path = tmp_path / "test_config.json"
    path.write_text(ONE_LINE)
    before = criteria_of(read_named_config(path))
    path.unlink()
    if text is not None:
        path.write_text(text)
    assert why in refused(before)
    assert (path.read_text() if path.exists() else None) == text


def test_a_config_that_changes_between_reading_and_writing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "test_config.json"
    path.write_text(ONE_LINE)
    before = criteria_in(path)
    config = tried_config(before, criteria_on_trial(before, match_type="IN_ORDER"), None)
    path.write_text(SPREAD)
    with pytest.raises(ChangedOnDiskError):
        config.write()
    assert path.read_text() == SPREAD


def test_a_config_that_came_to_be_is_not_replaced(tmp_path: Path) -> None:
    before = criteria_of(None)
    config = tried_config(before, criteria_on_trial(before, match_type="IN_ORDER"), tmp_path / "a.evalset.json")
    (tmp_path / "test_config.json").write_text(SPREAD)
    with pytest.raises(SaveError, match="another program created this file meanwhile"):
        config.write()
    assert "the config changed on disk after it was read" in refused(before, tmp_path / "a.evalset.json")
    assert (tmp_path / "test_config.json").read_text() == SPREAD


def test_a_config_that_is_read_only_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "test_config.json"
    path.write_text(ONE_LINE)
    path.chmod(0o444)
    before = criteria_in(path)
    with pytest.raises(SaveError, match="the file is read-only"):
        write_criteria(before, criteria_on_trial(before, match_type="IN_ORDER"), None)
    assert path.read_text() == ONE_LINE


def test_an_option_that_google_adk_does_not_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "test_config.json"
    path.write_text('{"criteria": {"tool_trajectory_avg_score": {"threshold": 1, "ignore_args": "perhaps"}}}')
    assert 'its ignore_args must be true or false, not "perhaps"; correct it' in refused(criteria_in(path))


def test_a_match_type_that_nobody_knows_is_replaced_alone(tmp_path: Path) -> None:
    config = '{"criteria": {"tool_trajectory_avg_score": {"threshold": 1, "match_type": "SOME"}}}'
    assert written(tmp_path, config, {"match_type": "ANY_ORDER"}) == config.replace("SOME", "ANY_ORDER")


def test_there_is_no_place_for_a_config_of_standard_input() -> None:
    assert "the eval set came from standard input" in refused(criteria_of(None), None)
    config = config_in(ONE_LINE.encode(), Path("-"))
    assert "the config came from standard input" in refused(criteria_of(config))
    assert "adk-rs reads no config" in refused(criteria_of(None, "adk-rs"))
