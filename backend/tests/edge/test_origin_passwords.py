"""User names and passwords of origins are in no text that people read (OP52)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wavescope.blocks.remote.client import OriginClient, Permits
from wavescope.config import Config, all_settings
from wavescope.config.values import shown
from wavescope.edge.origin import OriginUpstream, checked_url
from wavescope.edge.origins import EdgeOrigins
from wavescope.errors import InvalidParameter, WavescopeError
from wavescope.service.access.authenticator import NOTHING

URL = "http://me:secret@127.0.0.1:9"


def _is_masked(error: WavescopeError) -> bool:
    return "127.0.0.1:9" in str(error) and "secret" not in str(error) and "me:" not in str(error)


def test_op52_an_address_that_is_none_is_named_without_its_password() -> None:
    with pytest.raises(InvalidParameter) as refused:
        checked_url(f"{URL}/?query=1")
    assert _is_masked(refused.value)


async def test_op52_an_origin_that_cannot_join_or_leave_is_named_without_its_password() -> None:
    origins = EdgeOrigins(replace(Config(), edge_origins=(URL,)))
    try:
        for refuse in (origins.join, origins.leave):
            with pytest.raises(InvalidParameter) as refused:
                refuse(URL)
            assert _is_masked(refused.value)
    finally:
        await origins.close()


def test_op52_an_origin_that_does_not_answer_is_named_without_its_password() -> None:
    assert _is_masked(OriginClient(URL, Permits(), 1, 1.0).failed(OSError()))


def test_op52_the_setting_is_shown_without_passwords() -> None:
    setting = next(one for one in all_settings() if one.name == "edge_origins")
    assert shown(setting, (URL, "https://b.example")) == "http://(hidden)@127.0.0.1:9, https://b.example"


def test_op52_an_origin_receives_its_own_address_without_the_password() -> None:
    assert OriginUpstream(URL).own_headers(NOTHING)["Origin"] == "http://127.0.0.1:9"
