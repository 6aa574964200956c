/* Fragment of entropy.c: rows with one model: their symbols (CS34, CS35), then what these make of eight
 * coefficients at a time. */
#ifndef WS_ENTROPY_VISUAL_ROW
#define WS_ENTROPY_VISUAL_ROW

#include "visual_context.inc.h"

WS_INLINE symbol_model *model_of(uint8_t *models, uint32_t reference) {
    return (symbol_model *)(void *)(models + (reference & ~(uint32_t)REFERENCE_FLAGS));
}

/* The code of a coefficient whose symbol is an escape. */
WS_INLINE uint32_t escaped_code(coder *c, const int encoding, const plane *p, int32_t given, uint32_t reference) {
    const uint32_t level = reference >> REFERENCE_SHIFT >> 2, negative = (reference & PREDICTED_NEGATIVE) != 0;
    const uint32_t value = 2 * (magnitude(given) >> p->shift) + ((given < 0) ^ negative);
    return code_large(c, encoding, p->set, level, value, MAX_M >> p->shift) ^ negative;
}

static __attribute__((noinline)) uint32_t code_later_escape(coder *c, const int encoding, const plane *p, int32_t given,
                                                            uint32_t reference) {
    return escaped_code(c, encoding, p, given, reference);
}

/* In layer 0, at `at` of a row: leaves its code and returns the reference of the coefficient to the right. */
static __attribute__((noinline)) uint32_t code_first_escape(coder *c, const int encoding, const plane *p, int32_t given,
                                                            uint32_t reference, uint16_t *at, const uint8_t *level_of) {
    const uint32_t code = escaped_code(c, encoding, p, given, reference), m = minimum(code >> 1, MAX_MAGNITUDE);
    at[ROW_CODES] = (uint16_t)code;
    return value_reference(level_of, at[ROW_SUMS + 1] + p->weights->w * m,
                           (int16_t)at[ROW_PREDICTIONS + 1] + p->sign_weights[0] * with_sign(m, code & 1));
}

/* Symbol of a coefficient that was zero. */
WS_INLINE uint32_t value_symbol(const plane *p, int32_t given, uint32_t predicted_negative) {
    return symbol_of(magnitude(given) >> p->shift, (given < 0) ^ predicted_negative);
}

/* A run of groups of layer 0 on its way. */
typedef struct {
    uint16_t *at;
    const uint16_t *end;
    const int16_t *given; /* encoding */
    symbol_model *model;  /* of the last symbol */
    uint32_t reference;   /* of the next one's model */
} symbol_run;

/* Codes symbols of layer 0 up to the end or to an escape; returns twice the last one. Twice the code of a coefficient
 * chooses the reference of the one to its right. Calls nothing, so that a compiler finds registers for all of it. */
WS_INLINE uint32_t code_run(coder *shared, const int encoding, const plane *p, uint8_t *models, symbol_run *run) {
    coder c = *shared;
    uint16_t *at = run->at;
    const uint16_t *const end = run->end;
    uint32_t offset, reference = run->reference;
    symbol_model *m;
    do {
        m = model_of(models, reference);
        const lanes bounds = m->bounds;
        const uint32_t negative = reference & PREDICTED_NEGATIVE;
        offset = find_symbol(&c, encoding, bounds, encoding ? 2 * value_symbol(p, *run->given++, negative >> 1) : 0);
        const uint32_t code = (offset + 2) ^ negative;
        reference = at[code * (WS_HALF / 2) + 1];
        at[ROW_CODES] = (uint16_t)(code >> 1);
        take_symbol(&c, encoding, m, offset);
        adapt(m, bounds, offset);
        at++;
    } while (offset < 2 * LAST_SYMBOL && at < end);
    run->at = at, run->reference = reference, run->model = m;
    *shared = c;
    return offset;
}

static __attribute__((noinline)) uint32_t decode_run(coder *c, uint8_t *models, symbol_run *run) {
    return code_run(c, 0, 0, models, run);
}

static __attribute__((noinline)) uint32_t encode_run(coder *c, const plane *p, uint8_t *models, symbol_run *run) {
    return code_run(c, 1, p, models, run);
}

/* A row of layer 0, in runs of groups whose flag is set. */
WS_INLINE void code_first_row(coder *c, const int encoding, const plane *p, uint32_t y, workspace *w) {
    const uint8_t *flag = p->flags + (y / GROUP + 1) * FLAG_WIDTH + 1;
    const uint32_t groups = p->side / GROUP;
    uint8_t *const models = (uint8_t *)p->set->symbol;
    for (uint32_t g = 0; g < groups; g++) {
        const uint32_t from = g * GROUP;
        while (g < groups && flag[g]) g++;
        symbol_run run = {w->row + from, w->row + g * GROUP, encoding ? p->target + y * p->side + from : 0, 0,
                          w->row[from]};
        while (run.at < run.end) {
            if ((encoding ? encode_run(c, p, models, &run) : decode_run(c, models, &run)) < 2 * LAST_SYMBOL) break;
            const uint32_t sign = 2 * (run.at[ROW_CODES - 1] & 1),
                           escaped = (uint32_t)((uint8_t *)run.model - models) | sign;
            run.reference =
                code_first_escape(c, encoding, p, encoding ? run.given[-1] : 0, escaped, run.at - 1, w->level_of);
        }
    }
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
            if (symbol == LAST_SYMBOL && was_zero) {
                coder own = c;
                code = code_later_escape(&own, encoding, p, whole, reference);
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
