"""A message and its parts (`google.genai.types.Content`, `Part` with its 17 fields)."""

from __future__ import annotations

from typing import Any, Literal

from evaltui.evalset.schema.base import GenaiModel, Word


class PartMediaResolution(GenaiModel):
    level: Word | None = None
    num_tokens: int | None = None


class CodeExecutionResult(GenaiModel):
    outcome: Word | None = None
    output: str | None = None
    id: str | None = None


class ExecutableCode(GenaiModel):
    code: str | None = None
    language: Word | None = None
    id: str | None = None


class FileData(GenaiModel):
    display_name: str | None = None
    file_uri: str | None = None
    mime_type: str | None = None


class PartialArg(GenaiModel):
    bool_value: bool | None = None
    json_path: str | None = None
    null_value: Literal["NULL_VALUE"] | None = None
    number_value: float | None = None
    string_value: str | None = None
    will_continue: bool | None = None


class FunctionCall(GenaiModel):
    id: str | None = None
    args: dict[str, Any] | None = None
    name: str | None = None
    partial_args: list[PartialArg] | None = None
    will_continue: bool | None = None


class FunctionResponseBlob(GenaiModel):
    mime_type: str | None = None
    data: bytes | None = None
    display_name: str | None = None


class FunctionResponseFileData(GenaiModel):
    file_uri: str | None = None
    mime_type: str | None = None
    display_name: str | None = None


class FunctionResponsePart(GenaiModel):
    inline_data: FunctionResponseBlob | None = None
    file_data: FunctionResponseFileData | None = None
    media_processing: Word | None = None


class FunctionResponse(GenaiModel):
    will_continue: bool | None = None
    scheduling: Word | None = None
    parts: list[FunctionResponsePart] | None = None
    id: str | None = None
    name: str | None = None
    response: dict[str, Any] | None = None


class Blob(GenaiModel):
    data: bytes | None = None
    display_name: str | None = None
    mime_type: str | None = None


class VideoMetadata(GenaiModel):
    end_offset: str | None = None
    fps: float | None = None
    start_offset: str | None = None


class ToolCall(GenaiModel):
    id: str | None = None
    tool_type: Word | None = None
    args: dict[str, Any] | None = None


class ToolResponse(GenaiModel):
    id: str | None = None
    tool_type: Word | None = None
    response: dict[str, Any] | None = None


class WordInfo(GenaiModel):
    word: str | None = None
    start_offset: str | None = None
    end_offset: str | None = None


class Transcription(GenaiModel):
    text: str | None = None
    finished: bool | None = None
    language_code: str | None = None
    speaker_label: str | None = None
    words: list[WordInfo] | None = None
    start_offset: str | None = None
    end_offset: str | None = None


class SpeechMetadata(GenaiModel):
    speaker: str | None = None
    style: str | None = None


_NULLABLE = frozenset(
    [
        *("video_metadata", "thought", "inline_data", "file_data", "thought_signature", "function_call"),
        *("code_execution_result", "executable_code", "function_response", "text"),
    ]
)


class Part(GenaiModel):
    media_resolution: PartMediaResolution | None = None
    code_execution_result: CodeExecutionResult | None = None
    executable_code: ExecutableCode | None = None
    file_data: FileData | None = None
    function_call: FunctionCall | None = None
    function_response: FunctionResponse | None = None
    inline_data: Blob | None = None
    text: str | None = None
    thought: bool | None = None
    thought_signature: bytes | None = None
    video_metadata: VideoMetadata | None = None
    tool_call: ToolCall | None = None
    tool_response: ToolResponse | None = None
    part_metadata: dict[str, Any] | None = None
    audio_transcription: Transcription | None = None
    media_processing: Word | None = None
    speech_metadata: SpeechMetadata | None = None

    def __init__(self, /, **data: Any) -> None:
        """Like genai's own: for ten fields null means absent, even if the camelCase key is present, too."""
        super().__init__(**{name: value for name, value in data.items() if value is not None or name not in _NULLABLE})


class Content(GenaiModel):
    parts: list[Part] | None = None
    role: str | None = None
