"""The channels of a slide by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

from wavescope.channels.channel import Channel

Reader = TypeVar("Reader")


class ChannelsByName(Mapping[str, Reader], Generic[Reader]):
    """``channels["CD8"]``, in the order of the slide; empty for a slide of RGB or grey."""

    def __init__(self, descriptions: tuple[Channel, ...], reader: Callable[[int, Channel], Reader]) -> None:
        self._numbers = {one.name: c for c, one in enumerate(descriptions)}
        self._descriptions, self._reader = descriptions, reader

    def __getitem__(self, name: str) -> Reader:
        """Raises KeyError."""
        number = self._numbers[name]
        return self._reader(number, self._descriptions[number])

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self._numbers)!r})"
