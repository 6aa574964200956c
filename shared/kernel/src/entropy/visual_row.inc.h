/* Fragment of entropy.c: rows of the visual profile: their symbols (CS34, CS35), then what these make of eight
 * coefficients at a time. */
#ifndef WS_ENTROPY_VISUAL_ROW
#define WS_ENTROPY_VISUAL_ROW

#include "visual_context.inc.h"

WS_INLINE symbol_model *model_of(uint8_t *models, uint32_t reference) {
    return (symbol_model *)(void *)(models + (reference & ~(uint32_t)REFERENCE_FLAGS));
}

/* The code of a coefficient whose symbol is an escape. */
static __attribute__((noinline)) uint32_t code_escaped(coder *c, const int encoding, const plane *p, int32_t given,
                                                       uint32_t reference, uint32_t code) {
    if (code >= 2 * (ESCAPE + 1)) return code; /* which no encoder writes */
    const uint32_t level = reference >> REFERENCE_SHIFT >> 2;
    return 2 * code_large_magnitude(c, encoding, p->set, level, magnitude(given) >> p->shift, MAX_M >> p->shift) +
           (code & 1);
}

/* The reference of the coefficient to the right of a large one. */
static __attribute__((noinline)) uint16_t reference_beside(const plane *p, const uint8_t *level_of,
                                                           const uint16_t *east, uint32_t code) {
    const uint32_t m = minimum(code >> 1, MAX_MAGNITUDE);
    return (uint16_t)value_reference(level_of, east[ROW_SUMS] + p->weights->w * m,
                                     (int16_t)east[ROW_PREDICTIONS] + p->sign_weights[0] * with_sign(m, code & 1));
}

/* Symbol of a coefficient that was zero: from its magnitude, its sign and whether the predicted one is negative. */
WS_INLINE uint32_t value_symbol(const plane *p, int32_t given, uint32_t predicted_negative) {
    const uint32_t value = magnitude(given) >> p->shift;
    return value ? ((2 * minimum(value, ESCAPE) + (given < 0)) ^ predicted_negative) - 1 : 0;
}

/* A run of groups of layer 0. Twice the code of a coefficient chooses the reference of the one to its right. The inner
 * loop calls nothing: escapes end it. */
WS_INLINE void code_first_symbols(coder *c, const int encoding, const plane *p, const int16_t *given, uint16_t *at,
                                  const uint16_t *end, const uint8_t *level_of) {
    uint8_t *const models = (uint8_t *)p->set->symbol;
    uint32_t reference = *at;
    while (at < end) {
        uint32_t code, escaped;
        int32_t value;
        do {
            symbol_model *const m = model_of(models, reference);
            const lanes bounds = m->bounds;
            const uint32_t negative = reference & PREDICTED_NEGATIVE;
            value = encoding ? *given++ : 0, escaped = reference;
            const uint32_t symbol = encoding ? value_symbol(p, value, negative >> 1) : 0,
                           offset = find_symbol(c, encoding, bounds, 2 * symbol);
            code = (offset + 2) ^ negative;
            reference = at[code * (WS_HALF / 2) + 1];
            take_symbol(c, encoding, m, offset);
            adapt(m, bounds, offset);
            at[ROW_CODES] = (uint16_t)(code >> 1);
            at++;
        } while (code < 2 * LARGE_CODE && at < end);
        if (code < 2 * LARGE_CODE) continue;
        coder own = *c; /* so that nothing else asks for the address of the one in registers */
        code = code_escaped(&own, encoding, p, value, escaped, code >> 1);
        *c = own;
        at[ROW_CODES - 1] = (uint16_t)code;
        reference = reference_beside(p, level_of, at, code);
    }
}

/* A row of layer 0, in runs of groups whose flag is set. Works on its own copy of the coder, so that its state stays in
 * registers. */
WS_INLINE void code_first_row(coder *shared, const int encoding, const plane *p, uint32_t y, workspace *w) {
    const uint8_t *flag = p->flags + (y / GROUP + 1) * FLAG_WIDTH + 1;
    const uint32_t groups = p->side / GROUP;
    coder c = *shared;
    for (uint32_t g = 0; g < groups; g++) {
        const uint32_t from = g;
        while (g < groups && flag[g]) g++;
        if (g == from) continue;
        const int16_t *given = encoding ? p->target + y * p->side + from * GROUP : 0;
        code_first_symbols(&c, encoding, p, given, w->row + from * GROUP, w->row + g * GROUP, w->level_of);
    }
    *shared = c;
}

