/* Native speed of one block: bench_decode PARAMETERS (a parameter set) FILE (concatenated layers) [ROUNDS]. Prints
 * processor time in milliseconds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "wavescope_kernel.h"

static uint32_t load(const char *name, uint8_t *to, uint32_t most) {
    FILE *file = fopen(name, "rb");
    if (!file) exit(2);
    uint32_t size = (uint32_t)fread(to, 1, most, file);
    fclose(file);
    return size;
}

int main(int argc, char **argv) {
    static uint8_t bytes[8 << 20];
    if (argc < 3) return 2;
    int rounds = argc > 3 ? atoi(argv[3]) : 30;
    ws_parameters parameters;
    ws_address address;
    if (ws_read_parameters(bytes, load(argv[1], bytes, sizeof bytes), &parameters)) return 3;
    const uint32_t size = load(argv[2], bytes, sizeof bytes);
    if (ws_read_address(bytes, size, &parameters, &address)) return 3;
    uint8_t *scratch = aligned_alloc(64, ws_scratch_bytes());
    int16_t *parent = aligned_alloc(64, 3 << 20), *samples = aligned_alloc(64, 3 << 20);
    double best = 1e9;
    for (int i = 0; i < 3 * WS_TILE * WS_TILE; i++) parent[i] = 0;
    for (int i = 0; i < rounds; i++) {
        clock_t start = clock();
        if (ws_decode_tile(parent, &parameters, &address, bytes, size, samples, scratch)) return 4;
        double took = 1000.0 * (double)(clock() - start) / CLOCKS_PER_SEC;
        if (took < best) best = took;
    }
    printf("%u bytes: %.2f ms\n", size, best);
    return 0;
}
