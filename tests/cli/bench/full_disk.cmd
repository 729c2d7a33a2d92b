"$DENSEVAL" bench search --memory-limit 64MiB --rows 40 --dims 8 --queries 2 >/dev/full
