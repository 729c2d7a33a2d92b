/* memory_file.h: bytes as a file with a name, without a disk. */
#ifndef DV_TESTS_FUZZ_MEMORY_FILE_H
#define DV_TESTS_FUZZ_MEMORY_FILE_H

#include <stddef.h>
#include <stdint.h>

enum { MEMORY_FILE_PATH_SIZE = 64 };

/* Gives the bytes a path that can be opened until the file is closed. Ends the process where the system refuses.
 * data  [size], borrowed for the call
 * path  char [MEMORY_FILE_PATH_SIZE], written
 * Returns the descriptor, which memory_file_close takes. */
int memory_file_open(const uint8_t *data, size_t size, char *path);
void memory_file_close(int descriptor);

#endif
