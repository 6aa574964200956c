/* Adaptive symbols of 0..7: eight bounds side by side, in the lanes of one vector. */
#ifndef WS_SYMBOLS_H
#define WS_SYMBOLS_H

#include "coder.h"
#include "vector.h"

/* Bound i is P(symbol <= i) in 2^15, with 2^15 added modulo 2^16: so they compare as signed numbers. The last lane is always 0, what
 * lies before the first is 2^15. The bounds are apart by LEAST at least. */
typedef struct {
    uint16_t unused[6], age, below;
    lanes bounds;
} symbol_model;

enum { SYMBOL_AGES = 64, SYMBOL_RATE_MOST = 7, LEAST = 4, BOUND_LEAST = 128, FRESH = 255, FRESH_AGE = 4 };

/* Shift of the bounds by age, the bits of age + 1: they begin as running means. */
static const uint8_t SYMBOL_RATES[SYMBOL_AGES] = {1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5,
                                                   5, 5, 5, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
                                                   6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7};

/* [rate][symbol]: where a symbol draws the bounds: those below it down, the others up, rounding up. */
#define DOWN(k) (ONE + BOUND_LEAST + LEAST * (k))
#define UP(r, k) (uint16_t)((1 << (r)) - 1 - LEAST * (7 - (k)))
#define DRAW(r, s, k) ((k) < (s) ? DOWN(k) : UP(r, k))
#define DRAWN(r, s) {DRAW(r, s, 0), DRAW(r, s, 1), DRAW(r, s, 2), DRAW(r, s, 3), DRAW(r, s, 4), DRAW(r, s, 5), DRAW(r, s, 6), 0}
#define DRAWN_AT(r) {DRAWN(r, 0), DRAWN(r, 1), DRAWN(r, 2), DRAWN(r, 3), DRAWN(r, 4), DRAWN(r, 5), DRAWN(r, 6), DRAWN(r, 7)}
static const lanes TARGETS[SYMBOL_RATE_MOST + 1][SYMBOLS] = {DRAWN_AT(0), DRAWN_AT(1), DRAWN_AT(2), DRAWN_AT(3),
                                                             DRAWN_AT(4), DRAWN_AT(5), DRAWN_AT(6), DRAWN_AT(7)};
#undef UP
#undef DOWN
#undef DRAW
#undef DRAWN
#undef DRAWN_AT

/* From seven estimates of P(symbol > i) in 1/65536; an eighth number follows and is not looked at. */
static void start_model(symbol_model *m, const uint16_t *estimates, uint16_t age) {
    const lanes e = load_lanes(estimates), apart = {0, LEAST, 2 * LEAST, 3 * LEAST, 4 * LEAST, 5 * LEAST, 6 * LEAST, ONE - BOUND_LEAST};
    m->bounds = 0 - at_most((e >> 1) - (e >> 10) + (7 * LEAST - apart), ONE - BOUND_LEAST - apart);
    m->age = age, m->below = ONE;
}

WS_INLINE void adapt(symbol_model *m, lanes bounds, uint32_t symbol) {
    const uint32_t age = m->age, rate = SYMBOL_RATES[age];
    m->bounds = bounds + (lanes)((signed_lanes)(TARGETS[rate][symbol] - bounds) >> (int16_t)rate);
    m->age = (uint16_t)(age + (age < SYMBOL_AGES - 1));
}

WS_INLINE uint32_t code_symbol(coder *c, const int encoding, symbol_model *m, uint32_t symbol) {
    const lanes bounds = m->bounds;
    if (!encoding) symbol = first_above(bounds, (uint16_t)(c->state | ONE));
    const uint16_t *bound = (const uint16_t *)&m->bounds + symbol;
    const uint32_t start = bound[-1];
    take(c, encoding, start & (ONE - 1), (uint16_t)(bound[0] - start));
    ws_count(m, symbol);
    adapt(m, bounds, symbol);
    return symbol;
}

/* With the mean of two models' bounds; each then learns on its own. A fresh second one begins as the first is now. */
WS_INLINE uint32_t code_symbol_by_two(coder *c, const int encoding, symbol_model *m, symbol_model *second, uint32_t symbol) {
    const lanes bounds = m->bounds;
    if (second->age == FRESH) second->bounds = bounds, second->age = FRESH_AGE;
    const lanes others = second->bounds;
    symbol_model mean;
    mean.below = ONE, mean.bounds = mean_lanes(bounds, others);
    if (!encoding) symbol = first_above(mean.bounds, (uint16_t)(c->state | ONE));
    const uint16_t *bound = (const uint16_t *)&mean.bounds + symbol;
    const uint32_t start = bound[-1];
    take(c, encoding, start & (ONE - 1), (uint16_t)(bound[0] - start));
    ws_count(m, symbol);
    adapt(m, bounds, symbol);
    adapt(second, others, symbol);
    return symbol;
}

#endif
