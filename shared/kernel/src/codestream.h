/* The byte layout of parameter sets and layers, shared by decode.c and encode.c. */
#ifndef WS_CODESTREAM_H
#define WS_CODESTREAM_H

#include "internal.h"

enum {
    WS_CHECKSUM_BYTES = 4,
    WS_LENGTH_BYTES = 4,     /* longest length of a layer: 28 bits */
    WS_ADDRESS_BYTES = 3 * 3 /* longest address */
};

/* Little-endian. */
uint32_t ws_get32(const uint8_t *p);
void ws_put32(uint8_t *p, uint32_t v);

/* Unsigned LEB128; both return the number of bytes. Reading: WS_TRUNCATED; WS_HEADER if it is longer than `most` bytes
 * or not in its shortest form. */
uint32_t ws_put_leb128(uint8_t *p, uint32_t v);
int ws_get_leb128(const uint8_t *p, uint32_t size, uint32_t most, uint32_t *value);

/* The address in layer 0 (CS5); both return the number of bytes, reading a negative result. */
uint32_t ws_put_address(uint8_t *p, const ws_parameters *h, const ws_address *address);
int ws_get_address(const uint8_t *p, uint32_t size, const ws_parameters *h, ws_address *address);

int ws_check_address(const ws_parameters *h, const ws_address *address);

/* The checksum of a layer: `size` bytes from its length on (CS6). */
uint32_t ws_layer_checksum(const ws_parameters *h, const ws_address *address, uint32_t layer, const uint8_t *bytes,
                           uint32_t size);

/* The sides on which a quadrant has its siblings, with `flat` as coded. */
WS_INLINE ws_siblings ws_siblings_of(const ws_parameters *header, const ws_address *address, uint32_t flat) {
    const uint8_t right = address->x & 1, below = address->y & 1;
    ws_siblings siblings = ws_alone(header, flat);
    siblings.left = right, siblings.right = !right, siblings.above = below, siblings.below = !below;
    return siblings;
}

/* Where the quadrant of a tile begins in a plane of its parent. */
WS_INLINE uint32_t ws_quadrant_offset(const ws_address *address) {
    return (address->y & 1) * WS_HALF * WS_TILE + (address->x & 1) * WS_HALF;
}

#endif
