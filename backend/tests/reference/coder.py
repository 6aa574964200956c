"""The range decoder and the adaptive models of shared/spec/codestream.md, section 5, in plain integers."""

from __future__ import annotations

FAST = [1, 2, 2, 3, 3, 3, 3] + [4] * 40 + [5]
SLOW = [1, 2, 2, 3, 3, 3, 3] + [4] * 7 + [5] * 14 + [6] * 19 + [7]
LAST_AGE, LAST_SYMBOL_AGE = 47, 63
SECOND_AGE = 4
# What the bounds move towards, by rate and symbol, with the rounding of CS24
TARGETS = [
    [[128 + 4 * k if k < symbol else 32768 - 4 * (7 - k) + (1 << rate) - 1 for k in range(7)] for symbol in range(8)]
    for rate in range((LAST_SYMBOL_AGE + 1).bit_length() + 1)
]


class Bits:
    """Adaptive bits, addressed by index: two estimates of P(1) each (CS23)."""

    def __init__(self, start: list[int], age: int) -> None:
        self.fast, self.slow, self.age = list(start), list(start), [age] * len(start)


class Symbols:
    """Adaptive symbols 0..7, addressed by index: seven bounds P(symbol <= k) each (CS24)."""

    def __init__(self, start: list[int], age: int) -> None:
        bounds = [32768 - min((e >> 1) - (e >> 10) + 4 * (7 - i % 7), 32640 - 4 * (i % 7)) for i, e in enumerate(start)]
        self.bounds = [bounds[i : i + 7] for i in range(0, len(start), 7)]
        self.age = [age] * len(self.bounds)

    @classmethod
    def fresh(cls, count: int) -> Symbols:
        """Second models, which begin as the first ones they are used with (CS41)."""
        models = cls([], 0)
        models.bounds, models.age = [[] for _ in range(count)], [0] * count
        return models

    def learn(self, i: int, symbol: int) -> None:
        """Moves the bounds of model i."""
        age = self.age[i]
        rate = (age + 1).bit_length()
        b0, b1, b2, b3, b4, b5, b6 = self.bounds[i]
        t0, t1, t2, t3, t4, t5, t6 = TARGETS[rate][symbol]
        self.bounds[i] = [
            b0 + (t0 - b0 >> rate),
            b1 + (t1 - b1 >> rate),
            b2 + (t2 - b2 >> rate),
            b3 + (t3 - b3 >> rate),
            b4 + (t4 - b4 >> rate),
            b5 + (t5 - b5 >> rate),
            b6 + (t6 - b6 >> rate),
        ]  # not a loop: much of the decoder's time is spent here
        if age < LAST_SYMBOL_AGE:
            self.age[i] = age + 1


def wrap8(value: int) -> int:
    """The int8 equal to it modulo 2^8."""
    return (value + 128) % 256 - 128


class Reader:
    """Bits and symbols from a payload (CS21 to CS25); past its end the payload is zeros."""

    def __init__(self, payload: bytes) -> None:
        self.data = payload
        self.at = 8
        self.state = int.from_bytes(payload[:8], "little")

    def _code_interval(self, start: int, frequency: int) -> None:
        self.state = frequency * (self.state >> 15) + (self.state & 32767) - start
        if self.state < 1 << 31:
            self.state = self.state << 32 | int.from_bytes(self.data[self.at : self.at + 4], "little")
            self.at += 4

    def bit(self, models: Bits, i: int) -> int:
        """An adaptive bit."""
        fast, slow, age = models.fast[i], models.slow[i], models.age[i]
        p = fast + slow >> 2 | 1
        bit = int(self.state & 32767 < p)
        if bit:
            self._code_interval(0, p)
            models.fast[i] = fast + (65535 - fast >> FAST[age])
            models.slow[i] = slow + (65535 - slow >> SLOW[age])
        else:
            self._code_interval(p, 32768 - p)
            models.fast[i] = fast - (fast >> FAST[age])
            models.slow[i] = slow - (slow >> SLOW[age])
        models.age[i] = min(age + 1, LAST_AGE)
        return bit

    def symbol(self, models: Symbols, i: int) -> int:
        """An adaptive symbol."""
        symbol = self._symbol(models.bounds[i])
        models.learn(i, symbol)
        return symbol

    def symbol_mixed(self, models: Symbols, i: int, second: Symbols, k: int) -> int:
        """An adaptive symbol by two models (CS41)."""
        if not second.bounds[k]:
            second.bounds[k], second.age[k] = list(models.bounds[i]), SECOND_AGE
        one, other = models.bounds[i], second.bounds[k]
        slot, symbol, start = self.state & 32767, 0, 0
        while symbol < 7 and slot >= (end := one[symbol] + other[symbol] + 1 >> 1):
            symbol, start = symbol + 1, end
        self._code_interval(start, (end if symbol < 7 else 32768) - start)
        models.learn(i, symbol)
        second.learn(k, symbol)
        return symbol

    def _symbol(self, bounds: list[int]) -> int:
        slot, symbol, start = self.state & 32767, 0, 0
        while symbol < 7 and slot >= (end := bounds[symbol]):
            symbol, start = symbol + 1, end
        self._code_interval(start, (end if symbol < 7 else 32768) - start)
        return symbol

    def plain(self, bits: int) -> int:
        """Up to 15 bits without a model."""
        value = (self.state & 32767) >> 15 - bits
        self._code_interval(value << 15 - bits, 1 << 15 - bits)
        return value

    def fitted(self, models: Bits, count: int) -> list[int]:
        """Fitted parameters of a plane (CS46)."""
        return [wrap8(self.signed_golomb(models)) for _ in range(count)]

    def golomb(self, models: Bits) -> int:
        """An exponential Golomb number with an adaptive prefix."""
        bits = 0
        while bits < 16 and self.bit(models, bits):
            bits += 1
        low = min(bits, 8)
        high = self.plain(bits - low)
        return (1 << bits | high << low | self.plain(low)) - 1

    def signed_golomb(self, models: Bits) -> int:
        """A signed exponential Golomb number."""
        value = self.golomb(models)
        return ~(value >> 1) if value & 1 else value >> 1
