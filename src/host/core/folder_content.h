/* folder_content.h: is a folder one of our results, so that it may be replaced? */
#ifndef DV_CORE_FOLDER_CONTENT_H
#define DV_CORE_FOLDER_CONTENT_H

#include <stdbool.h>

#include "denseval/status.h"

/* The file that marks a folder as a result of this program. It lists the files of the result, a line each; PNG files
 * need not stand there. */
#define DV_FOLDER_MARK ".denseval-result"

/* A folder with this file in it is the output of a run that is not finished. */
#define DV_FOLDER_JOURNAL "run.journal"

/* What else such a run has in its folder: who is at work, and the result files in the making. */
#define DV_FOLDER_OWNER "run.owner"
#define DV_FOLDER_STAGE ".staging"

/* A file of a result whose links are ours too; it tells what they are. */
#define DV_FOLDER_MANIFEST "manifest.json"

/* Marks a new folder, whose content is all ours: lists what is in it but PNG files and symbolic links. */
DV_MUST_USE dv_status dv_folder_mark(const char *folder);

/* Marks a folder with these lines; an older mark is replaced at once. */
DV_MUST_USE dv_status dv_folder_write_mark(const char *folder, const char *names);

/* The lines of a folder's mark; "" where it has none. *names: the caller's until free(). */
DV_MUST_USE dv_status dv_folder_read_mark(const char *folder, char **names);

/* All files below a folder but its mark, a line "SUB/FILE" each, in the order of bytes. What is no file or folder, or
 * has a line break in its name, is DV_E_USAGE. *names: the caller's until free(). */
DV_MUST_USE dv_status dv_folder_list_files(const char *folder, char **names);

/* Is `name` a line of `names`? */
bool dv_names_have(const char *names, const char *name);

/* DV_OK where a folder may be replaced: it is empty, or it has the mark, and in it are only folders, the files that the
 * mark lists, PNG files, links where it lists a manifest, and temporary files that a killed process left. Else
 * DV_E_USAGE naming what else is there: nobody's files are removed for the sake of a result. */
DV_MUST_USE dv_status dv_folder_check_ours(const char *folder);

/* The same for a run that takes over from another one in its own folder: journal, owner and stage may be there, as a
 * killed process leaves them. */
DV_MUST_USE dv_status dv_folder_check_run(const char *folder);

#endif
