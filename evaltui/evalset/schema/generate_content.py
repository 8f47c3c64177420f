"""Options of a model call (`google.genai.types.GenerateContentConfig`, `HttpOptions`, `File`, `SpeechConfig`)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ValidationError, ValidatorFunctionWrapHandler, WrapValidator
from pydantic_core import InitErrorDetails

from evaltui.evalset.schema.base import GenaiModel, Word
from evaltui.evalset.schema.content import Content, Part
from evaltui.evalset.schema.tools import Schema, Tool


class VoiceConsentSignature(GenaiModel):
    signature: str | None = None


class ReplicatedVoiceConfig(GenaiModel):
    mime_type: str | None = None
    voice_sample_audio: bytes | None = None
    consent_audio: bytes | None = None
    voice_consent_signature: VoiceConsentSignature | None = None


class PrebuiltVoiceConfig(GenaiModel):
    voice_name: str | None = None


class VoiceConfig(GenaiModel):
    replicated_voice_config: ReplicatedVoiceConfig | None = None
    prebuilt_voice_config: PrebuiltVoiceConfig | None = None
    voice: str | None = None


class SpeakerVoiceConfig(GenaiModel):
    speaker: str | None = None
    voice_config: VoiceConfig | None = None


class MultiSpeakerVoiceConfig(GenaiModel):
    speaker_voice_configs: list[SpeakerVoiceConfig] | None = None


class SpeechConfig(GenaiModel):
    voice_config: VoiceConfig | None = None
    language_code: str | None = None
    multi_speaker_voice_config: MultiSpeakerVoiceConfig | None = None


class LanguageAuto(GenaiModel):
    pass


class LanguageHints(GenaiModel):
    language_codes: list[str] | None = None


class AudioTranscriptionConfig(GenaiModel):
    language_codes: list[str] | None = None
    language_auto: LanguageAuto | None = None
    language_hints: LanguageHints | None = None
    custom_vocabulary: list[str] | None = None
    adaptation_phrases: list[str] | None = None
    word_timestamp: bool | None = None
    diarization: bool | None = None
    mode: Word | None = None


class FileStatus(GenaiModel):
    details: list[dict[str, Any]] | None = None
    message: str | None = None
    code: int | None = None


class File(GenaiModel):
    name: str | None = None
    display_name: str | None = None
    mime_type: str | None = None
    size_bytes: int | None = None
    create_time: datetime | None = None
    expiration_time: datetime | None = None
    update_time: datetime | None = None
    sha256_hash: str | None = None
    uri: str | None = None
    download_uri: str | None = None
    state: Word | None = None
    source: Word | None = None
    video_metadata: dict[str, Any] | None = None
    error: FileStatus | None = None


class HttpRetryOptions(GenaiModel):
    attempts: int | None = None
    initial_delay: float | None = None
    max_delay: float | None = None
    exp_base: float | None = None
    jitter: float | None = None
    http_status_codes: list[int] | None = None


class HttpOptions(GenaiModel):
    base_url: str | None = None
    base_url_resource_scope: Word | None = None
    api_version: str | None = None
    headers: dict[str, str] | None = None
    timeout: int | None = None
    client_args: dict[str, Any] | None = None
    async_client_args: dict[str, Any] | None = None
    extra_body: dict[str, Any] | None = None
    retry_options: HttpRetryOptions | None = None
    httpx_client: None = None
    httpx_async_client: None = None
    aiohttp_client: None = None


def _only_objects(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
    """A tool that is not an object stays as it is (`_validate_tool_list`), because it may be a function."""
    return read(value) if isinstance(value, dict) else value


def _with_types(value: dict[Any, Any]) -> dict[Any, Any]:
    """Any object is a schema, but genai also tries `Schema`, whose `Type` raises for a value that is not text."""
    try:
        Schema.model_validate(value)
    except ValidationError as error:
        found = [
            InitErrorDetails(type=each["type"], loc=each["loc"], input=each["input"])
            for each in error.errors()
            if each["type"] == "string_type" and each["loc"][-1] == "type"
        ]
        if found:
            raise ValidationError.from_exception_data("Schema", found) from None
    return value


class GenerationConfigRoutingConfigAutoRoutingMode(GenaiModel):
    model_routing_preference: Literal["UNKNOWN", "PRIORITIZE_QUALITY", "BALANCED", "PRIORITIZE_COST"] | None = None


class GenerationConfigRoutingConfigManualRoutingMode(GenaiModel):
    model_name: str | None = None


class GenerationConfigRoutingConfig(GenaiModel):
    auto_mode: GenerationConfigRoutingConfigAutoRoutingMode | None = None
    manual_mode: GenerationConfigRoutingConfigManualRoutingMode | None = None


class ModelSelectionConfig(GenaiModel):
    feature_selection_preference: Word | None = None


class SafetySetting(GenaiModel):
    category: Word | None = None
    method: Word | None = None
    threshold: Word | None = None


class LatLng(GenaiModel):
    latitude: float | None = None
    longitude: float | None = None


class RetrievalConfig(GenaiModel):
    lat_lng: LatLng | None = None
    language_code: str | None = None


class FunctionCallingConfig(GenaiModel):
    allowed_function_names: list[str] | None = None
    mode: Word | None = None
    stream_function_call_arguments: bool | None = None


class ToolConfig(GenaiModel):
    retrieval_config: RetrievalConfig | None = None
    function_calling_config: FunctionCallingConfig | None = None
    include_server_side_tool_invocations: bool | None = None


class AutomaticFunctionCallingConfig(GenaiModel):
    disable: bool | None = None
    maximum_remote_calls: int | None = 10
    ignore_call_history: bool | None = None


class ThinkingConfig(GenaiModel):
    include_thoughts: bool | None = None
    thinking_budget: int | None = None
    thinking_level: Word | None = None


class ImageConfigImageOutputOptions(GenaiModel):
    compression_quality: int | None = None
    mime_type: str | None = None


class ImageConfig(GenaiModel):
    aspect_ratio: str | None = None
    image_size: str | None = None
    person_generation: str | None = None
    prominent_people: Word | None = None
    output_mime_type: str | None = None
    output_compression_quality: int | None = None
    image_output_options: ImageConfigImageOutputOptions | None = None


class ModelArmorConfig(GenaiModel):
    prompt_template_name: str | None = None
    response_template_name: str | None = None


class GenerationOutputConfig(GenaiModel):
    output_uri_prefix: str | None = None


class GenerateContentConfig(GenaiModel):
    http_options: HttpOptions | None = None
    should_return_http_response: bool | None = None
    system_instruction: Content | str | File | Part | list[str | File | Part] | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: float | None = None
    candidate_count: int | None = None
    max_output_tokens: int | None = None
    stop_sequences: list[str] | None = None
    response_logprobs: bool | None = None
    logprobs: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: int | None = None
    response_mime_type: str | None = None
    response_schema: Annotated[dict[Any, Any], AfterValidator(_with_types)] | None = None
    response_json_schema: Any | None = None
    routing_config: GenerationConfigRoutingConfig | None = None
    model_selection_config: ModelSelectionConfig | None = None
    safety_settings: list[SafetySetting] | None = None
    tools: list[Annotated[Tool, WrapValidator(_only_objects)]] | None = None
    tool_config: ToolConfig | None = None
    labels: dict[str, str] | None = None
    cached_content: str | None = None
    response_modalities: list[str] | None = None
    media_resolution: Word | None = None
    speech_config: str | SpeechConfig | None = None
    audio_timestamp: bool | None = None
    automatic_function_calling: AutomaticFunctionCallingConfig | None = None
    thinking_config: ThinkingConfig | None = None
    image_config: ImageConfig | None = None
    enable_enhanced_civic_answers: bool | None = None
    model_armor_config: ModelArmorConfig | None = None
    service_tier: Word | None = None
    audio_transcription_config: AudioTranscriptionConfig | None = None
    continuation_token: bytes | None = None
    automatic_continuation: bool | None = None
    generation_output_config: GenerationOutputConfig | None = None
    store: bool | None = None
