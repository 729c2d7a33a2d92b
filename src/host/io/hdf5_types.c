#include <stdio.h>
#include <string.h>

#include "io/hdf5_private.h"

/* A float format as HDF5 describes it: bit positions from the least significant bit. */
typedef struct float_format {
    dv_h5_type type;
    size_t size, sign, exponent, exponent_bits, mantissa, mantissa_bits, bias;
} float_format;

static const float_format float_formats[] = {
    {DV_H5_F16, 2, 15, 10, 5, 0, 10, 15},
    {DV_H5_BF16, 2, 15, 7, 8, 0, 7, 127},
    {DV_H5_F32, 4, 31, 23, 8, 0, 23, 127},
    {DV_H5_F64, 8, 63, 52, 11, 0, 52, 1023},
};
enum { N_FLOAT_FORMATS = sizeof float_formats / sizeof float_formats[0] };

static const char *const type_names[] = {
    [DV_H5_OTHER] = "unknown", [DV_H5_I8] = "i8",   [DV_H5_I16] = "i16", [DV_H5_I32] = "i32",   [DV_H5_I64] = "i64",
    [DV_H5_U8] = "u8",         [DV_H5_U16] = "u16", [DV_H5_U32] = "u32", [DV_H5_U64] = "u64",   [DV_H5_F16] = "f16",
    [DV_H5_BF16] = "bf16",     [DV_H5_F32] = "f32", [DV_H5_F64] = "f64", [DV_H5_TEXT] = "text",
};
enum { N_TYPES = sizeof type_names / sizeof type_names[0] };

const char *dv_h5_type_name(dv_h5_type type) {
    return (size_t)type < N_TYPES ? type_names[type] : type_names[DV_H5_OTHER];
}

dv_h5_type dv_h5_type_of(dv_dtype dtype) {
    switch (dtype) {
    case DV_F16:
        return DV_H5_F16;
    case DV_BF16:
        return DV_H5_BF16;
    case DV_F32:
        return DV_H5_F32;
    case DV_F64:
        return DV_H5_F64;
    }
    return DV_H5_OTHER;
}

static dv_h5_type find_float(hid_t type) {
    size_t sign, exponent, exponent_bits, mantissa, mantissa_bits;
    if (H5Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits) < 0) return DV_H5_OTHER;
    const size_t size = H5Tget_size(type), bias = H5Tget_ebias(type);
    if (H5Tget_norm(type) != H5T_NORM_IMPLIED || H5Tget_offset(type) != 0) return DV_H5_OTHER;
    for (size_t i = 0; i < N_FLOAT_FORMATS; i++) {
        const float_format *f = &float_formats[i];
        if (f->size == size && f->sign == sign && f->exponent == exponent && f->exponent_bits == exponent_bits &&
            f->mantissa == mantissa && f->mantissa_bits == mantissa_bits && f->bias == bias)
            return f->type;
    }
    return DV_H5_OTHER;
}

static dv_h5_type find_integer(hid_t type, bool is_signed) {
    const size_t size = H5Tget_size(type);
    if (H5Tget_precision(type) != 8 * size || H5Tget_offset(type) != 0) return DV_H5_OTHER;
    switch (size) {
    case 1:
        return is_signed ? DV_H5_I8 : DV_H5_U8;
    case 2:
        return is_signed ? DV_H5_I16 : DV_H5_U16;
    case 4:
        return is_signed ? DV_H5_I32 : DV_H5_U32;
    case 8:
        return is_signed ? DV_H5_I64 : DV_H5_U64;
    default:
        return DV_H5_OTHER;
    }
}

static const char *class_name(H5T_class_t class) {
    switch (class) {
    case H5T_INTEGER:
        return "integer";
    case H5T_FLOAT:
        return "float";
    case H5T_TIME:
        return "time";
    case H5T_BITFIELD:
        return "bitfield";
    case H5T_OPAQUE:
        return "opaque";
    case H5T_COMPOUND:
        return "compound";
    case H5T_REFERENCE:
        return "reference";
    case H5T_ENUM:
        return "enum";
    case H5T_VLEN:
        return "variable-length list";
    case H5T_ARRAY:
        return "array";
    default:
        return "unknown type";
    }
}

