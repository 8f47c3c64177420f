"""Eval sets of any size, with the same bytes at every call. 10,000 cases of two turns are 25 MB."""

import hashlib
import json
import os
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

CASES = 10_000
FIRST_CASE = "flight_00000"
CITIES = ("Zürich", "São Paulo", "Kraków", "Lisbon", "New York", "Nairobi", "Osaka", "Toronto", "Oslo", "Perth")
AIRLINES = ("Alpine Air", "Blue Heron", "Condorline", "Northern Star", "Pacific Wings")
REASONS = (
    "it is for my sister's wedding, so I cannot arrive late",
    "I travel with two small children and a pushchair",
    "my manager wants the invoice in euros (€)",
    "last time the connection was far too short 😅",
    'the booking site only says "try again later"',
)
WISHES = ("the cheapest one", "one with a free checked bag", "an aisle seat", "nothing before 8 in the morning")


def large_set(cases: int = CASES) -> Path:
    """The path of a set with that many cases, written once into the temporary folder."""
    return _kept(f"cases-{cases}", lambda: _pieces(cases))


def large_results(cases: int, in_a_file: int = 1000) -> Path:
    """The path of a folder with google-adk's results of `large_set(cases)`, that many in each file.

    In each third case the agent did something else.
    """
    folder = cache_folder() / f"results-{cases}-{_version()}"
    for number, start in enumerate(range(0, cases, in_a_file)):
        path = folder / f"run_{number:04d}.evalset_result.json"
        if not path.exists():
            folder.mkdir(exist_ok=True)
            results = [_result(each) for each in range(start, min(start + in_a_file, cases))]
            document = {
                "eval_set_result_id": f"desk_large_set_{1760000000 + number}",
                "eval_set_id": "large_set",
                "eval_case_results": results,
                "creation_timestamp": 1760000000.0 + number,
            }
            unfinished = path.with_name(f".{os.getpid()}-{path.name}")
            unfinished.write_text(json.dumps(document, indent=2, ensure_ascii=False), "utf-8")
            unfinished.replace(path)
    return folder


def _result(number: int) -> dict[str, Any]:
    case = _case(number, random.Random(number))
    turns = case["conversation"]
    if number % 3 == 0:
        turns = [turns[0], {**turns[1], "final_response": {"parts": [{"text": "I could not book it."}]}}]
    return {
        "eval_set_id": "large_set",
        "eval_id": case["eval_id"],
        "final_eval_status": 1,
        "overall_eval_metric_results": [],
        "eval_metric_result_per_invocation": [{"actual_invocation": turn} for turn in turns],
        "session_id": f"session-{number}",
    }


def many_nodes_set(cases: int = 10) -> Path:
    """A set whose first case holds 100,000 numbers in its session state, in lists of 100."""
    numbers = [[[1000 * i + 10 * j + k for k in range(100)] for j in range(100)] for i in range(10)]
    return _kept(f"nodes-{cases}", lambda: _pieces(cases, {"readings": numbers}))


def _kept(name: str, make: Callable[[], Iterator[str]]) -> Path:
    path = cache_folder() / f"{name}-{_version()}.evalset.json"
    if not path.exists():
        for outdated in path.parent.glob(f"{name}-*.evalset.json"):
            outdated.unlink(missing_ok=True)
        unfinished = path.with_name(f".{os.getpid()}-{path.name}")
        with unfinished.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(make())
        unfinished.replace(path)
    return path


def _version() -> str:
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]


def cache_folder() -> Path:
    """The folder of files that are kept from one run to the next."""
    folder = Path(tempfile.gettempdir()) / "evaltui-benchmarks"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _pieces(cases: int, first_state: dict[str, Any] | None = None) -> Iterator[str]:
    """The text of the whole set as json.dumps(…, indent=2) writes it, one case after another."""
    yield '{\n  "eval_set_id": "large_set",\n  "name": "Travel desk",\n  "eval_cases": ['
    for number in range(cases):
        case = _case(number, random.Random(number))
        if number == 0 and first_state is not None:
            case["session_input"] = {"app_name": "travel_desk", "user_id": "user", "state": first_state}
        text = json.dumps(case, indent=2, ensure_ascii=False)
        yield ("," if number else "") + "\n    " + text.replace("\n", "\n    ")
    yield '\n  ],\n  "creation_timestamp": 1760000000.0\n}\n'


def _case(number: int, chance: random.Random) -> dict[str, Any]:
    city = chance.choice(CITIES)
    return {
        "eval_id": f"flight_{number:05d}",
        "conversation": [_search(city, chance), _booking(number, city, chance)],
    }


def _search(city: str, chance: random.Random) -> dict[str, Any]:
    flight = f"{chance.choice(AIRLINES)} {chance.randint(100, 999)}"
    price = chance.randint(80, 900)
    asked = f"I need a flight to {city}: {chance.choice(REASONS)}. Find {chance.choice(WISHES)}."
    answer = f"{flight} flies to {city} for {price} €. Book it?"
    calls = [
        ("find_flight", {"to": city}, {"flight": flight}),
        ("last_price", {}, {"amount": price}),
    ]
    return _turn(1, asked, answer, calls)


def _booking(number: int, city: str, chance: random.Random) -> dict[str, Any]:
    code = "".join(chance.choices("ABCDEFGHJKLMNPQRSTUVWXYZ", k=6))
    asked = f"Book it, {chance.choice(WISHES)} if you can."
    answer = f"Booked. The code is {code}."
    calls = [
        ("book_flight", {"seat": "aisle"}, {"code": code}),
        ("send_email", {"to": f"user{number % 97}@example.com"}, {}),
    ]
    return _turn(2, asked, answer, calls)


def _turn(turn: int, asked: str, answer: str, calls: list[tuple[str, Any, Any]]) -> dict[str, Any]:
    ids = [f"c{turn}{place}" for place in range(len(calls))]
    called = list(zip(ids, calls, strict=True))
    uses = [{"id": own, "name": name, "args": args} for own, (name, args, _) in called]
    responses = [{"id": own, "name": name, "response": result} for own, (name, _, result) in called]
    return {
        "invocation_id": f"turn_{turn}",
        "user_content": {"parts": [{"text": asked}]},
        "final_response": {"parts": [{"text": answer}]},
        "intermediate_data": {"tool_uses": uses, "tool_responses": responses},
    }
