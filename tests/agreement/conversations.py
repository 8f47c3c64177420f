"""Random expected and actual turns, in both shapes, with odd arguments and texts of many scripts."""

from __future__ import annotations

import copy
import random
from typing import Any

_SCALARS = [None, True, False, 0, 1, 1.0, -0.0, 2, "1", "", "true", 0.1 + 0.2, 0.3, 2**60, 1e308, "é", "e\u0301"]
_ODD = [float("nan"), float("inf")]
_WORDS = (
    *("the", "flights", "flying", "Booked", "booking", "universities", "generalli", "It's", "1,000", "1000", "café"),
    *("cafe\u0301", "ﬁne", "Ⅷ", "東京", "とうきょう", "カナ", "ｶﾅ", "서울", "กรุงเทพ", "ພາສາ", "ភ្នំពេញ", "မြန်မာ", "नमस्ते"),
    *(
        "مرحبا",
        "مَرْحَبًا",
        "Straße",
        "İstanbul",
        "ΣΊΣΥΦΟΣ",
        "👩‍👩‍👧",
        "x²",
        "½",
        "\u200b",
        "a\u0300b",
        "–",
        "\t",
        "𠀀𠀁",
        "ſ",
    ),
)


def value(dice: random.Random, depth: int = 0) -> Any:
    """Any value of JSON, seldom NaN or Infinity."""
    kind = dice.random()
    if depth < 3 and kind < 0.15:
        return [value(dice, depth + 1) for _ in range(dice.randrange(3))]
    if depth < 3 and kind < 0.3:
        return {dice.choice(["a", "b", "/"]): value(dice, depth + 1) for _ in range(dice.randrange(3))}
    return dice.choice(_ODD if kind > 0.98 else _SCALARS)


def call(dice: random.Random) -> dict[str, Any]:
    """A call, also without name or arguments."""
    made: dict[str, Any] = {"id": f"c{dice.randrange(9)}"}
    if dice.random() < 0.95:
        made["name"] = dice.choice(["find", "book", "mail"])
    if dice.random() < 0.9:
        made["args"] = {dice.choice("xy"): value(dice) for _ in range(dice.randrange(3))}
    return made


def text(dice: random.Random) -> str:
    """A text of words of many scripts, or of any characters."""
    if dice.random() < 0.2:
        planes = [(0x20, 0x7F), (0x80, 0x2FF), (0x300, 0x370), (0x900, 0x1100), (0x1780, 0x1800), (0x2000, 0x3100)]
        planes += [(0x4E00, 0xA000), (0xAC00, 0xD800), (0xFB00, 0xFFFE), (0x1F300, 0x1FAFF), (0x20000, 0x20100)]
        return "".join(chr(dice.randrange(*dice.choice(planes))) for _ in range(dice.randrange(30)))
    return dice.choice([" ", " ", "", ". "]).join(dice.choices(_WORDS, k=dice.randrange(12)))


def invocation(dice: random.Random) -> dict[str, Any]:
    """A turn in either shape."""
    made: dict[str, Any] = {"user_content": {"parts": [{"text": "q"}]}}
    if dice.random() < 0.9:
        parts = [{"text": text(dice)} for _ in range(dice.choice([0, 1, 1, 1, 2]))]
        made["final_response"] = {"role": "model", "parts": parts}
    calls = [call(dice) for _ in range(dice.choice([0, 1, 1, 2, 3]))]
    return {**made, **_timed(dice), **_with_calls(dice, calls)}


def changed(dice: random.Random, expected: dict[str, Any]) -> dict[str, Any]:
    """What an agent may have done where `expected` was expected: now and then just that."""
    other = invocation(dice)
    made = {**copy.deepcopy(expected), **_timed(dice)}
    calls = [copy.deepcopy(each) for each in calls_of(expected)]
    for _ in range(dice.choice([0, 0, 1, 2])):
        change = dice.randrange(4)
        if change == 0:
            calls.insert(dice.randrange(len(calls) + 1), call(dice))
        elif change == 1 and calls:
            calls.pop(dice.randrange(len(calls)))
        elif change == 2:
            dice.shuffle(calls)
        elif calls:
            dice.choice(calls)["args"] = {"x": value(dice)}
    if dice.random() < 0.5:
        made["final_response"] = other.get("final_response")
    return {**made, **_with_calls(dice, calls)}


def calls_of(made: dict[str, Any]) -> list[dict[str, Any]]:
    """The calls of a turn in either shape."""
    data = made.get("intermediate_data") or {}
    parts = [part for event in data.get("invocation_events", []) for part in event["content"]["parts"]]
    return [*data.get("tool_uses", []), *(part["function_call"] for part in parts)]


def _with_calls(dice: random.Random, calls: list[dict[str, Any]]) -> dict[str, Any]:
    if dice.random() < 0.1 and not calls:
        return {"intermediate_data": None}
    if dice.random() < 0.5:
        return {"intermediate_data": {"tool_uses": calls}}
    events = [{"author": "a", "content": {"parts": [{"function_call": each}]}, **_used(dice)} for each in calls]
    return {
        "intermediate_data": {"invocation_events": [*events, {"author": "a", "content": {"parts": []}, **_used(dice)}]}
    }


def _used(dice: random.Random) -> dict[str, Any]:
    keys = ["prompt_token_count", "candidates_token_count", "thoughts_token_count", "tool_use_prompt_token_count"]
    keys += ["cached_content_token_count", "total_token_count"]
    usage = {key: dice.randrange(100) for key in keys if dice.random() < 0.4}
    return {
        **({"usage_metadata": usage} if dice.random() < 0.6 else {}),
        **({"model_version": "gemini"} if dice.random() < 0.3 else {}),
    }


def _timed(dice: random.Random) -> dict[str, Any]:
    keys = ["duration", "model_duration", "tool_duration"]
    return {key: dice.choice([None, 0.0, round(dice.random() * 9, 4)]) for key in keys if dice.random() < 0.5}
