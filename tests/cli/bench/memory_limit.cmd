"$DENSEVAL" bench search --rows 320k --dims 768 --queries 100 --memory-limit 1MiB
