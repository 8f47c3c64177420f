"""An uploaded file (`google.genai.types.File`)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from evaltui.evalset.schema.base import GenaiModel, Word


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
