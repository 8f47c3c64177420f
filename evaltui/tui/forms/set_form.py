"""The form of the set itself."""

from __future__ import annotations

import time

from evaltui.evalset.editing.member_edits import fill_member
from evaltui.evalset.editing.templates import add_case
from evaltui.evalset.keys import member
from evaltui.evalset.set_views import EvalSetView
from evaltui.evalset.titles import title
from evaltui.tui.forms.form import Choice, Form, Heading, Item
from evaltui.tui.forms.member_lines import number_member, others, text_member
from evaltui.tui.forms.row_lines import case_line, listed, offer_of

_FIELDS = ("eval_set_id", "name", "description", "creation_timestamp", "eval_cases")


def set_form(eval_set: EvalSetView) -> Form:
    """Id, name, description, time of creation, and the cases."""
    root = eval_set.root
    items: list[Item] = [text_member(eval_set, root, "eval_set_id", "set", types=("text",))]
    items += [text_member(eval_set, root, name, "set") for name in _FIELDS[1:3]]
    choices: list[Choice] = []
    if member(root, "creation_timestamp") is not None:
        items.append(number_member(eval_set, root, "creation_timestamp", "set", is_date=True))
    else:
        now = round(time.time(), 3)
        choices.append(
            Choice("creation time", "now", revise=lambda: fill_member(eval_set, root, "creation_timestamp", now))
        )
    items += [Heading("Cases", str(len(eval_set.cases)))]
    items += listed(eval_set, eval_set.cases, case_line, "No cases. a adds one.")
    items += others(eval_set, root, _FIELDS)
    items += offer_of(["creation time"] if choices else [], choices, title(eval_set, root))
    return Form(title(eval_set, root), items, add=lambda _: add_case(eval_set, None), adds="case")
