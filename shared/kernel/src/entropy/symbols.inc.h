/* Fragment of entropy.c: adaptive symbols of 0..7: eight bounds side by side, in the lanes of one vector. */
#ifndef WS_ENTROPY_SYMBOLS
#define WS_ENTROPY_SYMBOLS

#include "rans.inc.h"
#include "../vector.h"

/* Bound i is P(symbol <= i) in 2^15, with 2^15 added modulo 2^16: so they compare as signed numbers. The last lane is
 * always 0, what lies before the first is 2^15. The bounds are apart by LEAST at least. */
typedef struct {
    uint16_t unused[6], age, below;
    lanes bounds;
} symbol_model;

enum { SYMBOL_AGES = 64, MAX_SYMBOL_RATE = 7, MIN_GAP = 4, BOUND_MARGIN = 128, UNUSED_AGE = 255, COPIED_AGE = 4 };

/* Shift of the bounds by age, the bits of age + 1: they begin as running means. */
static const uint8_t SYMBOL_RATES[SYMBOL_AGES] = {1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5,
                                                  5, 5, 5, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
                                                  6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7};

/* [rate][symbol]: the target that the bounds move towards after a symbol: those below it down, the others up, rounding
 * up. */
#define DOWN(k) (ONE + BOUND_MARGIN + MIN_GAP * (k))
#define UP(r, k) (uint16_t)((1 << (r)) - 1 - MIN_GAP * (7 - (k)))
#define TARGET(r, s, k) ((k) < (s) ? DOWN(k) : UP(r, k))
#define TARGET_ROW(r, s)                                                                                               \
    {TARGET(r, s, 0), TARGET(r, s, 1), TARGET(r, s, 2), TARGET(r, s, 3),                                               \
     TARGET(r, s, 4), TARGET(r, s, 5), TARGET(r, s, 6), 0}
#define TARGET_TABLE(r)                                                                                                \
    {TARGET_ROW(r, 0), TARGET_ROW(r, 1), TARGET_ROW(r, 2), TARGET_ROW(r, 3),                                           \
     TARGET_ROW(r, 4), TARGET_ROW(r, 5), TARGET_ROW(r, 6), TARGET_ROW(r, 7)}
static const lanes TARGETS[MAX_SYMBOL_RATE + 1][SYMBOLS] = {TARGET_TABLE(0), TARGET_TABLE(1), TARGET_TABLE(2),
                                                            TARGET_TABLE(3), TARGET_TABLE(4), TARGET_TABLE(5),
                                                            TARGET_TABLE(6), TARGET_TABLE(7)};
#undef UP
#undef DOWN
#undef TARGET
#undef TARGET_ROW
#undef TARGET_TABLE

/* From seven estimates of P(symbol > i) in 1/65536; an eighth value follows and is ignored. */
static void init_model(symbol_model *m, const uint16_t *estimates, uint16_t age) {
    const lanes e = load_lanes(estimates), apart = {0,           MIN_GAP,     2 * MIN_GAP, 3 * MIN_GAP,
                                                    4 * MIN_GAP, 5 * MIN_GAP, 6 * MIN_GAP, ONE - BOUND_MARGIN};
    m->bounds = 0 - minimum_lanes((e >> 1) - (e >> 10) + (7 * MIN_GAP - apart), ONE - BOUND_MARGIN - apart);
    m->age = age, m->below = ONE;
}

/* `offset` is twice the symbol: where its bound lies, in bytes. */
WS_INLINE void adapt(symbol_model *m, lanes bounds, uint32_t offset) {
    const uint32_t age = m->age;
    const uint32_t rate = SYMBOL_RATES[age];
    const lanes target = load_lanes((const uint8_t *)TARGETS[rate] + 8 * offset);
    m->bounds = bounds + (lanes)((signed_lanes)(target - bounds) >> (int16_t)rate);
    m->age = (uint16_t)(age + (age < SYMBOL_AGES - 1));
}

WS_INLINE uint16_t bound_at(const symbol_model *m, uint32_t offset) {
    uint16_t bound;
    __builtin_memcpy(&bound, (const uint8_t *)&m->below + offset, sizeof bound);
    return bound;
}

/* Twice the symbol that is next: reading, by the bounds. */
WS_INLINE uint32_t find_symbol(const coder *c, const int encoding, lanes bounds, uint32_t offset) {
    return encoding ? offset : first_above(bounds, (uint16_t)(c->state | ONE));
}

/* Codes a symbol by the bounds of `m`; `offset` is twice the symbol. */
WS_INLINE void take_symbol(coder *c, const int encoding, const symbol_model *m, uint32_t offset) {
    const uint32_t start = bound_at(m, offset), frequency = (uint16_t)(bound_at(m, offset + 2) - start);
    ws_count(m, offset >> 1);
    if (encoding) {
        code_interval(c, encoding, start & (ONE - 1), frequency);
    } else { /* the slot with 2^15 added, as the bounds are */
        c->state = frequency * (c->state >> SCALE) + ((uint16_t)(c->state | ONE) - start);
        refill(c);
    }
}

WS_INLINE uint32_t code_symbol(coder *c, const int encoding, symbol_model *m, uint32_t symbol) {
    const lanes bounds = m->bounds;
    const uint32_t offset = find_symbol(c, encoding, bounds, 2 * symbol);
    take_symbol(c, encoding, m, offset);
    adapt(m, bounds, offset);
    return offset >> 1;
}

/* With the mean of two models' bounds; each then learns on its own. A fresh second one begins as the first is now. */
WS_INLINE uint32_t code_symbol_mixed(coder *c, const int encoding, symbol_model *m, symbol_model *second,
                                     uint32_t symbol) {
    const lanes bounds = m->bounds;
    if (second->age == UNUSED_AGE) second->bounds = bounds, second->age = COPIED_AGE;
    const lanes others = second->bounds;
    symbol_model mean;
    mean.below = ONE, mean.bounds = mean_lanes(bounds, others);
    const uint32_t offset = find_symbol(c, encoding, mean.bounds, 2 * symbol);
    take_symbol(c, encoding, &mean, offset);
    ws_count(m, offset >> 1);
    adapt(m, bounds, offset);
    adapt(second, others, offset);
    return offset >> 1;
}

#endif
