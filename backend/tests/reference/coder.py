"""The range decoder and the adaptive models of shared/spec/codestream.md, section 5, in plain integers."""

from __future__ import annotations

FAST = [1, 2, 2, 3, 3, 3, 3] + [4] * 40 + [5]
SLOW = [1, 2, 2, 3, 3, 3, 3] + [4] * 7 + [5] * 14 + [6] * 19 + [7]
LAST_AGE, LAST_SYMBOL_AGE = 47, 63


class Bits:
    """Adaptive bits, addressed by index: two estimates of P(1) each (CS23)."""

    def __init__(self, start: list[int], age: int) -> None:
        self.fast, self.slow, self.age = list(start), list(start), [age] * len(start)


class Symbols:
    """Adaptive symbols 0..7, addressed by index: seven estimates of P(symbol > k) each (CS24)."""

    def __init__(self, start: list[int], age: int) -> None:
        self.above = [start[i : i + 7] for i in range(0, len(start), 7)]
        self.age = [age] * len(self.above)


class Reader:
    """Bits and symbols from a payload (CS21 to CS25); past its end the payload is zeros."""

    def __init__(self, payload: bytes) -> None:
        self.data = payload + bytes(8)
        self.size = len(payload) + 6
        self.at = 6
        self.state = int.from_bytes(self.data[:6], "big")

    def _take(self, start: int, frequency: int) -> None:
        self.state = frequency * (self.state >> 15) + (self.state & 32767) - start
        if self.state < 1 << 32:
            self.state = self.state << 16 | self.data[self.at] << 8 | self.data[self.at + 1]
            self.at = min(self.at + 2, self.size)

    def bit(self, models: Bits, i: int) -> int:
        """An adaptive bit."""
        fast, slow, age = models.fast[i], models.slow[i], models.age[i]
        p = fast + slow >> 2 | 1
        bit = int(self.state & 32767 < p)
        if bit:
            self._take(0, p)
            models.fast[i] = fast + (65535 - fast >> FAST[age])
            models.slow[i] = slow + (65535 - slow >> SLOW[age])
        else:
            self._take(p, 32768 - p)
            models.fast[i] = fast - (fast >> FAST[age])
            models.slow[i] = slow - (slow >> SLOW[age])
        models.age[i] = min(age + 1, LAST_AGE)
        return bit

    def symbol(self, models: Symbols, i: int) -> int:
        """An adaptive symbol."""
        above, slot, symbol, upper = models.above[i], self.state & 32767, 0, 32768
        rate = (models.age[i] + 1).bit_length()
        while symbol < 7:
            p = above[symbol]
            bound = (p >> 1) - (p >> 10) + 4 * (7 - symbol)
            if bound <= slot:
                break
            above[symbol] = p + (65535 - p >> rate)
            symbol, upper = symbol + 1, bound
        else:
            bound = 0
        for k in range(symbol, 7):
            above[k] -= above[k] >> rate
        self._take(bound, upper - bound)
        models.age[i] = min(models.age[i] + 1, LAST_SYMBOL_AGE)
        return symbol

    def plain(self, bits: int) -> int:
        """Up to 15 bits without a model."""
        value = (self.state & 32767) >> 15 - bits
        self._take(value << 15 - bits, 1 << 15 - bits)
        return value

    def signed_bytes(self, count: int) -> list[int]:
        """int8 numbers."""
        return [(byte ^ 128) - 128 for byte in (self.plain(8) for _ in range(count))]

    def golomb(self, models: Bits) -> int:
        """An exponential Golomb number with an adaptive prefix."""
        bits = 0
        while bits < 16 and self.bit(models, bits):
            bits += 1
        low = min(bits, 8)
        high = self.plain(bits - low)
        return (1 << bits | high << low | self.plain(low)) - 1
