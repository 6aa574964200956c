"""How a setting is declared: a field of a dataclass with its unit, its bounds and its meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, Literal, TypedDict, TypeVar, Unpack

from wavescope.errors import InvalidParameter

PREFIX = "WAVESCOPE_"
DECLARATION = "wavescope.setting"  # the key of a declaration in the metadata of a field

T = TypeVar("T")
Bounds = tuple[float, float]
Source = Literal["flag", "environment", "file", "default"]
Form = Literal["", "rate", "networks", "origins", "url"]


class UnknownSetting(InvalidParameter):
    """A name that is no setting. The message does not repeat the value, which may be a secret."""

    def __init__(self, name: str, nearest: str | None) -> None:
        super().__init__(name, "...", "a known setting")
        advice = f"did you mean {nearest}?" if nearest else "wavescope config lists all settings"
        self.args = (f"{name} is not a setting; {advice}",)
        self.nearest = nearest


class Details(TypedDict, total=False):
    """What only some settings have. ``choices``: the allowed values; ``secret``: never shown, or shown without the
    password of a URL; ``shown_default``: where the default depends on the machine; ``form``: the notation of a text.
    """

    choices: tuple[str, ...]
    secret: Literal["all", "url"]
    shown_default: str
    form: Form


@dataclass(frozen=True)
class Setting:
    """One declared setting. ``kind``: the annotation of its field; ``bounds``: the least and the greatest number."""

    name: str
    kind: str
    default: Any
    unit: str
    bounds: Bounds | None
    meaning: str
    details: Details
    group: str

    @property
    def environment(self) -> str:
        """Its name in the environment."""
        return PREFIX + self.name.upper()


@dataclass(frozen=True)
class Found:
    """The value of a setting and where it comes from."""

    value: Any
    source: Source


@dataclass(frozen=True)
class _Declaration:
    unit: str
    bounds: Bounds | None
    meaning: str
    details: Details


def setting(default: T, unit: str, bounds: Bounds | None, meaning: str, **details: Unpack[Details]) -> T:
    """The default of a field of a dataclass, with what users read about the setting."""
    metadata = {DECLARATION: _Declaration(unit, bounds, meaning, details)}
    return field(default=default, metadata=metadata)


def declared(cls: type[Any], groups: Mapping[str, str]) -> tuple[Setting, ...]:
    """The settings of a dataclass in order. ``groups``: the first setting of each group and the group's title."""
    found, group = [], ""
    for item in fields(cls):
        group = groups.get(item.name, group)
        if DECLARATION in item.metadata:
            found.append(_setting(item, group))
    return tuple(found)


def _setting(item: Field[Any], group: str) -> Setting:
    said: _Declaration = item.metadata[DECLARATION]
    return Setting(item.name, str(item.type), item.default, said.unit, said.bounds, said.meaning, said.details, group)
