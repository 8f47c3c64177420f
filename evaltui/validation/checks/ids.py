"""Checks of ids and names, one case at a time."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from evaltui.document.edits import Set, json_text
from evaltui.printable import one_line, printable
from evaltui.validation.case_data import Case
from evaltui.validation.diagnostic import Diagnostic, Fix
from evaltui.validation.place import Place
from evaltui.validation.rules import ids as rules


def check(case: Case) -> Iterator[Diagnostic]:
    """What google-adk cannot select, and blanks that one does not see."""
    eval_id = case.eval_id
    if eval_id:
        odd = next((sign for sign in ",:" if sign in eval_id), None)
        if odd is not None:
            said = f"eval_id has a {'comma' if odd == ',' else 'colon'} in it, so `adk eval` cannot select the case"
            place = case.place.below(case.place.key("eval_id") or "")
            other = re.sub(r"\s*[,:]+\s*", "_", eval_id).strip("_") or "case"
            fix = Fix(f"Rename it to {one_line(other, 30)}", False, (Set(place.pointer, json_text(other)),))
            yield rules.UNSELECTABLE_EVAL_ID.at(place, said, fix=fix)
        yield from _blanks_around(case.place, "eval_id", is_fixed=False)
    if case.session is not None:
        for name in ("app_name", "user_id"):
            yield from _blanks_around(case.session, name)
    for turn in case.turns:
        for tool in (*turn.calls, *turn.responses):
            yield from _blanks_around(tool, "name")
            yield from _decomposed(tool)
    for rubric in case.all_rubrics:
        yield from _blanks_around(rubric, "rubric_id", is_fixed=False)


def _decomposed(tool: Place) -> Iterator[Diagnostic]:
    name = tool.text("name")
    if name is not None and not name.isascii() and not unicodedata.is_normalized("NFC", name):
        place, composed = tool.below("name"), unicodedata.normalize("NFC", name)
        fix = Fix("Compose its accents", False, (Set(place.pointer, json_text(composed)),))
        said = f"{one_line(name, 40)!r} has accents as characters of their own, so no function of Python has this name"
        yield rules.NAME_NOT_COMPOSED.at(place, said, fix=fix)


def _blanks_around(owner: Place, name: str, *, is_fixed: bool = True) -> Iterator[Diagnostic]:
    text = owner.text(name)
    if text is not None and text != text.strip() and text.strip():
        place = owner.below(owner.key(name) or "")
        fix = Fix("Take the blanks away", True, (Set(place.pointer, json_text(text.strip())),)) if is_fixed else None
        yield rules.BLANKS_AROUND.at(place, f"{name} {printable(text)[:40]!r} begins or ends with blanks", fix=fix)
