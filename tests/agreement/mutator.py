"""Makes files that are almost right: what people mistype, and what no one would."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Holder = dict[str, Any] | list[Any]
Place = tuple[Holder, Any]
"""A container and the key or index of a value in it."""

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 1.5, 1.0, 1e3, 2**70, "", "x", "1", "1.5", "true", "AAAA", "_-8", "!!!", "A", "YQ"),
    *([], {}, [[]], [{}], ["x"], [1], {"x": 1}, {"text": "x"}, {"parts": []}, {"parts": [{"text": "x"}]}, [["a", []]]),
    *({"name": "f", "args": {}}, {"name": "f", "args": []}, {"eval_id": "x", "conversation": []}, "EXPERT", "NOVICE"),
    *({"tool_uses": []}, {"invocation_events": []}, {"invocation_events": [{"author": "a"}]}, {"rubric_id": "r"}),
    *(
        float("nan"),
        float("inf"),
        "2024-01-01",
        " 12 ",
        "1e5",
        "0x10",
        "１",
        "\ud83d\ude00",
        "\u0000",
        "STATIC",
        "silent",
    ),
)
KEYS = (
    *("eval_set_id", "eval_cases", "eval_id", "conversation", "conversation_scenario", "session_input", "rubrics"),
    *("user_content", "final_response", "intermediate_data", "invocation_id", "creation_timestamp", "duration"),
    *("tool_uses", "tool_responses", "intermediate_responses", "invocation_events", "author", "content", "parts"),
    *("text", "role", "function_call", "function_response", "inline_data", "file_data", "thought", "thought_signature"),
    *("name", "id", "args", "response", "will_continue", "partial_args", "scheduling", "mime_type", "data", "file_uri"),
    *("grounding_metadata", "usage_metadata", "model_version", "app_details", "agent_details", "state", "app_name"),
    *("user_id", "session_id", "starting_prompt", "conversation_plan", "user_persona", "rubric_id", "rubric_content"),
    *("text_property", "description", "type", "final_session_state", "media_resolution", "video_metadata", "fps"),
    *("grounding_chunks", "web_search_queries", "grounding_supports", "search_entry_point", "sdk_blob", "page_number"),
    *("prompt_token_count", "prompt_tokens_details", "modality", "token_count", "traffic_type", "tool_call", "level"),
    *("executable_code", "code", "language", "code_execution_result", "outcome", "output", "audio_transcription"),
    *("words", "speech_metadata", "part_metadata", "media_processing", "behaviors", "instructions", "zz"),
)


@dataclass(frozen=True)
class Words:
    """What is put in place of what is there."""

    keys: tuple[str, ...] = KEYS
    values: tuple[Any, ...] = VALUES


OF_SETS = Words()


def mutations(text: str, chance: random.Random, count: int, words: Words = OF_SETS) -> Iterator[bytes]:
    """`count` files made of one: values, keys and order changed, and now and then bytes."""
    whole = json.loads(text)
    for _ in range(count):
        value = copy.deepcopy(whole)
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            value = _mutated(value, chance, words)
        data = json.dumps(value, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")
        yield _with_other_bytes(data, chance) if chance.random() < 0.1 else data


def _mutated(value: Any, chance: random.Random, words: Words) -> Any:
    places = list(_places(value))
    if not places or chance.random() < 0.005:
        return copy.deepcopy(chance.choice(words.values))
    holder, key = chance.choice(places)
    chance.choice(_WAYS)(holder, key, chance, words)
    return value


def _places(value: Any) -> Iterator[Place]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield value, key
            yield from _places(item)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield value, index
            yield from _places(item)


def _replace(holder: Holder, key: Any, chance: random.Random, words: Words) -> None:
    holder[key] = copy.deepcopy(chance.choice(words.values))


def _remove(holder: Holder, key: Any, chance: random.Random, words: Words) -> None:
    del holder[key]


def _rename(holder: Holder, key: Any, chance: random.Random, words: Words) -> None:
    if isinstance(holder, dict):
        other = chance.choice((chance.choice(words.keys), _misspelt(key, chance), _other_case(key)))
        holder[other] = holder.pop(key)


def _add(holder: Holder, key: Any, chance: random.Random, words: Words) -> None:
    value = copy.deepcopy(chance.choice(words.values))
    if isinstance(holder, dict):
        name = chance.choice(words.keys)
        holder[chance.choice((name, name, _other_case(name)))] = value
    else:
        holder.insert(key, value)


def _double(holder: Holder, key: Any, chance: random.Random, words: Words) -> None:
    value = copy.deepcopy(holder[key])
    if isinstance(holder, list):
        holder.insert(key, value)
    else:
        holder[_other_case(key)] = value


def _wrap(holder: Holder, key: Any, chance: random.Random, words: Words) -> None:
    depth = chance.choice((1, 1, 2, 150, 185, 190, 195, 200))
    for _ in range(depth):
        holder[key] = [holder[key]]


_WAYS: tuple[Callable[[Holder, Any, random.Random, Words], None], ...] = (
    *(_replace,) * 4,
    *(_remove, _remove, _rename, _rename, _add, _add, _add, _double, _wrap),
)


def _misspelt(key: str, chance: random.Random) -> str:
    at = chance.randrange(len(key) + 1)
    return key[:at] + chance.choice(("", "s", "_")) + key[at + 1 :]


def _other_case(key: str) -> str:
    if "_" in key:
        first, *rest = key.split("_")
        return first + "".join(map(str.title, rest))
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key)


def _with_other_bytes(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    inserted = chance.choice(
        (
            b"",
            b",",
            b"\x00",
            b"\xff",
            b"\xef\xbb\xbf",
            b"//x\n",
            b"NaN",
            b"-",
            b"\\ud800",
            b"\\u0000",
            b"1e999",
            b'"',
            b"]",
        )
    )
    return data[:at] + inserted + data[at + chance.choice((0, 0, 1)) :]
