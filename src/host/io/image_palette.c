#include "denseval/image.h"

/* Bits 0, 1, 2 of the label are the top bits of R, G, B, bits 3, 4, 5 the next ones, and so on: near labels differ
 * most. */
void dv_class_colour(uint16_t label, uint8_t *rgb) {
    unsigned red = 0, green = 0, blue = 0;
    unsigned rest = label;
    for (unsigned shift = 7; rest != 0; shift--, rest >>= 3) { /* 16 bits are used up after 6 rounds */
        red |= (rest & 1U) << shift;
        green |= (rest >> 1 & 1U) << shift;
        blue |= (rest >> 2 & 1U) << shift;
    }
    rgb[0] = (uint8_t)red;
    rgb[1] = (uint8_t)green;
    rgb[2] = (uint8_t)blue;
}
