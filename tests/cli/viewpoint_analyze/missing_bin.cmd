# No step over it, no gain over other bins, and it is listed.
"$PYTHON" "$CLI/make_results.py" --without 30
"$DENSEVAL" viewpoint analyze --plots none --results a_memory100.csv --out out --json |
    $JSON partial experiment_a.2.miou experiment_a.2.scored_bins experiment_a.2.missing_bins experiment_b.1.encoder \
        experiment_b.1.steps experiment_b.1.missing_bins experiment_b.1.breaking_bin_validation
tail -5 out/experiment_a.md
