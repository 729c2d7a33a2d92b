/* names.h: a list of names. */
#ifndef DENSEVAL_NAMES_H
#define DENSEVAL_NAMES_H

#include <stddef.h>

/* Zeroed it is empty. Names are bytes. */
typedef struct dv_names {
    size_t n;
    char **names; /* [n], owned by whoever made the list */
} dv_names;

#endif
