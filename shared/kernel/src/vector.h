/* Eight 16-bit lanes, in plain C where that vectorises well enough, by an instruction where it does not. */
#ifndef WS_VECTOR_H
#define WS_VECTOR_H

#include "internal.h"

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef uint16_t lanes __attribute__((vector_size(16)));
typedef int16_t signed_lanes __attribute__((vector_size(16)));
typedef uint8_t eight_bytes __attribute__((vector_size(8)));

WS_INLINE lanes load_lanes(const void *p) {
    lanes v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}

WS_INLINE void store_lanes(void *p, lanes v) { __builtin_memcpy(p, &v, sizeof v); }

WS_INLINE lanes load_bytes(const uint8_t *p) {
    eight_bytes v;
    __builtin_memcpy(&v, p, sizeof v);
    return __builtin_convertvector(v, lanes);
}

typedef uint32_t four_words __attribute__((vector_size(16)));
typedef int32_t four_ints __attribute__((vector_size(16)));
typedef int32_t eight_ints __attribute__((vector_size(32)));
typedef float eight_floats __attribute__((vector_size(32)));
typedef float four_floats __attribute__((vector_size(16)));
typedef uint8_t many_bytes __attribute__((vector_size(16)));

/* a[0] b[0] + a[1] b[1], a[2] b[2] + a[3] b[3], ... modulo 2^32. */
WS_INLINE four_words sums_of_pairs(lanes a, lanes b) {
#if defined(__wasm_simd128__)
    return (four_words)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b);
#elif defined(__SSE2__)
    return (four_words)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
    const signed_lanes v = (signed_lanes)a, w = (signed_lanes)b;
    four_words result;
    for (int i = 0; i < 4; i++) result[i] = (uint32_t)(v[2 * i] * w[2 * i]) + (uint32_t)(v[2 * i + 1] * w[2 * i + 1]);
    return result;
#endif
}

/* v + 128 of eight numbers, clipped to 0..255. */
WS_INLINE eight_bytes clipped_bytes(four_ints low, four_ints high) {
    many_bytes all;
    eight_bytes result;
#if defined(__wasm_simd128__)
    const v128_t centred =
        wasm_i16x8_add_sat(wasm_i16x8_narrow_i32x4((v128_t)low, (v128_t)high), wasm_i16x8_splat(128));
    all = (many_bytes)wasm_u8x16_narrow_i16x8(centred, centred);
#elif defined(__SSE2__)
    const __m128i centred = _mm_adds_epi16(_mm_packs_epi32((__m128i)low, (__m128i)high), _mm_set1_epi16(128));
    all = (many_bytes)_mm_packus_epi16(centred, centred);
#else
    for (int i = 0; i < 8; i++) {
        const int32_t v = i < 4 ? low[i] : high[i - 4];
        all[i] = (uint8_t)(v < -128 ? 0 : v > 127 ? 255 : v + 128);
    }
#endif
    __builtin_memcpy(&result, &all, sizeof result);
    return result;
}

/* Sixteen signed numbers, clipped to 0..255. */
WS_INLINE many_bytes clipped_lanes(lanes low, lanes high) {
#if defined(__wasm_simd128__)
    return (many_bytes)wasm_u8x16_narrow_i16x8((v128_t)low, (v128_t)high);
#elif defined(__SSE2__)
    return (many_bytes)_mm_packus_epi16((__m128i)low, (__m128i)high);
#else
    many_bytes all;
    for (int i = 0; i < 16; i++) {
        const int16_t v = (int16_t)(i < 8 ? low[i] : high[i - 8]);
        all[i] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
    }
    return all;
#endif
}

WS_INLINE lanes minimum_lanes(lanes a, lanes limit) {
#if defined(__wasm_simd128__)
    return (lanes)wasm_u16x8_min((v128_t)a, (v128_t)limit);
#elif defined(__SSE2__)
    return a - (lanes)_mm_subs_epu16((__m128i)a, (__m128i)limit);
#else
    const lanes over = (lanes)(a > limit);
    return (a & ~over) | (limit & over);
#endif
}

