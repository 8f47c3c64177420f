"""An agent of google-adk without a network: its model gives fixed answers, and so does the model that judges."""

from collections.abc import AsyncGenerator

from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LLMRegistry, LlmRequest, LlmResponse
from google.genai import types

_VERDICT = '```json\n{"reasoning": "Both greet.", "is_the_agent_response_valid": "valid"}\n```'


def book_flight(flight_id: str) -> dict[str, str]:
    """Book a flight."""
    return {"status": f"flight {flight_id} is booked"}


class FixedAnswers(BaseLlm):
    """Books where somebody wants to book, else greets; as a judge it is content."""

    @classmethod
    def supported_models(cls) -> list[str]:
        return ["fixed-.*"]

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        yield LlmResponse(content=types.Content(role="model", parts=[self._answer(llm_request)]))

    def _answer(self, request: LlmRequest) -> types.Part:
        last = request.contents[-1].parts[-1]
        if self.model == "fixed-judge":
            return types.Part(text=_VERDICT)
        if last.function_response is not None:
            return types.Part(text="Your flight is booked.")
        if "book" in (last.text or "").lower():
            return types.Part(function_call=types.FunctionCall(name="book_flight", args={"flight_id": "7"}))
        return types.Part(text="Hello, where do you want to go?")


LLMRegistry.register(FixedAnswers)

root_agent = LlmAgent(
    name="trip", model=FixedAnswers(model="fixed-agent"), instruction="Book flights.", tools=[book_flight]
)
