"""``wavescope config``: every setting with its value, default, unit and source. Secrets are never shown."""

from __future__ import annotations

import argparse
from typing import Any

from wavescope.cli.configured import flags_of
from wavescope.cli.output import OK, print_line, result
from wavescope.config import Found, Resolved, Setting, all_settings
from wavescope.config.reference import default_of, reference_page, setting_type
from wavescope.config.values import expected, shown

WIDTH = 48  # characters of a value in the table


def run(arguments: argparse.Namespace) -> int:
    """Print the settings as a table, as JSON, or as the reference page. Raises InvalidParameter, UnknownSetting."""
    if arguments.reference:
        print_line(reference_page().rstrip())
        return OK
    found = Resolved.of(None, **flags_of(arguments)).found
    if arguments.json:
        result({one.name: _fields(one, found[one.name]) for one in all_settings()})
    else:
        _table(found)
    return OK


def _table(found: Any) -> None:
    head = ("name", "value", "default", "unit", "source")
    rows = [_row(one, found[one.name]) for one in all_settings()]
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, *rows]:
        print_line("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())


def _row(setting: Setting, found: Found) -> tuple[str, ...]:
    value, default = shown(setting, found.value), default_of(setting)
    return setting.name, _short(value or "-"), _short(default or "-"), setting.unit or "-", found.source


def _short(text: str) -> str:
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}..."


def _fields(setting: Setting, found: Found) -> dict[str, Any]:
    return {
        "value": shown(setting, found.value) if _as_text(setting) else found.value,
        "default": default_of(setting) if _as_text(setting) else setting.default,
        "unit": setting.unit,
        "source": found.source,
        "environment": setting.environment,
        "type": setting_type(setting),
        "allowed": expected(setting),
        "meaning": setting.meaning,
    }


def _as_text(setting: Setting) -> bool:
    """Whether JSON has its values as text: secrets, and what JSON has no type for."""
    return bool(setting.details.get("secret")) or setting.kind in ("Path", "Path | None")
