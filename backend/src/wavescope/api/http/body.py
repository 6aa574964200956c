"""Request bodies of bounded size."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from wavescope.api.http.immutable import header
from wavescope.api.state import limits_of
from wavescope.errors import InvalidParameter, TooLarge

Model = TypeVar("Model", bound=BaseModel)


def announced_length(request: Request) -> int | None:
    """Content-Length, if there is one. Raises InvalidParameter."""
    value = header(request, b"content-length")
    if value is None:
        return None
    if not value.isdigit() or len(value) > 18:
        raise InvalidParameter("Content-Length", value.decode("latin-1")[:40], "a number of bytes")
    return int(value)


async def read_body(request: Request, limit: int) -> bytes:
    """The whole body. Raises TooLarge as soon as it is more than ``limit`` bytes."""
    announced = announced_length(request) or 0
    if announced > limit:
        raise TooLarge("the request body in bytes", announced, limit)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise TooLarge("the request body in bytes", len(body), limit)
    return bytes(body)


async def read_model(request: Request, model: type[Model], limit: int | None = None) -> Model:
    """The body as JSON of this shape; ``limit`` in bytes, by default that of ordinary JSON bodies.

    Raises TooLarge, InvalidParameter.
    """
    body = await read_body(request, limits_of(request).json_body if limit is None else limit)
    try:
        return model.model_validate_json(body)
    except ValidationError as cause:
        fault = cause.errors(include_url=False)[0]
        place = ".".join(str(part) for part in fault["loc"]) or "body"
        raise InvalidParameter(place, str(fault.get("input"))[:80], fault["msg"]) from cause


def json_body(model: type[BaseModel]) -> dict[str, Any]:
    """The OpenAPI description of such a body; ``describe_body`` writes its schema."""
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": model}}}}


def describe_body(description: dict[str, Any]) -> None:
    """Puts the schema in the place of its model in what ``json_body`` made, for who reads the contract."""
    media = description.get("requestBody", {}).get("content", {}).get("application/json", {})
    if isinstance(model := media.get("schema"), type) and issubclass(model, BaseModel):
        schema = model.model_json_schema()
        media["schema"] = _inlined(schema, schema.pop("$defs", {}))


def _inlined(part: Any, definitions: dict[str, Any]) -> Any:
    """The schema without references into itself, which would lead nowhere from inside the contract."""
    if isinstance(part, list):
        return [_inlined(one, definitions) for one in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _inlined(definitions[part["$ref"].rpartition("/")[2]], definitions)
    return {key: _inlined(value, definitions) for key, value in part.items()}
