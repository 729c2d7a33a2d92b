#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/yaml_tree.h"

static dv_status parse(const char *text, dv_yaml_node **root) {
    return dv_yaml_parse(text, strlen(text), root);
}

static void refuse(const char *text, const char *message) {
    dv_yaml_node *root;
    assert_int_equal(parse(text, &root), DV_E_DATA);
    assert_null(root);
    assert_string_equal(dv_last_error(), message);
}

static void nodes_know_kind_text_and_line(void **state) {
    (void)state;
    dv_yaml_node *root;
    assert_int_equal(parse("\xef\xbb\xbf# c\r\na: 1\r\nb: [x, \"y\"]\r\n\r\nc:\r\n  d: ''", &root), DV_OK);
    assert_int_equal(root->kind, DV_YAML_MAP);
    assert_int_equal(root->n_items, 3);
    assert_string_equal(root->items[0].key, "a");
    assert_string_equal(root->items[0].text, "1");
    assert_true(root->items[0].plain);
    assert_int_equal(root->items[0].line, 2);
    assert_int_equal(root->items[1].kind, DV_YAML_LIST);
    assert_int_equal(root->items[1].n_items, 2);
    assert_null(root->items[1].items[0].key);
    assert_string_equal(root->items[1].items[1].text, "y");
    assert_false(root->items[1].items[1].plain);
    assert_int_equal(root->items[2].items[0].line, 6);
    assert_string_equal(root->items[2].items[0].text, "");
    dv_yaml_free(root);
}

static void faults_name_their_line(void **state) {
    (void)state;
    refuse("", "line 1: the file is empty");
    refuse("a: 1\n---\nb: 2\n", "line 2: a second document begins: there must be one");
    refuse("a: 1\nb: &x 2\n", "line 2: anchors and aliases are not taken: write the value out");
    refuse("a: 1\n&x b: 2\n", "line 2: anchors and aliases are not taken: write the value out");
    refuse("a: [1,\n *x]\n", "line 2: anchors and aliases are not taken: write the value out");
    refuse("a: !!str 5\n", "line 1: tags are not taken: tag:yaml.org,2002:str");
    refuse("a: !!seq [5]\n", "line 1: tags are not taken: tag:yaml.org,2002:seq");
    refuse("a: 1\n[b]: 2\n", "line 2: a key must be a text");
    refuse("a: \"x\\0y\"\n", "line 1: a text holds a NUL character");
    refuse("a: {b: 1, b: 2}\n", "line 1: b: is there twice, first in line 1");
    refuse("a: 1\nb: [1, 2\n", "line 3: no YAML: while parsing a flow sequence, did not find expected ',' or ']'");
    refuse("a: 1\n\tb: 2\n",
           "line 2: no YAML: while scanning a plain scalar, found a tab character that violates indentation");
    refuse("a: 1\nb: \xff\n", "line 2: no YAML: invalid leading UTF-8 octet (byte 8)");
}

/* `n` times `piece`. */
static char *repeat(const char *piece, size_t n) {
    const size_t length = strlen(piece);
    char *const text = malloc(n * length + 1);
    assert_non_null(text);
    for (size_t i = 0; i < n; i++) memcpy(text + i * length, piece, length);
    text[n * length] = '\0';
    return text;
}

static void refuse_many(const char *piece, size_t n, const char *message) {
    char *const text = repeat(piece, n);
    refuse(text, message);
    free(text);
}

static void depth_and_size_are_bounded(void **state) {
    (void)state;
    dv_yaml_node *root;
    assert_int_equal(parse("[[[[[[[[]]]]]]]]", &root), DV_OK);
    dv_yaml_free(root);
    refuse("[[[[[[[[[]]]]]]]]]", "line 1: lists and maps nested deeper than 8");
    refuse_many("[", 500000, "line 1: lists and maps nested deeper than 8");
    refuse_many("- 1\n", 70000, "line 65537: more than 65536 values");
    refuse_many("# ........................\n", 50000, "larger than the 1048576 bytes of a configuration");
}

static void maps_are_bounded(void **state) {
    (void)state;
    char text[4096];
    size_t length = 0;
    for (int i = 0; i < 257; i++) length += (size_t)snprintf(text + length, sizeof text - length, "k%d: 1\n", i);
    refuse(text, "line 257: a map of more than 256 keys");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_know_kind_text_and_line),
        cmocka_unit_test(faults_name_their_line),
        cmocka_unit_test(depth_and_size_are_bounded),
        cmocka_unit_test(maps_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
