"""The user that google-adk simulates (`google.adk.evaluation.simulation`, its two configs)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from evaltui.evalset.schema.generate_content import GenerateContentConfig

PLACEHOLDERS = ("stop_signal", "conversation_plan", "conversation_history")
"""Jinja variables that custom instructions must use."""


def _with_placeholders(text: str | None) -> str | None:
    """`text`, if it is a Jinja template of all placeholders (`is_valid_user_simulator_template`)."""
    if text is None:
        return text
    from jinja2 import StrictUndefined, meta  # noqa: PLC0415  few configs ask it
    from jinja2.sandbox import SandboxedEnvironment  # noqa: PLC0415

    environment = SandboxedEnvironment(undefined=StrictUndefined)
    try:
        used = meta.find_undeclared_variables(environment.parse(text))
    except Exception as error:  # jinja2 also runs into RecursionError, which rejects a config as well
        raise ValueError("custom_instructions") from error
    if not used.issuperset(PLACEHOLDERS):
        raise ValueError("custom_instructions")
    return text


class _UserSimulatorConfig(BaseModel):
    """What both have; unknown keys are kept."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="allow")

    model: str = "gemini-2.5-flash"
    model_configuration: GenerateContentConfig = Field(default_factory=GenerateContentConfig)
    max_allowed_invocations: int = 20
    custom_instructions: Annotated[str | None, AfterValidator(_with_placeholders)] = None
    include_function_calls: bool = False


class LlmBackedUserSimulatorConfig(_UserSimulatorConfig):
    """A user who writes."""

    type: Literal["llm_backed"] = "llm_backed"


class LlmAudioUserSimulatorConfig(_UserSimulatorConfig):
    """A user who speaks."""

    type: Literal["llm_audio"] = "llm_audio"
    audio_model: str = "cloud_tts"
    audio_model_configuration: GenerateContentConfig = Field(default_factory=GenerateContentConfig)
    include_text_with_audio: bool = True
