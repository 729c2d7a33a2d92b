#include "report/html_figures.h"

#include <stddef.h>
#include <string.h>

#include "io/folder.h"
#include "report/beside.h"

/* The first word of a name, and what such a figure shows. */
static const char *const kinds[][2] = {
    {"absolute", "mIoU of all classes in every viewpoint bin; rings: bins of the memory bank; bands: 95 % intervals"},
    {"normalised", "mIoU over that of the reference bin; crosses: breaking points; bands: 95 % intervals"},
    {"difficulty", "Experiment A: mIoU of the objects by difficulty"},
    {"memory", "Experiment A: mIoU of the objects by memory size"},
    {"classes", "IoU of each class over that of the reference bin, cut off above 2; thick: all classes"},
    {"class_differences", "the same of each class less that of all classes, cut off beyond 1"},
    {"provenance", "where neighbours come from: query bin by bank bin, share of neighbours"},
    {"breaking", "share of resamples that break at each bin, by encoder"},
    {"wins", "share of resamples in which the encoder of the row is above that of the column"},
    {"curves", "J and F over the frames of each sequence"},
    {"objects", "J&amp;F by the number of objects, a point a scene and motion type"},
    {"iou", "IoU of the targets by category and method: median, quartiles, whiskers and outliers"},
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

const char *dv_html_figure_shows(const char *name) {
    const char *const base = name + dv_folder_bytes(name);
    for (size_t i = 0; i < N_KINDS; i++) {
        const size_t length = strlen(kinds[i][0]);
        const char next = strncmp(base, kinds[i][0], length) == 0 ? base[length] : '\0';
        if (next == '_' || next == '-' || (next == '.' && base + length == name + dv_stem_length(name)))
            return kinds[i][1];
    }
    return "";
}
