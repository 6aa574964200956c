/* Fragment of entropy.c: range coding by asymmetric numeral systems (rANS): one coder that reads or writes, and the
 * models of its symbols. A reader decodes forward. A writer records symbols and codes them backward at
 * the end. */
#ifndef WS_ENTROPY_RANS
#define WS_ENTROPY_RANS

#include "../internal.h"

enum { SCALE = 15, ONE = 1 << SCALE, MODEL_AGES = 48, SYMBOLS = 8, STATE_BYTES = 8, WORD = 4 };
static const uint64_t STATE_LOW = 1ull << 31;

typedef struct {
    uint64_t state; /* reading: 2^31 .. 2^63 - 1, but for damaged bytes */
    const uint8_t *in, *in_end;
    uint32_t *note, *notes, *notes_end; /* writing: start << 16 | frequency of everything coded so far */
} coder;

/* Shifts of the fast (low digit) and the slow (high digit) estimate by age: both begin as running means. */
static const uint8_t RATES[MODEL_AGES] = {0x11, 0x22, 0x22, 0x33, 0x33, 0x33, 0x33, 0x44, 0x44, 0x44, 0x44, 0x44,
                                          0x44, 0x44, 0x54, 0x54, 0x54, 0x54, 0x54, 0x54, 0x54, 0x54, 0x54, 0x54,
                                          0x54, 0x54, 0x54, 0x54, 0x64, 0x64, 0x64, 0x64, 0x64, 0x64, 0x64, 0x64,
                                          0x64, 0x64, 0x64, 0x64, 0x64, 0x64, 0x64, 0x64, 0x64, 0x64, 0x64, 0x75};

/* The next four bytes; what lies past the end is zero. Reads up to four bytes there, which are the checksum's. */
WS_INLINE uint32_t next_word(coder *c) {
    static const uint32_t masks[WORD + 1] = {0, 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF};
    const uint32_t left = (uint32_t)(c->in_end - c->in), used = left < WORD ? left : WORD;
    uint32_t word; /* little-endian, as wasm is and all native builds are */
    __builtin_memcpy(&word, c->in, sizeof word);
    c->in += used;
    return word & masks[used];
}

/* The next word is due. */
WS_INLINE void refill(coder *c) {
    if (c->state < STATE_LOW) c->state = c->state << 32 | next_word(c);
}

/* Notes an interval if `due` is 1; without a branch, which would be guessed wrong. */
WS_INLINE void put_note(coder *c, uint32_t note, uint32_t due) {
    *c->note = note;
    c->note += due & (c->note < c->notes_end);
}

/* Takes (or notes) the part [start, start + frequency) of 2^15. */
WS_INLINE void code_interval(coder *c, const int encoding, uint32_t start, uint32_t frequency) {
    if (encoding) {
        put_note(c, start << 16 | frequency, 1);
        return;
    }
    c->state = frequency * (c->state >> SCALE) + (c->state & (ONE - 1)) - start;
    refill(c);
}

#ifdef WS_TRAIN /* counts symbols per model: backend/bench/codec/train_tables.py */
void ws_count(const void *m, uint32_t symbol);
#else
#define ws_count(m, symbol) ((void)0)
#endif

/* An adaptive bit: two estimates of P(1) in 1/65536, fast (bits 0..15) and slow (16..31), and its age (32..), the bits
 * it has seen, up to MODEL_AGES - 1. */
typedef uint64_t bit_model;

WS_INLINE bit_model new_bit_model(uint32_t p, uint32_t age) { return (uint64_t)age << 32 | p << 16 | p; }

WS_INLINE uint32_t code_bit(coder *c, const int encoding, bit_model *model, uint32_t bit) {
    const bit_model m = *model;
    uint32_t fast = (uint32_t)(m & 0xFFFF), slow = (uint32_t)(m >> 16 & 0xFFFF);
    const uint32_t p = (fast + slow) >> 2 | 1, age = (uint32_t)(m >> 32), rates = RATES[age];
    if (!encoding) bit = (c->state & (ONE - 1)) < p;
    code_interval(c, encoding, bit ? 0 : p, bit ? p : ONE - p);
    ws_count(model, bit);
    const uint32_t flip = (0u - bit) & 0xFFFF; /* for a 1 the estimates are taken from the other side */
    fast ^= flip, slow ^= flip;
    fast = (fast - (fast >> (rates & 15))) ^ flip, slow = (slow - (slow >> (rates >> 4))) ^ flip;
    *model = (uint64_t)(age + (age < MODEL_AGES - 1)) << 32 | slow << 16 | fast;
    return bit;
}

