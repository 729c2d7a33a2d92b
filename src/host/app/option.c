#include "app/option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/message.h"
#include "denseval/nearest.h"

enum { DISPLAY_SIZE = 80 };

/* An argument taken apart: dashes, name, and a value behind `=` (NULL without one). */
typedef struct split_argument {
    bool is_long;
    char name[DISPLAY_SIZE]; /* cut: no option has such a long name */
    const char *value;
} split_argument;

const char *dv_option_display(const dv_option *option, char *text, size_t size) {
    snprintf(text, size, "%s%s", option->name[1] ? "--" : "-", option->name);
    return text;
}

static split_argument split(const char *argument) {
    split_argument parts = {.is_long = argument[1] == '-'};
    const char *const name = argument + (parts.is_long ? 2 : 1);
    size_t length = parts.is_long ? strcspn(name, "=") : 1;
    if (name[length]) parts.value = name + length + (name[length] == '=');
    if (length >= sizeof parts.name) length = sizeof parts.name - 1;
    memcpy(parts.name, name, length);
    return parts;
}

const dv_option_slot *dv_options_find(const dv_option_slot *slots, size_t n_slots, const char *name) {
    for (size_t i = 0; i < n_slots; i++)
        if (strcmp(slots[i].option->name, name) == 0) return &slots[i];
    return NULL;
}

static dv_option_slot *find_slot(dv_option_slot *slots, size_t n_slots, const split_argument *parts) {
    for (size_t i = 0; i < n_slots; i++) {
        const char *const name = slots[i].option->name;
        if (parts->is_long == (name[1] != '\0') && strcmp(name, parts->name) == 0) return &slots[i];
    }
    return NULL;
}

static dv_status refuse_unknown(const dv_option_slot *slots, size_t n_slots, const split_argument *parts) {
    const dv_option *nearest = NULL;
    size_t nearest_distance = SIZE_MAX;
    for (size_t i = 0; i < n_slots; i++) {
        const size_t distance = dv_text_distance(parts->name, slots[i].option->name);
        if (distance < nearest_distance) {
            nearest = slots[i].option;
            nearest_distance = distance;
        }
    }
    const char *const dashes = parts->is_long ? "--" : "-";
    if (!nearest) return dv_app_fail(DV_E_USAGE, "%s%s: unknown option", dashes, parts->name);
    char display[DISPLAY_SIZE];
    return dv_app_fail(DV_E_USAGE, "%s%s: unknown option; the nearest known one is %s", dashes, parts->name,
                       dv_option_display(nearest, display, sizeof display));
}

/* One option at arguments[*next]; moves *next past it and its value. */
static dv_status parse_option(dv_option_slot *slots, size_t n_slots, size_t n_arguments, char *const *arguments,
                              size_t *next) {
    split_argument parts = split(arguments[(*next)++]);
    dv_option_slot *const slot = find_slot(slots, n_slots, &parts);
    if (!slot) return refuse_unknown(slots, n_slots, &parts);
    const dv_option *const option = slot->option;
    char display[DISPLAY_SIZE];
    dv_option_display(option, display, sizeof display);
    if (option->type == DV_OPT_FLAG) {
        if (parts.value) return dv_app_fail(DV_E_USAGE, "%s: takes no value, but has '%s'", display, parts.value);
        slot->given = true;
        *(bool *)slot->target = true;
        return DV_OK;
    }
    if (slot->given) return dv_app_fail(DV_E_USAGE, "%s: given more than once", display);
    if (!parts.value && *next < n_arguments && strncmp(arguments[*next], "--", 2) != 0)
        parts.value = arguments[(*next)++];
    if (!parts.value || !*parts.value) return dv_app_fail(DV_E_USAGE, "%s: needs a value, %s", display, option->value);
    slot->given = true;
    return dv_option_set(slot, parts.value);
}

dv_status dv_options_parse(dv_option_slot *slots, size_t n_slots, size_t n_arguments, char *const *arguments,
                           dv_path_list *files) {
    bool options_ended = false;
    for (size_t next = 0; next < n_arguments;) {
        const char *const argument = arguments[next];
        if (!options_ended && strcmp(argument, "--") == 0) {
            options_ended = true;
            next++;
        } else if (options_ended || argument[0] != '-' || argument[1] == '\0') {
            DV_TRY(dv_path_list_add(files, argument));
            next++;
        } else {
            DV_TRY(parse_option(slots, n_slots, n_arguments, arguments, &next));
        }
    }
    return DV_OK;
}

void dv_options_clear(dv_option_slot *slots, size_t n_slots) {
    for (size_t i = 0; i < n_slots; i++) {
        if (!slots[i].target) continue;
        if (slots[i].option->type == DV_OPT_PATHS) dv_path_list_clear(slots[i].target);
        if (slots[i].option->type == DV_OPT_NUMBERS) {
            dv_number_list *const list = slots[i].target;
            free(list->values);
            *list = (dv_number_list){0};
        }
        if (slots[i].option->type == DV_OPT_SIZES) {
            dv_size_list *const list = slots[i].target;
            free(list->values);
            *list = (dv_size_list){0};
        }
    }
}
