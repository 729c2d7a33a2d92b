#include "settings.h"

#include <stdlib.h>

#include "sanitizers.h"

namespace simt {

static settings current;
static uint64_t random_state;

/* Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014. */
static uint64_t random_bits() {
    random_state += 0x9e3779b97f4a7c15u;
    uint64_t x = random_state;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static void draw(uint64_t seed) {
    random_state = seed;
    current.schedule = static_cast<int>(seed % SIMT_N_SCHEDULES);
    current.copy_timing = static_cast<int>(seed / SIMT_N_SCHEDULES % SIMT_N_COPY_TIMINGS);
    current.pattern = static_cast<int>(seed / (SIMT_N_SCHEDULES * SIMT_N_COPY_TIMINGS) % SIMT_N_PATTERNS);
    static const unsigned eagerness[] = {0, 2, 4};
    current.eagerness = eagerness[random_bits() % 3];
}

static bool drawn = false;

uint64_t environment_number(const char *name, uint64_t unset) {
    const char *const value = getenv(name);
    return value ? strtoull(value, nullptr, 10) : unset;
}

const settings &chosen() {
    if (!drawn) simt_set_seed(environment_number("SIMT_SEED", 0));
    return current;
}

size_t random_below(size_t n) {
    chosen();
    return static_cast<size_t>(random_bits() % n);
}

unsigned char fill_byte() {
    static const unsigned char bytes[SIMT_N_PATTERNS] = {0x3a, 0xcd};
    return bytes[chosen().pattern];
}

} // namespace simt

void simt_set_seed(uint64_t seed) {
    simt::draw(seed);
    simt::drawn = true;
}

void simt_set_setting(int schedule, int copy_timing, int pattern) {
    simt_set_seed(0);
    simt::current.schedule = schedule;
    simt::current.copy_timing = copy_timing;
    simt::current.pattern = pattern;
}

uint64_t simt_n_seeds(void) {
    return simt::watches_races ? 3 : SIMT_N_SETTINGS;
}
