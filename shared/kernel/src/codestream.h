/* The byte layout of layers, shared by decode.c and encode.c. */
#ifndef WS_CODESTREAM_H
#define WS_CODESTREAM_H

#include "internal.h"

enum {
    WS_MAGIC_BYTE = 0x57,
    WS_PREFIX_BYTES = 8,
    WS_CHECKSUM_BYTES = 4,
    WS_BINDING_BYTES = 4,
    WS_WORKSPACE_BYTES = 1 << 20 /* of the scratch: the entropy coder's */
};

/* Little-endian. */
uint32_t ws_get32(const uint8_t *p);
void ws_put32(uint8_t *p, uint32_t v);

/* Header of layer 0 to bytes; returns its length. */
uint32_t ws_write_header(const ws_header *h, uint8_t *out);

/* The fields after the prefix; returns where the payload begins, or a negative result. */
int ws_parse_header(const uint8_t *bytes, uint32_t size, ws_header *h);

/* Prefix and checksum of the layer at `bytes`; returns its length, or a negative result. */
int32_t ws_check_layer(const uint8_t *bytes, uint32_t size, uint32_t index);

/* The sides on which a quadrant has its siblings; `flat`: see ws_siblings. */
WS_INLINE ws_siblings ws_siblings_of(uint32_t qx, uint32_t qy, uint8_t flat) {
    const ws_siblings siblings = {qx == 1, qx == 0, qy == 1, qy == 0, flat};
    return siblings;
}

#endif
