/* Fragment of entropy.c: coefficients as symbols, and magnitudes that no symbol holds (CS34). */
#ifndef WS_ENTROPY_LARGE_MAGNITUDE
#define WS_ENTROPY_LARGE_MAGNITUDE

#include "context.inc.h"

enum {
    ESCAPE = 4,       /* the least magnitude that is not one symbol, */
    LARGE = 7,        /* two symbols, */
    LONG_ESCAPE = 14, /* three */
    LAST_SYMBOL = 7,
    LOW_BITS = 3 /* of low bits, those that are one symbol */
};

/* A coefficient as a symbol: 0; 2 k - 1 is magnitude k with the predicted sign, 2 k with the other sign; LAST_SYMBOL:
 * ESCAPE or more. */
WS_INLINE uint32_t symbol_of(uint32_t value, uint32_t against) {
    return value ? minimum(2 * value - 1 + against, LAST_SYMBOL) : 0;
}

/* Twice a magnitude of ESCAPE or more, plus 1 if its sign is not the predicted one. More than `limit` is read as
 * `limit`: what an int16 holds with the bits of all later layers. */
WS_INLINE uint32_t code_large(coder *c, const int encoding, model_set *set, uint32_t level, uint32_t value,
                              uint32_t limit) {
    const uint32_t symbol = code_symbol(c, encoding, &set->symbol[MAGNITUDE_MODELS + level],
                                        minimum(value, 2 * LARGE + (value & 1)) - 2 * ESCAPE);
    if (symbol < 2 * (LARGE - ESCAPE)) return 2 * ESCAPE + symbol;
    const uint32_t m = value >> 1, against = symbol & 1,
                   above =
                       code_symbol(c, encoding, &set->symbol[LARGE_MODELS + level], minimum(m - LARGE, LAST_SYMBOL));
    if (above < LAST_SYMBOL) return 2 * (LARGE + above) + against;
    uint32_t v = m - LONG_ESCAPE + 1, bits = 0;
    while (encoding && v >> (bits + 1)) bits++;
    uint32_t size = code_symbol(c, encoding, &set->symbol[SIZE_MODEL], minimum(bits, LAST_SYMBOL));
    if (size == LAST_SYMBOL) size += code_plain(c, encoding, 3, bits - LAST_SYMBOL);
    v = 1u << size | code_plain(c, encoding, size, v & ((1u << size) - 1));
    return 2 * minimum(LONG_ESCAPE - 1 + v, limit) + against;
}

WS_INLINE int32_t with_sign(uint32_t m, uint32_t negative) { return (int32_t)((m ^ (0u - negative)) + negative); }

#endif
