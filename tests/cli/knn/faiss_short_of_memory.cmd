# OpenBLAS would try for its buffers for ever; a limit on the address space means nothing to a sanitizer.
! "$DENSEVAL" --version | grep -q "^sanitizer: [^n]" || exit 77
"$DENSEVAL" --version | grep -q "^backend faiss: usable" || exit 77
"$PYTHON" "$CLI/make_features.py" f.h5
(ulimit -v 300000; timeout 60 "$DENSEVAL" knn --features f.h5 --queries f.h5 -k 2 --threads 2 --backend faiss --out k.h5)
echo $?
ls -A | grep -v f.h5
