# A processor that the BLAS library does not know must not end with its generic kernels.
grep -q -w avx2 /proc/cpuinfo || exit 77
"$DENSEVAL" --version | grep '^blas: '
"$DENSEVAL" --version | grep -c '^blas: Prescott'
true
