"$DENSEVAL" bench search --memory-limit 64MiB --rows 40 --dims 8 --queries 3 --verify 0 --backend cpu | tail -n 2
