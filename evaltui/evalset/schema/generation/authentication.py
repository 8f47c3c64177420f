"""How a tool proves who it is (`google.genai.types.AuthConfig`, `ApiAuth`)."""

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
