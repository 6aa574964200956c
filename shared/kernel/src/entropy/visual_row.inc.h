/* Fragment of entropy.c: rows with one model in the decoder: their symbols (CS34, CS35), then what these make of eight
 * coefficients at a time. */
#ifndef WS_ENTROPY_VISUAL_ROW
#define WS_ENTROPY_VISUAL_ROW

#include "visual_context.inc.h"

/* The code of a coefficient whose symbol is an escape. */
WS_INLINE uint32_t escaped_code(coder *c, const plane *p, uint32_t reference) {
    const uint32_t level = reference >> REFERENCE_SHIFT >> 2, negative = (reference & PREDICTED_NEGATIVE) != 0;
    return code_large(c, 0, p->set, level, 0, MAX_M >> p->shift) ^ negative;
}

static __attribute__((noinline)) uint32_t decode_later_escape(coder *c, const plane *p, uint32_t reference) {
    return escaped_code(c, p, reference);
}

/* In layer 0, at `at` of a row: leaves its code and returns the reference of the coefficient to the right. */
static __attribute__((noinline)) uint32_t decode_first_escape(coder *c, const plane *p, uint32_t reference,
                                                              uint16_t *at, const uint8_t *level_of) {
    const uint32_t code = escaped_code(c, p, reference), m = minimum(code >> 1, MAX_MAGNITUDE);
    at[ROW_CODES] = (uint16_t)code;
    return value_reference(level_of, at[ROW_SUMS + 1] + p->weights->w * m,
                           (int16_t)at[ROW_PREDICTIONS + 1] + p->sign_weights[0] * with_sign(m, code & 1));
}

/* A run of groups of layer 0 on its way. */
typedef struct {
    uint16_t *at;
    const uint16_t *end;
    symbol_model *model; /* of the last symbol */
    uint32_t reference;  /* of the next one's model */
} symbol_run;

/* Decodes symbols of layer 0 up to the end or to an escape; returns twice the last one. Twice the code of a coefficient
 * chooses the reference of the one to its right. Calls nothing, so that a compiler finds registers for all of it. */
static __attribute__((noinline)) uint32_t decode_run(coder *shared, uint8_t *models, symbol_run *run) {
    coder c = *shared;
    uint16_t *at = run->at;
    const uint16_t *const end = run->end;
    uint32_t offset, reference = run->reference;
    symbol_model *m;
    do {
        m = model_of(models, reference);
        const lanes bounds = m->bounds;
        const uint32_t negative = reference & PREDICTED_NEGATIVE;
        offset = find_symbol(&c, 0, bounds, 0);
        const uint32_t code = (offset + 2) ^ negative;
        reference = at[code * (WS_HALF / 2) + 1];
        at[ROW_CODES] = (uint16_t)(code >> 1);
        take_symbol(&c, 0, m, offset);
        adapt(m, bounds, offset);
        at++;
    } while (offset < 2 * LAST_SYMBOL && at < end);
    run->at = at, run->reference = reference, run->model = m;
    *shared = c;
    return offset;
}

/* A row of layer 0, in runs of groups whose flag is set. */
WS_INLINE void decode_first_row(coder *c, const plane *p, uint32_t y, workspace *w) {
    const uint8_t *flag = p->flags + (y / GROUP + 1) * FLAG_WIDTH + 1;
    const uint32_t groups = p->side / GROUP;
    uint8_t *const models = (uint8_t *)p->set->symbol;
    for (uint32_t g = 0; g < groups; g++) {
        const uint32_t from = g * GROUP;
        while (g < groups && flag[g]) g++;
        symbol_run run = {w->row + from, w->row + g * GROUP, 0, w->row[from]};
        while (run.at < run.end) {
            if (decode_run(c, models, &run) < 2 * LAST_SYMBOL) break;
            const uint32_t sign = 2 * (run.at[ROW_CODES - 1] & 1),
                           escaped = (uint32_t)((uint8_t *)run.model - models) | sign;
            run.reference = decode_first_escape(c, p, escaped, run.at - 1, w->level_of);
        }
    }
}

/* A row of a later layer. The code of a coefficient that was not zero has its new bits. */
WS_INLINE void decode_later_symbols(coder *shared, const plane *p, uint32_t y, workspace *w) {
    const uint8_t *flag = p->flags + (y / GROUP + 1) * FLAG_WIDTH + 1;
    uint8_t *const models = (uint8_t *)p->set->symbol;
    const uint32_t rest_bits = p->gain - minimum(p->gain, LOW_BITS);
    coder c = *shared;
    for (uint32_t g = 0; g < p->side / GROUP; g++) {
        if (!flag[g]) continue;
        uint16_t *at = w->row + g * GROUP, *const end = at + GROUP;
        for (; at < end; at++) {
            const uint32_t reference = *at, was_zero = reference & WAS_ZERO,
                           negative = (reference & PREDICTED_NEGATIVE) >> 1;
            const uint32_t symbol = code_symbol(&c, 0, model_of(models, reference), 0);
            uint32_t code = (symbol + was_zero) ^ negative;
            if (symbol == LAST_SYMBOL && was_zero) {
                coder own = c;
                code = decode_later_escape(&own, p, reference);
                c = own;
            }
            if (rest_bits && !was_zero) code = code << rest_bits | code_plain(&c, 0, rest_bits, 0);
            at[ROW_CODES] = (uint16_t)code;
        }
    }
    *shared = c;
}

/* Coefficients and their magnitudes from what eight codes say. */
WS_INLINE void store_codes(const plane *p, const int first, uint32_t x, uint32_t y, const workspace *w) {
    const uint32_t at = y * p->side + x;
    const lanes codes = load_lanes(w->row + ROW_CODES + x);
    lanes sign = 0 - (codes & 1), size = codes >> 1;
    if (!first) {
        const known_values known = known_of(p, 0, at);
        const lanes zero = (lanes)(known.size == 0);
        size = (size & zero) | ((known.size << (uint16_t)p->gain | codes) & ~zero);
        sign = (sign & zero) | (known.sign & ~zero);
    }
    store_lanes(p->q + at, (size ^ sign) - sign);
    store_magnitudes(p, x, y, size);
}

/* A row of coefficients, those in groups whose flag is set: their models, their symbols, what these make of them. */
WS_INLINE void decode_visual_row(coder *c, const int first, const plane *p, uint32_t y, workspace *w) {
    const uint8_t *flag = p->flags + (y / GROUP + 1) * FLAG_WIDTH + 1;
    for (uint32_t x = 0; x < p->side; x += GROUP) {
        if (!flag[x / GROUP]) continue;
        if (first)
            find_first_models(p, x, y, w);
        else
            store_lanes(w->row + x, later_references(p, 0, x, y, w->columns));
    }
    if (first)
        decode_first_row(c, p, y, w);
    else
        decode_later_symbols(c, p, y, w);
    for (uint32_t x = 0; x < p->side; x += GROUP)
        if (flag[x / GROUP]) store_codes(p, first, x, y, w);
    decay_columns(p, first, y, w);
}

#endif
