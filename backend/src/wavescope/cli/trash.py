"""``wavescope delete``, ``trash``, ``restore``, ``purge``"""

from __future__ import annotations

import argparse
from datetime import UTC, datetime

from wavescope.catalog.records import SlideRecord
from wavescope.catalog.trash import Trash
from wavescope.cli.configured import config_of
from wavescope.cli.output import OK, print_line, print_stderr, result
from wavescope.cli.recorded import record
from wavescope.cli.store import opened_catalog
from wavescope.errors import InvalidParameter
from wavescope.service.slides.removal import collect_versions
from wavescope.service.storage import object_backend

DAY = 86400.0


def delete(arguments: argparse.Namespace) -> int:
    """Move a slide into the trash."""
    config = config_of(arguments)
    with opened_catalog(config) as catalog:
        Trash(catalog).put(arguments.id)
        record(catalog, "deleted", arguments.id)
    days = f"{config.trash_seconds / DAY:g} days"
    print_line(f"{arguments.id} is in the trash for {days}; restore it with: wavescope restore {arguments.id}")
    return OK


def list_trash(arguments: argparse.Namespace) -> int:
    """The slides in the trash, the most recently deleted first."""
    config = config_of(arguments)
    with opened_catalog(config) as catalog:
        records = Trash(catalog).list()
    found = [_row(one, config.trash_seconds) for one in records]
    if arguments.json:
        result(found)
        return OK
    for one in found:
        print_line(f"{one['id']:40} deleted {one['trashed']}, stored until {one['purged_after']}  {one['title']}")
    if not found:
        print_stderr("the trash is empty")
    return OK


def restore(arguments: argparse.Namespace) -> int:
    """Take a slide out of the trash."""
    with opened_catalog(config_of(arguments)) as catalog:
        slide = Trash(catalog).restore(arguments.id)
        record(catalog, "restored", slide.id)
    print_line(f"{slide.id} is back: {slide.title}")
    return OK


def purge(arguments: argparse.Namespace) -> int:
    """Permanently delete slides in the trash."""
    if bool(arguments.id) == arguments.all:
        raise InvalidParameter("ID", arguments.id or "nothing", "the id of a slide in the trash, or --all")
    config = config_of(arguments)
    with opened_catalog(config) as catalog:
        trash = Trash(catalog)
        ids = [one.id for one in trash.list()] if arguments.all else [arguments.id]
        for slide_id in ids:
            record(catalog, "purged", slide_id, title=trash.purge(slide_id).title)
        collect_versions(catalog, config.store, 1.0, lambda _: None, object_backend(config))
    print_line(f"{len(ids)} slide(s) deleted permanently")
    return OK


def _row(slide: SlideRecord, seconds: float) -> dict[str, str]:
    trashed = slide.trashed or 0.0
    return {
        "id": slide.id,
        "title": slide.title,
        "trashed": _day(trashed),
        "purged_after": _day(trashed + seconds),
    }


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="minutes")
