#include "app/help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/common.h"

enum { WIDTH = 100, HELP_COLUMN = 28, LABEL_SIZE = 160 };

/* Prints words from `column` on, with every further line indented to `indent`. */
static void print_wrapped(const char *text, size_t column, size_t indent) {
    const char *word = text;
    for (size_t length = strcspn(word, " "); length; length = strcspn(word, " ")) {
        if (word != text && column + 1 + length > WIDTH) {
            dv_print("\n%*s", (int)indent, "");
            column = indent;
        } else if (word != text) {
            dv_print(" ");
            column++;
        }
        dv_print("%.*s", (int)length, word);
        column += length;
        word += length + (word[length] == ' ');
    }
    dv_print("\n");
}

/* A label, and its text in the column that all of them share; on the next line where the label is too long. */
static void print_row(const char *label, const char *text) {
    const size_t length = strlen(label) + 2;
    dv_print("  %s", label);
    if (length + 2 > HELP_COLUMN)
        dv_print("\n%*s", HELP_COLUMN, "");
    else
        dv_print("%*s", (int)(HELP_COLUMN - length), "");
    print_wrapped(text, HELP_COLUMN, HELP_COLUMN);
}

static void print_subcommands(const dv_command *command, const char *path) {
    dv_print("\nCommands:\n");
    for (const dv_command *const *sub = command->subcommands; *sub; sub++) print_row((*sub)->name, (*sub)->summary);
    if (!command->run) {
        dv_print("\nOptions:\n");
        print_row("--help", "print this help");
    }
    if (command == &dv_root_command) print_row("--version", "print version, build, processor and backends");
    dv_print("\n%s COMMAND --help tells more about a command.\n", path);
}

static dv_status print_options(const dv_command *command) {
    dv_option_slot *slots = NULL;
    size_t n_slots = 0;
    const dv_status status = dv_command_slots(command, NULL, NULL, &slots, &n_slots);
    const char *heading = "";
    for (size_t i = 0; i < n_slots; i++) {
        const dv_option *const option = slots[i].option;
        char name[LABEL_SIZE], label[LABEL_SIZE + LABEL_SIZE];
        if (strcmp(heading, slots[i].heading) != 0) dv_print("\n%s:\n", heading = slots[i].heading);
        dv_option_display(option, name, sizeof name);
        snprintf(label, sizeof label, "%s%s%s", name, option->value ? " " : "", option->value ? option->value : "");
        print_row(label, option->help);
    }
    free(slots);
    return status;
}

dv_status dv_help_print(const dv_command *command, const char *path) {
    dv_print("Usage: %s %s\n\n", path, command->usage);
    dv_print("%s.\n", command->summary);
    dv_status status = DV_OK;
    if (command->run) status = print_options(command);
    if (command->subcommands) print_subcommands(command, path);
    if (command->notes) {
        dv_print("\n");
        print_wrapped(command->notes, 0, 0);
    }
    return status;
}
