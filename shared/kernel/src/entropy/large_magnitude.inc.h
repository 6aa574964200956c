/* Fragment of entropy.c: coefficients as symbols, and magnitudes that no symbol holds (CS34). */
#ifndef WS_ENTROPY_LARGE_MAGNITUDE
#define WS_ENTROPY_LARGE_MAGNITUDE

#include "context.inc.h"

enum { ESCAPE = 3, LONG_ESCAPE = 10, LAST_SYMBOL = 7, LOW_BITS = 3 /* of low bits, those that are one symbol */ };

/* A coefficient as a symbol: 0; 2 k - 1 is magnitude k with the predicted sign, 2 k with the other sign; 5, 6: ESCAPE
 * or more. */
WS_INLINE uint32_t symbol_of(uint32_t value, uint32_t against) {
    return value ? 2 * minimum(value, ESCAPE) - 1 + against : 0;
}

WS_INLINE int32_t with_sign(uint32_t m, uint32_t negative) { return (int32_t)((m ^ (0u - negative)) + negative); }

/* A magnitude of ESCAPE or more: one symbol below LONG_ESCAPE, then exponential Golomb. More than `limit` is read as
 * `limit`: what an int16 holds with the bits of all later layers. */
static __attribute__((noinline)) uint32_t code_large_magnitude(coder *c, const int encoding, model_set *set,
                                                               uint32_t level, uint32_t value, uint32_t limit) {
    const uint32_t at = MAGNITUDE_MODELS + level;
    const uint32_t symbol = code_symbol(c, encoding, &set->symbol[at], minimum(value - ESCAPE, LAST_SYMBOL));
    if (symbol < LAST_SYMBOL) return ESCAPE + symbol;
    uint32_t v = value - LONG_ESCAPE + 1, bits = 0;
    while (encoding && v >> (bits + 1)) bits++;
    uint32_t size = code_symbol(c, encoding, &set->symbol[SIZE_MODEL], minimum(bits, LAST_SYMBOL));
    if (size == LAST_SYMBOL) size += code_plain(c, encoding, 3, bits - LAST_SYMBOL);
    return minimum(LONG_ESCAPE - 1 + (1u << size | code_plain(c, encoding, size, v & ((1u << size) - 1))), limit);
}

#endif
