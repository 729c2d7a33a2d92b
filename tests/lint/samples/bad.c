/* bad.c: what the static checks must refuse; run.sh tries each of them on it first. Never compiled. */
#include <stdlib.h>
int leaky(int n);
int leaky(int n)   {
    char *p = malloc(3);
    if (n) return 0;
    free(p); free(p);
    return 1;
}
