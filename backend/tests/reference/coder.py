"""The range decoder and the adaptive models of shared/spec/codestream.md, section 5, in plain integers."""

from __future__ import annotations

FAST = [1, 2, 2, 3, 3, 3, 3] + [4] * 40 + [5]
SLOW = [1, 2, 2, 3, 3, 3, 3] + [4] * 7 + [5] * 14 + [6] * 19 + [7]
LAST_AGE = 47


class Models:
    """Adaptive estimates of P(1), addressed by index (CS23)."""

    def __init__(self, start: list[int], age: int) -> None:
        self.fast, self.slow, self.age = list(start), list(start), [age] * len(start)


class Reader:
    """Bits from a payload (CS21, CS22, CS24); past its end the payload is zeros."""

    def __init__(self, payload: bytes) -> None:
        self.data = payload + bytes(8)
        self.size = len(payload) + 6
        self.at = 4
        self.range = 0xFFFFFFFF
        self.code = int.from_bytes(self.data[:4], "big")

    def _split(self, bound: int) -> int:
        if self.code < bound:
            bit = 1
            self.range = bound
        else:
            bit = 0
            self.code -= bound
            self.range -= bound
        if self.range < 0x10000:
            self.range <<= 16
            self.code = self.code << 16 | self.data[self.at] << 8 | self.data[self.at + 1]
            self.at = min(self.at + 2, self.size)
        return bit

    def bit(self, models: Models, i: int) -> int:
        """An adaptive bit."""
        fast, slow, age = models.fast[i], models.slow[i], models.age[i]
        bit = self._split(self.range * (fast + slow) >> 17)
        if bit:
            models.fast[i] = fast + (65535 - fast >> FAST[age])
            models.slow[i] = slow + (65535 - slow >> SLOW[age])
        else:
            models.fast[i] = fast - (fast >> FAST[age])
            models.slow[i] = slow - (slow >> SLOW[age])
        if age < LAST_AGE:
            models.age[i] = age + 1
        return bit

    def number(self, bits: int) -> int:
        """Bits without models, the highest first."""
        value = 0
        for _ in range(bits):
            value = value << 1 | self._split(self.range >> 1)
        return value

    def golomb(self, models: Models | None = None, i: int = 0) -> int:
        """An exponential Golomb number, its prefix adaptive if models are given."""
        bits = 0
        while bits < 16:
            more = self._split(self.range >> 1) if models is None else self.bit(models, i + bits)
            if not more:
                break
            bits += 1
        return (1 << bits | self.number(bits)) - 1
