"$DENSEVAL" bench jf --memory-limit 64MiB --height 90 --width 161 --frames 3 --objects 1,7 --backend cpu
