"""Sources and token counts that a model reports (`google.genai.types.GroundingMetadata` and usage metadata)."""

from __future__ import annotations

from evaltui.evalset.schema.base import GenaiModel, Word


class GroundingChunkImage(GenaiModel):
    source_uri: str | None = None
    image_uri: str | None = None
    title: str | None = None
    domain: str | None = None


class GroundingChunkMapsPlaceAnswerSourcesAuthorAttribution(GenaiModel):
    display_name: str | None = None
    photo_uri: str | None = None
    uri: str | None = None


class GroundingChunkMapsPlaceAnswerSourcesReviewSnippet(GenaiModel):
    author_attribution: GroundingChunkMapsPlaceAnswerSourcesAuthorAttribution | None = None
    flag_content_uri: str | None = None
    google_maps_uri: str | None = None
    relative_publish_time_description: str | None = None
    review: str | None = None
    review_id: str | None = None
    title: str | None = None


class GroundingChunkMapsPlaceAnswerSources(GenaiModel):
    review_snippet: list[GroundingChunkMapsPlaceAnswerSourcesReviewSnippet] | None = None
    flag_content_uri: str | None = None
    review_snippets: list[GroundingChunkMapsPlaceAnswerSourcesReviewSnippet] | None = None


class GroundingChunkMapsRoute(GenaiModel):
    distance_meters: int | None = None
    duration: str | None = None
    encoded_polyline: str | None = None


class GroundingChunkMaps(GenaiModel):
    place_answer_sources: GroundingChunkMapsPlaceAnswerSources | None = None
    place_id: str | None = None
    text: str | None = None
    title: str | None = None
    uri: str | None = None
    route: GroundingChunkMapsRoute | None = None


class RagChunkPageSpan(GenaiModel):
    first_page: int | None = None
    last_page: int | None = None


class RagChunk(GenaiModel):
    page_span: RagChunkPageSpan | None = None
    text: str | None = None
    chunk_id: str | None = None
    file_id: str | None = None


class GroundingChunkStringList(GenaiModel):
    values: list[str] | None = None


class GroundingChunkCustomMetadata(GenaiModel):
    key: str | None = None
    numeric_value: float | None = None
    string_list_value: GroundingChunkStringList | None = None
    string_value: str | None = None


class GroundingChunkRetrievedContext(GenaiModel):
    document_name: str | None = None
    rag_chunk: RagChunk | None = None
    text: str | None = None
    title: str | None = None
    uri: str | None = None
    custom_metadata: list[GroundingChunkCustomMetadata] | None = None
    file_search_store: str | None = None
    page_number: int | None = None
    media_id: str | None = None


class GroundingChunkWeb(GenaiModel):
    domain: str | None = None
    title: str | None = None
    uri: str | None = None


class GroundingChunk(GenaiModel):
    image: GroundingChunkImage | None = None
    maps: GroundingChunkMaps | None = None
    retrieved_context: GroundingChunkRetrievedContext | None = None
    web: GroundingChunkWeb | None = None


class Segment(GenaiModel):
    start_index: int | None = None
    end_index: int | None = None
    part_index: int | None = None
    text: str | None = None


class GroundingSupport(GenaiModel):
    confidence_scores: list[float] | None = None
    grounding_chunk_indices: list[int] | None = None
    segment: Segment | None = None
    rendered_parts: list[int] | None = None


class RetrievalMetadata(GenaiModel):
    google_search_dynamic_retrieval_score: float | None = None


class SearchEntryPoint(GenaiModel):
    rendered_content: str | None = None
    sdk_blob: bytes | None = None


class GroundingMetadataSourceFlaggingUri(GenaiModel):
    flag_content_uri: str | None = None
    source_id: str | None = None


class GroundingMetadata(GenaiModel):
    image_search_queries: list[str] | None = None
    grounding_chunks: list[GroundingChunk] | None = None
    grounding_supports: list[GroundingSupport] | None = None
    retrieval_metadata: RetrievalMetadata | None = None
    search_entry_point: SearchEntryPoint | None = None
    web_search_queries: list[str] | None = None
    google_maps_widget_context_token: str | None = None
    retrieval_queries: list[str] | None = None
    source_flagging_uris: list[GroundingMetadataSourceFlaggingUri] | None = None


class ModalityTokenCount(GenaiModel):
    modality: Word | None = None
    token_count: int | None = None


class GenerateContentResponseUsageMetadata(GenaiModel):
    cache_tokens_details: list[ModalityTokenCount] | None = None
    cached_content_token_count: int | None = None
    candidates_token_count: int | None = None
    candidates_tokens_details: list[ModalityTokenCount] | None = None
    prompt_token_count: int | None = None
    prompt_tokens_details: list[ModalityTokenCount] | None = None
    thoughts_token_count: int | None = None
    tool_use_prompt_token_count: int | None = None
    tool_use_prompt_tokens_details: list[ModalityTokenCount] | None = None
    total_token_count: int | None = None
    traffic_type: Word | None = None
