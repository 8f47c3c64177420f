"""Tools that look things up, and how a tool authenticates (`google.genai.types.Retrieval`, `AuthConfig`, `ApiAuth`)."""

from __future__ import annotations

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
