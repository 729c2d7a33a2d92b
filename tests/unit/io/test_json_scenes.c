#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/json_scenes.h"
#include "unit/core/scratch.h"

#define OBJECTS "\"objects\": {\"9\": {\"motion\": \"dynamic\", \"name\": \"ball\"}, \"2\": {\"motion\": \"static\"}}"
#define FRAMES "\"frames\": [\"00000\", \"00010\"], \"reference_frame\": \"00010\", \"height\": 12, \"width\": 16"
#define CAMERAS "\"rig\": [\"a\", \"b\", \"c\"], \"initial_camera\": \"b\", \"cameras\": [\"b\", \"a\"]"
#define FILE_OF(scenes) "{\"schema\": \"muvod-scenes v1\", \"scenes\": {" scenes "}}"
#define SCENE "\"hall\": {" CAMERAS ", " FRAMES ", " OBJECTS "}"

static void scenes_are_read_in_order(void **state) {
    (void)state;
    dv_scenes scenes;
    scratch_write_text("m.json", FILE_OF("\"z\": {" CAMERAS ", " FRAMES ", " OBJECTS "}, " SCENE));
    assert_int_equal(dv_scenes_read(scratch("m.json"), &scenes), DV_OK);
    assert_int_equal(scenes.n, 2);
    assert_string_equal(scenes.scenes[0].name, "z");
    const dv_scene *const hall = &scenes.scenes[1];
    assert_string_equal(hall->name, "hall");
    assert_int_equal(hall->rig.n, 3);
    assert_string_equal(hall->cameras.names[1], "a");
    assert_string_equal(hall->initial_camera, "b");
    assert_int_equal(hall->initial_in_rig, 1);
    assert_int_equal(hall->reference_frame, 1);
    assert_int_equal(hall->height, 12);
    assert_int_equal(hall->width, 16);
    assert_int_equal(hall->n_objects, 2);
    assert_int_equal(hall->objects[0].id, 2); /* by id, whatever the file's order */
    assert_string_equal(hall->objects[0].name, "2");
    assert_int_equal(hall->objects[1].motion, DV_MOTION_DYNAMIC);
    assert_string_equal(hall->objects[1].name, "ball");
    dv_scenes_clear(&scenes);
}

static void refuse(const char *text, const char *message) {
    dv_scenes scenes;
    char expected[512];
    scratch_write_text("m.json", text);
    assert_int_equal(dv_scenes_read(scratch("m.json"), &scenes), DV_E_DATA);
    assert_int_equal(scenes.n, 0);
    snprintf(expected, sizeof expected, "%s: %s", scratch("m.json"), message);
    assert_string_equal(dv_last_error(), expected);
}

static void faults_say_where_they_are(void **state) {
    (void)state;
    refuse("{\"schema\": \"muvod-scenes v1\",}", "line 1 column 30: is no JSON: string or '}' expected near '}'");
    refuse("{}", "schema: missing, expected \"muvod-scenes v1\"");
    refuse("{\"schema\": \"other\"}", "schema: \"other\", expected \"muvod-scenes v1\"");
    refuse(FILE_OF(""), "the file: scenes: {}: must be an object that is not empty");
    refuse(FILE_OF("\"a/b\": {" CAMERAS ", " FRAMES ", " OBJECTS "}"),
           "scenes: \"a/b\": must be the name of a file or folder");
    refuse(FILE_OF("\"hall\": 7"), "hall: must be an object");
    refuse(FILE_OF("\"hall\": {" FRAMES ", " OBJECTS "}"), "hall: rig: missing, must be a list of names");
    refuse(FILE_OF("\"hall\": {\"rig\": [\"a\", \"a\"]}"), "hall: rig: \"a\" stands there twice");
    refuse(FILE_OF("\"hall\": {\"rig\": [\"a\"], \"cameras\": [\"b\"]}"),
           "hall: cameras: \"b\": must be a camera of the rig");
    refuse(FILE_OF("\"hall\": {\"rig\": [\"a\"], \"cameras\": [\"a\"], \"initial_camera\": \"b\"}"),
           "hall: initial_camera: \"b\": must be a camera of the rig");
    refuse(FILE_OF("\"hall\": {" CAMERAS ", \"frames\": [\"0\"], \"reference_frame\": \"1\"}"),
           "hall: reference_frame: \"1\": must be one of the frames");
    refuse(FILE_OF("\"hall\": {" CAMERAS ", \"frames\": [\"0\"], \"reference_frame\": \"0\", \"height\": 0}"),
           "hall: height: 0: must be a whole number 1 to 65535");
    refuse(FILE_OF("\"hall\": {" CAMERAS ", " FRAMES ", \"objects\": {\"0\": {\"motion\": \"static\"}}}"),
           "hall: objects: 0: must be an id 1 to 65535");
    refuse(FILE_OF("\"hall\": {" CAMERAS ", " FRAMES ", \"objects\": {\"3\": {\"motion\": \"slow\"}}}"),
           "hall: objects: 3: motion: \"slow\": must be dynamic, static or environmental");
    refuse(FILE_OF("\"hall\": {" CAMERAS ", " FRAMES
                   ", \"objects\": {\"3\": {\"motion\": \"static\"}, \"03\": {\"motion\": \"static\"}}}"),
           "hall: objects: the id 3 stands there twice");
    refuse(FILE_OF(SCENE ", " SCENE), "line 1 column 296: is no JSON: duplicate object key near '\"hall\"'");
}

static void missing_file_is_missing(void **state) {
    (void)state;
    dv_scenes scenes;
    assert_int_equal(dv_scenes_read(scratch("none.json"), &scenes), DV_E_MISSING);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_are_read_in_order),
        cmocka_unit_test(faults_say_where_they_are),
        cmocka_unit_test(missing_file_is_missing),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
