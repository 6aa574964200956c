"""Values of settings: from text or TOML, with bounds, and as people read them."""

from __future__ import annotations

import ipaddress
import math
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from wavescope.config.setting import Setting
from wavescope.errors import InvalidParameter

HIDDEN = "(hidden)"
BOOLEANS = {"1": True, "true": True, "0": False, "false": False}
QUANTITY = re.compile(r"([0-9.]+)\s*([A-Za-z]+)")
URL = re.compile(r"https?://(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?/?")
RATE = re.compile(r"\d+\s*(/|per)\s*(\d+\s*)?(second|minute|hour|day|month|year)s?", re.I)
ORIGIN = re.compile(r"(?:https?|moz-extension|chrome-extension)://(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")
SCALES: dict[str, dict[str, float]] = {
    "bytes": {
        "TiB": 1 << 40,
        "GiB": 1 << 30,
        "MiB": 1 << 20,
        "KiB": 1 << 10,
        "TB": 1e12,
        "GB": 1e9,
        "MB": 1e6,
        "kB": 1e3,
    },
    "seconds": {"d": 86400, "h": 3600, "min": 60, "s": 1},
}
SHOWN = {"bytes": ("TiB", "GiB", "MiB", "KiB"), "seconds": ("d", "h", "min", "s")}


def value_of_text(setting: Setting, name: str, text: str) -> Any:
    """A value of the environment; ``name``: as the user gave it. Raises InvalidParameter."""
    try:
        return _checked(setting, _converted(setting, text.strip()))
    except (ValueError, KeyError) as cause:
        shown = "..." if setting.details.get("secret") else text
        raise InvalidParameter(name, shown, expected(setting)) from cause


def value_of_toml(setting: Setting, name: str, value: Any) -> Any:
    """A value of a configuration file. Raises InvalidParameter."""
    if isinstance(value, str):
        return value_of_text(setting, name, value)
    try:
        return _checked(setting, _from_toml(setting, value))
    except ValueError as cause:
        shown = "..." if setting.details.get("secret") else value
        raise InvalidParameter(name, shown, expected(setting)) from cause


def expected(setting: Setting) -> str:
    """The allowed values, in words."""
    if setting.details.get("choices"):
        return " or ".join(setting.details["choices"])
    if setting.details.get("form") == "rate":
        return "a rate such as 10 per minute, or nothing for no limit"
    if setting.details.get("form") == "networks":
        return "addresses or networks such as 10.0.0.1, 10.1.0.0/16"
    if setting.details.get("form") == "origins":
        return "* or sites as browsers name them, such as https://viewer.example.org, http://127.0.0.1:8080"
    if setting.details.get("form") == "url":
        return "an address such as https://slides.example, without a path, or nothing"
    match setting.kind:
        case "int" | "float":
            return f"{'an integer' if setting.kind == 'int' else 'a number'}{_of_unit(setting)}{_range(setting)}"
        case "tuple[float, float]":
            return f"two numbers{_range(setting)}, the smaller one first, such as 0.1, 10"
        case "bool":
            return "1, true, 0 or false"
        case "Path" | "Path | None":
            return "a path"
        case "tuple[str, ...]":
            return "a list, separated by commas"
    return "a text"


def shown(setting: Setting, value: Any) -> str:
    """A value as people read it and may write it; secrets are hidden."""
    if value in (None, "", ()):
        return ""
    if setting.details.get("secret"):
        urls = value if isinstance(value, tuple) else (str(value),)
        return HIDDEN if setting.details["secret"] == "all" else ", ".join(map(without_password, urls))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ", ".join(f"{part:g}" if isinstance(part, float) else str(part) for part in value)
    if isinstance(value, int | float):
        return _quantity(setting.unit, value)
    return str(value)


def without_password(url: str) -> str:
    """A URL whose user information is hidden."""
    try:
        before, at, after = urlsplit(url).netloc.rpartition("@")
    except ValueError:
        return HIDDEN
    return url.replace(f"{before}{at}{after}", f"{HIDDEN}@{after}", 1) if at else url


