# KNN-16: of two threads asked for, the caller and a worker compute (one more worker waits, writing predictions takes turns with
# searching), and one reads ahead; FAISS and its BLAS start none of theirs.
for backend in cpu faiss; do
    "$DENSEVAL" --version | grep -q "^backend $backend: usable" || continue
    "$DENSEVAL" eval --features "$DATA/demo/features_early.h5" --queries "$DATA/demo/features_early.h5" --threads 2 \
        --backend $backend >/dev/null &
    most=0
    while grep -q '^State:[^Z]*$' /proc/$!/status 2>/dev/null; do
        now=$(ls /proc/$!/task 2>/dev/null | wc -l)
        [ "$now" -le "$most" ] || most=$now
    done
    wait $! || exit 1
    [ "$most" -le 4 ] || echo "$backend: $most threads"
done
