"""Where the values of settings come from: an option of the command, the environment, a file, the default."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from wavescope.config.setting import PREFIX, Found, Setting, UnknownSetting
from wavescope.config.values import value_of_text, value_of_toml
from wavescope.errors import InvalidParameter

ENVIRONMENT_ONLY: Mapping[str, str] = {
    "WAVESCOPE_CONFIG": "path of the configuration file; the option `--config` comes first",
    "WAVESCOPE_DEBUG": "1: commands print the traceback of an internal error",
    "WAVESCOPE_KERNEL": "path of `kernel.wasm`; empty: that of the installation",
}
"""What the program reads from the environment alone."""
DEVELOPMENT = re.compile(
    r"WAVESCOPE_(PYTHON|API|TEST_DATA|REQUIRE_DATA|SCREENSHOTS|LONG|(BENCH|E2E)_\w+)"  # the tools of the repository
    r"|WAVESCOPE_(SERVICE_(HOST|PORT\w*)|PORT(_\d+_\w+)?)"  # Kubernetes sets these for a service named wavescope
)


def read_settings(
    settings: Sequence[Setting], environ: Mapping[str, str], file: Path | None, flags: Mapping[str, Any]
) -> dict[str, Found]:
    """Each setting's value: of ``flags``, else of the environment, else of the file, else the default.

    Raises InvalidParameter, UnknownSetting.
    """
    check_environment(settings, environ)
    written = {} if file is None else read_file(settings, file)
    found = {}
    for one in settings:
        if one.name in flags:
            found[one.name] = Found(flags[one.name], "flag")
        elif one.environment in environ:
            value = value_of_text(one, one.environment, environ[one.environment])
            found[one.name] = Found(value, "environment")
        elif one.name in written:
            found[one.name] = Found(written[one.name], "file")
        else:
            found[one.name] = Found(one.default, "default")
    return found


def check_environment(settings: Iterable[Setting], environ: Iterable[str]) -> None:
    """Every name that begins with WAVESCOPE_ is known. Raises UnknownSetting."""
    known = [*(one.environment for one in settings), *ENVIRONMENT_ONLY]
    for name in environ:
        if name.startswith(PREFIX) and name not in known and not DEVELOPMENT.fullmatch(name):
            raise UnknownSetting(name, _nearest(name, known))


def read_file(settings: Sequence[Setting], file: Path) -> dict[str, Any]:
    """The settings of a TOML file. Raises InvalidParameter, UnknownSetting."""
    by_name = {one.name: one for one in settings}
    try:
        content = tomllib.loads(file.read_text("utf-8"))
    except OSError as cause:
        raise InvalidParameter(
            "the configuration file", str(file), f"a file that can be read ({cause.strerror})"
        ) from cause
    except ValueError as cause:  # TOML or UTF-8
        raise InvalidParameter("the configuration file", str(file), f"TOML ({cause})") from cause
    values = {}
    for name, value in content.items():
        if name not in by_name:
            raise UnknownSetting(f"{name} (in {file})", _nearest(name, list(by_name)))
        values[name] = value_of_toml(by_name[name], f"{name} (in {file})", value)
    return values


def _nearest(name: str, known: Sequence[str]) -> str | None:
    """The known name that a misspelled one probably stands for."""
    by_small = {one.lower(): one for one in known}
    found = difflib.get_close_matches(name.partition(" ")[0].lower(), by_small, 1, 0.75)
    return by_small[found[0]] if found else None
