#include "report/html_figures.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "io/folder.h"
#include "report/beside.h"

/* The name of a figure, or how it begins, and what such a figure shows. */
typedef struct kind {
    const char *name;
    bool begins; /* there may be more behind it, after '_' or '-' */
    const char *shows;
} kind;

static const kind kinds[] = {
    {"absolute", true,
     "mIoU of all classes in every viewpoint bin; rings: bins of the memory bank; bands: 95 % intervals"},
    {"normalised", true, "mIoU over that of the reference bin; crosses: breaking points; bands: 95 % intervals"},
    {"difficulty", false, "Experiment A: mIoU of the objects by difficulty"},
    {"memory", false, "Experiment A: mIoU of the objects by memory size"},
    {"classes", true, "IoU of each class over that of the reference bin, cut off above 2; thick: all classes"},
    {"class_differences", true,
     "IoU of each class over that of the reference bin, less that of all classes, cut off beyond 1"},
    {"provenance", true, "where neighbours come from: query bin by bank bin, share of neighbours"},
    {"breaking", true, "share of resamples that break at each bin, by encoder"},
    {"wins", true, "share of resamples in which the encoder of the row is above that of the column"},
    {"curves", true, "J and F over the frames of each sequence"},
    {"objects", false, "J&amp;F by the number of objects, a point a scene and motion type"},
    {"iou", false, "IoU of the targets by category and method: median, quartiles, whiskers and outliers"},
};

const char *dv_html_figure_shows(const char *name) {
    const char *const base = name + dv_folder_bytes(name);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t length = strlen(kinds[i].name);
        if (strncmp(base, kinds[i].name, length) != 0) continue;
        const char *const next = base + length;
        if (next == name + dv_stem_length(name) || (kinds[i].begins && (*next == '_' || *next == '-')))
            return kinds[i].shows;
    }
    return "";
}
