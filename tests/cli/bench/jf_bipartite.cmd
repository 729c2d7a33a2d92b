"$DENSEVAL" bench jf --memory-limit 64MiB --height 60 --width 70 --frames 2 --objects 4 --matching bipartite --backend faiss --json | grep -c "\"verdict\":"