def _converted(setting: Setting, text: str) -> Any:
    """Raises ValueError, KeyError."""
    match setting.kind:
        case "int":
            number = _number(setting.unit, text)
            return int(text) if number is None else _integer(number)
        case "float":
            number = _number(setting.unit, text)
            return float(text) if number is None else number
        case "bool":
            return BOOLEANS[text.lower()]
        case "tuple[str, ...]":
            return tuple(part.strip() for part in text.split(",") if part.strip())
        case "tuple[float, float]":
            return tuple(float(part) for part in text.split(","))
        case "Path":
            return Path(_not_empty(text))
        case "Path | None":
            return Path(text) if text else None
    return text


def _from_toml(setting: Setting, value: Any) -> Any:
    """Raises ValueError."""
    kinds: dict[str, Any] = {
        "int": int,
        "float": (int, float),
        "bool": bool,
        "tuple[str, ...]": list,
        "tuple[float, float]": list,
    }
    if not isinstance(value, kinds.get(setting.kind, ())) or (setting.kind != "bool" and isinstance(value, bool)):
        raise ValueError("another type")
    if setting.kind == "tuple[str, ...]" and not all(isinstance(part, str) for part in value):
        raise ValueError("another type")
    if setting.kind == "tuple[float, float]" and not all(isinstance(part, int | float) for part in value):
        raise ValueError("another type")
    return tuple(value) if isinstance(value, list) else float(value) if setting.kind == "float" else value


def _checked(setting: Setting, value: Any) -> Any:
    """The value itself, if it lies within the bounds. Raises ValueError."""
    choices, form = setting.details.get("choices"), setting.details.get("form")
    if choices and value not in choices:
        raise ValueError("not one of the choices")
    if form == "rate" and value and not RATE.fullmatch(value):
        raise ValueError("no rate")
    if form == "url" and value and not URL.fullmatch(value):
        raise ValueError("no address")
    if form == "networks":
        for part in value:
            if part != "*":
                ipaddress.ip_network(part)
    if form == "origins" and not all(part == "*" or ORIGIN.fullmatch(part) for part in value):
        raise ValueError("no site")
    numbers: list[float] = list(value) if setting.kind == "tuple[float, float]" else [value]
    if setting.bounds is not None:
        low, high = setting.bounds
        if not all(math.isfinite(number) and low <= number <= high for number in numbers):
            raise ValueError("out of bounds")
    if setting.kind == "tuple[float, float]" and not (len(numbers) == 2 and numbers[0] < numbers[1]):
        raise ValueError("no range")
    return value


def _number(unit: str, text: str) -> float | None:
    """A number with a unit, such as 64 GiB; None: without one. Raises ValueError."""
    found = QUANTITY.fullmatch(text)
    if found is None or unit not in SCALES:
        return None
    scale = {name.lower(): factor for name, factor in SCALES[unit].items()}.get(found[2].lower())
    if scale is None:
        raise ValueError("no such unit")
    return float(found[1]) * scale


def _integer(number: float) -> int:
    if number != int(number):
        raise ValueError("no integer")
    return int(number)


def _not_empty(text: str) -> str:
    if not text:
        raise ValueError("empty")
    return text


def _quantity(unit: str, value: float) -> str:
    for name in SHOWN.get(unit, ()):
        scale = SCALES[unit][name]
        if value >= scale and value % scale == 0:
            return f"{value / scale:g} {name}"
    return str(value) if isinstance(value, int) else f"{value:g}"


def _of_unit(setting: Setting) -> str:
    return f" of {setting.unit}" if setting.unit else ""


def _range(setting: Setting) -> str:
    if setting.bounds is None:
        return ""
    low, high = (_quantity(setting.unit, int(bound) if bound == int(bound) else bound) for bound in setting.bounds)
    return f" from {low} to {high}"
