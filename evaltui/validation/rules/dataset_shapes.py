"""Rules about values of an EvaluationDataset without the object around them, or in the form of google-adk's eval sets.

agentplatform's models reject such values. These diagnostics replace the less helpful ones about single keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaltui.document.edits import Edit, Insert, Move, Rename, Set, json_text
from evaltui.validation.dataset_case import PointedDatasetCase
from evaltui.validation.pointed_values import PointedValue
from evaltui.validation.rule import Diagnostic, Example, Fix, Rule, a_dataset_case
from evaltui.validation.rules.datasets import PROMPT


def _with_rubric(content: str) -> Example:
    return a_dataset_case(
        f'{{"eval_case_id": "greeting", {PROMPT},\n "rubric_groups": {{"tone": {{"rubrics": [\n'
        f'   {{"rubric_id": "polite", {content}}}]}}}}}}'
    )


UNWRAPPED_CONTENT = Rule(
    "unwrapped-content",
    "A string or a content object is not inside the object that the field requires.",
    "`reference` and the items of `responses` are a `ResponseCandidate` with a `response`. Events and messages of "
    "the history have `author` and `content`. Only `prompt` and `content` are content objects. `agents-cli eval "
    "grade` rejects the whole file (`EvaluationDataset.model_validate_json` of agentplatform.types). `eval "
    "generate` ends with *malformed eval case*.",
    a_dataset_case(f'{{"eval_case_id": "greeting", {PROMPT}, "reference": "Hello"}}'),
    a_dataset_case(
        f'{{"eval_case_id": "greeting", {PROMPT},\n'
        ' "reference": {"response": {"role": "model", "parts": [{"text": "Hello"}]}}}'
    ),
    "Puts the value into the missing object. In an event, also adds the author that fits the role.",
    severity="error",
    group="schema",
)
ADK_RUBRIC = Rule(
    "adk-rubric",
    "A rubric in a dataset is written in the format of google-adk's eval sets.",
    "google-adk has `rubric_content.text_property`, and agentplatform has `content.property.description`. "
    "agentplatform forbids other keys, so `EvaluationDataset.model_validate_json` rejects the whole file.",
    _with_rubric('"rubric_content": {"text_property": "It is polite."}'),
    _with_rubric('"content": {"property": {"description": "It is polite."}}'),
    "Writes the rubric in the form of agentplatform.",
    severity="error",
    group="schema",
)


def with_shapes(rejected: Sequence[Diagnostic], case: PointedDatasetCase) -> list[Diagnostic]:
    """The errors of a case, with one diagnostic for each such value in place of the errors about its keys and types."""
    if not rejected:
        return []
    found = [*_unwrapped(case), *_adk_rubrics(case)]
    explained = {place for each in found for place in _explained(each.pointer)}
    wrong = {each.pointer for each in rejected}
    told = [each for each in found if not wrong.isdisjoint(_explained(each.pointer))]
    return [*(each for each in rejected if each.pointer not in explained), *told]


def _explained(pointer: str) -> tuple[str, ...]:
    return (pointer, f"{pointer}/role", f"{pointer}/parts")


def _unwrapped(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    candidates = [("response", each) for each in case.root.items("responses")]
    if (reference := case.root.member("reference")) is not None:
        candidates.insert(0, ("reference", reference))
    for name, place in candidates:
        if isinstance(place.data, str) or _is_content(place, "response"):
            given = "a string" if isinstance(place.data, str) else "content"
            said = f"{name} must be an object with response, not just {given}"
            yield UNWRAPPED_CONTENT.at(place, said, fix=_wrapped(place, "response", "model"))
    for event in [*case.root.items("conversation_history"), *case.root.items("intermediate_events"), *case.events]:
        if _is_content(event, "content"):
            said = "an event must be an object with author and content, not just content"
            yield UNWRAPPED_CONTENT.at(event, said, fix=_wrapped(event, "content", ""))


def _is_content(place: PointedValue, name: str) -> bool:
    return isinstance(place.data, dict) and "parts" in place.data and name not in place.data


def _wrapped(place: PointedValue, name: str, role: str) -> Fix:
    """The fix that moves a content into `name`; an event also gets an author by its role, if it has none."""
    at, title = place.pointer, f"Put it into {name}"
    if isinstance(place.data, str):
        value = {name: {"role": role, "parts": [{"text": place.data}]}}
        return Fix(title, True, (Set(at, json_text(value)),))
    edits: list[Edit] = [Insert(f"{at}/{name}", b"{}")]
    edits += [Move(f"{at}/{key}", f"{at}/{name}/{key}") for key in ("role", "parts") if key in place.data]
    own = place.text("role")
    if not role and own in ("user", "model") and "author" not in place.data:
        edits.insert(0, Insert(f"{at}/author", json_text(own)))
    return Fix(title, True, tuple(edits))


def _adk_rubrics(case: PointedDatasetCase) -> Iterator[Diagnostic]:
    for rubric in (each for rubrics in case.rubric_lists for each in rubrics):
        key = rubric.key("rubric_content")
        if key is None:
            continue
        place = rubric.below(key)
        text = place.text("text_property")
        fix = None
        if text is not None and rubric.key("content") is None:
            value = json_text({"property": {"description": text}})
            renamed = f"{rubric.pointer}/content"
            fix = Fix("Write it as content", True, (Rename(place.pointer, "content"), Set(renamed, value)))
        said = f"{key} is from google-adk's rubrics; use content.property.description"
        yield ADK_RUBRIC.at(place, said, at_key=True, fix=fix)
