"""The settings of one service, and where their values come from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from wavescope.config import limits as limit_settings
from wavescope.config import rates as rate_settings
from wavescope.config.limits import BODY, GIB, MIB, TIB, Limits
from wavescope.config.rates import Rates
from wavescope.config.reading import read_settings
from wavescope.config.setting import Found, Setting, declared, setting
from wavescope.errors import InvalidParameter

MODES = ("local", "accounts", "grants")
ASSIGNMENTS = ("flow", "greedy", "round-robin")
LAYOUTS = ("mirrored", "striped")
POLICIES = ("lru", "fifo", "random", "sieve")
ROLES = ("viewer", "annotator", "instructor", "admin")
DAY = 86400.0
LOG_LEVELS = ("debug", "info", "warning", "error")
LONG = (1.0, 36500 * DAY)  # seconds


@dataclass(frozen=True)
class Config:
    """How one service is composed."""

    store: Path = setting(Path(".wavescope"), "", None, "folder of the store")
    slide_store: str = setting(
        "",
        "",
        None,
        "s3://BUCKET/PREFIX with the versions of slides; empty: in the folder of the store. The standard AWS_... "
        "variables of the environment have endpoint, region and credentials (ST80)",
        secret="url",
    )
    slide_store_seconds: float = setting(
        20.0, "seconds", (0.1, 600), "time for which a request to the object store is repeated (ST86)"
    )
    slide_store_memory: int = setting(256 * MIB, "bytes", BODY, "cache in memory of what was read from there")
    catalog: str = setting(
        "",
        "",
        None,
        "database of the catalog, such as postgresql+psycopg://...; empty: SQLite in the store",
        secret="url",
    )
    catalog_seconds: float = setting(
        0.25, "seconds", (0.001, 3600), "time after which a lookup notices what other processes have changed"
    )
    new_catalog: bool = setting(False, "", None, "start with an empty catalog if that of the stored slides is missing")
    collect_seconds: float = setting(3600.0, "seconds", LONG, "time that a replaced version of a slide is still served")
    trash_seconds: float = setting(30 * DAY, "seconds", LONG, "time that a deleted slide stays in the trash")
    run_jobs: bool = setting(True, "", None, "run the imports of the store in this process")
    dask_scheduler: str = setting(
        "",
        "",
        None,
        "address of the scheduler of a Dask cluster that imports, such as tls://dask:8786; empty: this process does. "
        "A client that reaches the scheduler can run code: a private network, or TLS (CL50)",
    )
    watch: Path | None = setting(None, "", None, "folder whose new files are imported")
    watch_seconds: float = setting(2.0, "seconds", (0.01, 86400), "time between two looks at this folder")
    deidentify: bool = setting(False, "", None, "store no identifying data of imported files (PR43)")
    keep_originals: bool = setting(
        False, "", None, "store the original files of imports that do not say whether to (ST90); not with `deidentify`"
    )
    listen_host: str = setting("127.0.0.1", "", None, "address that `wavescope serve` binds to")
    listen_port: int = setting(8000, "", (0, 65535), "port that `wavescope serve` binds to; 0: any free one")
    frontend: Path | None = setting(None, "", None, "folder of the built page; empty: beside the package")
    experiments: Path | None = setting(
        None, "", None, "folder of experiments that the page of the planner offers beside those of the papers (SI27)"
    )
    allowed_hosts: tuple[str, ...] = setting(
        (), "", None, "names that the service answers to; empty: any, and on loopback those of loopback (WI33)"
    )
    public_url: str = setting(
        "",
        "",
        None,
        "address at which clients reach the service, such as https://slides.example, for addresses in answers; empty: "
        "that of the request (WI136)",
        form="url",
    )
    cors_origins: tuple[str, ...] = setting(
        (), "", None, "other sites whose pages may use the service (WI33)", form="origins"
    )
    trusted_proxies: tuple[str, ...] = setting(
        (), "", None, "addresses or networks whose X-Forwarded-For and -Proto are trusted (PR14)", form="networks"
    )
    access: str = setting(
        "local",
        "",
        None,
        "local: anyone who reaches the service may do everything; accounts, grants: see AC1",
        choices=MODES,
    )
    open_to_all: bool = setting(
        False, "", None, "serve other machines, or behind a proxy, without accounts: anyone may do everything"
    )
    grant_keys: Path | None = setting(
        None, "", None, "file with the public keys of the origin, for a node with access `grants` (AC44)"
    )
    sign_in_seconds: float = setting(3600.0, "seconds", (10, 365 * DAY), "time after which a sign-in must be renewed")
    renew_seconds: float = setting(
        14 * DAY, "seconds", (10, 3650 * DAY), "time without a visit after which users sign in again"
    )
    second_factor: str = setting(
        "optional",
        "",
        None,
        "who needs a second factor to sign in with a password (AC56)",
        choices=("optional", "admins", "all"),
    )
    oidc_issuer: str = setting("", "", None, "URL of an OpenID Connect provider; empty: none (AC38)")
    oidc_title: str = setting("single sign-on", "", None, "name of the provider on the page")
    oidc_client_id: str = setting("", "", None, "id of this service at the provider")
    oidc_client_secret: str = setting("", "", None, "secret of this service at the provider", secret="all")
    oidc_scopes: str = setting("openid profile", "", None, "scopes that are requested")
    oidc_roles_claim: str = setting("groups", "", None, "claim whose values `oidc_roles` maps to roles")
    oidc_roles: tuple[str, ...] = setting((), "", None, "VALUE=ROLE pairs; empty: roles are set in Wavescope")
    oidc_default_role: str = setting("viewer", "", None, "role of an account that no pair matches", choices=ROLES)
    oidc_seconds: float = setting(10.0, "seconds", (0.1, 300), "time in which the provider must answer")
    oidc_groups_claim: str = setting("", "", None, "claim whose values are the user's groups; empty: none")
    audit_addresses: str = setting(
        "full",
        "",
        None,
        "how much of a client's address the audit log stores (PR34)",
        choices=("full", "network", "none"),
    )
    audit_seconds: float = setting(3 * 365 * DAY, "seconds", LONG, "time that an audit entry is stored (PR33)")
    rate_limits: bool = setting(True, "", None, "count requests (PR10); without accounts only if `open_to_all`")
    rate_storage: str = setting(
        "memory://", "", None, "where requests are counted; processes share redis://... or valkey://...", secret="url"
    )
    log_level: str = setting("info", "", None, "least level of the lines that are logged (OP50)", choices=LOG_LEVELS)
    log_format: str = setting(
        "auto", "", None, "auto: text on a terminal, else JSON (OP50)", choices=("auto", "text", "json")
    )
    log_access: str = setting(
        "calls",
        "",
        None,
        "lines for requests; calls: all but tiles and files of the page that succeed (OP53)",
        choices=("none", "calls", "all"),
    )
    slow_seconds: float = setting(
        5.0, "seconds", (0.01, 86400), "time from a request's last byte to its answer, after which it is logged (OP55)"
    )
    edge_origins: tuple[str, ...] = setting(
        (),
        "",
        None,
        "services whose slides an edge caches (`wavescope edge`); the first one answers everything else",
        secret="url",
    )
    edge_cache: Path = setting(Path(".wavescope-edge"), "", None, "folder of an edge's cache")
    edge_memory: int = setting(256 * MIB, "bytes", BODY, "cache of an edge in memory")
    edge_disk: int = setting(10 * GIB, "bytes", (0, 1024 * TIB), "cache of an edge on disk; 0: none")
    edge_policy: str = setting("sieve", "", None, "which entry a full cache gives up (ED10)", choices=POLICIES)
    edge_assignment: str = setting(
        "flow", "", None, "how an edge assigns blocks to several origins (OG rules)", choices=ASSIGNMENTS
    )
    edge_silence_seconds: float = setting(
        10.0, "seconds", (0.05, 600), "time without a byte after which an origin does not answer"
    )
    edge_connections: int = setting(32, "", (1, 1000), "connections of an edge to one origin, for blocks")
    edge_sockets: int = setting(
        1024, "", (1, 100_000), "WebSockets that an edge passes on at one time; one client has an eighth of them (ED21)"
    )
    edge_lost_seconds: float = setting(
        0.0,
        "seconds",
        (0, 30 * DAY),
        "time for which an edge, while no origin answers, still shows a slide that is not public to those whose grant "
        "for it has ended (ED22)",
    )
    node_name: str = setting(
        "", "", None, "name of this node of a cluster, which needs PostgreSQL; empty: it is no node (CL1)"
    )
    node_url: str = setting("", "", None, "URL at which the other nodes reach this one (CL1)")
    drain_seconds: float = setting(
        0.0,
        "seconds",
        (0, 600),
        "time for which a service that is asked to stop answers 503 to /readyz, and everything else as before, so that "
        "a balancer sends requests elsewhere (CL17)",
    )
    data_layout: str = setting(
        "mirrored",
        "",
        None,
        "mirrored: this node reads whatever it is asked for; striped: it asks the node that each part of a slide "
        "belongs to (CL88)",
        choices=LAYOUTS,
    )
    agent_port: int = setting(
        0, "", (0, 65535), "port of listen_host at which this node reports its weight to a balancer; 0: none (CL89)"
    )
    traces_endpoint: str = setting(
        "",
        "",
        None,
        "URL of a collector of OpenTelemetry traces; empty: none. Needs the extra `traces` (OP64)",
        secret="url",
    )
    traces_ratio: float = setting(
        1.0, "", (0, 1), "part of the requests that is traced; of those with a `traceparent` the caller decides (OP64)"
    )
    limits: Limits = field(default_factory=Limits)
    rates: Rates = field(default_factory=Rates)

    def __post_init__(self) -> None:
        """Raises InvalidParameter if the folder is an object store, which is another setting, and if original files
        are to be stored without identifying data.
        """
        if self.store.parts[:1] == ("s3:",):
            raise InvalidParameter("store", str(self.store), "a folder; slide_store names an object store")
        if self.keep_originals and self.deidentify:
            raise InvalidParameter(
                "keep_originals", "true", "false with deidentify: an original file may identify the patient (ST96)"
            )

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None, **flags: Any) -> Config:
        """The configuration by flags, environment, file and defaults. Raises InvalidParameter, UnknownSetting."""
        return Resolved.of(environ, **flags).config


@dataclass(frozen=True)
class Resolved:
    """A configuration, by name the value of each setting with its source, and the configuration file."""

    config: Config
    found: Mapping[str, Found]
    file: Path | None

    @classmethod
    def of(cls, environ: Mapping[str, str] | None = None, **flags: Any) -> Resolved:
        """``flags``: values by the names of settings, of command-line options; ``config`` is the path of a file, else
        WAVESCOPE_CONFIG names it. Raises InvalidParameter, UnknownSetting.
        """
        env = os.environ if environ is None else environ
        given = {name: value for name, value in flags.items() if value is not None}
        named = given.pop("config", None) or env.get("WAVESCOPE_CONFIG")
        file = Path(named) if named else None
        found = read_settings(all_settings(), env, file, given)
        return cls(_build(found), found, file)


@cache
def all_settings() -> tuple[Setting, ...]:
    """Every setting and limit, in the order of the reference page."""
    return (
        *declared(Config, GROUPS),
        *declared(Rates, rate_settings.GROUPS),
        *declared(Limits, limit_settings.GROUPS),
    )


def _build(found: Mapping[str, Found]) -> Config:
    def values(cls: type[Any]) -> dict[str, Any]:
        return {one.name: found[one.name].value for one in declared(cls, {})}

    return Config(**values(Config), limits=Limits(**values(Limits)), rates=Rates(**values(Rates)))


GROUPS: Mapping[str, str] = {
    "store": "Store and catalog",
    "run_jobs": "Imports",
    "listen_host": "Network",
    "access": "Access and accounts",
    "oidc_issuer": "Single sign-on",
    "audit_addresses": "Audit log",
    "rate_limits": "Counting requests",
    "log_level": "Logs",
    "edge_origins": "Edge",
    "node_name": "Cluster",
    "traces_endpoint": "Traces",
}
"""The first setting of each group, and the group's title."""
