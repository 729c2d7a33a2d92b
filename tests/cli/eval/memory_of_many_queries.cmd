# HB-10: resident size is flat after the first blocks. 800 more pictures are 6.5 MB of features, 3.3 MB of stored labels
# and 6.5 MB of predicted ones; a block has 64 pictures.
# A sanitizer keeps freed memory for a while, so sizes say nothing there.
! "$DENSEVAL" --version | grep -q "^sanitizer: [^n]" || exit 77
"$PYTHON" "$CLI/make_long_set.py" bank.h5 2
rss() {
    "$PYTHON" "$CLI/make_long_set.py" queries.h5 "$1"
    "$DENSEVAL" eval --features bank.h5 --classes 2 --queries queries.h5 -k 2 --threads 2 --json |
        $JSON resources.max_rss_bytes
}
few=$(rss 200) && many=$(rss 1000) && [ $((many - few)) -lt 5000000 ] || echo "200 pictures: $few bytes, 1000: $many"
