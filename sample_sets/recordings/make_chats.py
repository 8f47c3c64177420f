"""Makes the chats of the travel desk anew: `sample_sets/travel_desk/.adk/session.db`, where `adk web` keeps them.

    pip install "google-adk==2.13.0"
    python sample_sets/recordings/make_chats.py [FILE.db]

Runner, tools and session service are google-adk's own; the model says what stands in `CHATS`. Clock and ids are fixed.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import sys
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.platform.time import set_time_provider
from google.adk.platform.uuid import set_id_provider
from google.adk.runners import Runner
from google.adk.sessions.sqlite_session_service import SqliteSessionService
from google.adk.tools import BaseTool, FunctionTool, ToolContext
from google.genai import types

HERE = Path(__file__).parent
APP, BEGIN = "travel_desk", 1_795_250_000  # 21 November 2026
Json = dict[str, Any]


class Call(NamedTuple):
    """A call of a tool, and what the tool responds."""

    tool: str
    args: Json
    response: Json
    said: str = ""
    """What the model says with it."""


class Turn(NamedTuple):
    """What a user says, and what the agent does then."""

    user: str
    calls: tuple[Call, ...] = ()
    answer: str = ""
    error: tuple[str, str] | None = None
    """The code and message of the error that ends the turn."""
    confirmed: bool = False
    """Whether a person confirms the call of this turn."""
    taken_back: bool = False
    """Whether the user goes back to before this turn."""


class Chat(NamedTuple):
    """A conversation: so many hours after the first one began."""

    hours: float
    user: str
    turns: tuple[Turn, ...]


NIGHT_TRAIN = Call(
    "find_trains",
    {"origin": "Vienna", "destination": "Rome", "night": True},
    {"trains": [{"train": "NJ 40466", "departs": "19:18", "arrives": "09:10"}]},
)
FIND_HOTEL = Call(
    "search_hotels",
    {"city": "Bergen", "check_in": "2027-06-04", "nights": 2},
    {"hotels": [{"hotel_id": "HB-2207", "name": "Bryggen Harbour", "eur": 148}]},
    "Let me look for a room.",
)
BOOK_HOTEL = Call("book_hotel", {"hotel_id": "HB-2207", "guests": 1}, {"reference": "B7K41Q", "total_eur": 296})
BREAKFAST = Call(
    "change_booking", {"reference": "B7K41Q", "breakfast": True}, {"reference": "B7K41Q", "total_eur": 332}
)
FIND_FERRY = Call("find_ferries", {"origin": "Kiel", "destination": "Oslo"}, {"ferries": [{"departs": "14:00"}]})
CAR = {"city": "Porto", "days": 3}
FERRY = Turn("Which ferry goes from Kiel to Oslo?", (FIND_FERRY,), "The Color Line leaves Kiel daily at 14:00.")
FERRY_BACK = Turn("And back on Sunday?", error=("UNAVAILABLE", "The model is overloaded. Please try again later."))
LARGE_CAR = Turn(
    "Rent me a small car in Porto for three days.",
    (Call("rent_car", CAR | {"size": "large"}, {"car": "estate"}),),
    "An estate car is reserved.",
    taken_back=True,
)
SMALL_CAR = Turn(
    "Rent me a small car in Porto for three days, please.",
    (Call("rent_car", CAR | {"size": "small"}, {"car": "hatchback"}),),
    "A hatchback is reserved in Porto for three days.",
)
ROOM = Turn(
    "Book me a room in Bergen for two nights from 4 June.",
    (FIND_HOTEL, BOOK_HOTEL),
    "Booked: Bryggen Harbour, two nights from 4 June, 296 euros. Your reference is B7K41Q.",
)
CANCELLED = Turn(
    "Cancel my booking B7K41Q.",
    (Call("cancel_booking", {"reference": "B7K41Q"}, {"cancelled": True}),),
    "Your booking B7K41Q is cancelled.",
    confirmed=True,
)
TRAIN = Turn(
    "Is there a night train from Vienna to Rome?", (NIGHT_TRAIN,), "Yes, the Nightjet NJ 40466 leaves at 19:18."
)
ICELAND = Turn(
    "What should I pack for Iceland in March?", (), "Layers, a windproof jacket, and swimwear for the pools."
)
CHATS = (
    Chat(0, "ines", (TRAIN,)),
    Chat(
        2.5,
        "ines",
        (ROOM, Turn("Add breakfast, please.", (BREAKFAST,), "Breakfast is added; the total is now 332 euros.")),
    ),
    Chat(3, "sam", (ICELAND,)),
    Chat(20, "sam", (FERRY, FERRY_BACK)),
    Chat(26, "ines", (LARGE_CAR, SMALL_CAR)),
    Chat(44, "noor", (CANCELLED,)),
    Chat(45, "noor", (Turn("Thanks, that is all!", (), "You are welcome. Have a good trip!"),)),
)


class Played(BaseLlm):
    """A model that says what is written for the turn that it is in."""

    turn: Any = None
    said: int = 0

    async def generate_content_async(self, request: LlmRequest, stream: bool = False) -> AsyncIterator[LlmResponse]:
        """The next call of the turn, or its answer."""
        at, self.said = self.said, self.said + 1
        usage = types.GenerateContentResponseUsageMetadata(
            prompt_token_count=40 * len(request.contents), candidates_token_count=12
        )
        if at < len(self.turn.calls):
            call = self.turn.calls[at]
            parts = [types.Part(text=call.said)] if call.said else []
            parts.append(types.Part.from_function_call(name=call.tool, args=call.args))
        elif self.turn.error is not None:
            code, message = self.turn.error
            yield LlmResponse(error_code=code, error_message=message)
            return
        else:
            parts = [types.Part(text=self.turn.answer)]
        content = types.Content(role="model", parts=parts)
        yield LlmResponse(content=content, model_version=self.model, usage_metadata=usage)


class Answering(BaseTool):
    """A tool that responds as it is written for the turn."""

    def __init__(self, name: str, model: Played) -> None:
        super().__init__(name=name, description=f"Does {name.replace('_', ' ')}.")
        self._model = model

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(name=self.name, description=self.description)

    async def run_async(self, *, args: Json, tool_context: ToolContext) -> Json:
        """The response to the call of this name."""
        return next(call.response for call in self._model.turn.calls if call.tool == self.name)


def cancel_booking(reference: str) -> Json:
    """Cancels a booking; a person confirms that first."""
    return {"cancelled": True}


async def have(chat: Chat, runner: Runner, model: Played, session_id: str) -> None:
    """One conversation, turn by turn."""
    await runner.session_service.create_session(app_name=APP, user_id=chat.user, session_id=session_id)
    for turn in chat.turns:
        model.turn, model.said = turn, 0
        asked = await _say(runner, chat.user, session_id, types.Part(text=turn.user))
        if turn.confirmed:
            calls = [call for event in asked for call in event.get_function_calls()]
            request = next(call for call in calls if call.name == "adk_request_confirmation")
            answer = types.FunctionResponse(id=request.id, name=request.name, response={"confirmed": True})
            await _say(runner, chat.user, session_id, types.Part(function_response=answer))
        if turn.taken_back:
            place = {"user_id": chat.user, "session_id": session_id}
            await runner.rewind_async(rewind_before_invocation_id=asked[0].invocation_id, **place)


async def _say(runner: Runner, user_id: str, session_id: str, part: types.Part) -> list[Any]:
    message = types.Content(role="user", parts=[part])
    return [event async for event in runner.run_async(user_id=user_id, session_id=session_id, new_message=message)]


async def make(path: Path) -> None:
    """All chats, in a database that is not there yet."""
    chance = random.Random(APP)
    set_id_provider(lambda: str(uuid.UUID(int=chance.getrandbits(128), version=4)))
    model = Played(model="played-1")
    names = sorted({call.tool for each in CHATS for turn in each.turns for call in turn.calls} - {"cancel_booking"})
    tools: list[Any] = [
        *(Answering(name, model) for name in names),
        FunctionTool(cancel_booking, require_confirmation=True),
    ]
    agent = LlmAgent(name=APP, model=model, instruction="Help travellers.", tools=tools)
    runner = Runner(app_name=APP, agent=agent, session_service=SqliteSessionService(db_path=str(path)))
    for each in CHATS:
        ticks = itertools.count()
        set_time_provider(lambda begin=BEGIN + each.hours * 3600, ticks=ticks: begin + next(ticks) * 0.75)
        await have(each, runner, model, str(uuid.UUID(int=chance.getrandbits(128), version=4)))


if __name__ == "__main__":
    database = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / APP / ".adk" / "session.db"
    database.parent.mkdir(parents=True, exist_ok=True)
    database.unlink(missing_ok=True)
    asyncio.run(make(database))
