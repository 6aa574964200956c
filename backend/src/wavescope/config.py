"""Every limit and choice of a running service. Environment: ``WAVESCOPE_`` + the field's name in capitals."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from wavescope.errors import InvalidParameter

MIB = 1 << 20
MODES = ("local", "accounts", "grants")
Number = TypeVar("Number", int, float)


@dataclass(frozen=True)
class Limits:
    """Bounds on what one request or one process may use."""

    batch_entries: int = 4096
    batch_body: int = 256 * 1024  # bytes of JSON
    json_body: int = 64 * 1024
    case_body: int = 512 * 1024  # the ids of a case's slides
    tour_bytes: int = MIB
    region_pixels: int = 16 * MIB
    thumbnail_side: int = 2048
    assembling_pixels: int = 64 * MIB  # of all regions and thumbnails being made at one time
    page_size: int = 200
    upload_bytes: int = 64 << 30
    decoded_bytes: int = 512 * MIB  # of a picture, strip or tile of a source that can only be decoded whole
    ingest_memory: int = 2048 * MIB + 256 * MIB * (os.cpu_count() or 2)  # of a process that reads a source
    upload_seconds: int = 60  # without a byte, then the upload is aborted
    waiting_jobs: int = 64
    export_pixels: int = 1 << 35  # of a region written to a TIFF, tile by tile
    picture_pixels: int = 64 * MIB  # of a region written to a PNG or JPEG, which is in memory
    export_cache: int = 96 * MIB  # tiles and their ancestors while exporting
    waiting_exports: int = 8
    export_seconds: int = 3600  # for which a finished file stays
    waiting_pixels: int = 256  # requests that wait for a pixel thread
    pixel_threads: int = max(1, min(4, (os.cpu_count() or 2)))
    samples_cache: int = 512 * MIB  # unclipped tiles: holds all ancestors of a slide of 250 megapixels
    tiles_cache: int = 64 * MIB  # pixels of tiles to which clients come back: of the last views of 30 clients
    image_cache: int = 64 * MIB  # encoded tiles, regions and thumbnails
    colour_cache: int = 8 * MIB  # tables calculated from ICC profiles
    open_slides: int = 256  # cached manifests and handles
    um_per_pixel: tuple[float, float] = (0.001, 10_000.0)  # that may be entered as a slide's scale
    calibration_pixels: int = 10  # the shortest line from which a scale is calculated
    annotations: int = 250_000  # of one slide
    annotation_changes: int = 2000  # of one request
    annotation_page: int = 10_000  # objects of one answer
    annotation_body: int = 16 * MIB  # of changes
    import_body: int = 256 * MIB  # a document of annotations
    annotation_classes: int = 500  # of one slide
    header_bytes: int = 64 * 1024  # of a request's head
    header_seconds: float = 15.0  # in which a request's head must be there
    body_seconds: float = 60.0  # in which ``body_progress`` bytes of a body must come, or its end
    body_progress: int = 32 * 1024
    stalled_seconds: float = 60.0  # for which a client may read nothing of its answer
    connections: int = 4096  # at one time, as far as the system has room for them


@dataclass(frozen=True)
class Rates:
    """The requests of one client, in the notation of the ``limits`` library ("10/minute", "500 per 10 second");
    empty: as often as it likes. ``..._failures`` count only what was refused.
    """

    rate_blocks: str = "20000 per 10 second"  # blocks, index pages, files of the page: one view is a hundred
    rate_pixels: str = "3000 per 10 second"  # tiles, regions and pictures that the service decodes
    rate_reads: str = "3000 per 10 second"  # everything else that changes nothing
    rate_changes: str = "600 per 10 second"
    rate_uploads: str = "60 per minute"
    rate_exports: str = "60 per minute"
    rate_sign_in: str = "60 per minute"
    rate_sign_in_failures: str = "10 per minute"
    rate_join: str = "600 per minute"  # a class joins from one address
    rate_join_failures: str = "20 per minute"
    rate_live: str = "1200 per minute"  # connections to live sessions: a class comes back from one address
    rate_live_failures: str = "60 per minute"  # of those who are no members


@dataclass(frozen=True)
class Config:
    """How one service is composed."""

    store: Path = Path(".wavescope")
    catalog: str = ""  # a database URL; empty: SQLite inside the store
    frontend: Path | None = None  # the built frontend; None: look beside the package
    cors_origins: tuple[str, ...] = ()
    allowed_hosts: tuple[str, ...] = ()  # empty: any
    catalog_seconds: float = 0.25  # how long a lookup may be trusted before other processes' changes are looked for
    collect_seconds: float = 3600.0  # how long a superseded version is still served
    trash_seconds: float = 30 * 86400.0  # how long a deleted slide stays in the trash before it is purged
    run_jobs: bool = True
    new_catalog: bool = False  # start with an empty catalog if the store contains slides and has no catalog
    access: str = "local"  # local: anyone who reaches the service may do everything; accounts, grants: see access.md
    grant_keys: Path | None = None  # of a node (grants): the origin's public keys, made by wavescope grant-keys
    sign_in_seconds: float = 3600.0  # before a sign-in must be renewed, which the page does automatically
    renew_seconds: float = 14 * 86400.0  # without being there, before signing in again
    oidc_issuer: str = ""  # the URL of an OpenID Connect provider; empty: none
    oidc_title: str = "single sign-on"  # what people call it
    oidc_client_id: str = ""
    oidc_client_secret: str = ""  # empty: a public client
    oidc_scopes: str = "openid profile"
    oidc_roles_claim: str = "groups"  # whose values ``oidc_roles`` maps
    oidc_roles: tuple[str, ...] = ()  # VALUE=ROLE; empty: the provider says nothing of roles
    oidc_default_role: str = "viewer"
    oidc_groups_claim: str = ""  # whose values are groups; empty: the provider says nothing of groups
    open_to_all: bool = False  # serve other machines without accounts: anyone who reaches the service may do everything
    watch: Path | None = None  # a folder whose new files are ingested
    watch_seconds: float = 2.0  # between two looks at it
    deidentify: bool = False  # whether every ingest, also of uploaded files, leaves out identifying data
    audit_addresses: str = "full"  # of clients in the audit log: full, network or none
    audit_seconds: float = 3 * 365 * 86400.0  # how long an entry of the audit log is stored
    rate_limits: bool = True  # whether ``rates`` hold where others than the one user can come in
    rate_storage: str = "memory://"  # where they are counted; processes that share one: redis://..., valkey://...
    trusted_proxies: tuple[str, ...] = ()  # addresses or networks whose X-Forwarded-For and -Proto are believed
    limits: Limits = field(default_factory=Limits)
    rates: Rates = field(default_factory=Rates)

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None, **overrides: Any) -> Config:
        """The defaults, then the environment, then ``overrides``. Raises InvalidParameter."""
        env = os.environ if environ is None else environ
        limits, rates = Limits(**_read(Limits, env)), Rates(**_read(Rates, env))
        config = replace(cls(**_read(cls, env), limits=limits, rates=rates), **overrides)
        if config.access not in MODES:
            raise InvalidParameter("WAVESCOPE_ACCESS", config.access, " or ".join(MODES))
        return config


def _read(cls: type[Any], env: Mapping[str, str]) -> dict[str, Any]:
    """The fields of a dataclass that the environment sets, converted to the type of their default."""
    values: dict[str, Any] = {}
    for item in fields(cls):
        name = f"WAVESCOPE_{item.name.upper()}"
        if item.name not in ("limits", "rates") and name in env:
            values[item.name] = _convert(name, str(item.type), env[name])
    return values


def _convert(name: str, kind: str, text: str) -> Any:
    try:
        match kind:
            case "int":
                return _positive(int(text))
            case "float":
                return _positive(float(text))
            case "bool":
                return {"1": True, "true": True, "0": False, "false": False}[text.lower()]
            case "tuple[str, ...]":
                return tuple(part.strip() for part in text.split(",") if part.strip())
            case "Path" | "Path | None":
                return Path(text)
            case _:
                return text
    except (ValueError, KeyError) as cause:
        raise InvalidParameter(name, text, f"a valid {kind}") from cause


def _positive(value: Number) -> Number:
    if not value > 0:
        raise ValueError("not positive")
    return value
