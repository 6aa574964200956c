/* Native speed of one block: bench_decode FILE (concatenated layers) [ROUNDS]. Prints processor time in
 * milliseconds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "wavescope_kernel.h"

int main(int argc, char **argv) {
    static uint8_t bytes[8 << 20];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : 0;
    if (!file) return 2;
    uint32_t size = (uint32_t)fread(bytes, 1, sizeof bytes, file);
    int rounds = argc > 2 ? atoi(argv[2]) : 30;
    ws_header header;
    uint8_t *scratch = aligned_alloc(64, ws_scratch_bytes());
    int16_t *parent = aligned_alloc(64, 3 << 20), *samples = aligned_alloc(64, 3 << 20);
    double best = 1e9;
    fclose(file);
    if (ws_read_header(bytes, size, &header) < 0) return 3;
    for (int i = 0; i < 3 * WS_TILE * WS_TILE; i++) parent[i] = 0;
    for (int i = 0; i < rounds; i++) {
        clock_t start = clock();
        if (ws_decode_tile(parent, 0, 0, (uint32_t)header.channels, bytes, size, samples, scratch)) return 4;
        double took = 1000.0 * (double)(clock() - start) / CLOCKS_PER_SEC;
        if (took < best) best = took;
    }
    printf("%u bytes: %.2f ms\n", size, best);
    return 0;
}
