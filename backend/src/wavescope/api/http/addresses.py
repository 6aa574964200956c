"""Addresses of this service as its clients know them, behind proxies too (OP11)."""

from __future__ import annotations

from urllib.parse import quote

from starlette.requests import Request

from wavescope.api.routing import API


def service_address(request: Request) -> str:
    """Scheme, host and port, without a slash at the end."""
    return str(request.base_url).rstrip("/")


def slide_address(request: Request, slide_id: str, digest: str | None = None) -> str:
    """Below which everything of a slide is, or of one version of it."""
    version = "" if digest is None else f"/v/{digest}"
    return f"{service_address(request)}{API}/slides/{quote(slide_id, safe='')}{version}"
