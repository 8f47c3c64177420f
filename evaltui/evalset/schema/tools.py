"""Tools that a model may call, their authentication, and schemas (`google.genai.types.Tool`, `Retrieval`, `Schema`)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from evaltui.evalset.schema.base import GenaiModel, Word


class ApiAuthApiKeyConfig(GenaiModel):
    api_key_secret_version: str | None = None
    api_key_string: str | None = None


class ApiAuth(GenaiModel):
    api_key_config: ApiAuthApiKeyConfig | None = None


class ApiKeyConfig(GenaiModel):
    api_key_secret: str | None = None
    api_key_string: str | None = None
    http_element_location: Word | None = None
    name: str | None = None


class AuthConfigGoogleServiceAccountConfig(GenaiModel):
    service_account: str | None = None


class AuthConfigHttpBasicAuthConfig(GenaiModel):
    credential_secret: str | None = None


class AuthConfigOauthConfig(GenaiModel):
    access_token: str | None = None
    service_account: str | None = None


class AuthConfigOidcConfig(GenaiModel):
    id_token: str | None = None
    service_account: str | None = None


class AuthConfig(GenaiModel):
    api_key: str | None = None
    api_key_config: ApiKeyConfig | None = None
    auth_type: Word | None = None
    google_service_account_config: AuthConfigGoogleServiceAccountConfig | None = None
    http_basic_auth_config: AuthConfigHttpBasicAuthConfig | None = None
    oauth_config: AuthConfigOauthConfig | None = None
    oidc_config: AuthConfigOidcConfig | None = None


class ExternalApiElasticSearchParams(GenaiModel):
    index: str | None = None
    num_hits: int | None = None
    search_template: str | None = None


class ExternalApiSimpleSearchParams(GenaiModel):
    pass


class ExternalApi(GenaiModel):
    api_auth: ApiAuth | None = None
    api_spec: Word | None = None
    auth_config: AuthConfig | None = None
    elastic_search_params: ExternalApiElasticSearchParams | None = None
    endpoint: str | None = None
    simple_search_params: ExternalApiSimpleSearchParams | None = None


class VertexAISearchDataStoreSpec(GenaiModel):
    data_store: str | None = None
    filter: str | None = None


class VertexAISearch(GenaiModel):
    data_store_specs: list[VertexAISearchDataStoreSpec] | None = None
    datastore: str | None = None
    engine: str | None = None
    filter: str | None = None
    max_results: int | None = None


class VertexRagStoreRagResource(GenaiModel):
    rag_corpus: str | None = None
    rag_file_ids: list[str] | None = None


class RagRetrievalConfigFilter(GenaiModel):
    metadata_filter: str | None = None
    vector_distance_threshold: float | None = None
    vector_similarity_threshold: float | None = None


class RagRetrievalConfigHybridSearch(GenaiModel):
    alpha: float | None = None


class RagRetrievalConfigRankingLlmRanker(GenaiModel):
    model_name: str | None = None


class RagRetrievalConfigRankingRankService(GenaiModel):
    model_name: str | None = None


class RagRetrievalConfigRanking(GenaiModel):
    llm_ranker: RagRetrievalConfigRankingLlmRanker | None = None
    rank_service: RagRetrievalConfigRankingRankService | None = None


class RagRetrievalConfig(GenaiModel):
    filter: RagRetrievalConfigFilter | None = None
    hybrid_search: RagRetrievalConfigHybridSearch | None = None
    ranking: RagRetrievalConfigRanking | None = None
    top_k: int | None = None


class VertexRagStore(GenaiModel):
    rag_corpora: list[str] | None = None
    rag_resources: list[VertexRagStoreRagResource] | None = None
    rag_retrieval_config: RagRetrievalConfig | None = None
    similarity_top_k: int | None = None
    store_context: bool | None = None
    vector_distance_threshold: float | None = None


class Retrieval(GenaiModel):
    disable_attribution: bool | None = None
    external_api: ExternalApi | None = None
    vertex_ai_search: VertexAISearch | None = None
    vertex_rag_store: VertexRagStore | None = None


class Schema(GenaiModel):
    additional_properties: Any | None = None
    defs: dict[str, Schema] | None = None
    ref: str | None = None
    any_of: list[Schema] | None = None
    default: Any | None = None
    description: str | None = None
    enum: list[str] | None = None
    example: Any | None = None
    format: str | None = None
    items: Schema | None = None
    max_items: int | None = None
    max_length: int | None = None
    max_properties: int | None = None
    maximum: float | None = None
    min_items: int | None = None
    min_length: int | None = None
    min_properties: int | None = None
    minimum: float | None = None
    nullable: bool | None = None
    pattern: str | None = None
    properties: dict[str, Schema] | None = None
    property_ordering: list[str] | None = None
    required: list[str] | None = None
    title: str | None = None
    type: Word | None = None


class ComputerUse(GenaiModel):
    environment: Word | None = None
    excluded_predefined_functions: list[str] | None = None
    enable_prompt_injection_detection: bool | None = None
    disabled_safety_policies: list[Word] | None = None


class FileSearch(GenaiModel):
    file_search_store_names: list[str] | None = None
    top_k: int | None = None
    metadata_filter: str | None = None


class WebSearch(GenaiModel):
    pass


class ImageSearch(GenaiModel):
    pass


class SearchTypes(GenaiModel):
    web_search: WebSearch | None = None
    image_search: ImageSearch | None = None


class Interval(GenaiModel):
    end_time: datetime | None = None
    start_time: datetime | None = None


class GoogleSearch(GenaiModel):
    search_types: SearchTypes | None = None
    blocking_confidence: Word | None = None
    exclude_domains: list[str] | None = None
    time_range_filter: Interval | None = None


class GoogleMapsPlaces(GenaiModel):
    pass


class GoogleMapsRouting(GenaiModel):
    pass


class GoogleMapsGroundingTypes(GenaiModel):
    places: GoogleMapsPlaces | None = None
    routing: GoogleMapsRouting | None = None


class GoogleMaps(GenaiModel):
    auth_config: AuthConfig | None = None
    enable_widget: bool | None = None
    grounding_types: GoogleMapsGroundingTypes | None = None


class ToolCodeExecution(GenaiModel):
    pass


class EnterpriseWebSearch(GenaiModel):
    blocking_confidence: Word | None = None
    exclude_domains: list[str] | None = None


class FunctionDeclaration(GenaiModel):
    description: str | None = None
    name: str | None = None
    parameters: Schema | None = None
    parameters_json_schema: Any | None = None
    response: Schema | None = None
    response_json_schema: Any | None = None
    behavior: Word | None = None


class DynamicRetrievalConfig(GenaiModel):
    dynamic_threshold: float | None = None
    mode: Word | None = None


class GoogleSearchRetrieval(GenaiModel):
    dynamic_retrieval_config: DynamicRetrievalConfig | None = None


class ToolParallelAiSearch(GenaiModel):
    api_key: str | None = None
    custom_configs: dict[str, Any] | None = None
    enable_data_retention: bool | None = None
    enable_zero_data_retention: bool | None = None


class UrlContext(GenaiModel):
    pass


class StreamableHttpTransport(GenaiModel):
    headers: dict[str, str] | None = None
    sse_read_timeout: str | None = None
    terminate_on_close: bool | None = None
    timeout: str | None = None
    url: str | None = None


class McpServer(GenaiModel):
    name: str | None = None
    streamable_http_transport: StreamableHttpTransport | None = None


class ToolExaAiSearch(GenaiModel):
    api_key: str | None = None
    custom_configs: dict[str, Any] | None = None


class Tool(GenaiModel):
    retrieval: Retrieval | None = None
    computer_use: ComputerUse | None = None
    file_search: FileSearch | None = None
    google_search: GoogleSearch | None = None
    google_maps: GoogleMaps | None = None
    code_execution: ToolCodeExecution | None = None
    enterprise_web_search: EnterpriseWebSearch | None = None
    function_declarations: list[FunctionDeclaration] | None = None
    google_search_retrieval: GoogleSearchRetrieval | None = None
    parallel_ai_search: ToolParallelAiSearch | None = None
    url_context: UrlContext | None = None
    mcp_servers: list[McpServer] | None = None
    exa_ai_search: ToolExaAiSearch | None = None
