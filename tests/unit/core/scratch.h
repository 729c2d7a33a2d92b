/* scratch.h: a fresh folder for a test program, and looks at what lies in it. */
#ifndef DV_TESTS_CORE_SCRATCH_H
#define DV_TESTS_CORE_SCRATCH_H

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SCRATCH_PATH = 4096 };
static char scratch_folder[SCRATCH_PATH / 2];

/* The path of `name` in the folder; good until the eighth call after this one. */
static inline const char *scratch(const char *name) {
    static char paths[8][SCRATCH_PATH];
    static size_t next;
    char *path = paths[next++ % 8];
    snprintf(path, SCRATCH_PATH, "%s/%s", scratch_folder, name);
    return path;
}

static inline int scratch_open(void **state) {
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(scratch_folder, sizeof scratch_folder, "%s/denseval-test-XXXXXX", base && *base ? base : "/tmp");
    return mkdtemp(scratch_folder) ? 0 : -1;
}

/* Removes the folder and what is in it, without the code under test. */
static inline int scratch_close(void **state) {
    (void)state;
    char command[SCRATCH_PATH];
    snprintf(command, sizeof command, "rm -rf -- '%s'", scratch_folder);
    return system(command);
}

static inline int scratch_write(const char *name, const void *bytes, size_t n) {
    FILE *file = fopen(scratch(name), "wb");
    if (!file) return -1;
    const size_t n_written = fwrite(bytes, 1, n, file);
    return fclose(file) == 0 && n_written == n ? 0 : -1;
}

static inline int scratch_write_text(const char *name, const char *text) {
    return scratch_write(name, text, strlen(text));
}

/* The text of a file; "" when it is not there. Good until the next call. */
static inline const char *scratch_text(const char *name) {
    static char text[SCRATCH_PATH];
    FILE *file = fopen(scratch(name), "rb");
    const size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) fclose(file);
    text[n] = '\0';
    return text;
}

static inline int scratch_exists(const char *name) {
    struct stat found;
    return lstat(scratch(name), &found) == 0;
}

/* Entries of a folder in the scratch folder ("." is the folder itself), hidden ones included. */
static inline size_t scratch_count(const char *name) {
    size_t n = 0;
    DIR *folder = opendir(scratch(name));
    if (!folder) return 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return n;
}

#endif
