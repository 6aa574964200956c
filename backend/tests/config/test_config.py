"""Choices and limits from the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from wavescope.config import Config, Limits
from wavescope.errors import InvalidParameter
from wavescope.main import is_loopback


def test_without_an_environment_the_defaults_hold() -> None:
    assert Config.from_env({}) == Config()


def test_every_kind_of_value_is_read_and_arguments_win() -> None:
    environment = {
        "WAVESCOPE_STORE": "/data",
        "WAVESCOPE_CORS_ORIGINS": "http://a, http://b,",
        "WAVESCOPE_CATALOG_SECONDS": "0.5",
        "WAVESCOPE_RUN_JOBS": "false",
        "WAVESCOPE_UPLOAD_BYTES": "1000",
        "WAVESCOPE_FRONTEND": "/dist",
        "OTHER": "x",
    }
    config = Config.from_env(environment, store=Path("/given"))
    assert config == Config(
        store=Path("/given"),
        cors_origins=("http://a", "http://b"),
        catalog_seconds=0.5,
        run_jobs=False,
        frontend=Path("/dist"),
        limits=Limits(upload_bytes=1000),
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("WAVESCOPE_UPLOAD_BYTES", "many"),
        ("WAVESCOPE_UPLOAD_BYTES", "0"),
        ("WAVESCOPE_UPLOAD_BYTES", "-1"),
        ("WAVESCOPE_CATALOG_SECONDS", "nan"),
        ("WAVESCOPE_RUN_JOBS", "perhaps"),
    ],
)
def test_a_value_without_meaning_is_refused_by_name(name: str, text: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        Config.from_env({name: text})
    assert (caught.value.name, caught.value.value) == (name, text)


@pytest.mark.parametrize(
    ("host", "loopback"), [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("::", False)]
)
def test_loopback_is_distinguished(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback
