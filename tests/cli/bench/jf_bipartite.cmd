# Pixels matched one to one.
"$DENSEVAL" bench jf --memory-limit 64MiB --height 60 --width 70 --frames 2 --objects 4 --matching bipartite --backend cpu --json |
    $JSON rows.0.stage rows.0.height rows.0.width rows.0.objects rows.0.frames rows.0.wrong wrong verdict
