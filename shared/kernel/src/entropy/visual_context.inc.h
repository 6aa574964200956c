/* Fragment of entropy.c: the models of a row of the visual profile, CS31 to CS35. They are found before the row is
 * coded, eight coefficients at a time. In layer 0 that is for each value that the coefficient to the left may get; in
 * later layers W and WW are those of the layer before. */
#ifndef WS_ENTROPY_VISUAL_CONTEXT
#define WS_ENTROPY_VISUAL_CONTEXT

#include "large_magnitude.inc.h"
#include "sign_prediction.inc.h"

/* A model reference has the place of a model among those of the plane's set, in bytes, and two flags below it. */
enum { WAS_ZERO = 1, PREDICTED_NEGATIVE = 2, REFERENCE_SHIFT = 5, REFERENCE_FLAGS = 31 };
_Static_assert(sizeof(symbol_model) == 1 << REFERENCE_SHIFT, "a model reference counts bytes");

_Static_assert(LARGE_CODE == 2 * ESCAPE, "a large value to the left is one that was coded by an escape");

WS_INLINE symbol_model *model_of(uint8_t *models, uint32_t reference) {
    return (symbol_model *)(void *)(models + (reference & ~(uint32_t)REFERENCE_FLAGS));
}

typedef struct {
    signed_lanes below[STRENGTH_CLASSES - 1]; /* |prediction| in 1/64 above which each next class begins */
    lanes models;                             /* of class 0 */
} class_limits;

WS_INLINE signed_lanes splat_signed(int32_t v) { return (signed_lanes){0} + (int16_t)v; }

/* Levels of sums below SUM_LIMIT: the exponent and the first binary digit of the sum as a float. */
WS_INLINE lanes levels_of(lanes sums) {
    const lanes zero = {0};
    const four_ints low = (four_ints)__builtin_shufflevector(sums, zero, 0, 8, 1, 9, 2, 10, 3, 11),
                    high = (four_ints)__builtin_shufflevector(sums, zero, 4, 12, 5, 13, 6, 14, 7, 15);
    const lanes digits = narrowed_words((four_words) __builtin_convertvector(low, four_floats) >> 22,
                                        (four_words) __builtin_convertvector(high, four_floats) >> 22);
    const signed_lanes small = __builtin_elementwise_min((signed_lanes)sums, splat_signed(2)),
                       levels = __builtin_elementwise_max(small, (signed_lanes)digits - 255);
    return (lanes)__builtin_elementwise_min(levels, splat_signed(LEVELS - 1));
}

WS_INLINE class_limits limits_of(lanes sums) {
    const signed_lanes s = (signed_lanes)sums;
    const class_limits limits = {{(s - 1) >> 4, (3 * s - 1) >> 4, (s - 1) >> 1}, levels_of(sums) * 4};
    return limits;
}

/* Of coefficients that were zero before. */
WS_INLINE lanes value_references(const class_limits *limits, signed_lanes predictions) {
    const signed_lanes sign = predictions < 0, size = (predictions ^ sign) - sign;
    const signed_lanes above = (size > limits->below[0]) + (size > limits->below[1]) + (size > limits->below[2]);
    return (limits->models - (lanes)above) << REFERENCE_SHIFT | ((lanes)sign & PREDICTED_NEGATIVE) | WAS_ZERO;
}

/* The same of one coefficient. */
WS_INLINE uint32_t value_reference(const uint8_t *level_of, uint32_t sum, int32_t prediction) {
    const uint32_t s = minimum(sum, SUM_LIMIT - 1), strength = 16 * magnitude(prediction);
    const uint32_t model = STRENGTH_CLASSES * level_of[s] + (strength >= s) + (strength >= 3 * s) + (strength >= 8 * s);
    return model << REFERENCE_SHIFT | WAS_ZERO | (prediction < 0 ? PREDICTED_NEGATIVE : 0);
}

/* Of coefficients that were not zero before, |m| = `old`; `half` of how far the prediction is above the middle of what
 * they leave open. */
