"""Numbers of answers with their limits, so that the contract states what a client may rely on."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from wavescope.api.http.numbers import parameter_integer

ParameterInteger = Annotated[int, BeforeValidator(parameter_integer)]
"""Of a path or query: decimal digits, at most as many as a database stores (WI2)."""
Count = Annotated[int, Field(ge=0)]
Revision = Annotated[int, Field(ge=1)]
Side = Annotated[int, Field(ge=1, le=2**31, description="pixels of level 0")]
Levels = Annotated[int, Field(ge=1, le=64)]
Planes = Annotated[int, Field(ge=1, le=65535)]
Channels = Annotated[int, Field(ge=1, le=64)]
Layers = Annotated[int, Field(ge=1, le=255)]
"""Of a codestream."""
