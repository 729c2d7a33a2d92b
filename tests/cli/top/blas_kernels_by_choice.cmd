# Who names a kernel family gets it.
grep -q -w avx2 /proc/cpuinfo || exit 77
OPENBLAS_CORETYPE=Haswell "$DENSEVAL" --version | grep '^blas: '
