# Both rules of the breaking point are there, whatever --steps says.
"$PYTHON" "$CLI/make_results.py"
for steps in validation all; do
    "$DENSEVAL" viewpoint analyze --plots none --results a_memory100.csv a_memory200.csv --out $steps --steps $steps --json |
        $JSON schema command partial settings.steps settings.threshold bins experiment_a.0 experiment_b.2.breaking_bin_all \
            experiment_b.2.breaking_bin_validation experiment_b.2.breaking_step experiment_b.2.normalised \
            experiment_b.2.steps experiment_c.0 experiment_c_averages.0 experiment_c_tasks.0
done
