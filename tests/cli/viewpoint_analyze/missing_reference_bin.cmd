# Nothing to normalise by: no curve, no breaking point, and a warning.
"$PYTHON" "$CLI/make_results.py" --without 0
"$DENSEVAL" viewpoint analyze --plots none --results a_memory100.csv --out out --json |
    $JSON partial experiment_b.1.encoder experiment_b.1.normalised experiment_b.1.breaking_bin_all experiment_b.1.missing_bins
