"""The reference page of all settings (shared/settings.md), from their declarations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from wavescope.config.reading import ENVIRONMENT_ONLY
from wavescope.config.service import all_settings
from wavescope.config.setting import Setting
from wavescope.config.values import expected, shown

TYPES = {
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "str": "text",
    "Path": "path",
    "Path | None": "path",
    "tuple[str, ...]": "list",
    "tuple[float, float]": "two numbers",
}
HEAD = """\
# Settings

`wavescope config --reference` writes this page from the declarations in `backend/src/wavescope/config/`. Do not edit.

A setting has a value from the first of these that states one:

1. an option of the command, such as `--store`;
2. the environment: `WAVESCOPE_` and the name in capitals, such as `WAVESCOPE_UPLOAD_BYTES=10GiB`;
3. the configuration file in TOML that `--config FILE` or `WAVESCOPE_CONFIG` names, such as `upload_bytes = "10 GiB"`;
4. the default.

`wavescope config` lists every setting with its value and source, `wavescope config --json` for scripts. Secrets are not
shown. A name that begins with `WAVESCOPE_` and is no setting, an unknown name in the file and a value out of bounds are
refused with the nearest name or the allowed values; the service does not start.

Bytes may have a unit (`kB`, `MB`, `GB`, `TB`, `KiB`, `MiB`, `GiB`, `TiB`), seconds too (`s`, `min`, `h`, `d`). Lists
are separated by commas in the environment, and are arrays in the file. Booleans are `1`, `true`, `0` or `false` in the
environment, and `true` or `false` in the file. A configuration file with secrets must not be readable by every account
of the machine; `wavescope doctor` says so.

    # wavescope.toml
    store = "/srv/wavescope"
    catalog = "postgresql+psycopg://wavescope@localhost/wavescope"
    access = "accounts"
    allowed_hosts = ["slides.example.org"]
    trusted_proxies = ["127.0.0.1"]
    upload_bytes = "20 GiB"
"""


def reference_page() -> str:
    """The page in Markdown."""
    return "\n".join([HEAD, *_groups(), *_environment_only()])


def setting_type(setting: Setting) -> str:
    """The type of its values, in one or two words."""
    if setting.details.get("form") == "rate":
        return "rate"
    return "choice" if setting.details.get("choices") else TYPES[setting.kind]


def default_of(setting: Setting) -> str:
    """Its default as people read it."""
    return setting.details.get("shown_default") or shown(setting, setting.default)


def _groups() -> Iterator[str]:
    for group, settings in groupby(all_settings(), lambda one: one.group):
        yield f"## {group}\n"
        yield "| name | type | default | allowed | meaning |"
        yield "|---|---|---|---|---|"
        for one in settings:
            default = f"`{default_of(one)}`" if default_of(one) else ""
            yield f"| `{one.name}` | {setting_type(one)} | {default} | {expected(one)} | {one.meaning} |"
        yield ""


def _environment_only() -> Iterator[str]:
    yield "## Only in the environment\n"
    yield "| name | meaning |"
    yield "|---|---|"
    for name, meaning in ENVIRONMENT_ONLY.items():
        yield f"| `{name}` | {meaning} |"
    yield ""