static bool enum_or_integer_sign(hid_t type, H5T_class_t class) {
    if (class == H5T_INTEGER) return H5Tget_sign(type) == H5T_SGN_2;
    const hid_t base = H5Tget_super(type);
    if (base < 0) return false;
    const bool is_signed = H5Tget_sign(base) == H5T_SGN_2;
    H5Tclose(base);
    return is_signed;
}

void dv_h5_classify(dv_h5_data *data) {
    dv_h5_shape *shape = &data->shape;
    const hid_t type = data->type;
    const H5T_class_t class = H5Tget_class(type);
    shape->element_bytes = H5Tget_size(type);
    shape->type = DV_H5_OTHER;
    const bool is_whole = class == H5T_INTEGER || class == H5T_ENUM; /* h5py stores a bool as an enum of i8 */
    data->is_float = class == H5T_FLOAT;
    data->is_signed = is_whole && enum_or_integer_sign(type, class);
    data->shape.is_number = (is_whole && shape->element_bytes <= 8) || data->is_float;
    if (class == H5T_STRING) shape->type = DV_H5_TEXT;
    if (class == H5T_FLOAT) shape->type = find_float(type);
    if (class == H5T_INTEGER) shape->type = find_integer(type, data->is_signed);
    const bool big = data->shape.is_number && shape->element_bytes > 1 && H5Tget_order(type) != H5T_ORDER_LE;
    if (shape->type != DV_H5_OTHER) {
        snprintf(shape->type_name, sizeof shape->type_name, "%s%s", big ? "big-endian " : "", type_names[shape->type]);
        if (big) shape->type = DV_H5_OTHER;
    } else if (data->shape.is_number && class != H5T_ENUM) {
        snprintf(shape->type_name, sizeof shape->type_name, "%s%s of %zu bytes, %zu bits used",
                 big ? "big-endian " : "", class_name(class), shape->element_bytes, H5Tget_precision(type));
    } else {
        snprintf(shape->type_name, sizeof shape->type_name, "%s", class_name(class));
    }
}

static hid_t make_float(const float_format *f) {
    const hid_t type = H5Tcopy(f->size == 8 ? H5T_IEEE_F64LE : H5T_IEEE_F32LE);
    if (type < 0 || f->size != 2) return type;
    /* HDF5 before 1.14.4 has no 16-bit float: made from f32. The fields shrink before the size does. */
    if (H5Tset_fields(type, f->sign, f->exponent, f->exponent_bits, f->mantissa, f->mantissa_bits) < 0 ||
        H5Tset_size(type, f->size) < 0 || H5Tset_ebias(type, f->bias) < 0) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

hid_t dv_h5_make_type(dv_h5_type type) {
    switch (type) {
    case DV_H5_I8:
        return H5Tcopy(H5T_STD_I8LE);
    case DV_H5_I16:
        return H5Tcopy(H5T_STD_I16LE);
    case DV_H5_I32:
        return H5Tcopy(H5T_STD_I32LE);
    case DV_H5_I64:
        return H5Tcopy(H5T_STD_I64LE);
    case DV_H5_U8:
        return H5Tcopy(H5T_STD_U8LE);
    case DV_H5_U16:
        return H5Tcopy(H5T_STD_U16LE);
    case DV_H5_U32:
        return H5Tcopy(H5T_STD_U32LE);
    case DV_H5_U64:
        return H5Tcopy(H5T_STD_U64LE);
    case DV_H5_F16:
    case DV_H5_BF16:
    case DV_H5_F32:
    case DV_H5_F64:
        for (size_t i = 0; i < N_FLOAT_FORMATS; i++)
            if (float_formats[i].type == type) return make_float(&float_formats[i]);
        return -1;
    case DV_H5_TEXT:
        return dv_h5_make_text_type();
    case DV_H5_OTHER:
        return -1;
    }
    return -1;
}

hid_t dv_h5_make_text_type(void) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0) return type;
    if (H5Tset_size(type, H5T_VARIABLE) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0) {
        H5Tclose(type);
        return -1;
    }
    return type;
}
