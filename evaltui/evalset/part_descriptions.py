"""Describes parts of a content other than text in a few words: `image/png 1.9 MB`, `function call book_flight`."""

from __future__ import annotations

from collections.abc import Callable

PAYLOADS = (
    "function_call", "function_response", "inline_data", "file_data", "executable_code", "code_execution_result",
    "tool_call", "tool_response", "video_metadata", "audio_transcription",
)  # fmt: skip
"""The kinds of payload other than text; a part is named after its first one."""


def describe_payload(kind: str, text_of: Callable[[str], str], size: int = 0) -> str:
    """A payload in a few words.

    `text_of` gives the text of a key in snake_case, "" for none; `size` is the number of bytes of inline data.
    """
    if kind == "inline_data":
        return f"{text_of('mime_type') or 'data'} {sized(size)}"
    if kind == "file_data":
        return f"{text_of('mime_type') or 'file'} at {text_of('file_uri')}"
    if kind in ("function_call", "function_response", "tool_call", "tool_response"):
        name = text_of("name") or text_of("tool_type")
        return f"{kind.replace('_', ' ')} {name}".rstrip()
    if kind == "executable_code":
        language = text_of("language").lower()
        return f"{f'code {language}'.rstrip()}: {text_of('code')}"
    if kind == "code_execution_result":
        return f"code result: {text_of('output')}"
    return kind.replace("_", " ")


def sized(count: int) -> str:
    """A number of bytes with its unit."""
    if count < 1000:
        return f"{count} B"
    return f"{count / 1000:.1f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"
