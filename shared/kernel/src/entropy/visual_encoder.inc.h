/* Fragment of entropy.c: rows with one model in the encoder, CS31 to CS35. It knows every coefficient before it
 * codes the first: models and symbols are found for eight coefficients at a time, the one to the left included. */
#ifndef WS_ENTROPY_VISUAL_ENCODER
#define WS_ENTROPY_VISUAL_ENCODER

#include "visual_context.inc.h"

/* A row's coefficients in groups whose flag is set, one after another in the workspace's row: the references of their
 * models; twice their symbols, with SPECIAL where more than a symbol is coded; what is coded more. */
enum { OFFSETS_OF_ROW = WS_HALF, VALUES_OF_ROW = 2 * WS_HALF, SPECIAL = 256 };

/* Eight coefficients at this layer, and masks of their signs. */
WS_INLINE known_values wanted_of(const plane *p, uint32_t at) {
    const lanes v = load_lanes(p->target + at), sign = (lanes)((signed_lanes)v < 0);
    const known_values wanted = {((v ^ sign) - sign) >> (uint16_t)p->shift, sign};
    return wanted;
}

/* Twice the symbols of coefficients that were zero, and what a magnitude that no symbol holds is coded from. */
WS_INLINE lanes value_offsets(known_values wanted, lanes references, lanes *values) {
    *values = 2 * wanted.size + ((wanted.sign & 1) ^ (references >> 1 & 1));
    const lanes symbols = minimum_lanes(*values - 1, (lanes){0} + LAST_SYMBOL) & (lanes)(wanted.size != 0);
    return 2 * symbols | (SPECIAL & (lanes)(symbols == LAST_SYMBOL));
}

WS_INLINE void put_row(uint16_t *to, lanes references, lanes offsets, lanes values) {
    store_lanes(to, references), store_lanes(to + OFFSETS_OF_ROW, offsets), store_lanes(to + VALUES_OF_ROW, values);
}

/* Layer 0. */
WS_INLINE void put_first_group(const plane *p, uint32_t x, uint32_t y, const workspace *w, uint16_t *to) {
    const uint32_t at = y * p->side + x;
    const scaling now = {(uint16_t)p->shift, 0};
    const signed_lanes west = rescale_signed(shifted_west(p->target + at, x), now), sign = west < 0;
    const lanes sums = context_sums(p, 1, x, y, w->columns) + (uint16_t)p->weights->w * (lanes)((west ^ sign) - sign);
    const signed_lanes predictions = sign_predictions(p, 1, 1, x, y) + (int16_t)p->sign_weights[0] * west;
    const class_limits limits = limits_of(minimum_lanes(sums, (lanes){0} + (SUM_LIMIT - 1)));
    const lanes references = value_references(&limits, predictions);
    lanes values;
    const lanes offsets = value_offsets(wanted_of(p, at), references, &values);
    put_row(to, references, offsets, values);
}

/* Later layers. Of coefficients that were not zero the lowest `rest_bits` are coded apart. */
WS_INLINE void put_later_group(const plane *p, uint32_t x, uint32_t y, const workspace *w, uint32_t rest_bits,
                               uint16_t *to) {
    const uint16_t low_mask = (uint16_t)((1u << (p->gain - rest_bits)) - 1);
    const known_values wanted = wanted_of(p, y * p->side + x);
    const lanes references = later_references(p, 1, x, y, w->columns), was_zero = 0 - (references & WAS_ZERO);
    lanes values;
    const lanes offsets = value_offsets(wanted, references, &values);
    const lanes low_bits = 2 * (wanted.size >> (uint16_t)rest_bits & low_mask) | (uint16_t)(rest_bits ? SPECIAL : 0);
    put_row(to, references, (offsets & was_zero) | (low_bits & ~was_zero),
            (values & was_zero) | (wanted.size & ~was_zero));
}

/* What follows a symbol. */
static __attribute__((noinline)) void encode_special(coder *c, const plane *p, uint32_t reference, uint32_t value,
                                                     uint32_t rest_bits) {
    if (reference & WAS_ZERO)
        code_large(c, 1, p->set, reference >> REFERENCE_SHIFT >> 2, value, MAX_M >> p->shift);
    else
        code_plain(c, 1, rest_bits, value & ((1u << rest_bits) - 1));
}

static __attribute__((noinline)) void encode_symbols(coder *shared, const plane *p, const uint16_t *at, uint32_t count,
                                                     uint32_t rest_bits) {
    uint8_t *const models = (uint8_t *)p->set->symbol;
    coder c = *shared;
    for (const uint16_t *const end = at + count; at < end; at++) {
        const uint32_t offset = at[OFFSETS_OF_ROW] & (SPECIAL - 1);
        symbol_model *m = model_of(models, *at);
        const lanes bounds = m->bounds;
        take_symbol(&c, 1, m, offset);
        adapt(m, bounds, offset);
        if (at[OFFSETS_OF_ROW] & SPECIAL) {
            coder own = c; /* so that nothing else asks for the address of the one in registers */
            encode_special(&own, p, *at, at[VALUES_OF_ROW], rest_bits);
            c = own;
        }
    }
    *shared = c;
}

WS_INLINE void encode_visual_row(coder *c, const int first, const plane *p, uint32_t y, workspace *w) {
    const uint8_t *flag = p->flags + (y / GROUP + 1) * FLAG_WIDTH + 1;
    const uint32_t rest_bits = p->gain - minimum(p->gain, LOW_BITS);
    uint32_t count = 0;
    for (uint32_t x = 0; x < p->side; x += GROUP) {
        if (!flag[x / GROUP]) continue;
        if (first)
            put_first_group(p, x, y, w, w->row + count);
        else
            put_later_group(p, x, y, w, rest_bits, w->row + count);
        count += GROUP;
    }
    for (uint32_t x = 0; x < p->side; x += GROUP)
        if (flag[x / GROUP]) store_magnitudes(p, x, y, wanted_of(p, y * p->side + x).size);
    encode_symbols(c, p, w->row, count, rest_bits);
    decay_columns(p, first, y, w);
}

#endif