/* 0..15 bits without a model. */
WS_INLINE uint32_t code_plain(coder *c, const int encoding, uint32_t bits, uint32_t value) {
    if (!encoding) value = (uint32_t)(c->state & (ONE - 1)) >> (SCALE - bits);
    code_interval(c, encoding, value << (SCALE - bits), 1u << (SCALE - bits));
    return value;
}

/* Exponential Golomb: the number of bits of value + 1 in unary, then those bits but the first. Values up to 2^16. */
WS_INLINE uint32_t code_golomb(coder *c, const int encoding, bit_model *prefix, uint32_t value) {
    const uint32_t v = value + 1;
    uint32_t bits = 0;
    while (bits < 16 && code_bit(c, encoding, &prefix[bits], v >> (bits + 1) != 0)) bits++;
    const uint32_t low = bits > 8 ? 8 : bits,
                   high = code_plain(c, encoding, bits - low, (v & ((1u << bits) - 1)) >> low);
    return (1u << bits | high << low | code_plain(c, encoding, low, v & ((1u << low) - 1))) - 1;
}

static inline void start_reading(coder *c, const uint8_t *bytes, uint32_t size) {
    c->in = bytes, c->in_end = bytes + size, c->state = 0;
    const uint32_t low = next_word(c);
    c->state = (uint64_t)next_word(c) << 32 | low;
}

static inline void start_writing(coder *c, uint8_t *out, uint32_t capacity) {
    uint8_t *aligned = (uint8_t *)(((uintptr_t)out + 3) & ~(uintptr_t)3);
    c->note = c->notes = (uint32_t *)(void *)aligned;
    c->notes_end = c->notes + (capacity - 8) / 4;
}

/* The state before [start, start + frequency) of 2^15 is taken from it: the remainder of state / frequency stays, the
 * quotient moves up. `frequency` is known long before `state`, and the next step waits for this one. So where 128-bit
 * products are, the quotient is a product with a reciprocal that is too small by up to 2^-51 of it: with a state below
 * frequency * 2^48 it is the quotient or one less. */
WS_INLINE uint64_t state_before(uint64_t state, uint32_t start, uint32_t frequency) {
    const uint32_t log = 31 - (uint32_t)__builtin_clz(frequency);
    if ((frequency & (frequency - 1)) == 0) /* plain bits, one after another */
        return (state >> log << SCALE) + (state & (frequency - 1)) + start;
#if defined(__SIZEOF_INT128__) && !defined(__wasm__)
    const double inverse = 1.0 / (double)(int32_t)frequency;
    uint64_t bits;
    __builtin_memcpy(&bits, &inverse, sizeof bits);
    const uint64_t reciprocal = (bits << 11 | 1ull << 63) - (1 << 11), /* of 2^(64 + log) */
        quotient = (uint64_t)((unsigned __int128)state * reciprocal >> 64) >> log, rest = state - quotient * frequency;
    return (quotient << SCALE) + rest + start + (rest >= frequency ? ONE - frequency : 0);
#else
    return state + state / frequency * (ONE - frequency) + start;
#endif
}

/* Codes the notes from the last to the first into the end of their own buffer, moves the bytes to `out` and drops
 * trailing zeros, which a reader adds again. Returns the number of bytes, UINT32_MAX if they do not fit. A note
 * becomes one word at most, and 8 bytes behind the notes are free: bytes never reach the notes before them. */
static inline uint32_t finish_writing(coder *c, uint8_t *out, uint32_t capacity) {
    uint8_t *p = out + capacity;
    uint64_t state = STATE_LOW;
    if (c->note >= c->notes_end) return UINT32_MAX;
    for (const uint32_t *note = c->note; note-- > c->notes;) {
        const uint32_t start = *note >> 16, frequency = *note & 0xFFFF;
        const uint32_t due = state >= (uint64_t)frequency << 48, word = (uint32_t)state;
        __builtin_memcpy(p - WORD, &word, sizeof word); /* without a branch, which would be guessed wrong */
        p -= due * WORD;
        state = state_before(due ? state >> 32 : state, start, frequency);
    }
    for (uint32_t i = STATE_BYTES; i-- > 0;) *--p = (uint8_t)(state >> 8 * i);
    uint32_t size = (uint32_t)(out + capacity - p);
    __builtin_memmove(out, p, size);
    while (size > 0 && out[size - 1] == 0) size--;
    return size;
}

#endif
