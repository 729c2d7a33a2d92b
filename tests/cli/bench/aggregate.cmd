"$DENSEVAL" bench aggregate --memory-limit 64MiB --rows 50 --patches 20 -k 3 --classes 4 --backend cpu