/* Eight numbers below 2^15 as lanes. */
WS_INLINE lanes narrowed_words(four_words low, four_words high) {
#if defined(__wasm_simd128__)
    return (lanes)wasm_i16x8_narrow_i32x4((v128_t)low, (v128_t)high);
#elif defined(__SSE2__)
    return (lanes)_mm_packs_epi32((__m128i)low, (__m128i)high);
#else
    return __builtin_shufflevector((lanes)low, (lanes)high, 0, 2, 4, 6, 8, 10, 12, 14);
#endif
}

/* (a + b + 1) >> 1 in each lane. */
WS_INLINE lanes mean_lanes(lanes a, lanes b) {
#if defined(__wasm_simd128__)
    return (lanes)wasm_u16x8_avgr((v128_t)a, (v128_t)b);
#elif defined(__SSE2__)
    return (lanes)_mm_avg_epu16((__m128i)a, (__m128i)b);
#else
    return (a >> 1) + (b >> 1) + ((a | b) & 1);
#endif
}

/* a + b in each lane, modulo 2^16 or (`clamped`) at most 32767 and at least -32768 as signed numbers. */
WS_INLINE lanes sum_lanes(lanes a, lanes b, const int clamped) {
    if (!clamped) return a + b;
#if defined(__wasm_simd128__)
    return (lanes)wasm_i16x8_add_sat((v128_t)a, (v128_t)b);
#elif defined(__SSE2__)
    return (lanes)_mm_adds_epi16((__m128i)a, (__m128i)b);
#else
    const lanes sum = a + b, over = (lanes)((signed_lanes)(~(a ^ b) & (a ^ sum)) < 0);
    return (sum & ~over) | (((lanes)((signed_lanes)a >> 15) ^ 0x7FFF) & over);
#endif
}

/* a - b in the same way. */
WS_INLINE lanes difference_lanes(lanes a, lanes b, const int clamped) {
    if (!clamped) return a - b;
#if defined(__wasm_simd128__)
    return (lanes)wasm_i16x8_sub_sat((v128_t)a, (v128_t)b);
#elif defined(__SSE2__)
    return (lanes)_mm_subs_epi16((__m128i)a, (__m128i)b);
#else
    const lanes rest = a - b, over = (lanes)((signed_lanes)((a ^ b) & (a ^ rest)) < 0);
    return (rest & ~over) | (((lanes)((signed_lanes)a >> 15) ^ 0x7FFF) & over);
#endif
}

WS_INLINE lanes splat(int32_t v) { return (lanes){0} + (uint16_t)v; }

/* (a * b + 16384) >> 15 in each lane; b is never -32768. */
WS_INLINE lanes q15_products(lanes a, lanes b) {
#if defined(__wasm_simd128__)
    return (lanes)wasm_i16x8_q15mulr_sat((v128_t)a, (v128_t)b);
#elif defined(__SSE2__)
    const __m128i high = _mm_mulhi_epi16((__m128i)a, (__m128i)b), low = _mm_mullo_epi16((__m128i)a, (__m128i)b);
    const __m128i carry = _mm_srli_epi16(low, 14); /* (low + 16384) >> 15, but for what high brings */
    return (lanes)_mm_add_epi16(_mm_add_epi16(high, high), _mm_srli_epi16(_mm_add_epi16(carry, _mm_set1_epi16(1)), 1));
#else
    const signed_lanes v = (signed_lanes)a, w = (signed_lanes)b;
    lanes result;
    for (int i = 0; i < 8; i++) result[i] = (uint16_t)(((int32_t)v[i] * w[i] + 16384) >> 15);
    return result;
#endif
}

WS_INLINE lanes q15_lanes(lanes a, int16_t b) { return q15_products(a, splat(b)); }

/* Where the first lane above `least` begins, in bytes, compared as signed numbers; the last one always is. */
WS_INLINE uint32_t first_above(lanes bounds, uint16_t least) {
    const signed_lanes above = (signed_lanes)bounds > (signed_lanes)((lanes){0} + least);
#if defined(__wasm_simd128__)
    return (uint32_t)__builtin_ctz((uint32_t)wasm_i8x16_bitmask((v128_t)above));
#elif defined(__SSE2__)
    return (uint32_t)__builtin_ctz((uint32_t)_mm_movemask_epi8((__m128i)above));
#else
    uint32_t at = 0;
    while (!above[at]) at++;
    return 2 * at;
#endif
}

#endif
