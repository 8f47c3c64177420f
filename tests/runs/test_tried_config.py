"""A config that is tried: its criteria before they are written, and the bytes that a write leaves alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.evalset.editing.revision import Revision
from evaltui.runs.config_edits import add_criterion, delete_criterion, write_option, write_threshold
from evaltui.runs.config_file import read_named_config
from evaltui.runs.tried_config import TriedConfig, open_config
from evaltui.scoring.criteria import Criteria, criteria_of
from evaltui.scoring.eval_config import config_in
from evaltui.validation.case_checks import errors_in_config
from tests.runs.config_steps import parts, rest_of_objects, try_steps
from tests.sampling import sampled

PATH = Path("test_config.json")
SAMPLES = sorted((Path(__file__).parents[1] / "data" / "configs").glob("*.json"))
TRAJECTORY, RESPONSE = "tool_trajectory_avg_score", "response_match_score"


def criteria_in(data: bytes) -> Criteria:
    return criteria_of(config_in(data, PATH))


def step(config: TriedConfig, revision: Revision) -> None:
    config.document.apply(revision.edits, revision.label)


def holds_all_promises(data: bytes, random: Random, count: int) -> None:
    """Random steps touch no other byte, give what was tried, stay accepted, and undo to the same bytes."""
    config = TriedConfig(Document(data, PATH))
    in_force = criteria_in(data)
    assert config.criteria(in_force) is in_force
    before = config.document.root
    assert before is not None
    old = Document(data).root
    assert old is not None
    touched = try_steps(config.document, random, count)
    text = config.document.to_bytes()
    new = Document(text).root
    assert new is not None
    assert parts(new, touched) == parts(old, touched)
    assert set(rest_of_objects(new, touched)) <= set(rest_of_objects(old, touched))
    assert not errors_in_config(text)
    assert config.criteria(in_force).judged == criteria_in(text).judged
    assert config.criteria(in_force).informational == criteria_in(text).informational
    while config.document.undo():
        pass
    assert config.document.to_bytes() == data
    assert config.criteria(in_force) is in_force


def accepted_configs(paths: list[Path]) -> Iterator[bytes]:
    for path in paths:
        data = path.read_bytes()
        document = Document(data)
        if document.root is not None and document.root.kind == "object" and not errors_in_config(data):
            yield data


@given(st.sampled_from([*accepted_configs(SAMPLES)]), st.randoms(use_true_random=False), st.integers(1, 12))
def test_a_trial_of_a_sample_touches_nothing_else(data: bytes, random: Random, count: int) -> None:
    holds_all_promises(data, random, count)


def test_trials_of_public_configs_touch_nothing_else(shared_folder: Path) -> None:
    found = [*accepted_configs(sorted((shared_folder / "corpus").glob("*_eval_config__*.json")))]
    assert len(found) > 10
    for number, data in enumerate(found):
        for seed in sampled(range(6)):
            holds_all_promises(data, Random(100 * number + seed), 1 + 3 * seed)


# --- where a config comes from ---------------------------------------------------------------------------------------


def test_a_set_without_a_config_gets_a_new_one_with_the_defaults(tmp_path: Path) -> None:
    config = open_config(tmp_path / "a.evalset.json", None, "adk", None)
    assert config.is_new
    assert not config.is_changed
    assert config.document.root is not None
    step(config, write_threshold(config.document.root.at(f"/criteria/{RESPONSE}"), b"0.25"))
    config.write()
    assert json.loads((tmp_path / "test_config.json").read_bytes())["criteria"] == {TRAJECTORY: 1.0, RESPONSE: 0.25}
    assert not config.is_new
    with pytest.raises(DocumentError, match="the cases are not scored with it yet"):
        config.refuse_other(criteria_of(None))
    config.refuse_other(criteria_in(config.document.to_bytes()))


@pytest.mark.parametrize(
    ("given_", "profile", "why"),
    [
        ("eval.yaml", "adk", "eval.yaml is YAML, and evaltui does not write YAML"),
        ("-", "adk", "came from standard input"),
        (None, "adk-rs", "adk-rs reads no config"),
    ],
)
def test_a_config_that_cannot_be_written_is_tried_all_the_same(
    tmp_path: Path, given_: str | None, profile: str, why: str
) -> None:
    path = tmp_path / "eval.yaml"
    path.write_text(f"evaluators: [{{name: {RESPONSE}, type: builtin}}]\n")
    in_force = criteria_of(read_named_config(path)) if given_ == "eval.yaml" else criteria_of(None, profile)  # type: ignore[arg-type]
    named = str(path) if given_ == "eval.yaml" else given_
    config = open_config(tmp_path / "a.evalset.json", named, profile, in_force)  # type: ignore[arg-type]
    assert config.criteria(in_force) is in_force
    assert config.document.root is not None
    (name, *_) = [each.name for each in in_force.judged]
    step(config, write_threshold(config.document.root.at(f"/criteria/{name}"), b"0.25"))
    tried = config.criteria(in_force).of(name)
    assert tried is not None
    assert tried.threshold == 0.25
    with pytest.raises(DocumentError, match=why):
        config.write()
    assert [each.name for each in tmp_path.iterdir()] == ["eval.yaml"]


def test_criteria_that_are_not_edited_stay_as_the_command_line_has_them() -> None:
    data = json.dumps({"criteria": {TRAJECTORY: 1.0, RESPONSE: 0.8, "safety_v1": 0.5}}).encode()
    in_force = criteria_of(
        config_in(data, PATH), metrics=[TRAJECTORY, "response_match_score=0.3"], match_type="IN_ORDER"
    )
    config = TriedConfig(Document(data, PATH))
    assert config.criteria(in_force) is in_force
    assert config.document.root is not None
    step(config, write_option(config.document.root.at(f"/criteria/{TRAJECTORY}"), "ignore_args", True))
    tried = config.criteria(in_force)
    assert [each.name for each in tried.judged] == [TRAJECTORY, RESPONSE]
    response = tried.of(RESPONSE)
    assert response is not None
    assert response.threshold == 0.3


def test_a_metric_is_added_and_deleted() -> None:
    data = json.dumps({"criteria": {RESPONSE: 0.8}}).encode()
    in_force, config = criteria_in(data), TriedConfig(Document(data, PATH))
    root = config.document.root
    assert root is not None
    step(config, add_criterion(root, TRAJECTORY, 1.0))
    step(config, delete_criterion(root.at(f"/criteria/{RESPONSE}")))
    assert [each.name for each in config.criteria(in_force).judged] == [TRAJECTORY]
    assert json.loads(config.document.to_bytes()) == {"criteria": {TRAJECTORY: 1.0}}


def test_a_config_that_google_adk_rejects_gives_no_criteria() -> None:
    data = json.dumps({"criteria": {RESPONSE: {"threshold": 0.8}}}).encode()
    config = TriedConfig(Document(data, PATH))
    assert config.document.root is not None
    config.document.apply([*write_threshold(config.document.root.at(f"/criteria/{RESPONSE}"), b'"x"').edits], "edit")
    with pytest.raises(DocumentError, match="google-adk rejects this config at /criteria"):
        config.criteria(criteria_in(data))
