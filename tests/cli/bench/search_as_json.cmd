# Every row names its stage and its shape; the three numbers of wrong rows agree.
"$DENSEVAL" bench search --memory-limit 64MiB --rows 500,1k --dims 8 --queries 9 -k 5 --runs 2 --warm-up 0 --backend reference --json |
    $JSON schema command settings.runs settings.warm_up settings.seed settings.k peaks.threads rows.0.stage rows.0.rows rows.1.rows rows.1.dim \
        rows.1.queries rows.1.kind rows.1.wrong wrong verdict
