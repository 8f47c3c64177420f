"""Parts of reports made when a case is scored, in the process that scores it: its turns need not be kept or moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.report.why_text import why_lines
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult

if TYPE_CHECKING:
    from evaltui.scoring.score_change import ScoreChange


CaseReport = tuple[list[str], str | None]
"""The sentences why a case failed or is not evaluated, and its JSON text without a change.

No sentences if it passed and all its metrics have a score; no text unless a report is a JSON document.
"""


def report_case(
    criteria: Criteria, result: CaseResult, *, has_json: bool = False, indent: int | None = None
) -> CaseReport:
    """The parts for one case that was scored by these criteria. `has_json`: whether a report is a JSON document."""
    is_well = result.status == "passed" and not result.is_open
    why = [] if is_well else why_lines(result, criteria)
    return why, case_text(result, criteria, indent) if has_json else None


def case_text(case: CaseResult, criteria: Criteria, indent: int | None) -> str:
    """A case in the JSON document of `evaltui run`, with its scores and their explanations."""
    from evaltui.report.json_text import json_text  # noqa: PLC0415 - few runs print JSON
    from evaltui.scoring.explained_case import explained_case  # noqa: PLC0415 - as above

    return json_text(explained_case(case, criteria).as_dict(), indent=indent)


def with_change(text: str, case: CaseResult, change: ScoreChange, indent: int | None) -> str:
    """The JSON text of a case with its change since a baseline, behind `eval_id` and `status`."""
    from evaltui.report.json_text import json_text  # noqa: PLC0415 - as above

    # The change is put in here, because a baseline takes 600 bytes a case in each process that would have it.
    head = json_text({"eval_id": case.eval_id, "status": case.status}, indent=indent).rstrip("}\n")
    gap = " " if indent is None else "\n" + " " * indent
    return f'{head},{gap}"change": "{change}"{text[len(head) :]}'
