/* regular_file.h: opening what must be a file: a pipe would make its reader wait for a writer. */
#ifndef DV_CORE_REGULAR_FILE_H
#define DV_CORE_REGULAR_FILE_H

#include <stdio.h>

/* Opens a file to be read. Never waits. An errno: EISDIR for a folder, EINVAL for another thing that is no regular
 * file. *stream: the caller's until fclose; NULL on failure */
int dv_regular_file_open(const char *path, FILE **stream);

#endif
