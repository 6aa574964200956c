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

/* (a * b + 16384) >> 15 in each lane; b is never -32768. */
WS_INLINE lanes q15_lanes(lanes a, int16_t b) {
#if defined(__wasm_simd128__)
    return (lanes)wasm_i16x8_q15mulr_sat((v128_t)a, wasm_i16x8_splat(b));
#elif defined(__SSE2__)
    const __m128i by = _mm_set1_epi16(b), high = _mm_mulhi_epi16((__m128i)a, by), low = _mm_mullo_epi16((__m128i)a, by);
    const __m128i carry = _mm_srli_epi16(low, 14); /* (low + 16384) >> 15, but for what high brings */
    return (lanes)_mm_add_epi16(_mm_add_epi16(high, high), _mm_srli_epi16(_mm_add_epi16(carry, _mm_set1_epi16(1)), 1));
#else
    const signed_lanes v = (signed_lanes)a;
    lanes result;
    for (int i = 0; i < 8; i++) result[i] = (uint16_t)(((int32_t)v[i] * b + 16384) >> 15);
    return result;
#endif
}

/* How many of the bounds, which never rise, are above `slot`; the last one is not. All below 2^15. */
WS_INLINE uint32_t bounds_above(lanes bounds, uint32_t slot) {
    const lanes zero = {0};
    const signed_lanes above = (signed_lanes)bounds > (signed_lanes)(zero + (uint16_t)slot);
#if defined(__wasm_simd128__)
    return (uint32_t)__builtin_ctz(~(uint32_t)wasm_i16x8_bitmask((v128_t)above));
#elif defined(__SSE2__)
    return (uint32_t)__builtin_ctz(~(uint32_t)_mm_movemask_epi8((__m128i)above)) >> 1;
#else
    uint32_t count = 0;
    for (int i = 0; i < 8; i++) count -= (uint32_t)above[i];
    return count;
#endif
}

#endif
