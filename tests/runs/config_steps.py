"""Random steps of a trial: what the form of a config can do to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.keys import camel
from evaltui.runs.config_edits import (
    JUDGE,
    add_criterion,
    add_rubric,
    criterion_nodes,
    delete_criterion,
    delete_option,
    delete_rubric,
    rubrics_of,
    write_option,
    write_rubric_id,
    write_rubric_text,
    write_threshold,
)
from evaltui.scoring.metrics.registry import METRICS

Step = Callable[[], Revision]


def steps(root: Node, random: Random) -> Iterator[tuple[str, Step]]:
    """All kinds of steps that a config allows now, each with the name of the criterion that it is about."""
    absent = [name for name, each in METRICS.items() if not each.informational]
    absent = [name for name in absent if name not in {each.name for each in criterion_nodes(root)}]
    if absent:
        name = random.choice(absent)
        yield name, lambda: add_criterion(root, name, 0.8)
    for criterion in criterion_nodes(root):
        yield from ((criterion.name, step) for step in of_criterion(criterion, random))


def of_criterion(criterion: Node, random: Random) -> Iterator[Step]:
    metric = METRICS.get(criterion.name)
    keys = metric.criterion_keys if metric is not None else ()
    yield lambda: write_threshold(criterion, random.choice([b"0.50", b"1", b"0.3", b"7e-1"]))
    if random.random() < 0.1:
        yield lambda: delete_criterion(criterion)
    if "match_type" in keys:
        yield lambda: write_option(criterion, "match_type", random.choice(["EXACT", "IN_ORDER", "ANY_ORDER"]))
        yield lambda: write_option(criterion, "ignore_args", random.choice([True, False]))
        yield lambda: delete_option(criterion, random.choice(["match_type", "ignore_args"]))
    if JUDGE in keys:
        yield lambda: write_option(criterion, "num_samples", random.randint(1, 9), JUDGE)
        yield lambda: write_option(criterion, "judge_model", random.choice(["a", "ü\u2028"]), JUDGE)
        yield lambda: delete_option(criterion, random.choice(["num_samples", "judge_model"]), JUDGE)
    if "rubrics" in keys:
        yield lambda: add_rubric(criterion)
        for rubric in rubrics_of(criterion)[:2]:
            yield lambda rubric=rubric: write_rubric_text(rubric, random.choice(["It asks.", 'Says "yes"\nor no.']))
            yield lambda rubric=rubric: write_rubric_id(rubric, f"asks_{random.getrandbits(40)}")
            yield lambda rubric=rubric: delete_rubric(rubric)


def try_steps(document: Document, random: Random, count: int) -> set[str]:
    """Do random steps; returns the names of the criteria that they were about."""
    touched = set()
    for _ in range(count):
        assert document.root is not None
        name, step = random.choice([*steps(document.root, random)])
        revision = step()
        if revision.edits:
            document.apply(revision.edits, revision.label)
            document.history.seal()
            touched.add(name)
    return touched


def parts(root: Node, touched: set[str]) -> list[tuple[bytes | None, bytes]]:
    """The text of all that no step was about: other members of the config, other criteria."""
    others = [item for item in root.items if item.name != "criteria"]
    others += [item for item in criterion_nodes(root) if item.name not in touched]
    return [(item.key, item.source()) for item in others]


def rest_of_objects(root: Node, touched: set[str]) -> list[bytes]:
    """The text of the members that no step writes, in the criteria that steps were about and are still there."""
    written = {"threshold", "match_type", "ignore_args", JUDGE, "rubrics"}
    names = {*written, *map(camel, written)}
    objects = [item for item in criterion_nodes(root) if item.name in touched and item.kind == "object"]
    return [member.source() for item in objects for member in item.items if member.name not in names]
