"""Addresses of this service as its clients know them, behind proxies too (OP11)."""

from __future__ import annotations

from urllib.parse import quote

from starlette.requests import Request

from wavescope.api.routing import API
from wavescope.api.state import config_of


def service_address(request: Request) -> str:
    """Scheme, host and port, without a slash at the end: configured, else those of the request (WI136)."""
    return (config_of(request).public_url or str(request.base_url)).rstrip("/")


def slide_address(request: Request, slide_id: str, digest: str | None = None) -> str:
    """Below which everything of a slide is, or of one version of it."""
    version = "" if digest is None else f"/v/{digest}"
    return f"{service_address(request)}{API}/slides/{quote(slide_id, safe='')}{version}"
