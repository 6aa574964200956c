"""``wavescope audit list``, ``export``, ``verify``"""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import Any

from wavescope.catalog.access.audit import AuditLog, AuditQuery, AuditRecord
from wavescope.cli.configured import config_of
from wavescope.cli.output import DAMAGED, OK, print_line, print_stderr, result
from wavescope.cli.store import opened_catalog
from wavescope.errors import InvalidParameter


def list_entries(arguments: argparse.Namespace) -> int:
    """The newest entries that agree."""
    with opened_catalog(config_of(arguments)) as catalog:
        records = AuditLog(catalog.engine).list(_query(arguments), None, arguments.limit)
    if arguments.json:
        result([entry_fields(record) for record in records])
        return OK
    for record in records:
        one = entry_fields(record)
        slide = f"  {one['slide']}" if one["slide"] else ""
        more = "".join(f"  {name}={value}" for name, value in one["detail"].items())
        print_line(f"{one['sequence']:>8}  {one['time']}  {one['name'] or one['kind']:20} {one['action']}{slide}{more}")
    if not records:
        print_stderr("no matching entries")
    return OK


def export_entries(arguments: argparse.Namespace) -> int:
    """All entries that agree as lines of JSON."""
    with opened_catalog(config_of(arguments)) as catalog:
        for record in AuditLog(catalog.engine).all(_query(arguments)):
            result(entry_fields(record))
    return OK


def verify_entries(arguments: argparse.Namespace) -> int:
    """Whether the log is whole."""
    with opened_catalog(config_of(arguments)) as catalog:
        log = AuditLog(catalog.engine)
        check = log.verify()
        fault = check.fault or _missing(log, arguments.expect)
    if arguments.json:
        result({"entries": check.entries, "last": check.last, "head": check.head, "fault": fault})
    elif fault is None:
        print_line(f"whole: {check.entries} entries; the last is {check.last}:{check.head}")
    else:
        print_line(f"DAMAGED: {fault}")
    return OK if fault is None else DAMAGED


def entry_fields(record: AuditRecord) -> dict[str, Any]:
    """An entry for people and scripts."""
    entry = record.entry
    return {
        "sequence": record.sequence,
        "time": datetime.fromtimestamp(entry.time / 1000, UTC).isoformat(timespec="milliseconds"),
        "kind": entry.kind,
        "principal": entry.principal,
        "name": entry.name,
        "address": entry.address,
        "action": entry.action,
        "slide": entry.slide_id,
        "detail": dict(entry.detail),
        "hash": record.hash,
    }


def _missing(log: AuditLog, expected: str | None) -> str | None:
    """In words, if an entry noted earlier is not there as it was."""
    if expected is None:
        return None
    number, colon, head = expected.partition(":")
    if not colon or not number.isdigit():
        raise InvalidParameter("--expect", expected, "N:HASH as an earlier verify printed it")
    found = log.list(AuditQuery(), int(number) + 1, 1)
    if not found or (found[0].sequence, found[0].hash) != (int(number), head):
        return f"entry {number} is not the one that was noted"
    return None


def _query(arguments: argparse.Namespace) -> AuditQuery:
    since, until = _time("--since", arguments.since), _time("--until", arguments.until)
    return AuditQuery(arguments.action, arguments.slide, arguments.name, since, until)


def _time(name: str, text: str | None) -> int | None:
    if text is None:
        return None
    try:
        given = datetime.fromisoformat(text)
    except ValueError as cause:
        raise InvalidParameter(name, text, "a time such as 2026-01-31T12:00") from cause
    return int(given.astimezone(UTC).timestamp() * 1000)
