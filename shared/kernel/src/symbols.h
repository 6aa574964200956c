/* Adaptive symbols of 0..7: seven estimates of P(symbol > i) side by side, in the lanes of one vector. */
#ifndef WS_SYMBOLS_H
#define WS_SYMBOLS_H

#include "coder.h"
#include "vector.h"

/* The estimates in 1/65536; the last lane is always 0. */
typedef lanes symbol_model;

static const lanes LEAST_ABOVE = {7 * LEAST, 6 * LEAST, 5 * LEAST, 4 * LEAST, 3 * LEAST, 2 * LEAST, LEAST, 0};
static const lanes PLACE = {0, 1, 2, 3, 4, 5, 6, 7};

/* Shift of the estimates by age, the bits of age + 1: they begin as running means. */
enum { SYMBOL_AGES = 64 };
static const uint8_t SYMBOL_RATES[SYMBOL_AGES] = {1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5,
                                                   5, 5, 5, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
                                                   6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7};

/* P(symbol > i) in 2^15, with LEAST at least for every symbol. */
WS_INLINE lanes bounds_of(lanes p) { return (p >> 1) - (p >> 10) + LEAST_ABOVE; }

/* An estimate after a symbol, rate a shift: lanes below the symbol rise, the others fall. */
WS_INLINE lanes learnt(lanes p, lanes rise, uint32_t rate) {
    p ^= rise;
    return (p - (p >> (uint16_t)rate)) ^ rise;
}

WS_INLINE uint32_t code_symbol(coder *c, const int encoding, symbol_model *m, uint8_t *ages, uint32_t symbol) {
    const lanes p = *m, bounds = bounds_of(p);
    union { lanes v[2]; uint16_t at[16]; } known;
    known.at[7] = ONE, known.v[1] = bounds;
    if (!encoding) symbol = bounds_above(bounds, (uint32_t)c->state & (ONE - 1));
    const uint32_t start = known.at[8 + symbol];
    take(c, encoding, start, known.at[7 + symbol] - start);
    ws_count(m, symbol);
    const uint32_t age = *ages;
    const lanes zero = {0}, rise = (lanes)(PLACE < zero + (uint16_t)symbol);
    *m = learnt(p, rise, SYMBOL_RATES[age]);
    *ages = (uint8_t)(age + (age < SYMBOL_AGES - 1));
    return symbol;
}

#endif
