"""How a model is called over HTTP (`google.genai.types.HttpOptions`)."""

from __future__ import annotations

from typing import Any

from evaltui.evalset.schema.base import GenaiModel, Word


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
