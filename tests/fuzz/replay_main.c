/* replay_main.c: gives every file of a folder to the fuzz program that it is linked with, where libFuzzer is not. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

/* Reads a whole file; NULL when that fails. The caller's until free(). */
static uint8_t *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    uint8_t *bytes = NULL;
    long end = -1;
    if (fseek(file, 0, SEEK_END) == 0) end = ftell(file);
    if (end >= 0 && fseek(file, 0, SEEK_SET) == 0)
        bytes = malloc((size_t)end + 1); /* + 1: an empty file is an input too */
    if (bytes && fread(bytes, 1, (size_t)end, file) != (size_t)end) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    *size = end < 0 ? 0 : (size_t)end;
    return bytes;
}

/* A copy of just the right size, so that the address sanitizer sees a read behind the end. */
static int replay(const char *path) {
    size_t size = 0;
    uint8_t *bytes = read_file(path, &size);
    uint8_t *exact = bytes ? malloc(size ? size : 1) : NULL;
    if (!exact) {
        fprintf(stderr, "%s: cannot be read\n", path);
        free(bytes);
        return 1;
    }
    memcpy(exact, bytes, size);
    free(bytes);
    const int failed = LLVMFuzzerTestOneInput(exact, size) != 0;
    free(exact);
    return failed;
}

int main(int argc, char **argv) {
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (!folder) {
        fprintf(stderr, "usage: %s CORPUS_DIR\n", argv[0]);
        return 2;
    }
    size_t n_files = 0;
    int failed = 0;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char path[4096];
        const int length = snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        if (entry->d_name[0] == '.' || length < 0 || (size_t)length >= sizeof path) continue;
        failed |= replay(path);
        n_files++;
    }
    closedir(folder);
    printf("%zu files replayed\n", n_files);
    return failed || n_files == 0;
}
