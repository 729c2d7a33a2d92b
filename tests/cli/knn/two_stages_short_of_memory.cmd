# As for faiss: without room for OpenBLAS's buffers one stage does, and two that were asked for are refused.
! "$DENSEVAL" --version | grep -q "^sanitizer: [^n]" || exit 77
"$PYTHON" "$CLI/make_features.py" f.h5
(ulimit -v 300000; timeout 60 "$DENSEVAL" knn --features f.h5 --queries f.h5 -k 2 --threads 2 --backend cpu --out one.h5)
echo $?
(ulimit -v 300000; timeout 60 "$DENSEVAL" knn --features f.h5 --queries f.h5 -k 2 --threads 2 --backend cpu --stages 2 --out two.h5)
echo $?
ls -A | grep -v f.h5
