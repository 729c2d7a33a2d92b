"$DENSEVAL" bench search --memory-limit 64MiB --rows 500 --dims 32 --queries 50 --kind all --verify 20 --threads 2 --backend cpu
