/* cppcheck_macros.h: loops that are macros of libraries whose headers cppcheck is not shown. */
#define json_object_foreach(object, key, value) for (key = 0; next(object, &key, &value);)
#define json_array_foreach(array, index, value) for (index = 0; next(array, &index, &value);)
