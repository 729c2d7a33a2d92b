"$DENSEVAL" bench confusion --memory-limit 64MiB --images 2 --height 20 --width 30 --classes 4,300 --backend cpu
