/* Binary range coding: one coder that either reads or writes, and the adaptive models of its bits. */
#ifndef WS_CODER_H
#define WS_CODER_H

#include "internal.h"

/* An adaptive model, packed: two estimates of P(1) in 1/65536, fast (bits 0..15) and slow (16..31), and its age (32..), the
 * bits it has seen, up to MODEL_AGES - 1. One load, one store. */
typedef uint64_t model;

WS_INLINE model new_model(uint32_t p, uint32_t age) { return (uint64_t)age << 32 | p << 16 | p; }

enum { MODEL_AGES = 48 };

typedef struct {
    uint64_t low;           /* writing: bit 32 is the carry */
    uint32_t range, code;
    const uint8_t *in, *in_end;
    uint8_t *out, *out_start, *out_end;
    uint32_t overflow;
} coder;

/* Shifts of the fast (low digit) and the slow (high digit) estimate by age: both begin as running means. */
static const uint8_t RATES[MODEL_AGES] = {0x11, 0x22, 0x22, 0x33, 0x33, 0x33, 0x33, 0x44, 0x44, 0x44, 0x44, 0x44,
                                          0x44, 0x44, 0x54, 0x54, 0x54, 0x54, 0x54, 0x54, 0x54, 0x54, 0x54, 0x54,
                                          0x54, 0x54, 0x54, 0x54, 0x64, 0x64, 0x64, 0x64, 0x64, 0x64, 0x64, 0x64,
                                          0x64, 0x64, 0x64, 0x64, 0x64, 0x64, 0x64, 0x64, 0x64, 0x64, 0x64, 0x75};

WS_INLINE uint32_t next16(coder *c) {
    uint32_t value = 0;
    if (c->in_end - c->in >= 2) {
        value = (uint32_t)c->in[0] << 8 | c->in[1];
        c->in += 2;
    } else if (c->in < c->in_end) {
        value = (uint32_t)*c->in++ << 8;
    }
    return value;
}

static void put16(coder *c) {
    if (c->low >> 32)
        for (uint8_t *p = c->out; p > c->out_start && ++*--p == 0;) {}
    c->low &= 0xFFFFFFFFu;
    if (c->out_end - c->out < 2) {
        c->overflow = 1;
    } else {
        *c->out++ = (uint8_t)(c->low >> 24), *c->out++ = (uint8_t)(c->low >> 16);
    }
    c->low = (c->low & 0xFFFF) << 16;
}

/* `bound` of `range` belongs to the bit 1. */
WS_INLINE uint32_t code_split(coder *c, const int encoding, uint32_t bound, uint32_t bit) {
    if (!encoding) bit = c->code < bound;
    if (bit) {
        c->range = bound;
    } else {
        if (encoding) c->low += bound;
        else c->code -= bound;
        c->range -= bound;
    }
    if (c->range < 0x10000u) {
        c->range <<= 16;
        if (encoding) put16(c);
        else c->code = c->code << 16 | next16(c);
    }
    return bit;
}

#ifdef WS_TRAIN /* counts zeros and ones per model: bench/train_tables.py */
void ws_count(const void *m, uint32_t bit);
#else
#define ws_count(m, bit) ((void)0)
#endif

WS_INLINE uint32_t bound_of(uint32_t range, model m) {
    return (uint32_t)(((uint64_t)range * ((uint32_t)(m & 0xFFFF) + (uint32_t)(m >> 16 & 0xFFFF))) >> 17);
}

/* The model after a bit, without branches: for a 1 the estimates are taken from the other side. */
WS_INLINE model learn(model m, uint32_t bit) {
    const uint32_t age = (uint32_t)(m >> 32), rates = RATES[age], flip = (0u - bit) & 0xFFFF;
    uint32_t fast = (uint32_t)(m & 0xFFFF) ^ flip, slow = (uint32_t)(m >> 16 & 0xFFFF) ^ flip;
    fast = (fast - (fast >> (rates & 15))) ^ flip, slow = (slow - (slow >> (rates >> 4))) ^ flip;
    return (uint64_t)(age + (age < MODEL_AGES - 1)) << 32 | slow << 16 | fast;
}

/* An adaptive bit. */
WS_INLINE uint32_t code_bit(coder *c, const int encoding, model *m, uint32_t bit) {
    const model before = *m;
    bit = code_split(c, encoding, bound_of(c->range, before), bit);
    ws_count(m, bit);
    *m = learn(before, bit);
    return bit;
}

/* The same for bits that cannot be foreseen (signs, low bits): no branch on the bit itself. */
WS_INLINE uint32_t code_even_bit(coder *c, const int encoding, model *m, uint32_t bit) {
    if (encoding) return code_bit(c, 1, m, bit);
    const model before = *m;
    const uint32_t bound = bound_of(c->range, before), rest = c->range - bound, mask = 0u - (uint32_t)(c->code < bound);
    c->code -= bound & ~mask;
    c->range = (bound & mask) | (rest & ~mask);
    *m = learn(before, mask & 1);
    if (c->range < 0x10000u) {
        c->range <<= 16;
        c->code = c->code << 16 | next16(c);
    }
    return mask & 1;
}

/* `bits` bits without models, the highest first. */
WS_INLINE uint32_t code_number(coder *c, const int encoding, uint32_t bits, uint32_t value) {
    uint32_t result = 0;
    for (uint32_t i = bits; i-- > 0;) result |= code_split(c, encoding, c->range >> 1, value >> i & 1) << i;
    return result;
}

/* Exponential Golomb: the number of bits of value + 1 in unary (with models, if given), then those bits but the first.
 * Values up to 2^16. */
WS_INLINE uint32_t code_golomb(coder *c, const int encoding, model *prefix, uint32_t value) {
    const uint32_t v = value + 1;
    uint32_t bits = 0;
    while (bits < 16) {
        uint32_t more = encoding ? v >> (bits + 1) != 0 : 0;
        more = prefix ? code_bit(c, encoding, &prefix[bits], more) : code_split(c, encoding, c->range >> 1, more);
        if (!more) break;
        bits++;
    }
    return (1u << bits | code_number(c, encoding, bits, encoding ? v & ((1u << bits) - 1) : 0)) - 1;
}

static inline void start_reading(coder *c, const uint8_t *bytes, uint32_t size) {
    c->range = 0xFFFFFFFFu, c->in = bytes, c->in_end = bytes + size;
    c->code = next16(c) << 16, c->code |= next16(c);
}

static inline void start_writing(coder *c, uint8_t *out, uint32_t capacity) {
    c->range = 0xFFFFFFFFu, c->out = c->out_start = out, c->out_end = out + capacity;
}

/* Writes the value inside the last interval that ends in most zeros and drops trailing zero bytes: a reader that runs
 * out of bytes reads zeros. Returns the number of bytes. */
static inline uint32_t finish_writing(coder *c) {
    const uint64_t last = c->low + c->range - 1;
    uint32_t bits = 31;
    while (bits > 0 && last >> bits << bits < c->low) bits--;
    c->low = last >> bits << bits;
    put16(c), put16(c);
    while (c->out > c->out_start && c->out[-1] == 0) c->out--;
    return (uint32_t)(c->out - c->out_start);
}

#endif
