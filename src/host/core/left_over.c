#include "core/left_over.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/kernel_id.h"
#include "core/log.h"
#include "core/target.h"
#include "denseval/hash.h"

enum {
    NAME_PART = 64, /* bytes of the target's name that a temporary name repeats, for whoever finds one left over */
    KERNEL_DIGITS = 8,
    DIGITS = 16 /* with those of the kernel */
};
_Static_assert(1 + NAME_PART + 1 + DIGITS + sizeof DV_TEMPORARY_SUFFIX <= DV_TEMPORARY_SIZE, "a name has room");

/* The digits that names of this kernel begin with; false: it does not tell which it is. */
static bool kernel_digits(char digits[KERNEL_DIGITS + 1]) {
    char id[DV_KERNEL_ID_SIZE], hash[DV_HASH_TEXT_SIZE];
    dv_kernel_id(id);
    dv_hash_bytes(id, strlen(id), hash);
    snprintf(digits, KERNEL_DIGITS + 1, "%s", strchr(hash, ':') + 1);
    return *id != '\0';
}

bool dv_temporary_name(const char *name, char text[DV_TEMPORARY_SIZE]) {
    char kernel[KERNEL_DIGITS + 1];
    uint32_t number;
    kernel_digits(kernel);
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) return false;
    snprintf(text, DV_TEMPORARY_SIZE, ".%.*s.%s%08" PRIx32 DV_TEMPORARY_SUFFIX, NAME_PART, name, kernel, number);
    return true;
}

bool dv_temporary_hold(const char *path, int *lock) {
    struct stat held, named;
    *lock = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (*lock < 0) return errno != ENOENT;
    if (flock(*lock, LOCK_SH | LOCK_NB) == 0) { /* shared: a folder of NFS takes no other */
        if (fstat(*lock, &held) == 0 && lstat(path, &named) == 0 && held.st_ino == named.st_ino) return true;
    } else if (errno != EWOULDBLOCK) {
        return true;
    }
    close(*lock);
    *lock = -1;
    return false;
}

/* The digits of ".NAME.DIGITS.tmp"; NULL: it is no such name. */
static const char *temporary_digits(const char *name, const char *entry) {
    char expected[DV_TEMPORARY_SIZE];
    const int length = snprintf(expected, sizeof expected, ".%.*s.", NAME_PART, name);
    if (strncmp(entry, expected, (size_t)length) != 0) return NULL;
    entry += length;
    const bool is_one = strspn(entry, "0123456789abcdef") == DIGITS && strcmp(entry + DIGITS, DV_TEMPORARY_SUFFIX) == 0;
    return is_one ? entry : NULL;
}

/* The folder of a path, opened; NULL where it cannot be. *name: what follows it */
static DIR *open_folder(const char *path, char **folder, const char **name) {
    const char *const slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("./");
    return *folder ? opendir(*folder) : NULL;
}

static void close_folder(DIR *entries, char *folder) {
    if (entries) closedir(entries);
    free(folder);
}

void dv_remove_left_over(const char *path) {
    char *folder;
    const char *name;
    DIR *const entries = open_folder(path, &folder, &name);
    for (const struct dirent *entry; entries && (entry = readdir(entries)) != NULL;)
        if (temporary_digits(name, entry->d_name)) unlinkat(dirfd(entries), entry->d_name, 0);
    close_folder(entries, folder);
}

/* Writers make files and folders, nothing else. */
static bool is_kind_of_ours(int opened) {
    struct stat found;
    return fstat(opened, &found) == 0 && (S_ISREG(found.st_mode) || S_ISDIR(found.st_mode));
}

/* A lock that no living writer allows; -1: there is one, or none can be had. */
static int lock_abandoned(int folder, const char *entry) {
    int lock = openat(folder, entry, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (lock < 0 && errno == EISDIR) lock = openat(folder, entry, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_DIRECTORY);
    if (lock < 0 || (is_kind_of_ours(lock) && flock(lock, LOCK_EX | LOCK_NB) == 0)) return lock;
    close(lock);
    return -1;
}

static void remove_abandoned(DIR *entries, const char *folder, const char *entry) {
    char *path = NULL;
    const int lock = lock_abandoned(dirfd(entries), entry);
    if (lock < 0) return;
    if (asprintf(&path, "%s%s", folder, entry) >= 0) {
        if (dv_remove_tree(path) == 0) dv_log(DV_LOG_INFO, "%s: left over by a process that was killed; removed", path);
        free(path);
    }
    close(lock);
}

void dv_remove_abandoned(const char *path) {
    char kernel[KERNEL_DIGITS + 1], *folder;
    const char *name, *digits;
    if (!kernel_digits(kernel)) return;
    DIR *const entries = open_folder(path, &folder, &name);
    for (const struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        digits = temporary_digits(name, entry->d_name);
        if (digits && strncmp(digits, kernel, KERNEL_DIGITS) == 0) remove_abandoned(entries, folder, entry->d_name);
    }
    close_folder(entries, folder);
}
