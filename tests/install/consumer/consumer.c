/* consumer.c: the least that another project does with an installed denseval. */
#include <denseval/denseval.h>
#include <stdio.h>

int main(void) {
    return printf("denseval %s\n", dv_version()) < 0;
}
