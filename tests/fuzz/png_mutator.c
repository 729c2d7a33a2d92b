/* png_mutator.c: a mutation of libFuzzer whose chunks have their checksums again, most times: a decoder that checks
 * them would look at little else. */
#include <libdeflate.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SIGNATURE = 8, CHUNK_HEAD = 8, CHECKSUM = 4, LENGTH = 4 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static uint32_t read_be32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void write_be32(uint8_t *bytes, uint32_t value) {
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Of each chunk that is there in full, if it is a PNG. */
static void mend_checksums(uint8_t *data, size_t size) {
    size_t at = SIGNATURE;
    if (size < SIGNATURE || memcmp(data, "\x89PNG\r\n\x1a\n", SIGNATURE) != 0) return;
    while (size - at >= CHUNK_HEAD + CHECKSUM) {
        uint8_t *const chunk = data + at;
        const uint32_t length = read_be32(chunk);
        if (length > size - at - CHUNK_HEAD - CHECKSUM) return;
        write_be32(chunk + CHUNK_HEAD + length, libdeflate_crc32(0, chunk + LENGTH, CHUNK_HEAD - LENGTH + length));
        at += CHUNK_HEAD + CHECKSUM + (size_t)length;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
    const size_t mutated = LLVMFuzzerMutate(data, size, max_size);
    if (seed % 8) mend_checksums(data, mutated);
    return mutated;
}
