"""One declaration of every setting: names, bounds, sources, reference page (OP1 to OP5)."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from wavescope.cli import main
from wavescope.config import Config, Limits, Rates, Resolved, UnknownSetting, all_settings
from wavescope.config.reading import ENVIRONMENT_ONLY
from wavescope.config.reference import reference_page
from wavescope.config.values import HIDDEN, shown, value_of_text, value_of_toml
from wavescope.errors import InvalidParameter

ROOT = Path(__file__).parents[3]
SETTINGS = {one.name: one for one in all_settings()}


def test_every_field_is_declared_with_meaning_and_bounds_op1() -> None:
    names = [one.name for cls in (Config, Limits, Rates) for one in fields(cls) if one.name not in ("limits", "rates")]
    assert sorted(names) == sorted(SETTINGS)
    for one in SETTINGS.values():
        assert one.meaning
        assert one.group
        assert (one.bounds is None) == (one.kind not in ("int", "float", "tuple[float, float]")), one.name


@pytest.mark.parametrize("name", SETTINGS)
def test_every_default_is_an_allowed_value_and_can_be_written_as_it_is_shown_op1_op4(name: str) -> None:
    one = SETTINGS[name]
    text = shown(one, one.default)
    if text or one.kind != "Path":
        assert value_of_text(one, name, text) == one.default


def test_the_reference_page_is_current_op1() -> None:
    """`wavescope config --reference > shared/settings.md` writes it."""
    page = (ROOT / "shared" / "settings.md").read_text()
    assert page.strip() == reference_page().strip()
    assert all(f"| `{name}` |" in page for name in [*SETTINGS, *ENVIRONMENT_ONLY])


def test_flags_come_before_the_environment_before_the_file_before_the_default_op2(tmp_path: Path) -> None:
    file = tmp_path / "wavescope.toml"
    file.write_text('store = "/file"\nwaiting_jobs = 3\nrate_join = "5/minute"\nallowed_hosts = ["a", "b"]\n')
    environ = {"WAVESCOPE_CONFIG": str(file), "WAVESCOPE_STORE": "/environment", "WAVESCOPE_WAITING_JOBS": "4"}
    resolved = Resolved.of(environ, store=Path("/flag"))
    config = resolved.config
    assert (config.store, config.limits.waiting_jobs, config.rates.rate_join) == (Path("/flag"), 4, "5/minute")
    assert config.allowed_hosts == ("a", "b")
    sources = {name: resolved.found[name].source for name in ("store", "waiting_jobs", "rate_join", "annotations")}
    assert sources == {"store": "flag", "waiting_jobs": "environment", "rate_join": "file", "annotations": "default"}
    other = tmp_path / "other.toml"
    other.write_text("waiting_jobs = 5\n")
    assert Resolved.of({"WAVESCOPE_CONFIG": str(file)}, config=other).config.limits.waiting_jobs == 5


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("WAVESCOPE_UPLOD_BYTES", "WAVESCOPE_UPLOAD_BYTES"),
        ("WAVESCOPE_OIDC_CLIENT_SECRT", "WAVESCOPE_OIDC_CLIENT_SECRET"),
        ("WAVESCOPE_TRUSTED_PROXY", "WAVESCOPE_TRUSTED_PROXIES"),
        ("WAVESCOPE_COFIG", "WAVESCOPE_CONFIG"),
        ("WAVESCOPE_QQQ", None),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_one_op3(name: str, nearest: str | None) -> None:
    with pytest.raises(UnknownSetting) as caught:
        Config.from_env({name: "hunter2-secret"})
    assert caught.value.nearest == nearest
    assert name in str(caught.value)
    assert (nearest or "wavescope config") in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_an_unknown_name_in_the_file_is_refused_with_the_nearest_one_op3(tmp_path: Path) -> None:
    file = tmp_path / "wavescope.toml"
    file.write_text("upload_byte = 1\n")
    with pytest.raises(UnknownSetting, match=r"upload_byte .*wavescope.toml.*did you mean upload_bytes\?"):
        Config.from_env({"WAVESCOPE_CONFIG": str(file)})


@pytest.mark.parametrize(
    "name",
    [
        "WAVESCOPE_PORT",
        "WAVESCOPE_PORT_8000_TCP_ADDR",
        "WAVESCOPE_SERVICE_HOST",
        "WAVESCOPE_SERVICE_PORT_HTTP",
        "WAVESCOPE_TEST_DATA",
        "WAVESCOPE_E2E_STORE",
        "WAVESCOPE_LONG",
        "WAVESCOPE_DEBUG",
    ],
)
def test_names_of_tools_and_of_kubernetes_are_accepted_op3(name: str) -> None:
    assert Config.from_env({name: "tcp://10.0.0.1:8000"}) == Config()


REFUSED: dict[str, tuple[str, str]] = {
    "too small": ("WAVESCOPE_BATCH_ENTRIES", "0"),
    "too large": ("WAVESCOPE_LISTEN_PORT", "65536"),
    "no number": ("WAVESCOPE_HEADER_SECONDS", "nan"),
    "another unit": ("WAVESCOPE_UPLOAD_BYTES", "3 d"),
    "no integer": ("WAVESCOPE_UPLOAD_BYTES", "0.3 B"),
    "no choice": ("WAVESCOPE_ACCESS", "account"),
    "no rate": ("WAVESCOPE_RATE_READS", "often"),
    "no network": ("WAVESCOPE_TRUSTED_PROXIES", "10.0.0.1/8"),
    "no site": ("WAVESCOPE_CORS_ORIGINS", "viewer.example.org"),
    "a site with a path": ("WAVESCOPE_CORS_ORIGINS", "https://viewer.example.org/"),
    "a pattern of sites": ("WAVESCOPE_CORS_ORIGINS", "https://a.example, https://*.example.org"),
    "no boolean": ("WAVESCOPE_RATE_LIMITS", "maybe"),
    "no range": ("WAVESCOPE_UM_PER_PIXEL", "10, 1"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_bad_value_is_refused_with_the_allowed_ones_op4(case: str) -> None:
    name, text = REFUSED[case]
    with pytest.raises(InvalidParameter) as caught:
        Config.from_env({name: text})
    assert (caught.value.name, caught.value.value) == (name, text)
    assert caught.value.expected.split()


def test_the_refusal_names_the_range_op4() -> None:
    with pytest.raises(InvalidParameter, match=r"WAVESCOPE_LOW_BYTES is '-1'; expected .* from 0 to 1024 TiB"):
        Config.from_env({"WAVESCOPE_LOW_BYTES": "-1"})


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("upload_bytes", "64 GiB", 64 << 30),
        ("upload_bytes", "1.5gb", 1_500_000_000),
        ("upload_bytes", "77", 77),
        ("trash_seconds", "30 d", 30 * 86400.0),
        ("header_seconds", "2min", 120.0),
        ("cors_origins", "", ()),
        ("watch", "", None),
    ],
)
def test_quantities_may_have_a_unit_op4(name: str, text: str, value: Any) -> None:
    assert value_of_text(SETTINGS[name], name, text) == value


@pytest.mark.parametrize(
    ("name", "value"),
    [("upload_bytes", True), ("upload_bytes", 1.5), ("run_jobs", 1), ("store", 3), ("allowed_hosts", [1])],
)
def test_a_value_of_another_type_in_the_file_is_refused_op4(name: str, value: Any) -> None:
    with pytest.raises(InvalidParameter):
        value_of_toml(SETTINGS[name], name, value)


SECRETS = {
    "WAVESCOPE_OIDC_CLIENT_SECRET": "planted-secret",
    "WAVESCOPE_CATALOG": "postgresql+psycopg://scope:planted-secret@db/scope",
    "WAVESCOPE_RATE_STORAGE": "redis://:planted-secret@cache:6379",
}


def test_the_command_lists_every_setting_and_no_secret_op5(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("WAVESCOPE_UPLOAD_BYTES", "20 GiB")
    assert main(["config"]) == 0
    table = capsys.readouterr().out
    assert {line.split()[0] for line in table.splitlines()[1:]} == set(SETTINGS)
    assert "20 GiB" in next(line for line in table.splitlines() if line.startswith("upload_bytes "))
    assert main(["config", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed["upload_bytes"]["value"] == 20 << 30
    assert (listed["upload_bytes"]["source"], listed["store"]["source"]) == ("environment", "default")
    assert listed["oidc_client_secret"]["value"] == HIDDEN
    assert listed["catalog"]["value"] == f"postgresql+psycopg://{HIDDEN}@db/scope"
    assert "planted" not in table + json.dumps(listed)


def test_a_refused_secret_is_not_repeated_op5() -> None:
    one = SETTINGS["oidc_client_secret"]
    with pytest.raises(InvalidParameter) as caught:
        value_of_toml(one, "oidc_client_secret", 12345678)
    assert "12345678" not in str(caught.value)


def test_a_file_that_is_missing_or_no_toml_is_named_op2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "--config", str(tmp_path / "none.toml")]) == 2
    assert "none.toml" in capsys.readouterr().err
    (tmp_path / "bad.toml").write_text("store = ")
    assert main(["config", "--config", str(tmp_path / "bad.toml")]) == 2
    assert "TOML" in capsys.readouterr().err
