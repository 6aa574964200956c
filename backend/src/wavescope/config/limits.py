"""Bounds on what one request, one job or one process may use."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from wavescope.config.setting import setting

KIB, MIB, GIB, TIB = 1 << 10, 1 << 20, 1 << 30, 1 << 40
PROCESSORS = os.cpu_count() or 2
BODY = (KIB, 16 * GIB)  # bytes of a request body or of a cache
SECONDS = (0.01, 86400)
COUNT = (1, 10_000_000)
PIXELS = (1, 1 << 48)


@dataclass(frozen=True)
class Limits:
    """The limits of one service; each is positive."""

    batch_entries: int = setting(4096, "", (1, 65536), "blocks that one batch may request")
    batch_body: int = setting(256 * KIB, "bytes", BODY, "body of a request for a batch of blocks")
    first_view: int = setting(4 * MIB, "bytes", BODY, "blocks sent in the answer to a request for a first view (WI141)")
    json_body: int = setting(64 * KIB, "bytes", BODY, "body of any other request in JSON")
    case_body: int = setting(512 * KIB, "bytes", BODY, "body with a case, with a group, or with accounts to import")
    imported_accounts: int = setting(200, "", COUNT, "accounts that one request creates; the command has no limit")
    tour_bytes: int = setting(MIB, "bytes", BODY, "body with a tour or a quiz")
    page_size: int = setting(200, "", (1, 10_000), "slides in one answer of the gallery")
    upload_bytes: int = setting(64 * GIB, "bytes", (1, 1024 * TIB), "size of one uploaded file")
    upload_seconds: int = setting(60, "seconds", (1, 86400), "time without a byte after which an upload is ended")
    free_bytes: int = setting(
        GIB,
        "bytes",
        (0, 1024 * TIB),
        "space that uploads leave free on the disk of the store; an upload that needs it is refused (507)",
    )
    low_bytes: int = setting(
        20 * GIB,
        "bytes",
        (0, 1024 * TIB),
        "free space of the store below which the service warns: in its log, in /readyz and on the page of the admins",
    )
    archive_files: int = setting(20_000, "", COUNT, "files in an uploaded archive (WI93)")
    resumable_uploads: int = setting(64, "", COUNT, "resumable uploads that are not complete; further ones are refused")
    resumable_seconds: int = setting(
        86400, "seconds", (1, 100 * 86400), "time after its last byte until an incomplete resumable upload is removed"
    )
    ingest_seconds: int = setting(
        7 * 86400, "seconds", (60, 365 * 86400), "time after which the work of an import that nobody resumes is removed"
    )
    preview_seconds: float = setting(120.0, "seconds", SECONDS, "time after which a preview without viewers is closed")
    waiting_jobs: int = setting(64, "", COUNT, "imports that wait or run; further ones are refused")
    space_seconds: float = setting(
        86400.0, "seconds", (0, 30 * 86400), "time for which an import waits for space on a full disk, before it fails"
    )
    decoded_bytes: int = setting(
        512 * MIB, "bytes", (1, TIB), "decoded size of a picture, strip or tile of a file that is decoded as a whole"
    )
    ingest_memory: int = setting(
        2048 * MIB + 256 * MIB * PROCESSORS,
        "bytes",
        (MIB, 64 * TIB),
        "memory of a process that reads a slide file",
        shown_default="2 GiB + 256 MiB per processor",
    )
    region_pixels: int = setting(16 * MIB, "pixels", PIXELS, "pixels of one region")
    thumbnail_side: int = setting(2048, "pixels", (16, 65536), "longer side of a thumbnail")
    assembling_pixels: int = setting(
        64 * MIB, "pixels", PIXELS, "pixels of all regions and thumbnails that are made at one time"
    )
    waiting_pixels: int = setting(256, "", COUNT, "requests that wait for a thread that decodes")
    pixel_threads: int = setting(
        max(1, min(4, PROCESSORS)), "", (1, 1024), "threads that decode", shown_default="one per processor, at most 4"
    )
    samples_cache: int = setting(512 * MIB, "bytes", (1, TIB), "cache of the ancestors of tiles")
    tiles_cache: int = setting(64 * MIB, "bytes", (1, TIB), "cache of decoded tiles of regions that clients move over")
    image_cache: int = setting(64 * MIB, "bytes", (1, TIB), "cache of encoded tiles, regions and thumbnails")
    colour_cache: int = setting(8 * MIB, "bytes", (1, TIB), "cache of tables calculated from ICC profiles")
    open_slides: int = setting(256, "", COUNT, "slides whose manifests and files are open")
    export_pixels: int = setting(1 << 35, "pixels", PIXELS, "pixels of a region exported as TIFF")
    picture_pixels: int = setting(64 * MIB, "pixels", PIXELS, "pixels of a region exported as PNG or JPEG")
    export_cache: int = setting(96 * MIB, "bytes", (1, TIB), "cache of decoded tiles during one export")
    waiting_exports: int = setting(8, "", COUNT, "exports that wait or run; further ones are refused")
    export_free_bytes: int = setting(
        64 * MIB, "bytes", (0, 1024 * TIB), "space that an export leaves free on the disk of the store"
    )
    export_abandoned_seconds: int = setting(
        86400,
        "seconds",
        (3600, 365 * 86400),
        "time after which unchanged exports of others are deleted where folders cannot be locked (ST65)",
    )
    export_seconds: int = setting(3600, "seconds", (1, 30 * 86400), "time that a finished export can be downloaded")
    um_per_pixel: tuple[float, float] = setting(
        (0.001, 10_000.0), "micrometres per pixel", (1e-9, 1e9), "least and greatest scale that users may enter"
    )
    calibration_pixels: int = setting(10, "pixels", (1, 10_000), "shortest line from which a scale is calculated")
    annotations: int = setting(250_000, "", COUNT, "annotations of one slide")
    annotation_changes: int = setting(2000, "", COUNT, "annotations changed by one request")
    annotation_page: int = setting(10_000, "", COUNT, "annotations in one answer")
    annotation_body: int = setting(16 * MIB, "bytes", BODY, "body with changes of annotations")
    import_body: int = setting(256 * MIB, "bytes", BODY, "body with a document of annotations")
    annotation_classes: int = setting(500, "", COUNT, "classes of annotations of one slide")
    comments: int = setting(20_000, "", COUNT, "comments on the annotations of one slide")
    header_bytes: int = setting(64 * KIB, "bytes", (KIB, 16 * MIB), "head of a request (PR15)")
    header_seconds: float = setting(15.0, "seconds", SECONDS, "time in which the head of a request arrives (PR15)")
    body_seconds: float = setting(
        60.0, "seconds", SECONDS, "time in which `body_progress` bytes of a body arrive, or its end (PR15)"
    )
    body_progress: int = setting(32 * KIB, "bytes", (1, GIB), "least bytes of a body in `body_seconds` (PR15)")
    stalled_seconds: float = setting(
        60.0,
        "seconds",
        SECONDS,
        "time in which a client reads `body_progress` bytes of a waiting answer (PR15)",
    )
    unread_client_bytes: int = setting(
        256 * MIB, "bytes", (MIB, TIB), "answers in memory that wait for one client; beyond, its slowest end (PR67)"
    )
    unread_bytes: int = setting(GIB, "bytes", (MIB, TIB), "answers in memory that wait for all clients (PR67)")
    session_idle_seconds: int = setting(
        3600, "seconds", (60, 30 * 86400), "time without members after which a live session ends"
    )
    session_seconds: int = setting(86400, "seconds", (60, 30 * 86400), "time after which every live session ends")
    guest_seconds: int = setting(
        30 * 86400, "seconds", (60, 3650 * 86400), "time for which a guest of live sessions is recognised (SE4)"
    )
    database_seconds: float = setting(
        3600.0, "seconds", SECONDS, "time for which work in progress waits for a database that does not answer (OP41)"
    )
    database_request_seconds: float = setting(
        10.0, "seconds", SECONDS, "time for which a request waits for the database (OP41)"
    )
    connections: int = setting(
        4096, "", (1, 1_000_000), "connections at one time, at most the open files that the system allows (PR16)"
    )
    push_connections: int = setting(64, "", COUNT, "push connections of one client at one time (WI114)")
    push_window_min: int = setting(
        16 * KIB, "bytes", (KIB, GIB), "least bytes that a push connection has on their way (WI121)"
    )
    push_window_max: int = setting(
        4 * MIB, "bytes", (KIB, GIB), "most bytes that a push connection has on their way (WI121)"
    )


GROUPS: Mapping[str, str] = {
    "batch_entries": "Limits of requests and uploads",
    "decoded_bytes": "Limits of imports",
    "region_pixels": "Limits of pixels and caches",
    "export_pixels": "Limits of exports",
    "um_per_pixel": "Limits of scales and annotations",
    "header_bytes": "Limits of connections and live sessions",
}
"""The first limit of each group, and the group's title."""
