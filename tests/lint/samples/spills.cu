/* A kernel that cannot keep its values in registers: what kernel_table.py must find. */
__global__ void __launch_bounds__(1024, 2) spills(double *values, int n) {
    double kept[40];
    for (int i = 0; i < 40; i++) kept[i] = values[threadIdx.x + i * n];
    for (int round = 0; round < n; round++) {
#pragma unroll
        for (int i = 0; i < 40; i++) kept[i] = kept[i] * kept[(i + 7) % 40] + kept[(i + 1) % 40];
    }
    for (int i = 0; i < 40; i++) values[threadIdx.x + i * n] = kept[i];
}
