"""Signing in at an OpenID Connect provider: authorization code with PKCE, by Authlib (AC38, AC39)."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from wavescope.access.principal import ANONYMOUS, ROLES, Role, user_principal
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.tokens import SignedIn
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import UserRecord
from wavescope.config import Config
from wavescope.deferred import deferred
from wavescope.errors import InvalidParameter, ProviderRefused, WrongCredentials
from wavescope.logs.faults import fault
from wavescope.logs.loggers import get_logger
from wavescope.service.access.accounts import AccountService
from wavescope.service.access.audit import AuditService

if TYPE_CHECKING:
    import httpx2
    from authlib.integrations import httpx_client
    from authlib.integrations.base_client import errors as oauth
    from joserfc import errors, jwk, jwt
else:
    errors, jwk, jwt = deferred("joserfc.errors"), deferred("joserfc.jwk"), deferred("joserfc.jwt")
    httpx2, httpx_client = deferred("httpx2"), deferred("authlib.integrations.httpx_client")
    oauth = deferred("authlib.integrations.base_client.errors")

log = get_logger(__name__)

ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"]
KNOWN_SECONDS = 3600.0  # that the provider's metadata and keys are cached
LEEWAY = 30  # seconds that its clock may differ
SECRET = re.compile(r"[A-Za-z0-9_-]{43}")  # of 32 bytes
OAUTH_ERRORS = frozenset(
    (
        *("access_denied", "consent_required", "interaction_required", "invalid_client", "invalid_grant"),
        *("invalid_request", "invalid_scope", "login_required", "server_error", "temporarily_unavailable"),
        *("unauthorized_client", "unsupported_response_type"),
    )
)
"""Error codes of a provider that are logged by name (RFC 6749, 4.1.2.1 and 5.2; OpenID Connect Core 3.1.2.6)."""
CLAIMS = {"aud": "audience", "iss": "issuer", "exp": "expired", "iat": "clock", "nbf": "clock"}
"""What is wrong, by the claim that is refused; others by their own name."""
MALFORMED = (ValueError, TypeError, AttributeError, RecursionError)  # what reading foreign data may raise


@dataclass(frozen=True)
class Attempt:
    """What the browser stores between leaving for the provider and coming back."""

    state: str
    nonce: str
    verifier: str
    next: str

    def to_text(self) -> str:
        """ASCII without spaces, commas or semicolons."""
        return base64.urlsafe_b64encode(json.dumps(asdict(self)).encode()).decode()

    @classmethod
    def from_text(cls, text: str) -> Attempt:
        """What ``to_text`` wrote. Raises ProviderRefused for anything else, for anybody may have written it (AC47)."""
        try:
            attempt = cls(**json.loads(base64.urlsafe_b64decode(text)))
            right = all(SECRET.fullmatch(part) for part in (attempt.state, attempt.nonce, attempt.verifier))
            right = right and isinstance(attempt.next, str)
        except MALFORMED as cause:
            raise ProviderRefused("this browser has not begun to sign in", "no attempt") from cause
        if not right:
            raise ProviderRefused("this browser has not begun to sign in", "no attempt")
        return attempt


@dataclass(frozen=True)
class ProviderResponse:
    """What the provider sends the browser back with."""

    code: str = ""
    state: str = ""
    error: str = ""


class OidcProvider:
    """The one provider of a service."""

    def __init__(self, catalog: Catalog, config: Config) -> None:
        self._accounts, self._config = Accounts(catalog), config
        self._roles = read_roles(config)
        self._issuer = config.oidc_issuer
        self._metadata: dict[str, Any] = {}
        self._keys: jwk.KeySet | None = None
        self._known_until = 0.0

    async def begin(self, callback: str, next_page: str) -> tuple[str, Attempt]:
        """Where to send the browser, and what it is to store. Raises ProviderRefused."""
        await self._learn()
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        attempt = Attempt(state, nonce, verifier, next_page)
        async with self._client(callback) as client:
            url, _ = client.create_authorization_url(
                self._metadata["authorization_endpoint"],
                state=attempt.state,
                nonce=attempt.nonce,
                code_verifier=attempt.verifier,
            )
        return str(url), attempt

    async def finish(self, callback: str, response: ProviderResponse, attempt: Attempt) -> UserRecord:
        """The account that the provider signed in. Raises ProviderRefused, WrongCredentials for a disabled account."""
        if not secrets.compare_digest(response.state.encode(), attempt.state.encode()):
            raise ProviderRefused("the answer belongs to another attempt", "another attempt")
        if response.error:
            raise ProviderRefused("the provider refused", f"provider: {named(response.error)}")
        await self._learn()
        try:
            async with self._client(callback) as client:
                token = await client.fetch_token(
                    self._metadata["token_endpoint"], code=response.code, code_verifier=attempt.verifier
                )
            id_token = str(token.get("id_token", ""))
        except oauth.OAuthError as error:
            raise ProviderRefused("it gave no token", f"token: {named(error.error)}") from error
        except (httpx2.HTTPError, *MALFORMED) as error:
            raise ProviderRefused("it gave no token", f"token: {type(error).__name__}") from error
        claims = await self._claims(id_token, attempt.nonce)
        user = await asyncio.to_thread(self._account, claims)
        if user.disabled:
            raise WrongCredentials
        return user

    def _account(self, claims: Mapping[str, Any]) -> UserRecord:
        subject = f"{self._issuer} {claims['sub']}"
        name = str(claims.get("preferred_username") or claims.get("email") or "user")
        title = "".join(char for char in str(claims.get("name") or name) if char.isprintable()).strip()[:200] or name
        default = role_named(self._config.oidc_default_role)
        role = None
        if self._roles:
            found = [self._roles[one] for one in values_of(claims, self._config.oidc_roles_claim) if one in self._roles]
            role = max(found, key=ROLES.index, default=default)
        user = self._accounts.from_provider(subject, name, title, role, default)
        if self._config.oidc_groups_claim:
            self._accounts.provider_groups(user.id, values_of(claims, self._config.oidc_groups_claim))
        return self._accounts.get(user.id)

    async def _claims(self, id_token: str, nonce: str) -> Mapping[str, Any]:
        """The ID token's claims, checked (OpenID Connect Core 3.1.3.7)."""
        for attempt in (1, 2):
            try:
                assert self._keys is not None
                claims: dict[str, Any] = jwt.decode(id_token, self._keys, algorithms=ALGORITHMS).claims
                break
            except (errors.JoseError, *MALFORMED) as cause:
                if attempt == 2:
                    raise ProviderRefused("its signature is not right", "signature") from cause
                self._known_until = 0.0  # it may have new keys
                await self._learn()
        rules = jwt.JWTClaimsRegistry(
            leeway=LEEWAY,
            iss={"essential": True, "value": self._metadata["issuer"]},
            aud={"essential": True, "value": self._config.oidc_client_id},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        try:
            rules.validate(claims)
        except (errors.JoseError, *MALFORMED) as cause:
            raise ProviderRefused("its claims are not right", claim_at_fault(cause)) from cause
        if claims.get("azp", self._config.oidc_client_id) != self._config.oidc_client_id:
            raise ProviderRefused("its claims are not right", "audience")
        return claims

    async def _learn(self) -> None:
        """Reads the provider's metadata and keys. Raises ProviderRefused."""
        if time.monotonic() < self._known_until:
            return
        self._metadata, self._keys = await provider_of(self._issuer, self._config.oidc_seconds)
        self._known_until = time.monotonic() + KNOWN_SECONDS

    def _client(self, callback: str) -> httpx_client.AsyncOAuth2Client:
        secret = self._config.oidc_client_secret
        return httpx_client.AsyncOAuth2Client(
            self._config.oidc_client_id,
            secret or None,
            scope=self._config.oidc_scopes,
            redirect_uri=callback,
            code_challenge_method="S256",
            token_endpoint_auth_method="client_secret_basic" if secret else "none",
            timeout=self._config.oidc_seconds,
        )


async def provider_of(issuer: str, seconds: float) -> tuple[dict[str, Any], jwk.KeySet]:
    """A provider's metadata and keys, each read within ``seconds``. Raises ProviderRefused."""
    where = f"{issuer.rstrip('/')}/.well-known/openid-configuration"
    try:
        async with httpx2.AsyncClient(timeout=seconds) as client:
            metadata = (await client.get(where)).raise_for_status().json()
            keys = (await client.get(metadata["jwks_uri"])).raise_for_status().json()
        metadata["authorization_endpoint"], metadata["token_endpoint"]
        other = metadata["issuer"] != issuer
        key_set = jwk.KeySet.import_key_set(keys)
    except (httpx2.HTTPError, errors.JoseError, KeyError, *MALFORMED) as cause:
        raise ProviderRefused("it does not answer as it should", f"metadata: {type(cause).__name__}") from cause
    if other:
        raise ProviderRefused("it is another one than it should be", "metadata: issuer")
    return metadata, key_set


def claim_at_fault(error: BaseException) -> str:
    """What is wrong with a token's claims: audience, issuer, nonce, expired, clock ..."""
    if isinstance(error, errors.ExpiredTokenError):
        return "expired"
    claim = error.claim if isinstance(error, errors.ClaimError) else "claims"
    return CLAIMS.get(claim, claim)


def named(code: Any) -> str:
    """An error code of a provider as it may be logged (OP52)."""
    return code if code in OAUTH_ERRORS else "an unknown error"


@contextmanager
def logged() -> Iterator[None]:
    """Logs why a sign-in at the provider fails (AC38)."""
    try:
        yield
    except ProviderRefused as refused:
        fault(log, "single sign-on failed", "account", f"sso {refused.cause}")
        raise


class OidcService:
    """Signing in at the provider. Each attempt that comes back is recorded in the audit log."""

    def __init__(self, provider: OidcProvider, issuer: str, accounts: AccountService, audit: AuditService) -> None:
        self._provider, self._issuer, self._accounts, self._audit = provider, issuer, accounts, audit

    async def begin(self, callback: str, next_page: str) -> tuple[str, Attempt]:
        """See OidcProvider."""
        with logged():
            return await self._provider.begin(callback, next_page)

    async def finish(self, callback: str, response: ProviderResponse, attempt: str) -> tuple[SignedIn, str]:
        """The new sign-in and the wanted page; ``attempt``: what the browser stored. Raises as OidcProvider."""
        try:
            with logged():
                begun = Attempt.from_text(attempt)
                user = await self._provider.finish(callback, response, begun)
        except (ProviderRefused, WrongCredentials):
            self._audit.record(ANONYMOUS, "sign-in failed", provider=self._issuer)
            raise
        self._audit.record(user_principal(user.id, user.title, user.role), "signed in", provider=self._issuer)
        return await self._accounts.let_in(user.id), begun.next


def read_roles(config: Config) -> dict[str, Role]:
    """Value of the claim -> role. Raises InvalidParameter."""
    pairs = [text.rpartition("=") for text in config.oidc_roles]
    role_named(config.oidc_default_role)
    return {value: role_named(role) for value, _, role in pairs}


def role_named(name: str) -> Role:
    """Raises InvalidParameter."""
    for role in ROLES:
        if role == name:
            return role
    raise InvalidParameter("role", name, " or ".join(ROLES))


def values_of(claims: Mapping[str, Any], claim: str) -> list[str]:
    """A claim's values, whether it is one or a list of them."""
    found = claims.get(claim, ())
    return [found] if isinstance(found, str) else [str(one) for one in found if isinstance(one, str)]
