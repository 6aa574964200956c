"""What ``wavescope doctor`` says of operation: settings, disk, permissions, database, access, proxy (OP30)."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from api.test_oidc import FakeProvider, running
from catalog.databases import new_database, postgresql
from service.world import make_world
from wavescope.catalog.catalog import Catalog
from wavescope.cli import main
from wavescope.cli.operation import checks
from wavescope.config import Config, Limits, Resolved
from wavescope.errors import CatalogDamaged
from wavescope.store.manifest import canonical, digest_of


def doctor(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, dict[str, Any]]:
    """The exit code and the findings."""
    code = main(["doctor", "--json", *map(str, arguments)])
    return code, json.loads(capsys.readouterr().out)


def test_a_bad_setting_is_a_finding_and_not_the_end_op30(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAVESCOPE_UPLOD_BYTES", "1")
    code, found = doctor(capsys)
    assert (code, found["settings"]["state"]) == (1, "fault")
    assert "WAVESCOPE_UPLOAD_BYTES" in found["settings"]["detail"]
    assert found["kernel"]["ok"]


@pytest.mark.parametrize(("free", "state"), [(100, "ok"), (15, "note"), (1, "fault")])
def test_the_disk_is_judged_by_the_settings_op30(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, free: int, state: str
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: type("Usage", (), {"total": 200 << 30, "free": free << 30}))
    monkeypatch.setenv("WAVESCOPE_FREE_BYTES", "2 GiB")
    _, found = doctor(capsys, "--store", tmp_path)
    assert found["disk"]["state"] == state


def test_secrets_in_a_file_that_others_can_read_are_a_fault_op30(tmp_path: Path) -> None:
    file = tmp_path / "wavescope.toml"
    file.write_text(f'store = "{tmp_path}"\noidc_client_secret = "planted"\n')
    file.chmod(0o644)
    resolved = Resolved.of({"WAVESCOPE_CONFIG": str(file)})
    with pytest.raises(RuntimeError, match=r"other accounts can read .*oidc_client_secret") as caught:
        checks.permissions(resolved)
    assert "planted" not in str(caught.value)
    file.chmod(0o640)  # of root and the group of the service
    assert "settings in" in checks.permissions(resolved)


ACCESS: dict[str, tuple[dict[str, Any], str]] = {
    "local": ({}, "for this machine only"),
    "open": ({"open_to_all": True}, "open to all"),
    "accounts without an admin": ({"access": "accounts"}, "there is no admin"),
    "single sign-on": ({"access": "accounts", "oidc_issuer": "https://id.example"}, "https://id.example"),
    "a node without keys": ({"access": "grants"}, "grant_keys names no file"),
}


@pytest.mark.parametrize("case", ACCESS)
def test_access_needs_someone_who_administers_op30(tmp_path: Path, case: str) -> None:
    options, expected = ACCESS[case]
    catalog = Catalog.open(tmp_path)
    try:
        said = checks.access(Config(store=tmp_path, **options), catalog)
    except RuntimeError as fault:
        said = str(fault)
    finally:
        catalog.close()
    assert expected in said


def test_jobs_that_could_run_twice_are_a_fault_op30(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alive = ["a"]
    monkeypatch.setattr(checks, "living_nodes", lambda _: tuple(alive))
    with pytest.raises(RuntimeError, match="no node_name: their jobs would run twice"):
        checks.cluster(Config(store=tmp_path))
    with pytest.raises(RuntimeError, match="slide_store is empty"):
        checks.cluster(Config(store=tmp_path, node_name="b"))
    assert checks.cluster(Config(store=tmp_path, run_jobs=False)) == "none: one service"
    node = Config(store=tmp_path, node_name="b", slide_store="s3://slides")
    assert checks.cluster(node) == "node b; other nodes that run: a"
    alive[:] = ["b"]
    assert checks.cluster(node) == "node b; no other node runs"


PROXY: dict[str, tuple[dict[str, Any], bool, str]] = {
    "without accounts": ({}, False, "refused"),
    "accounts": ({"access": "accounts"}, True, "set trusted_proxies"),
    "every proxy": ({"access": "accounts", "trusted_proxies": ("*",)}, True, "anyone can pretend"),
    "no name": ({"access": "accounts", "trusted_proxies": ("10.0.0.1",)}, True, "set allowed_hosts"),
    "complete": (
        {"access": "accounts", "trusted_proxies": ("10.0.0.1",), "allowed_hosts": ("a.example",)},
        False,
        "behind 10.0.0.1, answers to a.example",
    ),
}


@pytest.mark.parametrize("case", PROXY)
def test_what_a_proxy_needs_is_noted_op30(case: str) -> None:
    options, noted, expected = PROXY[case]
    said = checks.proxy(Config(**options))
    assert (isinstance(said, checks.Note), expected in said) == (noted, True)


@pytest.mark.slow
def test_postgresql_is_asked_for_its_version_encoding_and_connections_op30(tmp_path: Path) -> None:
    with postgresql() as server:
        url = new_database(server, "scope")
        assert "UTF8" in checks.database(Config(store=tmp_path, catalog=url))
        assert "PostgreSQL" in checks.database(Config(store=tmp_path, catalog=url))
        engine = create_engine(f"{server}/postgres", isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0"))
        engine.dispose()
        with pytest.raises(CatalogDamaged, match="its encoding is LATIN1"):
            checks.database(Config(store=tmp_path, catalog=f"{server}/latin"))
    assert checks.database(Config(store=tmp_path, limits=Limits())) == "SQLite in the store"


def test_the_provider_of_single_sign_on_is_asked_op30(tmp_path: Path) -> None:
    provider = FakeProvider(path="/realms/clinic")
    with running(provider):
        config = Config(store=tmp_path, access="accounts", oidc_issuer=provider.issuer)
        assert checks.single_sign_on(config) == f"{provider.issuer} answers, 1 key(s)"
        with pytest.raises(RuntimeError, match="names another issuer"):
            checks.single_sign_on(replace(config, oidc_issuer=f"{provider.issuer}/"))
    with pytest.raises(RuntimeError, match="does not answer as it should"):
        checks.single_sign_on(config)
    assert checks.single_sign_on(Config(store=tmp_path)) == "none"


def test_private_data_in_a_closed_folder_is_not_called_reachable_op30_pr47(tmp_path: Path) -> None:
    texts = tmp_path / "identity" / "ab" / "texts.json"
    texts.parent.mkdir(parents=True)
    texts.write_text("{}")
    for path, mode in ((texts, 0o644), (texts.parent, 0o755), (tmp_path / "identity", 0o755), (tmp_path, 0o755)):
        path.chmod(mode)
    with pytest.raises(RuntimeError, match=r"can reach identity, identity/ab, identity/ab/texts.json; wavescope serve"):
        checks.secrets(Config(store=tmp_path))
    (tmp_path / "identity").chmod(0o700)  # as after a copy of a backup: open files in a closed folder
    assert "identifying data" in checks.secrets(Config(store=tmp_path))
    (tmp_path / "identity").chmod(0o755)
    tmp_path.chmod(0o700)
    assert "identifying data" in checks.secrets(Config(store=tmp_path))


def test_private_data_of_another_account_is_not_promised_to_be_closed_op30_pr47(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "identity").mkdir(mode=0o755)
    tmp_path.chmod(0o755)
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    with pytest.raises(RuntimeError, match="belong to another account"):
        checks.secrets(Config(store=tmp_path))


@pytest.mark.slow
def test_slides_that_this_version_cannot_show_are_counted_op30(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    store = make_world(tmp_path).store
    assert doctor(capsys, "--store", store)[1]["slides"]["state"] == "ok"
    manifest, *others = store.glob("slides/*/manifest.json")
    fields = json.loads(manifest.read_bytes()) | {"version": 1}
    digest = digest_of(fields)
    catalog = Catalog.open(store)
    catalog.publish("old", "Old", digest, fields, replace=False)
    catalog.close()
    (store / "slides" / digest).mkdir()
    (store / "slides" / digest / "manifest.json").write_bytes(canonical(fields | {"digest": digest}))
    code, found = doctor(capsys, "--store", store)
    assert (code, found["slides"]["state"]) == (1, "fault")
    assert (
        f"1 of {len(others) + 2}: it was stored before format version 1.0: ingest it again" in found["slides"]["detail"]
    )
