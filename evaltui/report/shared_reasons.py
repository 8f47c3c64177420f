"""The reason of one case or conversation, in the plural when several share it."""

from __future__ import annotations

_PLURALS = {
    "there is no recording of this case": "there is no recording of these cases",
    "there is no user message, so no case matches": "there are no user messages, so no case matches",
    "it names a case that this dataset does not have": "they name cases that this dataset does not have",
    "this case cannot be read": "these cases cannot be read",
    "google-adk rejects this case": "google-adk rejects these cases",
    "the case is a scenario without": "the cases are scenarios without",
    "the case has no turns": "the cases have no turns",
    "the case states no expectation: it has": "the cases state no expectation: they have",
    "the case states no expected tool calls: it has": "the cases state no expected tool calls: they have",
    "the case states no expected response: it has": "the cases state no expected response: they have",
}


def reason_for(count: int, reason: str) -> str:
    """The reason in the plural if `count` cases or conversations share it."""
    if count > 1:
        for one, many in _PLURALS.items():
            reason = reason.replace(one, many)
    return reason