/* A row of a later layer. The code of a coefficient that was not zero has its new bits. */
WS_INLINE void code_later_symbols(coder *shared, const int encoding, const plane *p, uint32_t y, workspace *w) {
    const uint8_t *flag = p->flags + (y / GROUP + 1) * FLAG_WIDTH + 1;
    uint8_t *const models = (uint8_t *)p->set->symbol;
    const uint32_t low_bits = minimum(p->gain, LOW_BITS), rest_bits = p->gain - low_bits;
    coder c = *shared;
    for (uint32_t g = 0; g < p->side / GROUP; g++) {
        if (!flag[g]) continue;
        uint16_t *at = w->row + g * GROUP, *const end = at + GROUP;
        const int16_t *given = encoding ? p->target + y * p->side + g * GROUP : 0;
        for (; at < end; at++) {
            const uint32_t reference = *at, was_zero = reference & WAS_ZERO,
                           negative = (reference & PREDICTED_NEGATIVE) >> 1;
            const int32_t whole = encoding ? *given++ : 0;
            const uint32_t value = magnitude(whole) >> p->shift;
            uint32_t symbol = 0;
            if (encoding)
                symbol = was_zero ? value_symbol(p, whole, negative) : value >> rest_bits & ((1u << low_bits) - 1);
            symbol = code_symbol(&c, encoding, model_of(models, reference), symbol);
            uint32_t code = (symbol + was_zero) ^ negative;
            if (symbol >= 2 * ESCAPE - 1 && was_zero) {
                coder own = c;
                code = code_escaped(&own, encoding, p, whole, reference, code);
                c = own;
            }
            if (rest_bits && !was_zero)
                code = code << rest_bits | code_plain(&c, encoding, rest_bits, value & ((1u << rest_bits) - 1));
            at[ROW_CODES] = (uint16_t)code;
        }
    }
    *shared = c;
}

/* Coefficients and their magnitudes from what eight codes say. */
WS_INLINE void store_codes(const plane *p, const int encoding, const int first, uint32_t x, uint32_t y,
                           const workspace *w) {
    const uint32_t at = y * p->side + x;
    lanes size;
    if (encoding) {
        const lanes v = load_lanes(p->target + at), sign = (lanes)((signed_lanes)v < 0);
        size = ((v ^ sign) - sign) >> (uint16_t)p->shift;
    } else {
        const lanes codes = load_lanes(w->row + ROW_CODES + x);
        lanes sign = 0 - (codes & 1);
        size = codes >> 1;
        if (!first) {
            const known_values known = known_of(p, 0, at);
            const lanes zero = (lanes)(known.size == 0);
            size = (size & zero) | ((known.size << (uint16_t)p->gain | codes) & ~zero);
            sign = (sign & zero) | (known.sign & ~zero);
        }
        store_lanes(p->q + at, (size ^ sign) - sign);
    }
    const eight_bytes clamped =
        __builtin_convertvector(minimum_lanes(size, (lanes){0} + (uint16_t)MAX_MAGNITUDE), eight_bytes);
    __builtin_memcpy(p->mag + y * p->stride + x, &clamped, sizeof clamped);
}

/* A row of coefficients, those in groups whose flag is set: their models, their symbols, what these make of them. */
WS_INLINE void code_visual_row(coder *c, const int encoding, const int first, const plane *p, uint32_t y,
                               workspace *w) {
    const uint8_t *flag = p->flags + (y / GROUP + 1) * FLAG_WIDTH + 1;
    for (uint32_t x = 0; x < p->side; x += GROUP) {
        if (!flag[x / GROUP]) continue;
        if (first)
            find_first_models(p, encoding, x, y, w);
        else
            find_later_models(p, encoding, x, y, w);
    }
    if (first)
        code_first_row(c, encoding, p, y, w);
    else
        code_later_symbols(c, encoding, p, y, w);
    for (uint32_t x = 0; x < p->side; x += GROUP)
        if (flag[x / GROUP]) store_codes(p, encoding, first, x, y, w);
    decay_columns(p, first, y, w);
}

#endif
