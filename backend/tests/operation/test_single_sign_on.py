"""The settings of the guide for Keycloak and Entra ID, with keys and tokens like those of these providers (AC38)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from joserfc.jwk import RSAKey

from api.accounts import API, Clinic
from api.test_oidc import FakeProvider, enter, running
from operation.proxies import SHIPPED
from service.world import running_service
from wavescope.api.app import build_app
from wavescope.catalog.access.accounts import Accounts

EXAMPLE = re.compile(r"```toml\n# (.+)\n([^`]+)```")


@dataclass(frozen=True)
class Kind:
    """What a provider sends: claims of the ID token, parameters of the address that leads back, keys."""

    claims: dict[str, Any]
    parameters: dict[str, str]
    keys: tuple[dict[str, Any], ...]
    key_members: dict[str, Any]
    expected: tuple[str, str, list[str]]  # name, role, groups


def public(**members: str) -> dict[str, Any]:
    return dict(RSAKey.generate_key(2048, {"kid": "other"}, private=True).as_dict(private=False)) | members


KINDS = {
    "Keycloak": Kind(
        {
            "sub": "f:1:7", "typ": "ID", "azp": "wavescope", "sid": "s", "acr": "1", "email_verified": False,
            "name": "Nina N.", "preferred_username": "nina", "groups": ["teachers", "residents"],
        },
        {"session_state": "5b0f", "iss": "http://127.0.0.1/realms/clinic"},
        (public(use="enc", alg="RSA-OAEP"),),
        {"alg": "RS256", "x5c": ["MIIB"], "x5t": "abc", "x5t#S256": "abc"},
        ("nina", "instructor", ["residents", "teachers"]),
    ),
    "Entra ID": Kind(
        {
            "sub": "3OBtLXUC2ZrN", "oid": "eb7eda1b-d09a-40ae-b8bb-37836ebc6abd", "tid": "11111111", "ver": "2.0",
            "rh": "0.A", "uti": "u", "nbf": 1, "name": "Nina N.", "preferred_username": "nina@example.org",
            "roles": ["Admin"],
        },
        {"session_state": "5b0f"},
        (public(use="sig", x5t="def", issuer="https://login.microsoftonline.com/1/v2.0"),),
        {"x5c": ["MIIB"], "x5t": "abc", "issuer": "https://login.microsoftonline.com/1/v2.0"},
        ("nina@example.org", "admin", []),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
async def test_the_example_of_the_guide_signs_a_user_in_ac38_ac39_op31(kind: str, tmp_path: Path) -> None:
    examples = dict(EXAMPLE.findall((SHIPPED / "README.md").read_text()))
    settings = tomllib.loads(examples[kind])
    sent = KINDS[kind]
    issuer = urlsplit(settings["oidc_issuer"])
    assert issuer.scheme == "https"
    provider = FakeProvider(path=issuer.path, client=settings["oidc_client_id"], secret=settings["oidc_client_secret"])
    provider.claims, provider.parameters = sent.claims, sent.parameters
    provider.keys, provider.key_members = sent.keys, sent.key_members
    with running(provider):
        roles = {"oidc_roles": tuple(settings["oidc_roles"])}
        options = settings | roles | {"oidc_issuer": provider.issuer}
        async with running_service(tmp_path / "store", access="accounts", **options) as service:
            client = Clinic(service, build_app(service), {}).client()
            assert (await enter(client)).headers["location"] == "/slides/visual"
            user = (await client.get(f"{API}/account")).json()["user"]
            groups = [one.name for one in Accounts(service.catalog).groups()]
    assert (user["name"], user["role"], sorted(groups)) == sent.expected
