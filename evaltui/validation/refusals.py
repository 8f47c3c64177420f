"""What an evaluator of google-adk cannot read of its criterion, though the config is accepted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import ValidationError

from evaltui.document import Set, json_text
from evaltui.evalset.keys import snake
from evaltui.evalset.metrics import MATCH_TYPES, Metric
from evaltui.evalset.schema.criteria import CRITERIA, JudgeModelOptions
from evaltui.evalset.schema.eval_config import BaseCriterion
from evaltui.printable import one_line
from evaltui.validation.diagnostic import Diagnostic, Fix
from evaltui.validation.misspelt_keys import misspelt
from evaltui.validation.model_walk import known_keys
from evaltui.validation.nearness import meant
from evaltui.validation.place import Place
from evaltui.validation.rules import config as rules

Steps = tuple[str | int, ...]


def refusals(criterion: Place, metric: Metric) -> Iterator[Diagnostic]:
    """The findings where the criterion of a metric is not what its evaluator reads; nothing where it can."""
    try:
        kept = BaseCriterion.model_validate(criterion.data).model_dump()
    except ValidationError:
        return  # the config is rejected, which its schema says
    try:
        CRITERIA[metric.criterion].model_validate(kept)
    except ValidationError as error:
        together: defaultdict[Steps, list[tuple[Steps, str]]] = defaultdict(list)
        for detail in error.errors(include_url=False, include_input=False, include_context=False):
            together[detail["loc"][:2]].append((detail["loc"], detail["type"]))
        options = criterion.member("judge_model_options")
        known, effect = known_keys(JudgeModelOptions), f"{metric.name} is not evaluated as it is"
        renamed = list(misspelt(rules.MISSPELT_JUDGE_OPTION, options, known, effect) if options else ())
        yield from renamed
        for steps, details in together.items():
            place = _place_at(criterion, steps)
            if place.pointer not in [each.pointer for each in renamed]:
                yield _refusal(place, steps, details, metric)


def _refusal(place: Place, steps: Steps, details: Sequence[tuple[Steps, str]], metric: Metric) -> Diagnostic:
    head = snake(str(steps[0]))
    if head == "match_type":
        return _match_type(place)
    if head == "judge_model_options" and len(details[0][0]) == 2:
        name = one_line(str(steps[1]), 40)
        if details[0][1] == "extra_forbidden":
            said = f"the judge has no option {name}, so {metric.name} is not evaluated"
            return rules.BAD_JUDGE_OPTION.at(place, said, at_key=True)
        wanted = "a text" if snake(name) == "judge_model" else "a whole number from 1"
        wanted = "an object" if snake(name) == "judge_model_config" else wanted
        said = f"{name} must be {wanted}, or {metric.name} is not evaluated"
        return rules.BAD_JUDGE_OPTION.at(place, said)
    faults = ", ".join(_said(loc, kind) for loc, kind in details[:3])
    return rules.CRITERION_REFUSED.at(place, f"{metric.name} is not evaluated, for it cannot read this: {faults}")


def _match_type(place: Place) -> Diagnostic:
    written = place.data
    near = meant(written, [name.lower() for name in MATCH_TYPES]).upper() if isinstance(written, str) else ""
    fix = Fix(f"Write {near}", True, (Set(place.pointer, json_text(near)),)) if near else None
    what = f"{one_line(written, 30)!r} is" if isinstance(written, str) else "this is"
    said = f"{what} no match type, so the metric is not evaluated; google-adk knows {', '.join(MATCH_TYPES)}"
    return rules.BAD_MATCH_TYPE.at(place, said, fix=fix)


def _said(loc: Steps, kind: str) -> str:
    name = one_line(snake(str(loc[-1])), 40)
    said = {"missing": "is required", "extra_forbidden": "is not known"}.get(kind, "has another type or value")
    return f"{name} {said}"


def _place_at(place: Place, steps: Steps) -> Place:
    """What steps lead to, or the last that is there on the way."""
    for step in steps:
        data: Any = place.data
        if not (step in data if isinstance(data, dict) else isinstance(data, list) and isinstance(step, int)):
            break
        place = place.below(step)
    return place
