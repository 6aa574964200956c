"""Every metric that the service exposes: name, type, labels, unit and meaning (OP61).

``shared/operations/metrics.md`` is made of this list; a test compares both with what ``/metrics`` answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

Kind = Literal["counter", "gauge", "histogram"]


class Family(NamedTuple):
    """A metric. ``labels``: each has few values, none of which a client or a file chooses."""

    name: str
    kind: Kind
    labels: tuple[str, ...]
    unit: str
    meaning: str


def _counter(name: str, unit: str, meaning: str, *labels: str) -> Family:
    return Family(f"wavescope_{name}_total", "counter", labels, unit, meaning)


def _gauge(name: str, unit: str, meaning: str, *labels: str) -> Family:
    return Family(f"wavescope_{name}", "gauge", labels, unit, meaning)


REQUEST_SECONDS = Family(
    "wavescope_request_seconds", "histogram", ("route", "method", "status"), "seconds",
    "requests by time from their last byte to the end of the answer; of event streams and downloads to its beginning",
)  # fmt: skip

OWN = (
    # requests
    REQUEST_SECONDS,
    _counter("sent_bytes", "bytes", "bodies of answers", "route", "method", "status"),
    _gauge("requests_in_progress", "", "requests that are not answered completely, without event streams"),
    _gauge("event_streams", "", "open streams of events"),
    _gauge("open_websockets", "", "open WebSockets"),
    _counter("websockets", "", "WebSockets that were requested; `refused` by the rules for origins", "result"),
    _counter("blocks", "", "blocks sent, alone and in batches"),
    _counter("block_bytes", "bytes", "blocks sent"),
    _counter("empty_blocks", "", "blocks requested although they are empty"),
    _counter("corrupt_blocks", "", "answers without a block or another stored part because it is damaged"),
    _counter("block_source_reads", "", "reads of the block source; the kinds are in WI34", "kind"),
    _counter("block_source_bytes", "bytes", "what these returned", "kind"),
    _counter("block_source_seconds", "seconds", "waiting for these", "kind"),
    _counter("block_source_failures", "", "reads that failed, by class of error", "kind", "cause"),
    _gauge("push_connections", "", "open push connections (WI110)"),
    _gauge("push_window_bytes", "bytes", "what these may have on their way"),
    _counter("push_connections_opened", "", "push connections that were opened"),
    _counter("push_blocks", "", "blocks pushed"),
    _counter("push_bytes", "bytes", "messages with these"),
    _counter("push_stale_blocks", "", "blocks that a new view made needless before they were sent"),
    # disk
    _gauge("stored_bytes", "bytes", "all versions of slides"),
    _gauge("original_bytes", "bytes", "all original files (ST90)"),
    _gauge("overlay_bytes", "bytes", "all overlays (OV22)"),
    _gauge("disk_free_bytes", "bytes", "free space of the disk of the store; absent while it does not answer"),
    _gauge("disk_total_bytes", "bytes", "size of this disk"),
    _gauge("disk_low_bytes", "bytes", "free space below which the disk is low (setting `low_bytes`)"),
    _gauge("disk_low", "", "1: little space is left; 2: uploads are refused (OP21)"),
    # jobs
    _gauge("runs_jobs", "", "1: this process runs the jobs of the store"),
    _gauge("worker_alive", "", "0: the job worker has stopped"),
    _gauge("periodic_tasks_dead", "", "periodic tasks that have stopped"),
    _gauge("jobs", "", "jobs `held`, `queued`, `running`; the last 200 `done`, `failed`, `cancelled`", "state"),
    _gauge("job_oldest_seconds", "seconds", "age of the oldest job in a state; absent without one", "state"),
    _gauge(
        "job_unchanged_seconds", "seconds",
        "time since the last progress or change of the job in a state that has waited longest for one", "state",
    ),
    _counter("jobs_ended", "", "jobs that have ended", "state"),
    # live sessions
    _gauge("live_sessions", "", "live sessions that are open in this process"),
    _gauge("live_sessions_occupied", "", "of these, sessions with a connected member"),
    _gauge("live_members", "", "members that are connected"),
    _gauge("live_connections", "", "connections of members"),
    # pixels
    _gauge("pixel_requests", "", "requests for pixels made by the service that are waiting or in work"),
    _gauge("pixel_requests_limit", "", "their greatest number (setting `waiting_pixels`)"),
    _counter("pixel_requests_refused", "", "requests above this limit (503)"),
    _gauge("pixel_works_waiting", "", "parts of such requests that wait for a thread"),
    _gauge("pixel_threads_working", "", "threads that decode now"),
    _gauge("pixel_threads", "", "threads that decode (setting `pixel_threads`)"),
    _gauge("assembling_pixels", "pixels", "regions and thumbnails that are being made"),
    _gauge("assembling_pixels_limit", "pixels", "their greatest sum (setting `assembling_pixels`)"),
    # caches
    _gauge(
        "cache_entries", "",
        "values in a cache: `samples` (ancestors of tiles), `tiles`, `images`, `colours`, `blocks` (of an object "
        "store), limited by bytes; `slides`, `indexes`, `shards`, `pages`: open parts of the store, limited by number",
        "cache",
    ),
    _gauge("cache_bytes", "bytes", "values in a cache that is limited by bytes", "cache"),
    _gauge("cache_limit", "", "its greatest content, in bytes if it is limited by bytes, else in values", "cache"),
    _counter("cache_hits", "", "look-ups that found a value", "cache"),
    _counter("cache_misses", "", "values that had to be loaded", "cache"),
    # database
    _gauge("waiting_for_catalog", "", "pieces of work that wait for the database to answer (OP41)"),
    _counter("catalog_retries", "", "attempts that failed because it did not"),
    _counter("audit_failures", "", "audit entries that could not be written"),
    # process
    _counter("log_lines", "", "lines of the log of level warning and above (OP58)", "level", "event"),
    _counter("faults", "", "faults by kind and cause, whatever is logged (OP59)", "kind", "cause"),
    _gauge("build_info", "", "always 1; the version, the first digits of the kernel's SHA-256, and Python's version",
           "version", "kernel", "python"),
)  # fmt: skip
"""What the service itself exposes."""

PROCESS = (
    Family("process_cpu_seconds_total", "counter", (), "seconds", "processor time, user and system"),
    Family("process_resident_memory_bytes", "gauge", (), "bytes", "resident memory"),
    Family("process_virtual_memory_bytes", "gauge", (), "bytes", "virtual memory"),
    Family("process_open_fds", "gauge", (), "", "open files and sockets"),
    Family("process_max_fds", "gauge", (), "", "open files and sockets that the system allows"),
    Family("process_start_time_seconds", "gauge", (), "seconds", "start of the process, since 1970"),
)
"""What the client library exposes of the process, on Linux. Imports run in processes of their own."""

FAMILIES = (*OWN, *PROCESS)


def reference(families: Sequence[Family] | None = None) -> str:
    """The table of these metrics in Markdown; without ``families`` of all that a service has."""
    rows = ["| name | type | labels | unit | meaning |", "|---|---|---|---|---|"]
    for family in FAMILIES if families is None else families:
        labels = ", ".join(f"`{label}`" for label in family.labels)
        rows.append(f"| `{family.name}` | {family.kind} | {labels} | {family.unit} | {family.meaning} |")
    return "\n".join(rows) + "\n"