WS_INLINE lanes low_bit_references(lanes sums, signed_lanes half, lanes old) {
    const signed_lanes s = (signed_lanes)sums;
    const signed_lanes classes = (half < 0) + (half < -(s >> 1)) + (half < -s) + (half < -2 * s);
    const lanes row = (levels_of(sums) >> 2) * 3 + minimum_lanes(old, splat(3)) - 1;
    return (row * OFFSET_CLASSES + LOW_BIT_MODELS - (lanes)classes) << REFERENCE_SHIFT;
}

/* Layer 0, decoding: references of eight coefficients for each code of the one to the left. */
WS_INLINE void find_first_models(const plane *p, uint32_t x, uint32_t y, workspace *w) {
    uint16_t *row = w->row + x;
    const lanes sums = context_sums(p, 1, x, y, w->columns), most = (lanes){0} + (SUM_LIMIT - 1);
    const signed_lanes predictions = sign_predictions(p, 0, 1, x, y), west = splat_signed(p->sign_weights[0]);
    store_lanes(row + ROW_SUMS, sums), store_lanes(row + ROW_PREDICTIONS, (lanes)predictions);
    const class_limits none = limits_of(minimum_lanes(sums, most));
    const lanes references = value_references(&none, predictions);
    store_lanes(row, references), store_lanes(row + WS_HALF, references);
    for (int m = 1; m < ESCAPE; m++) {
        const class_limits limits = limits_of(minimum_lanes(sums + (uint16_t)(p->weights->w * m), most));
        store_lanes(row + 2 * m * WS_HALF, value_references(&limits, predictions + (int16_t)m * west));
        store_lanes(row + (2 * m + 1) * WS_HALF, value_references(&limits, predictions - (int16_t)m * west));
    }
}

/* What the layer before left of eight coefficients: magnitudes and masks of signs. */
typedef struct {
    lanes size, sign;
} known_values;

WS_INLINE known_values known_of(const plane *p, const int encoding, uint32_t at) {
    const lanes v = load_lanes((encoding ? p->target : p->q) + at), sign = (lanes)((signed_lanes)v < 0);
    const known_values known = {((v ^ sign) - sign) >> (uint16_t)(encoding ? p->shift + p->gain : 0), sign};
    return known;
}

/* Later layers: references of eight coefficients; all that the contexts see is known before the row. */
WS_INLINE lanes later_references(const plane *p, const int encoding, uint32_t x, uint32_t y, const uint16_t *columns) {
    const uint8_t *mag = p->mag + y * p->stride + x;
    const lanes known_sums = context_sums(p, 0, x, y, columns) + (uint16_t)p->weights->w * load_bytes(mag - 1) +
                             (uint16_t)p->weights->ww * load_bytes(mag - 2),
                sums = minimum_lanes(known_sums, (lanes){0} + (SUM_LIMIT - 1));
    const signed_lanes predictions = sign_predictions(p, encoding, 0, x, y);
    const known_values known = known_of(p, encoding, y * p->side + x);
    const class_limits limits = limits_of(sums);
    /* an offset is far below all limits where its two parts are limited here */
    const uint16_t up = (uint16_t)(p->gain + 5);
    const signed_lanes toward = (signed_lanes)(((lanes)predictions ^ known.sign) - known.sign),
                       limited = __builtin_elementwise_max(toward, splat_signed(-8000));
    const lanes expected = minimum_lanes(2 * known.size + 1, splat(24576 >> up)) << up;
    const lanes zero = (lanes)(known.size == 0), values = value_references(&limits, predictions),
                low_bits = low_bit_references(sums, limited - (signed_lanes)expected, known.size);
    return (values & zero) | (low_bits & ~zero);
}

/* Magnitudes as contexts see them. */
WS_INLINE void store_magnitudes(const plane *p, uint32_t x, uint32_t y, lanes size) {
    const eight_bytes clamped =
        __builtin_convertvector(minimum_lanes(size, (lanes){0} + (uint16_t)MAX_MAGNITUDE), eight_bytes);
    __builtin_memcpy(p->mag + y * p->stride + x, &clamped, sizeof clamped);
}

#endif
