/* folder_content.h: is a folder one of our results, so that it may be replaced? */
#ifndef DV_CORE_FOLDER_CONTENT_H
#define DV_CORE_FOLDER_CONTENT_H

#include "denseval/status.h"

/* The file that marks a folder as a result of this program; it lists the files in it that are no PNG. */
#define DV_FOLDER_MARK ".denseval-result"

/* Puts the mark into a folder of ours, when all else is in it. */
DV_MUST_USE dv_status dv_folder_mark(const char *folder);

/* DV_OK where a folder may be replaced: it is empty, or it has the mark and below it are only the mark, folders, PNG
 * files, and files that the mark lists. Else DV_E_USAGE naming what else is there: nobody's files are removed for the
 * sake of a result. */
DV_MUST_USE dv_status dv_folder_check_ours(const char *folder);

#endif
